// SPDX-License-Identifier: BSD-3-Clause
// What other programs read of `dromos`: results against their schema (doc/results.schema.json), the comparison of
// result files, completion for the shell, the manual page.
#include <algorithm>
#include <dromos/version.hpp>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "json_schema.hpp"
#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

JsonSchema result_schema() { return JsonSchema(json::parse(std::ifstream(DROMOS_DOC_DIR "/results.schema.json"))); }

/// A result file with one graph and these runs.
std::string result_text(const std::string& source, const std::vector<json>& runs) {
  return json{{"dromos", json::object()}, {"graph", {{"source", source}, {"format", "edge-list"}}}, {"runs", runs}}
      .dump();
}

json scc(const std::string& method, double geps, json valid = nullptr) {
  return {{"algorithm", "scc"}, {"method", method}, {"strategy", "vertex-chunk"}, {"geps", geps}, {"valid", valid}};
}

json bfs(double gteps) { return {{"algorithm", "bfs"}, {"strategy", "vertex-chunk"}, {"gteps", gteps}}; }

/// The line of a table that starts with this cell, as words.
std::vector<std::string> row(const std::string& table, const std::string& first) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;) cells.push_back(word);
    if (!cells.empty() && cells.front() == first) return cells;
  }
  return {};
}

TEST(Results, AreAsDocumented) {
  const RunDromos dromos;
  const JsonSchema schema = result_schema();
  dromos.write("small.txt", "7 12\n12 900\n900 7\n900 31\n");
  const std::vector<std::string> commands = {
      "bfs small.txt",
      "bfs --direction-optimizing --validate --roots 3 --generate kronecker --scale 6",
      "cc --method all --validate small.txt",
      "scc --method all --validate --generate kronecker --scale 5 --directed",
      "color --validate small.txt",
      "sssp --validate --generate grid --rows 3 --columns 4",
      "path --validate --from 7 --to 31 small.txt",
      "path --validate --weighted --from 1 --to 11 --generate grid --rows 3 --columns 4",
      "path --from 31 --to 7 small.txt",
      "kcore --validate --undirected small.txt",
      "rcm --validate --undirected small.txt",
      "matching --validate small.txt",
      "btf --validate small.txt",
      "condense --validate small.txt",
      "coloring --validate --undirected small.txt",
      "mis2 --validate --undirected small.txt",
      "pagerank --validate small.txt",
      "bc --exact --validate small.txt",
      "diameter --validate --undirected small.txt",
      "info small.txt",
      "info --memory small.txt",
      "bfs --memory --generate path --vertices 4",
#ifdef DROMOS_ENABLE_MPI
      "graph500 --sssp --scale 5 --roots 2",
#endif
  };
  for (const std::string& command : commands) {
    const Outcome outcome = dromos.run(command + " --json -");
    ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.error;
    EXPECT_EQ(schema.fault(outcome.json()), "") << command;
  }
}

TEST(Results, SchemaRefusesWhatIsNotDocumented) {
  const RunDromos dromos;
  const JsonSchema schema = result_schema();
  const json right = dromos.run("bfs --generate path --vertices 4 --json -").json();
  ASSERT_EQ(schema.fault(right), "");
  json wrong = right;
  wrong["runs"][0]["velocity"] = 3;
  EXPECT_NE(schema.fault(wrong), "") << "a member that nobody documented";
  wrong = right;
  wrong["runs"][0].erase("gteps");
  EXPECT_NE(schema.fault(wrong), "") << "a member is missing";
  wrong = right;
  wrong["graph"]["num_vertices"] = "4";
  EXPECT_NE(schema.fault(wrong), "") << "text in place of a number";
  wrong = right;
  wrong["runs"][0]["seconds"] = -1;
  EXPECT_NE(schema.fault(wrong), "") << "a negative time";
}

TEST(Compare, ShowsTheBestOfEachPlatform) {
  const RunDromos dromos;
  // Medians of repeated runs; the best variant of them; invalid runs do not count.
  dromos.write("a1.json", result_text("data/one.txt.xz", {scc("multistep", 1), scc("multistep", 2), scc("multistep", 9),
                                                          scc("color", 1.5), scc("serial", 50, false), bfs(3)}));
  dromos.write("a2.json", result_text("two.mtx", {scc("multistep", 8)}));
  dromos.write("b1.json", result_text("elsewhere/one.txt", {scc("color", 4), bfs(6)}));
  const Outcome outcome = dromos.run("compare A=a1.json A=a2.json B=b1.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(row(outcome.out, "network"),
            (std::vector<std::string>{"network", "A", "GEPS", "B", "GEPS", "bfs", "B", "vs", "A"}));
  EXPECT_EQ(row(outcome.out, "one"), (std::vector<std::string>{"one", "2.00", "4.00", "2.00"}));
  EXPECT_EQ(row(outcome.out, "two"), (std::vector<std::string>{"two", "8.00", "-", "-"}));
  // Over the graph that both have.
  EXPECT_EQ(row(outcome.out, "geometric"),
            (std::vector<std::string>{"geometric", "mean", "of", "1", "of", "2", "2.00", "4.00", "2.00"}));
  EXPECT_NE(outcome.error.find("left out a run that failed validation"), std::string::npos) << outcome.error;

  const Outcome by_bfs = dromos.run("compare A=a1.json B=b1.json --algorithm bfs");
  ASSERT_EQ(by_bfs.exit_code, 0) << by_bfs.error;
  EXPECT_EQ(row(by_bfs.out, "one"), (std::vector<std::string>{"one", "3.00", "6.00", "2.00"}));
}

/// Means over different graphs say nothing about platforms.
TEST(Compare, MeansAreOverGraphsThatAllHave) {
  const RunDromos dromos;
  dromos.write("a1.json", result_text("one", {scc("color", 1), bfs(1)}));
  dromos.write("a2.json", result_text("two", {scc("color", 100)}));
  dromos.write("b1.json", result_text("one", {scc("color", 2), bfs(3)}));
  dromos.write("b2.json", result_text("two", {scc("color", 50)}));
  dromos.write("b3.json", result_text("three", {scc("color", 7)}));
  const Outcome all = dromos.run("compare A=a1.json A=a2.json B=b1.json B=b2.json");
  EXPECT_EQ(row(all.out, "geometric"),
            (std::vector<std::string>{"geometric", "mean", "10.00", "10.00", "3.00", "of", "1"}));
  const Outcome some = dromos.run("compare A=a1.json A=a2.json B=b1.json B=b2.json B=b3.json");
  EXPECT_EQ(row(some.out, "geometric"),
            (std::vector<std::string>{"geometric", "mean", "of", "2", "of", "3", "10.00", "10.00", "3.00", "of", "1"}));
  const Outcome none = dromos.run("compare A=a1.json B=b2.json --algorithm scc");
  EXPECT_EQ(row(none.out, "geometric"),
            (std::vector<std::string>{"geometric", "mean", "of", "0", "of", "2", "-", "-", "-"}));
}

TEST(Compare, ExpandsPatterns) {
  const RunDromos dromos;
  dromos.write("one-host.json", result_text("one", {scc("color", 1)}));
  dromos.write("two-host.json", result_text("two", {scc("color", 3)}));
  dromos.write("one-device.json", result_text("one", {scc("color", 4)}));
  const Outcome outcome = dromos.run("compare 'CPU=*-host.json' 'GPU=*-device.json'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(row(outcome.out, "one"), (std::vector<std::string>{"one", "1.00", "4.00"}));
  EXPECT_EQ(row(outcome.out, "two"), (std::vector<std::string>{"two", "3.00", "-"}));
  EXPECT_NE(dromos.run("compare 'GPU=*-card.json'").error.find("'GPU=*-card.json': there is no file of such a name"),
            std::string::npos);
  dromos.write("[1].json", result_text("odd", {scc("color", 5)}));
  EXPECT_EQ(row(dromos.run("compare 'CPU=[1].json'").out, "odd"), (std::vector<std::string>{"odd", "5.00"}));
}

TEST(Compare, TakesEveryCommand) {
  const RunDromos dromos;
  const std::string graph = " --generate kronecker --scale 5 --json x.json";
  for (const std::string command : {"bfs", "cc", "scc", "condense", "color", "sssp", "kcore", "pagerank", "rcm",
                                    "coloring", "mis2", "bc", "diameter"}) {
    ASSERT_EQ(dromos.run(command + graph).exit_code, 0) << command;
    const Outcome outcome = dromos.run("compare x.json");
    EXPECT_EQ(outcome.exit_code, 0) << command << ": " << outcome.error;
    EXPECT_EQ(outcome.out.find(command + ": best method"), 0u) << outcome.out;
  }
  const Outcome ranks = dromos.run("compare x.json");  // of the diameter, which has no rate
  EXPECT_NE(ranks.out.find("runs a second, medians"), std::string::npos) << ranks.out;
  EXPECT_NE(ranks.out.find("x runs/s"), std::string::npos) << ranks.out;
#ifdef DROMOS_ENABLE_MPI
  ASSERT_EQ(dromos.run("graph500 --scale 5 --roots 4 --sssp --json g.json").exit_code, 0);
  const auto fields = nlohmann::json::parse(dromos.read("g.json"))["runs"][0]["fields"];
  const Outcome outcome = dromos.run("compare G=g.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("graph500-bfs: best"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("harmonic means"), std::string::npos) << outcome.out;
  const double harmonic = fields["bfs_harmonic_mean_TEPS"].get<double>() / 1e9;
  EXPECT_NEAR(std::stod(row(outcome.out, "geometric").back()), harmonic, std::max(0.006, 0.06 * harmonic));
  EXPECT_EQ(dromos.run("compare G=g.json --algorithm graph500-sssp").exit_code, 0);
#endif
}

/// A platform is a column for each number of threads.
TEST(Compare, TellsNumbersOfThreadsApart) {
  const RunDromos dromos;
  for (const int threads : {1, 2}) {
    const std::string options =
        " --threads " + std::to_string(threads) + " --json t" + std::to_string(threads) + ".json";
    ASSERT_EQ(dromos.run("cc --generate kronecker --scale 6" + options).exit_code, 0);
  }
  const json one = json::parse(dromos.read("t1.json")), two = json::parse(dromos.read("t2.json"));
  if (two["kokkos"]["concurrency"] != 2) GTEST_SKIP() << "this build has no threads of the CPU";
  const Outcome outcome = dromos.run("compare --by threads 'host=t*.json'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("host, 1 thread GEPS   host, 2 threads GEPS"), std::string::npos) << outcome.out;
  EXPECT_NE(dromos.run("compare --by ranks host=t1.json").out.find("host, 1 rank GEPS"), std::string::npos);
  EXPECT_NE(dromos.run("compare --by cores t1.json").error.find("expected threads or ranks"), std::string::npos);
}

TEST(Compare, TakesWhatDromosWrites) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("scc --strategy all --generate kronecker --scale 6 --json host.json").exit_code, 0);
  const Outcome outcome = dromos.run("compare host.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(row(outcome.out, "network"), (std::vector<std::string>{"network", "host", "GEPS"}));
  EXPECT_EQ(row(outcome.out, "kronecker,").size(), 9u) << outcome.out;
}

TEST(Compare, RefusesOtherFiles) {
  const RunDromos dromos;
  dromos.write("cut.json", "{\"dromos\": {");
  dromos.write("other.json", "[1, 2]");
  dromos.write("empty.json", result_text("x", {}));
  dromos.write("wrong.json", result_text("x", {scc("color", 1, false)}));
  const std::map<std::string, std::string> refused = {{"", "name the result files"},
                                                      {"none.json", "cannot be opened"},
                                                      {"cut.json", "is no JSON from byte"},
                                                      {"other.json", "no result of dromos"},
                                                      {"empty.json", "has no runs that could be compared"},
                                                      {"wrong.json", "nothing is left to compare"},
                                                      {"=cut.json", "a platform has no name"}};
  for (const auto& [arguments, message] : refused) {
    const Outcome outcome = dromos.run("compare " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.error.find(message), std::string::npos) << arguments << ": " << outcome.error;
  }
  dromos.write("right.json", result_text("x", {scc("color", 1)}));
  EXPECT_NE(dromos.run("compare right.json --algorithm bfs").error.find("no run of the files is of 'bfs'"),
            std::string::npos);
  EXPECT_NE(dromos.run("compare right.json --plot rates.jpg").error.find("ends in .pdf, .svg or .png"),
            std::string::npos);
  EXPECT_NE(dromos.run("compare right.json --python python3.1").error.find("no effect without --plot"),
            std::string::npos);
}

/// An interpreter that can draw, or nothing.
std::string drawing_python(const RunDromos& dromos) {
  for (const std::string name : {"python3", "/usr/bin/python3"}) {
    if (dromos.shell(name + " -c 'import matplotlib'").exit_code == 0) return name;
  }
  return "";
}

/// Rows stand where they can be read while the program is at work.
TEST(Rows, ComeWithTheirRuns) {
  const RunDromos dromos;
  for (const std::string command : {"bfs --roots 20000", "cc --repeat 20000"}) {
    const Outcome outcome = dromos.shell(
        ": > rows; { '" DROMOS_PROGRAM "' " + command +
        " --generate kronecker --scale 14 > rows & pid=$!; "
        "for i in $(seq 600); do [ $(wc -l < rows) -gt 8 ] && break; sleep 0.1; done; kill -KILL $pid; wait $pid; }");
    EXPECT_EQ(outcome.exit_code, 128 + 9) << "it was still at work: " << outcome.error;
    std::istringstream lines(dromos.read("rows"));
    std::vector<std::string> table;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(" vertex-chunk ") != std::string::npos || line.find(" manhattan-") != std::string::npos ||
          line.find(" hierarchical ") != std::string::npos) {
        table.push_back(line);
      }
    }
    ASSERT_GT(table.size(), 3u) << dromos.read("rows");
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
      EXPECT_EQ(table[i].size(), table[0].size()) << "widths are fixed: " << table[i];
    }
  }
}

std::size_t num_rows(const std::string& table) {
  std::size_t count = 0;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    count += line.size() > 4 && line.substr(line.size() - 2) == " -" ? 1 : 0;  // of "valid"
  }
  return count;
}

TEST(Rows, SurviveASignal) {
  const RunDromos dromos;
  const std::vector<std::string> commands = {"bfs --roots 20000", "bfs --repeat 20000 --output r.txt --plot x.svg",
                                             "cc --repeat 20000 --output r.txt"};
  for (const std::string& command : commands) {
    const bool draws = command.find("--plot") != std::string::npos;
    if (draws && drawing_python(dromos) != "python3") continue;
    for (const auto& [name, number] : {std::pair("INT", 2), std::pair("TERM", 15)}) {
      dromos.write("r.txt", "as before");
      const Outcome outcome =
          // Rows of the run before would look like this one's.
          dromos.shell("rm -f j.json; : > rows; { env --default-signal=INT '" DROMOS_PROGRAM "' " + command +
                       " --generate kronecker --scale 14 --json j.json > rows & pid=$!; "
                       "for i in $(seq 600); do [ $(wc -l < rows) -gt 8 ] && break; sleep 0.1; done; kill -" +
                       name + " $pid; wait $pid; }");
      EXPECT_EQ(outcome.exit_code, 128 + number) << command << ": " << outcome.error;
      EXPECT_NE(outcome.error.find("stopped by SIG" + std::string(name) + " after "), std::string::npos)
          << outcome.error;
      const json result = json::parse(dromos.read("j.json"));
      EXPECT_EQ(result_schema().fault(result), "");
      EXPECT_EQ(result["interrupted"], true);
      EXPECT_GT(result["runs"].size(), 3u);
      EXPECT_LT(result["runs"].size(), 20000u);
      EXPECT_EQ(result["runs"].size(), num_rows(dromos.read("rows")));
      EXPECT_EQ(dromos.read("r.txt"), "as before") << "a series that has no end";
      EXPECT_EQ(dromos.files().count("x.svg"), 0u);
    }
  }
  EXPECT_EQ(run_json(dromos, "cc --repeat 2 --generate path --vertices 4").count("interrupted"), 0u);
}

TEST(Rows, EndAtOnceAtASecondSignal) {
  const RunDromos dromos;
  const Outcome outcome = dromos.shell(
      "{ '" DROMOS_PROGRAM
      "' bc --exact --repeat 3 --threads 1 --generate kronecker --scale 12 --json j.json > rows & "
      "pid=$!; for i in $(seq 1200); do [ $(wc -l < rows) -gt 4 ] && break; sleep 0.05; done; kill -TERM $pid; "
      "sleep 0.4; kill -TERM $pid; wait $pid; }");
  EXPECT_EQ(outcome.exit_code, 128 + 15) << outcome.error;
  if (outcome.error.find("stopped by SIGTERM") != std::string::npos) GTEST_SKIP() << "a run took less than 0.4 s";
  EXPECT_NE(outcome.error.find("once more ends it at once"), std::string::npos) << outcome.error;
  EXPECT_EQ(dromos.files(), (std::set<std::string>{"rows"}));
}

TEST(Plot, SaysWhatIsMissing) {
  const RunDromos dromos;
  dromos.write("a.json", result_text("one", {scc("multistep", 1), scc("color", 2)}));
  const std::string bare = "PATH=/nowhere '" DROMOS_PROGRAM "' ";
  for (const std::string command : {"compare a.json --plot x.svg", "info --generate path --vertices 4 --plot x.svg",
                                    "bfs --generate path --vertices 4 --plot x.svg"}) {
    const Outcome without = dromos.shell(bare + command);
    EXPECT_EQ(without.exit_code, 1) << command;
    EXPECT_NE(without.error.find("python3 cannot be run"), std::string::npos) << without.error;
    EXPECT_NE(without.error.find("--python names another"), std::string::npos) << without.error;
  }
  // An interpreter that cannot draw.
  dromos.write("python", "#!/bin/sh\nexit 3\n");
  ASSERT_EQ(dromos.shell("chmod +x python").exit_code, 0);
  const Outcome outcome = dromos.run("info --generate path --vertices 4 --plot x.svg --python ./python");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.error.find("./python has no matplotlib"), std::string::npos) << outcome.error;
  EXPECT_EQ(dromos.files().count("x.svg"), 0u);
  EXPECT_EQ(dromos.run("bfs --generate path --vertices 4 --plot x.txt").exit_code, 2);
  EXPECT_EQ(dromos.run("info --generate path --vertices 4 --python ./python").exit_code, 2);
}

TEST(Plot, DrawsEveryKindInEveryFormat) {
  const RunDromos dromos;
  const std::string python = drawing_python(dromos);
  if (python.empty()) GTEST_SKIP() << "python3 or its matplotlib is missing: only the errors were tested";
  dromos.write("a.json", result_text("one", {scc("multistep", 1), scc("color", 2)}));
  dromos.write("b.json", result_text("two", {scc("multistep", 3)}));
  const std::map<std::string, std::pair<std::string, std::string>> commands = {
      {"compare a.json b.json", {"not measured", "multistep"}},
      {"compare --by threads a.json b.json", {"proportional", "threads"}},
      {"scc --strategy all --repeat 3 --generate kronecker --scale 8 --directed",
       {"multistep, manhattan-local", "GEPS"}},
      {"pagerank --strategy all --generate kronecker --scale 8", {"vertex-chunk", "pagerank: runs/s"}},
      {"info --generate kronecker --scale 8", {"vertices of degree 0 are not shown", "mean of the degrees"}},
      {"info --generate path --vertices 1", {"degree", "vertices"}},
      {"bfs --generate kronecker --scale 8 --root 5 --strategy all", {"root 5", "edges that leave the level"}},
      {"bfs --generate kronecker --scale 8 --roots 12", {"all of 12 roots", "median"}},
      {"bfs --generate path --vertices 1", {"root 0", "level"}},
      {"rcm --generate grid --rows 30 --columns 40", {"before: bandwidth 40", "rcm: bandwidth 3"}},
      {"rcm --generate path --vertices 1", {"rcm: bandwidth 0", "column"}},
      {"btf --generate kronecker --scale 10 --directed", {"block triangular form", "entries in 3 x 3"}},
      {"matching --generate grid --rows 5 --columns 7", {"before", "matched entries on the diagonal"}},
      {"matching empty.mtx", {"before", "row"}},
      {"condense --generate cycle-chain --cycles 8 --length 5 --directed", {"before", "components: 8, levels: 8"}},
      {"mis2 --generate grid --rows 9 --columns 7", {"before", "aggregates: "}}};
  dromos.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 3 0\n");
  for (const auto& [command, texts] : commands) {
    for (const std::string name : {"x.svg", "x.png", "x.pdf"}) {
      const Outcome outcome = dromos.run(command + " --python " + python + " --plot " + name);
      ASSERT_EQ(outcome.exit_code, 0) << command << ": " << outcome.error;
      const std::string picture = dromos.read(name);
      EXPECT_NE(picture.find(name == "x.svg" ? "<svg" : name == "x.png" ? "PNG" : "%PDF"), std::string::npos);
      if (name != "x.svg") continue;
      EXPECT_NE(picture.find(texts.first), std::string::npos) << command << ": text is text";
      EXPECT_NE(picture.find(texts.second), std::string::npos) << command;
    }
  }
}

/// The options that the help of a subcommand lists.
std::vector<std::string> options_in_help(const RunDromos& dromos, const std::string& command) {
  std::vector<std::string> options;
  std::istringstream lines(dromos.run(command + " --help").out);
  const std::regex option("^  (-[a-z],)?(--[a-z0-9-]+)");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, option)) options.push_back(match[2]);
  }
  return options;
}

std::vector<std::string> subcommands(const RunDromos& dromos) {
  std::vector<std::string> names;
  const std::string help = dromos.run("--help").out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  const std::regex subcommand("^  ([a-z0-9]+) ");
  for (std::smatch match; std::getline(lines, line) && line.compare(0, 2, "  ") == 0;) {
    if (std::regex_search(line, match, subcommand)) names.push_back(match[1]);
  }
  return names;
}

TEST(Help, OffersToRepeatWhateverIsMeasured) {
  const RunDromos dromos;
  std::set<std::string> measures_nothing = {"batch", "compare", "completion", "man", "help"};
#ifndef DROMOS_ENABLE_MPI
  measures_nothing.insert("graph500");
#endif
  const auto names = subcommands(dromos);
  EXPECT_GT(names.size(), 20u);
  for (const std::string& command : names) {
    if (measures_nothing.count(command) > 0) continue;
    const auto options = options_in_help(dromos, command);
    EXPECT_EQ(std::count(options.begin(), options.end(), "--repeat"), 1) << command;
  }
}

/// What bash offers for the last of these words.
std::vector<std::string> completed(const RunDromos& dromos, const std::vector<std::string>& words) {
  std::string line = "source dromos.bash; COMP_WORDS=(";
  for (const std::string& word : words) line += "\"" + word + "\" ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; _dromos; printf \"%s\\n\" \"${COMPREPLY[@]}\"";
  const Outcome outcome = dromos.shell("bash --norc -c '" + line + "'");
  EXPECT_EQ(outcome.error, "");
  std::vector<std::string> offered;
  std::istringstream lines(outcome.out);
  for (std::string one; std::getline(lines, one);) {
    if (!one.empty()) offered.push_back(one);
  }
  return offered;
}

#ifdef DROMOS_ENABLE_MPI
TEST(Completion, OffersEveryTransport) {
  const RunDromos dromos;
  if (dromos.shell("bash --version").exit_code != 0) GTEST_SKIP() << "there is no bash";
  dromos.write("dromos.bash", dromos.run("completion bash").out);
  for (const std::string command : {"bfs", "graph500", "cc"}) {
    EXPECT_EQ(completed(dromos, {"dromos", command, "--transport", ""}),
              (std::vector<std::string>{"auto", "shared", "nccl", "gpu-aware", "host-staged", "mixed"}))
        << command;
  }
}
#endif

TEST(Completion, OffersWhatTheCommandLineTakes) {
  const RunDromos dromos;
  const Outcome script = dromos.run("completion bash");
  ASSERT_EQ(script.exit_code, 0) << script.error;
  dromos.write("dromos.bash", script.out);
  dromos.write("graph.mtx", "");
  if (dromos.shell("bash --version").exit_code != 0) GTEST_SKIP() << "there is no bash";
  using Words = std::vector<std::string>;
  EXPECT_EQ(completed(dromos, {"dromos", "gen"}), Words{"generate"});
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--strategy", "man"}), (Words{"manhattan-local", "manhattan-global"}));
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--strategy", "hierarchical,vert"}),
            Words{"hierarchical,vertex-chunk"});
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--strategy", "=", "hi"}), Words{"hierarchical"});
  EXPECT_EQ(completed(dromos, {"dromos", "scc", "--method", "multi"}), Words{"multistep"});
  EXPECT_EQ(completed(dromos, {"dromos", "generate", "kro"}), Words{"kronecker"});
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "graph"}), Words{"graph.mtx"});
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--validate", "graph"}), Words{"graph.mtx"}) << "a flag takes no value";
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--output", "graph"}), Words{"graph.mtx"});
  EXPECT_EQ(completed(dromos, {"dromos", "bfs", "--roots", ""}), Words{}) << "nobody knows the number";
  for (const std::string& command : subcommands(dromos)) {
    Words offered = completed(dromos, {"dromos", command, "--"});
    Words options = options_in_help(dromos, command);
    EXPECT_FALSE(options.empty());
    std::sort(offered.begin(), offered.end());
    std::sort(options.begin(), options.end());
    EXPECT_EQ(offered, options) << command;
  }
  EXPECT_EQ(dromos.run("completion fish").exit_code, 2);
}

TEST(Completion, ServesZsh) {
  const RunDromos dromos;
  const Outcome script = dromos.run("completion zsh");
  ASSERT_EQ(script.exit_code, 0) << script.error;
  EXPECT_EQ(script.out.compare(0, 16, "#compdef dromos\n"), 0);
  dromos.write("_dromos", script.out);
  if (dromos.shell("zsh --version").exit_code != 0) GTEST_SKIP() << "there is no zsh: its script was not run";
  const Outcome outcome = dromos.shell(
      "zsh -f -c 'source ./_dromos; COMP_WORDS=(dromos bfs --strategy man); COMP_CWORD=3; "
      "setopt ksharrays shwordsplit; "
      "_dromos; print -l -- \"${COMPREPLY[@]}\"'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("manhattan-local\n"), std::string::npos) << outcome.out;  // zsh itself drops the others
}

TEST(ManualPage, HasEveryOption) {
  const RunDromos dromos;
  const Outcome page = dromos.run("man");
  ASSERT_EQ(page.exit_code, 0) << page.error;
  EXPECT_EQ(page.out.compare(0, 13, ".TH DROMOS 1 "), 0);
  std::string plain = std::regex_replace(page.out, std::regex(R"(\\f[BIR]|\\&)"), "");
  plain = std::regex_replace(plain, std::regex(R"(\\-)"), "-");
  const std::vector<std::string> commands = subcommands(dromos);
  EXPECT_GE(commands.size(), 16u);
  for (const std::string& command : commands) {
    const std::size_t begin = plain.find(".SS \"dromos " + command + "\"\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = plain.substr(begin, plain.find("\n.S", begin + 1) - begin);
    for (const std::string& option : options_in_help(dromos, command)) {
      EXPECT_TRUE(std::regex_search(section, std::regex("\n.TP\n(-[a-z], )?" + option + "( |\n)")))
          << command << " " << option;
    }
  }
  dromos.write("dromos.1", page.out);
  if (dromos.shell("groff --version").exit_code != 0) GTEST_SKIP() << "there is no groff: only the text was tested";
  EXPECT_EQ(dromos.shell("groff -man -Tutf8 -ww -z dromos.1").error, "");
}

}  // namespace
}  // namespace dromos::test
