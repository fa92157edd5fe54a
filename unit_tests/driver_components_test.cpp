// SPDX-License-Identifier: BSD-3-Clause
// `dromos cc`, `scc` and `color` on graphs that are small enough to know the answers by hand.
#include <map>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

//   10 -> 20 -> 30 -> 10,  30 -> 40,  40 <-> 50,  60 -> 50,  70 -> 80
const char* const two_cycles = "10 20\n20 30\n30 10\n30 40\n40 50\n50 40\n60 50\n70 80\n";

void expect_counts(const json& run, std::int64_t components, std::int64_t nontrivial, std::int64_t largest) {
  SCOPED_TRACE(run.dump());
  EXPECT_EQ(run["num_components"], components);
  EXPECT_EQ(run["num_nontrivial"], nontrivial);
  EXPECT_EQ(run["largest_component"], largest);
  EXPECT_EQ(run["valid"], true);
  EXPECT_GT(run["seconds"], 0);
}

std::map<std::int64_t, std::int64_t> labels_of(const RunDromos& dromos, const std::string& command) {
  const Outcome outcome = dromos.run(command + " --output labels.txt g.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::int64_t, std::int64_t> labels;
  std::istringstream lines(dromos.read("labels.txt"));
  for (std::int64_t vertex, label; lines >> vertex >> label;) labels[vertex] = label;
  return labels;
}

TEST(DriverComponents, EveryMethodAndStrategyOfSccCountsTheSame) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  const json report = run_json(dromos, "scc --method all --strategy all --validate g.txt");
  EXPECT_EQ(report["graph"]["num_edges"], 8);
  ASSERT_EQ(report["runs"].size(), 16u);
  for (const json& run : report["runs"]) {
    EXPECT_EQ(run["algorithm"], "scc");
    expect_counts(run, 5, 2, 3);
    EXPECT_NEAR(run["geps"].get<double>(), 8 / run["seconds"].get<double>() / 1e9, 1e-9);
    EXPECT_FALSE(run["steps"].empty());
  }
  EXPECT_EQ(report["runs"][0]["method"], "multistep");
  EXPECT_EQ(report["runs"][0]["strategy"], "vertex-chunk");
  EXPECT_EQ(report["runs"][15]["method"], "serial");
  EXPECT_EQ(report["runs"][15]["strategy"], "manhattan-global");
}

/// Components follow each other, the largest first, whatever strategy and numbering found them.
TEST(DriverComponents, OrderGroupsVerticesByComponent) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n5 6\n6 7\n7 5\n3 3\n");  // 1 and 2 are one component of cc and two of scc
  for (const std::string options : {"", " --relabel", " --strategy manhattan-global"}) {
    for (const std::string command : {"cc", "scc"}) {
      EXPECT_EQ(dromos.run(command + " g.txt --order o.txt" + options).exit_code, 0) << command;
      EXPECT_EQ(dromos.read("o.txt"), "1 3\n2 4\n3 5\n5 0\n6 1\n7 2\n") << command << options;
    }
    // Level by level: 2 follows 1, the others depend on nothing.
    EXPECT_EQ(dromos.run("condense g.txt --order o.txt" + options).exit_code, 0);
    EXPECT_EQ(dromos.read("o.txt"), "1 0\n2 5\n3 1\n5 2\n6 3\n7 4\n") << options;
  }
  dromos.write("two.txt", "8 9\n1 2\n");
  EXPECT_EQ(dromos.run("cc two.txt --order o.txt").exit_code, 0);
  EXPECT_EQ(dromos.read("o.txt"), "1 0\n2 1\n8 2\n9 3\n") << "of the same size, that of the first vertex first";
  EXPECT_EQ(dromos.run("cc g.txt --order o.mtx").exit_code, 0);
  EXPECT_NE(dromos.read("o.mtx").find("\n6 1\n3\n4\n5\n0\n1\n2\n"), std::string::npos) << dromos.read("o.mtx");
#ifdef DROMOS_ENABLE_HDF5
  EXPECT_EQ(dromos.run("cc g.txt --order o.h5").exit_code, 0);
#endif
  expect_refusal(dromos, "cc g.txt --order o.txt --output o.txt", {"--order", "same file"});
}

TEST(DriverComponents, EveryMethodOfCcForgetsTheDirections) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  const json report = run_json(dromos, "cc --method all --strategy all --validate g.txt");
  ASSERT_EQ(report["runs"].size(), 12u);
  for (const json& run : report["runs"]) expect_counts(run, 2, 2, 6);
}

TEST(DriverComponents, ColorCountsItsWork) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  const json report = run_json(dromos, "color --strategy all --validate g.txt");
  ASSERT_EQ(report["runs"].size(), 4u);
  for (const json& run : report["runs"]) {
    expect_counts(run, 4, 2, 3);  // 10 20 30 have color 30; 40 50 60 color 60; 70; 80
    EXPECT_GE(run["edge_updates"], 8);
    EXPECT_GE(run["vertex_updates"], 3);
    EXPECT_GE(run["num_sweeps"], 2);
    EXPECT_EQ(run.count("method"), 0u);
  }
}

TEST(DriverComponents, LabelsAreWrittenInTheNumbersOfTheFile) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  using Labels = std::map<std::int64_t, std::int64_t>;
  const Labels strong = {{10, 10}, {20, 10}, {30, 10}, {40, 40}, {50, 40}, {60, 60}, {70, 70}, {80, 80}};
  EXPECT_EQ(labels_of(dromos, "scc"), strong);
  EXPECT_EQ(labels_of(dromos, "scc --relabel"), strong);
  EXPECT_EQ(labels_of(dromos, "scc --method serial"), strong);
  const Labels weak = {{10, 10}, {20, 10}, {30, 10}, {40, 10}, {50, 10}, {60, 10}, {70, 70}, {80, 70}};
  EXPECT_EQ(labels_of(dromos, "cc"), weak);
  EXPECT_EQ(labels_of(dromos, "cc --relabel --method color"), weak);
  const Labels colors = {{10, 30}, {20, 30}, {30, 30}, {40, 60}, {50, 60}, {60, 60}, {70, 70}, {80, 80}};
  EXPECT_EQ(labels_of(dromos, "color"), colors);
}

TEST(DriverComponents, RepeatsAreRunsOfTheirOwn) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  EXPECT_EQ(run_json(dromos, "scc --repeat 3 --method serial,multistep g.txt")["runs"].size(), 6u);
  EXPECT_EQ(run_json(dromos, "cc --repeat 2 --strategy B,MG g.txt")["runs"].size(), 4u);
}

TEST(DriverComponents, TheTableNamesWhatItCounts) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  const Outcome outcome = dromos.run("scc --steps --validate g.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  for (const char* const word :
       {"multistep", "components", "non-trivial", "largest", "yes", "trim-simple", "settled"}) {
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " in\n" << outcome.out;
  }
}

/// Refused before anything was printed.
void expect_refusal_at_once(const RunDromos& dromos, const std::string& arguments,
                            const std::vector<std::string>& words) {
  EXPECT_EQ(expect_refusal(dromos, arguments, words).out, "") << arguments;
}

TEST(DriverComponents, MistakesAreNamed) {
  const RunDromos dromos;
  dromos.write("g.txt", two_cycles);
  expect_refusal_at_once(dromos, "scc --method multistp g.txt", {"--method", "'multistp'", "did you mean multistep"});
  expect_refusal_at_once(dromos, "cc --method tarjan g.txt", {"'tarjan'", "afforest, hooking, color"});
  expect_refusal_at_once(dromos, "color --method color g.txt", {"--method"});
  expect_refusal_at_once(dromos, "scc --repeat 0 g.txt", {"--repeat"});
  expect_refusal_at_once(dromos, "cc absent.txt", {"absent.txt"});
  expect_refusal_at_once(dromos, "cc --output no/such/folder g.txt", {"--output", "no/such"});
  EXPECT_EQ(dromos.files(), std::set<std::string>{"g.txt"});
}

}  // namespace
}  // namespace dromos::test
