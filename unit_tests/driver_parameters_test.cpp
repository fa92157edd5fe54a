// SPDX-License-Identifier: BSD-3-Clause
// Options of the program in a file: the same run as with options on the command line, which come first; and what the
// program says of a file that it cannot use.
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

constexpr const char* scc_yaml = R"(# a comment
dromos scc:
  generate: kronecker
  scale: 7
  edge factor: 4
  directed: true
  method: [serial, multistep]
  strategy: B
  repeat: 2
  validate: true
)";

TEST(Parameters, FileSaysWhatTheCommandLineWould) {
  const RunDromos dromos;
  dromos.write("scc.yaml", scc_yaml);
  const Outcome by_file = dromos.run("scc --parameters scc.yaml --json -");
  const Outcome by_words = dromos.run(
      "scc --generate kronecker --scale 7 --edge-factor 4 --directed --method serial,multistep --strategy B --repeat 2 "
      "--validate --json -");
  ASSERT_EQ(by_file.exit_code, 0) << by_file.error;
  ASSERT_EQ(by_words.exit_code, 0) << by_words.error;
  ASSERT_EQ(by_file.json()["runs"].size(), 4U);
  EXPECT_EQ(by_file.json()["graph"]["num_edges"], by_words.json()["graph"]["num_edges"]);
  for (std::size_t i = 0; i < 4; ++i) {
    for (const char* key : {"method", "strategy", "num_components", "valid"}) {
      EXPECT_EQ(by_file.json()["runs"][i][key], by_words.json()["runs"][i][key]) << key;
    }
  }
}

TEST(Parameters, CommandLineComesFirst) {
  const RunDromos dromos;
  dromos.write("scc.yaml", scc_yaml);
  const Outcome outcome = dromos.run("scc --scale 5 --method coloring --parameters scc.yaml --json - --repeat 1");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  ASSERT_EQ(outcome.json()["runs"].size(), 1U);
  EXPECT_EQ(outcome.json()["runs"][0]["method"], "coloring");
  EXPECT_EQ(outcome.json()["graph"]["num_vertices"], 32);
}

TEST(Parameters, XmlWithAFileAndRoots) {
  const RunDromos dromos;
  dromos.write("g.txt", "3 7\n7 9\n9 3\n");
  dromos.write("bfs.xml", R"xml(<ParameterList name="dromos bfs">
  <Parameter name="file" type="string" value="g.txt"/>
  <Parameter name="root" type="Array(int)" value="{7, 3}"/>
  <Parameter name="levels" type="bool" value="false"/>
</ParameterList>
)xml");
  const Outcome outcome = dromos.run("bfs --parameters bfs.xml --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  ASSERT_EQ(outcome.json()["runs"].size(), 2U);
  EXPECT_EQ(outcome.json()["runs"][0]["root"], 7);
  EXPECT_EQ(outcome.json()["runs"][1]["root"], 3);
}

TEST(Parameters, TimersShowRegions) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("scc --generate kronecker --scale 6 --directed --timers --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_TRUE(outcome.json().contains("runs"));  // which stdout has to itself
  EXPECT_NE(outcome.error.find("dromos::scc::trim_simple"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("dromos::transpose"), std::string::npos) << outcome.error;
}

struct WrongFile {
  const char* name;
  const char* text;
  std::vector<const char*> said;
};

void PrintTo(const WrongFile& file, std::ostream* out) { *out << file.name; }

class WrongParameters : public ::testing::TestWithParam<WrongFile> {};

TEST_P(WrongParameters, OneLineThatHelps) {
  const RunDromos dromos;
  if (GetParam().text != nullptr) dromos.write("p.yaml", GetParam().text);
  const Outcome outcome = dromos.run("pagerank --generate kronecker --parameters p.yaml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error.compare(0, 15, "dromos: error: "), 0) << outcome.error;
  EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
  EXPECT_NE(outcome.error.find("p.yaml"), std::string::npos) << outcome.error;
  for (const char* word : GetParam().said) EXPECT_NE(outcome.error.find(word), std::string::npos) << outcome.error;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongParameters,
    ::testing::Values(
        WrongFile{"absent", nullptr, {"cannot be read", "No such file"}}, WrongFile{"empty", "", {"is empty"}},
        WrongFile{"no list", "dromos pagerank: [1, 2\n", {"is not a parameter list in YAML"}},
        WrongFile{"another program", "dromos bfs:\n  scale: 5\n", {"'dromos bfs'", "'dromos pagerank'"}},
        WrongFile{"unknown", "dromos pagerank:\n  edge factr: 5\n", {"'edge factr'", "did you mean edge factor?"}},
        WrongFile{"dashes", "dromos pagerank:\n  edge-factor: 5\n", {"'edge-factor'", "did you mean edge factor?"}},
        WrongFile{"no number",
                  "dromos pagerank:\n  scale: big\n",
                  {"parameter 'scale': expected a whole number from 0 to 47, found 'big'"}},
        WrongFile{"no whole number", "dromos pagerank:\n  scale: 4.5\n", {"'scale'", "whole number", "found '4.5'"}},
        WrongFile{"out of range", "dromos pagerank:\n  scale: 48\n", {"'scale'", "0 to 47", "found '48'"}},
        WrongFile{"no flag", "dromos pagerank:\n  directed: 7\n", {"'directed'", "expected true or false, found '7'"}},
        WrongFile{"no value", "dromos pagerank:\n  scale: true\n", {"'scale'", "expected a value, found true"}},
        WrongFile{"sublist", "dromos pagerank:\n  scale: {a: 1}\n", {"'scale'", "found a sublist"}}));

/// `level` so many times, one behind the other.
std::string repeated(int times, const std::string& level) {
  std::string text;
  for (int i = 0; i < times; ++i) text += level;
  return text;
}

TEST(Parameters, FilesNestedBeyondReasonAreRefusedAtOnce) {
  const RunDromos dromos;
  const std::string list = "<ParameterList name=\"a\">";
  const std::string deep = repeated(5000, "<a>"), ends = repeated(6000, "</a>");
  std::string block = "dromos info:\n";
  for (int i = 1; i <= 200; ++i) block += repeated(i, " ") + "a:\n";
  const std::string texts[] = {
      repeated(2000, list), repeated(1000, list) + repeated(1000, "</ParameterList>"), deep,
      // Ends that are none, which must not make room for beginnings.
      "<a><!-- " + ends + " -->" + deep, "<a><![CDATA[" + ends + "]]>" + deep, "<a><? " + ends + " ?>" + deep,
      "<a b=\"" + ends + "\">" + deep, "<a b='" + ends + "'>" + deep, ends + deep, repeated(5000, "<a b='>'>"),
      repeated(5000, "<a b='/>'>"), block, "dromos info: " + repeated(3000, "[") + repeated(3000, "]"),
      "dromos info:\n  " + repeated(3000, "{a: "), "dromos info:\n" + repeated(3000, "- ")};
  for (const std::string& text : texts) {
    dromos.write("p", text);
    const Outcome outcome = dromos.shell("timeout 5 '" DROMOS_PROGRAM "' info --parameters p");
    EXPECT_EQ(outcome.exit_code, 2) << text.substr(0, 40);
    EXPECT_NE(outcome.error.find("nested deeper than 100 levels"), std::string::npos)
        << text.substr(0, 40) << ": " << outcome.error;
  }
}

TEST(Parameters, WhatIsNoElementIsNoLevel) {
  const RunDromos dromos;
  dromos.write("p", "<?xml version=\"1.0\"?><!-- " + repeated(200, "<a>") + " --><ParameterList name=\"dromos info\">" +
                        repeated(200, "<!-- <a> -->") + R"(<Parameter name="generate" type="string" value="path"/>)" +
                        R"(<Parameter name="vertices" type="int" value="3"/></ParameterList>)");
  const Outcome outcome = dromos.run("info --parameters p");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
}

TEST(Parameters, FilesThatWouldTakeLongAreRefusedByTheirSize) {
  const RunDromos dromos;
  const std::string texts[] = {"dromos cc:\n  output: \"" + repeated(900000, "x") + "\"\n",
                               "dromos bfs:\n  root: [1" + repeated(200000, ",1") + "]\n", repeated(1 << 20, "<"),
                               "dromos info:\n" + repeated(3000, repeated(1500, " ") + "a:\n")};
  for (const std::string& text : texts) {
    dromos.write("p", text);
    const Outcome outcome = dromos.shell("timeout 2 '" DROMOS_PROGRAM "' info --parameters p");
    EXPECT_EQ(outcome.exit_code, 2) << text.substr(0, 40);
    EXPECT_NE(outcome.error.find("p: is larger than 64 KiB, the most"), std::string::npos) << outcome.error;
  }
  dromos.write("p", repeated(65536, "<"));
  EXPECT_EQ(dromos.shell("timeout 2 '" DROMOS_PROGRAM "' info --parameters p").exit_code, 2);
  EXPECT_EQ(dromos.shell("timeout 2 '" DROMOS_PROGRAM "' info --parameters /dev/zero").exit_code, 2);
}

TEST(Parameters, TheirFileIsNoPlaceForAResult) {
  const RunDromos dromos;
  dromos.write("g.txt", "3 7\n7 9\n9 3\n");
  const auto refused = [&](const std::string& text, const std::string& arguments) {
    dromos.write("p.yaml", text);
    expect_refusal(dromos, arguments, {"p.yaml: this file is read as --parameters", "name another"});
    EXPECT_EQ(dromos.read("p.yaml"), text) << arguments;
  };
  dromos.shell("ln -s p.yaml link");
  refused("dromos cc:\n  validate: true\n", "cc --parameters p.yaml --json p.yaml g.txt");
  refused("dromos cc:\n  validate: true\n", "cc --parameters link --output p.yaml g.txt");
  refused("dromos cc:\n  output: p.yaml\n", "cc --parameters p.yaml g.txt");
  refused("dromos bfs:\n  validate: true\n", "bfs --parameters p.yaml --output p.yaml g.txt");
  refused("dromos info:\n  undirected: true\n", "info --parameters p.yaml --json ./p.yaml g.txt");
  refused("dromos convert:\n  undirected: true\n", "convert --parameters p.yaml g.txt p.yaml --to edge-list");
  refused("dromos generate:\n  scale: 4\n", "generate kronecker --parameters p.yaml -o p.yaml --to edge-list");
  refused("dromos subgraph:\n  component: largest\n", "subgraph --parameters p.yaml -o x.txt --map p.yaml g.txt");
  refused("dromos rcm:\n  undirected: true\n", "rcm --parameters p.yaml --apply p.yaml g.txt");
}

}  // namespace
}  // namespace dromos::test
