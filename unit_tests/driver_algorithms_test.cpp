// SPDX-License-Identifier: BSD-3-Clause
// `dromos sssp`, `pagerank`, `kcore`, `bc` and `diameter` on graphs that are small enough to know the answers by hand.
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

//   10 -1- 20 -1- 30, 10 -5- 30, 30 -2.5- 40; 50 -1- 60 apart
const char* const weighted = "10 20 1\n20 30 1\n10 30 5\n30 40 2.5\n50 60 1\n";

/// Four runs, one a strategy, all valid.
json run_all(const RunDromos& dromos, const std::string& arguments) {
  const json report = run_json(dromos, arguments + " --strategy all --validate");
  std::vector<std::string> strategies;
  for (const json& run : report["runs"]) {
    strategies.push_back(run["strategy"]);
    EXPECT_EQ(run["valid"], true) << run.dump();
    EXPECT_GE(run["seconds"], 0) << run.dump();
    EXPECT_EQ(run["algorithm"], arguments.substr(0, arguments.find(' ')));
  }
  EXPECT_EQ(strategies,
            (std::vector<std::string>{"vertex-chunk", "hierarchical", "manhattan-local", "manhattan-global"}));
  return report["runs"];
}

std::map<std::int64_t, std::string> values_of(const RunDromos& dromos, const std::string& command) {
  const Outcome outcome = dromos.run(command + " --output values.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::int64_t, std::string> values;
  std::istringstream lines(dromos.read("values.txt"));
  std::string value;
  for (std::int64_t vertex; lines >> vertex >> value;) values[vertex] = value;
  return values;
}

using Values = std::map<std::int64_t, std::string>;

TEST(DriverAlgorithms, SsspTakesTheWeightsOfTheFile) {
  const RunDromos dromos;
  dromos.write("g.txt", weighted);
  for (const json& run : run_all(dromos, "sssp g.txt --undirected --root 10")) {
    EXPECT_EQ(run["root"], 10);
    EXPECT_EQ(run["reached"], 4);
    EXPECT_EQ(run["largest_distance"], 4.5);
  }
  const Values expected = {{10, "0"}, {20, "1"}, {30, "2"}, {40, "4.5"}, {50, "inf"}, {60, "inf"}};
  for (const std::string options : {"", " --relabel", " --ids 64 --delta 0.1", " --strategy MG --delta 100"}) {
    EXPECT_EQ(values_of(dromos, "sssp g.txt --undirected --root 10" + options), expected) << options;
  }
  EXPECT_EQ(values_of(dromos, "sssp g.txt --root 30"),
            (Values{{10, "inf"}, {20, "inf"}, {30, "0"}, {40, "2.5"}, {50, "inf"}, {60, "inf"}}));
}

TEST(DriverAlgorithms, SsspSaysHowWideItsFirstBucketIs) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2 3\n1 3 3\n1 4 3\n2 3 3\n2 4 3\n3 4 3\n");
  const auto delta = [&](const std::string& options) {
    return run_json(dromos, "sssp g.txt --undirected --root 1" + options)["runs"][0]["delta"].get<double>();
  };
  EXPECT_EQ(delta(""), 2);  // twice the weight, over three edges a vertex
  EXPECT_EQ(delta(" --delta 0.25"), 0.25);
}

TEST(DriverAlgorithms, SsspReadsWeightsOfEveryFormat) {
  const RunDromos dromos;
  // The same path 1 -2- 2 -3- 3 with a longer edge 1 -9- 3; twice a lighter one after a heavier.
  dromos.write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 2\n3 2 3\n3 1 9\n");
  dromos.write("i.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 7\n1 2 2\n2 3 3\n1 3 9\n");
  dromos.write("g.gr", "p sp 3 4\na 1 2 7\na 1 2 2\na 2 3 3\na 1 3 9\n");
  dromos.write("g.graph", "3 3 001\n2 2 3 9\n1 2 3 3\n1 9 2 3\n");
  const Values expected = {{1, "0"}, {2, "2"}, {3, "5"}};
  for (const std::string file : {"g.mtx", "i.mtx", "g.gr", "g.graph"}) {
    EXPECT_EQ(values_of(dromos, "sssp --validate --root 1 " + file), expected) << file;
    EXPECT_EQ(run_json(dromos, "sssp --root 1 " + file)["graph"]["weights"], "file") << file;
  }
}

TEST(DriverAlgorithms, SsspIsExactOrSaysSo) {
  const RunDromos dromos;
  dromos.write("long.txt", "1 2 16777216\n2 3 1\n3 4 1\n4 5 1\n7 6 1\n");
  const Values exact = {{1, "0"},        {2, "16777216"}, {3, "16777217"}, {4, "16777218"},
                        {5, "16777219"}, {6, "inf"},      {7, "inf"}};
  EXPECT_EQ(values_of(dromos, "sssp --root 1 --validate long.txt"), exact);
  EXPECT_EQ(values_of(dromos, "sssp --root 1 --ids 64 long.txt"), exact);
  json run = run_json(dromos, "sssp --root 1 long.txt")["runs"][0];
  EXPECT_EQ(run["distances"], "whole");
  EXPECT_EQ(run["largest_distance"].dump(), "16777219");
  const Outcome rounded = dromos.run("sssp --root 1 --validate --distances float long.txt");
  EXPECT_EQ(rounded.exit_code, 1) << rounded.out;
  EXPECT_NE(rounded.error.find("is 16777216.000000, in double 16777218"), std::string::npos) << rounded.error;
  EXPECT_EQ(dromos.run("sssp --root 1 --validate --distances float --tolerance 1e-6 long.txt").exit_code, 0);

  // One fraction, and lengths are added up in double; a vector of Matrix Market has -1 for what is not reached.
  dromos.write("tenths.txt", "1 2 16777216\n2 3 0.5\n3 4 1\n");
  EXPECT_EQ(values_of(dromos, "sssp --root 1 --validate tenths.txt"),
            (Values{{1, "0"}, {2, "16777216"}, {3, "16777216.5"}, {4, "16777217.5"}}));
  EXPECT_EQ(run_json(dromos, "sssp --root 1 tenths.txt")["runs"][0]["distances"], "double");
  expect_refusal(dromos, "sssp --root 1 --distances whole tenths.txt", {"whole weights", "not all are whole"});
  expect_refusal(dromos, "sssp --distances duoble long.txt", {"--distances", "did you mean double"});
  EXPECT_EQ(dromos.run("sssp --root 7 --output d.mtx long.txt").exit_code, 0);
  EXPECT_EQ(dromos.read("d.mtx"), "%%MatrixMarket matrix array integer general\n7 1\n-1\n-1\n-1\n-1\n-1\n1\n0\n");
}

TEST(DriverAlgorithms, SsspRefusesWholeWeightsThatWouldBeRounded) {
  const RunDromos dromos;
  dromos.write("odd.txt", "1 2 16777217\n");
  dromos.write("odd.gr", "p sp 2 1\na 1 2 16777217\n");
  dromos.write("odd.graph", "2 1 001\n2 16777217\n1 16777217\n");
  dromos.write("even.txt", "1 2 16777218\n");
  expect_refusal(dromos, "sssp odd.txt", {"odd.txt:1:", "24 bits", "'16777217'", "divide"});
  expect_refusal(dromos, "sssp odd.gr", {"odd.gr:2:", "24 bits", "'16777217'"});
  expect_refusal(dromos, "sssp odd.graph", {"odd.graph:2:", "24 bits", "'16777217'"});
  EXPECT_EQ(values_of(dromos, "sssp --root 1 even.txt"), (Values{{1, "0"}, {2, "16777218"}}));
  EXPECT_EQ(dromos.run("bfs odd.txt").exit_code, 0);
}

TEST(DriverAlgorithms, SsspMakesWeightsThatDependOnTheSeedAlone) {
  const RunDromos dromos;
  dromos.write("g.txt", "10 20\n20 30\n10 30\n");
  const std::string command = "sssp --weights uniform --undirected --root 10 g.txt";
  const Values values = values_of(dromos, command);
  for (const auto& [vertex, value] : values) {
    EXPECT_EQ(vertex == 10, value == "0");
    EXPECT_LE(std::stod(value), 1);
  }
  EXPECT_EQ(values_of(dromos, command + " --relabel"), values);
  EXPECT_NE(values_of(dromos, command + " --seed 2"), values);
  const json report = run_json(dromos, "sssp --generate kronecker --scale 9 --roots 3 --validate");
  EXPECT_EQ(report["graph"]["weights"], "uniform");
  EXPECT_EQ(report["runs"].size(), 3u);
  for (const json& run : report["runs"]) EXPECT_EQ(run["valid"], true);
}

TEST(DriverAlgorithms, SsspNamesWhatIsWrongWithWeights) {
  const RunDromos dromos;
  dromos.write("negative.txt", "10 20 1\n20 30 -0.5\n");
  dromos.write("negative.gr", "p sp 3 2\na 1 2 1\na 2 3 -4\n");
  dromos.write("negative.graph", "2 1 001\n2 -3\n1 -3\n");
  dromos.write("nan.txt", "10 20 1\n20 30 nan\n");
  dromos.write("none.txt", "10 20\n20 30\n");
  dromos.write("pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  expect_refusal(dromos, "sssp negative.txt", {"negative.txt:2:", "0 or more", "'-0.5'"});
  expect_refusal(dromos, "sssp negative.gr", {"negative.gr:3:", "0 or more", "'-4'"});
  expect_refusal(dromos, "sssp negative.graph", {"negative.graph:2:", "0 or more", "'-3'"});
  expect_refusal(dromos, "sssp nan.txt", {"nan.txt:2:", "'nan'"});
  expect_refusal(dromos, "sssp none.txt", {"none.txt:1:", "--weights uniform"});
  expect_refusal(dromos, "sssp pattern.mtx", {"pattern.mtx", "no weights", "--weights uniform"});
  expect_refusal(dromos, "sssp --weights unifrom none.txt", {"--weights", "did you mean uniform"});
  expect_refusal(dromos, "sssp --weights file --generate path --vertices 5", {"--weights file", "generated"});
  expect_refusal(dromos, "sssp --weights uniform --delta -1 none.txt", {"--delta", "from 0 on", "'-1'"});
  expect_refusal(dromos, "sssp --weights uniform --root 5 none.txt", {"root 5"});
  expect_refusal(dromos, "sssp --weights uniform --root 10,20 --output o.txt none.txt", {"--output", "one root"});
  // Whoever does not ask for weights may have any.
  EXPECT_EQ(dromos.run("bfs negative.txt").exit_code, 0);
  EXPECT_EQ(dromos.run("sssp --weights uniform negative.txt").exit_code, 0);
}

TEST(DriverAlgorithms, PageRankRanks) {
  const RunDromos dromos;
  dromos.write("cycle.txt", "5 7\n7 9\n9 11\n11 5\n");
  for (const json& run : run_all(dromos, "pagerank cycle.txt")) {
    EXPECT_EQ(run["converged"], true);
    EXPECT_EQ(run["damping"], 0.85);
    EXPECT_GE(run["num_iterations"], 1);
  }
  EXPECT_EQ(values_of(dromos, "pagerank cycle.txt"), (Values{{5, "0.25"}, {7, "0.25"}, {9, "0.25"}, {11, "0.25"}}));
  dromos.write("g.txt", weighted);
  const json run =
      run_json(dromos, "pagerank --tolerance 0 --max-iterations 4 --damping 0.5 --validate g.txt")["runs"][0];
  EXPECT_EQ(run["num_iterations"], 4);
  EXPECT_EQ(run["converged"], false);
  EXPECT_EQ(run["valid"], true);
  EXPECT_EQ(run["share_order"], "by-vertex");
  EXPECT_EQ(run["order_seconds"], 0);
  EXPECT_EQ(run["num_single_precision"], 0);
  EXPECT_GT(run_json(dromos, "pagerank g.txt")["runs"][0]["num_single_precision"], 0);
  EXPECT_EQ(run_json(dromos, "pagerank --double g.txt")["runs"][0]["num_single_precision"], 0);
  const json ordered = run_json(dromos, "pagerank --share-order by-degree --validate g.txt")["runs"][0];
  EXPECT_EQ(ordered["share_order"], "by-degree");
  EXPECT_GT(ordered["order_seconds"], 0);
  EXPECT_EQ(ordered["valid"], true);
  double sum = 0;
  for (const auto& entry : values_of(dromos, "pagerank g.txt --relabel")) sum += std::stod(entry.second);
  EXPECT_NEAR(sum, 1, 1e-9);
  // A walk round a cycle of four from 7 is k steps on with probability (1 - d) d^k / (1 - d^4): 8/15, 4/15, 2/15, 1/15.
  dromos.write("seven.txt", "# start\n7\n");
  const Values from_seven =
      values_of(dromos, "pagerank cycle.txt --directed --start seven.txt --damping 0.5 --validate");
  ASSERT_EQ(from_seven.size(), 4u);
  double largest = 0;
  for (const auto& entry : from_seven) largest = std::max(largest, std::stod(entry.second));
  EXPECT_NEAR(largest, 8.0 / 15, 1e-8);
  EXPECT_NEAR(std::stod(from_seven.at(7)), 8.0 / 15, 1e-8);
  dromos.write("none.txt", "7\n8\n");
  expect_refusal(dromos, "pagerank cycle.txt --start none.txt", {"none.txt:2", "8"});
  expect_refusal(dromos, "pagerank --damping 1 g.txt", {"--damping", "below 1"});
  expect_refusal(dromos, "pagerank --damping x g.txt", {"--damping", "from 0 to 1", "'x'"});
  expect_refusal(dromos, "pagerank --max-iterations 0 g.txt", {"--max-iterations"});
}

TEST(DriverAlgorithms, KcorePeels) {
  const RunDromos dromos;
  dromos.write("g.txt", weighted);
  for (const json& run : run_all(dromos, "kcore --undirected g.txt")) {
    EXPECT_EQ(run["largest_core"], 2);
    EXPECT_GE(run["num_sweeps"], 2);
  }
  const Values expected = {{10, "2"}, {20, "2"}, {30, "2"}, {40, "1"}, {50, "1"}, {60, "1"}};
  EXPECT_EQ(values_of(dromos, "kcore --undirected g.txt"), expected);
  EXPECT_EQ(values_of(dromos, "kcore --undirected --relabel --ids 64 g.txt"), expected);
  expect_refusal(dromos, "kcore g.txt", {"g.txt", "directed", "--undirected"});
  expect_refusal(dromos, "kcore absent.txt", {"absent.txt"});
  expect_refusal(dromos, "kcore --undirected --output no/such/folder g.txt", {"--output", "no/such"});
}

TEST(DriverAlgorithms, RcmOrders) {
  const RunDromos dromos;
  dromos.write("path.txt", "1 9\n9 2\n2 8\n8 3\n");
  for (const json& run : run_all(dromos, "rcm --undirected path.txt")) {
    EXPECT_EQ(run["bandwidth_before"], 4);  // 1 and 9, the first and the last of five
    EXPECT_EQ(run["bandwidth"], 1);
    EXPECT_EQ(run["profile"], 4);
    EXPECT_EQ(run["num_levels"], 5);
  }
  const Values expected = {{1, "4"}, {2, "2"}, {3, "0"}, {8, "1"}, {9, "3"}};
  EXPECT_EQ(values_of(dromos, "rcm --undirected path.txt"), expected);
  expect_refusal(dromos, "rcm path.txt", {"path.txt", "directed", "--undirected"});
}

TEST(DriverAlgorithms, BcCountsPaths) {
  const RunDromos dromos;
  dromos.write("path.txt", "1 2\n2 3\n3 4\n");
  for (const json& run : run_all(dromos, "bc --exact --undirected path.txt")) {
    EXPECT_EQ(run["num_roots"], 4);
    EXPECT_EQ(run["largest"], 2);
    EXPECT_EQ(run["scale"], 0.5);
  }
  EXPECT_EQ(values_of(dromos, "bc --exact --undirected path.txt"), (Values{{1, "0"}, {2, "2"}, {3, "2"}, {4, "0"}}));
  EXPECT_EQ(values_of(dromos, "bc path.txt"), (Values{{1, "0"}, {2, "2"}, {3, "2"}, {4, "0"}}));  // fewer than 32
  EXPECT_EQ(values_of(dromos, "bc --root 2 path.txt"), (Values{{1, "0"}, {2, "0"}, {3, "1"}, {4, "0"}}));
  EXPECT_EQ(run_json(dromos, "bc --roots 5 --generate star --vertices 100")["runs"][0]["scale"], 10);
  expect_refusal(dromos, "bc --exact --roots 3 path.txt", {"--exact", "--roots"});
  expect_refusal(dromos, "bc --root 9 path.txt", {"root 9"});
}

TEST(DriverAlgorithms, DiameterMeasures) {
  const RunDromos dromos;
  dromos.write("g.txt", weighted);
  for (const json& run : run_all(dromos, "diameter --undirected --root 20 g.txt")) {
    EXPECT_EQ(run["start"], 20);
    EXPECT_EQ(run["lower"], 2);
    EXPECT_EQ(run["upper"], 2);
    EXPECT_EQ(run["exact"], true);
    EXPECT_EQ(run["component_size"], 4);
    EXPECT_TRUE(run["from"] == 40 || run["to"] == 40) << run.dump();
  }
  const json run = run_json(dromos, "diameter --searches 3 --generate cycle --vertices 100 --validate")["runs"][0];
  EXPECT_EQ(run["num_searches"], 3);
  EXPECT_EQ(run["lower"], 50);
  EXPECT_EQ(run["exact"], false);
  expect_refusal(dromos, "diameter g.txt", {"directed", "--undirected"});
  expect_refusal(dromos, "diameter --undirected --searches 2 g.txt", {"--searches"});
  expect_refusal(dromos, "diameter --undirected --output o.txt g.txt", {"--output"});
}

TEST(DriverAlgorithms, HelpHasExamples) {
  const RunDromos dromos;
  for (const std::string command : {"sssp", "pagerank", "kcore", "bc", "diameter"}) {
    const Outcome help = dromos.run(command + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace dromos::test
