// SPDX-License-Identifier: BSD-3-Clause
// `dromos` on real graphs with known answers: every search of values.json (computed by scipy.sparse.csgraph, a code
// that shares nothing with this one), by every strategy, validated; components, weak and strong, by every method; and
// the levels and components that the LDBC Graphalytics benchmark and the authors of WebGraph ship with their graphs.
// Skips itself where the folder of graphs is absent.
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "real_graphs.hpp"
#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

std::string arguments(const json& expected, const std::string& file) {
  return "'" + data_path(file) + "' --json -" + (expected["directed"] ? "" : " --undirected");
}

/// Every search of a graph with every strategy, and what is known of it.
void expect_known_searches(const RealGraph& graph, const std::string& options, std::size_t num_strategies) {
  SCOPED_TRACE(options);
  const json expected = known_values(graph.key);
  const json& searches = expected["bfs"];
  ASSERT_FALSE(searches.empty());
  std::string roots;
  for (const json& search : searches) roots += " --root " + search["source_id"].dump();
  const RunDromos dromos;
  const Outcome outcome = dromos.run("bfs --validate" + roots + options + " " + arguments(expected, graph.file));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  EXPECT_EQ(report["graph"]["num_vertices"], expected["vertices"]);
  EXPECT_EQ(report["graph"]["directed"], expected["directed"]);
  EXPECT_EQ(report["graph"]["num_edges"].get<std::int64_t>(),
            expected["directed"] ? expected["distinct_arcs_no_loops"].get<std::int64_t>()
                                 : 2 * expected["undirected_edges_no_loops"].get<std::int64_t>());
  std::map<std::string, std::size_t> runs_of;
  for (const json& run : report["runs"]) {
    const json& search = searches[runs_of[run["strategy"]]++];
    SCOPED_TRACE(run["strategy"].get<std::string>() + " from root " + search["source_id"].dump());
    EXPECT_EQ(run["root"], search["source_id"]);
    EXPECT_EQ(run["reached"], search["reached"]);
    EXPECT_EQ(run["depth"], search["depth"]);
    EXPECT_EQ(run["levels"], search["level_sizes"]);
    EXPECT_EQ(run["valid"], true);
  }
  EXPECT_EQ(runs_of.size(), num_strategies);
  for (const auto& [strategy, num_runs] : runs_of) EXPECT_EQ(num_runs, searches.size()) << strategy;
}

/// How components are looked for: every method, on small graphs by every strategy. (On large directed ones the methods
/// meet the strategies in scc_real_graphs_test.)
struct Ways {
  std::string options = "--method all";
  std::size_t num_strategies = 1;
};

Ways ways_for(const RealGraph& graph) {
  if (std::filesystem::file_size(data_path(graph.file)) > 300000) return {};
  return {"--method all --strategy all", 4};
}

class RealGraphs : public ::testing::TestWithParam<RealGraph> {};

TEST_P(RealGraphs, EveryStrategyReproducesEverySearch) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  expect_known_searches(GetParam(), " --strategy all", 4);
}

TEST_P(RealGraphs, SoDoesTheSearchInBothDirections) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  expect_known_searches(GetParam(), " --direction-optimizing", 1);
}

/// Numbers of components that do not depend on how they were found.
void expect_components(const json& report, const std::string& algorithm, std::size_t num_runs, std::int64_t number,
                       std::int64_t nontrivial, std::int64_t largest) {
  EXPECT_EQ(report["runs"].size(), num_runs);
  for (const json& run : report["runs"]) {
    SCOPED_TRACE(run.dump());
    EXPECT_EQ(run["algorithm"], algorithm);
    EXPECT_EQ(run["num_components"], number);
    EXPECT_EQ(run["num_nontrivial"], nontrivial);
    EXPECT_EQ(run["largest_component"], largest);
    EXPECT_EQ(run["valid"], true);
  }
}

TEST_P(RealGraphs, EveryMethodFindsTheStrongComponents) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = known_values(GetParam().key);
  const RunDromos dromos;
  const Ways ways = ways_for(GetParam());
  const std::size_t num_runs = 4 * ways.num_strategies;
  const Outcome outcome = dromos.run("scc --validate " + ways.options + " " + arguments(expected, GetParam().file));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  if (!expected["directed"]) {  // all paths lead back
    expect_components(report, "scc", num_runs, expected["wcc"], report["runs"][0]["num_nontrivial"],
                      expected["largest_wcc"]);
    return;
  }
  const std::int64_t number = expected["scc"];
  expect_components(report, "scc", num_runs, number, number - expected["scc_of_size_1"].get<std::int64_t>(),
                    expected["largest_scc"]);
}

TEST_P(RealGraphs, EveryMethodFindsTheWeakComponents) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = known_values(GetParam().key);
  const RunDromos dromos;
  const Ways ways = ways_for(GetParam());
  const Outcome outcome = dromos.run("cc --validate " + ways.options + " " + arguments(expected, GetParam().file));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  expect_components(report, "cc", 3 * ways.num_strategies, expected["wcc"], report["runs"][0]["num_nontrivial"],
                    expected["largest_wcc"]);
}

TEST_P(RealGraphs, ColorsOfAnUndirectedGraphAreItsComponents) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = known_values(GetParam().key);
  const RunDromos dromos;
  const Outcome outcome =
      dromos.run("color --strategy all --validate --undirected '" + data_path(GetParam().file) + "' --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  expect_components(report, "color", 4, expected["wcc"], report["runs"][0]["num_nontrivial"], expected["largest_wcc"]);
}

TEST_P(RealGraphs, InfoKnowsTheWeakComponents) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = known_values(GetParam().key);
  const RunDromos dromos;
  const Outcome outcome = dromos.run("info " + arguments(expected, GetParam().file));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  EXPECT_EQ(report["weak_components"]["number"], expected["wcc"]);
  EXPECT_EQ(report["weak_components"]["largest"], expected["largest_wcc"]);
}

INSTANTIATE_TEST_SUITE_P(All, RealGraphs, ::testing::ValuesIn(all_real_graphs()), test_name);

TEST(RealGraphValues, HoldNoGraphThatIsNotTested) {
  DROMOS_SKIP_WITHOUT("values.json");
  std::ifstream file(data_path("values.json"));
  EXPECT_EQ(json::parse(file).size(), all_real_graphs().size()) << "add the new graph to real_graphs.hpp";
}

/// Levels from source 6, by others: "vertex depth", the largest number where a vertex is not reached.
void compare_with_graphalytics(const std::string& reference, const std::string& direction) {
  const RunDromos dromos;
  const Outcome decompressed = dromos.shell("xz -dc '" + data_path(reference) + "'");
  if (decompressed.exit_code != 0) GTEST_SKIP() << "no program xz to decompress " << reference;
  const Outcome outcome =
      dromos.run("bfs --root 6 --output levels.txt " + direction + " '" + data_path("ldbc-p2p-31.e.xz") + "'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::int64_t, std::int64_t> found, expected;
  std::int64_t vertex = 0, parent = 0, level = 0;
  std::istringstream ours(dromos.read("levels.txt"));
  while (ours >> vertex >> parent >> level) found[vertex] = level;
  std::istringstream theirs(decompressed.out);
  while (theirs >> vertex >> level) expected[vertex] = level == 9223372036854775807 ? -1 : level;
  EXPECT_EQ(expected.size(), 62586u);
  EXPECT_EQ(found, expected);
}

TEST(RealGraphsByOthers, LevelsOfGraphalyticsUndirected) {
  DROMOS_SKIP_WITHOUT("ldbc-p2p-31-BFS.xz");
  compare_with_graphalytics("ldbc-p2p-31-BFS.xz", "--undirected");
}

TEST(RealGraphsByOthers, LevelsOfGraphalyticsDirected) {
  DROMOS_SKIP_WITHOUT("ldbc-p2p-31-BFS-directed.xz");
  compare_with_graphalytics("ldbc-p2p-31-BFS-directed.xz", "--directed");
}

/// What `dromos ALGORITHM --output` writes against labels by others, which may call the components otherwise.
void compare_partitions(const std::string& command, const std::string& graph, const std::vector<std::int64_t>& vertices,
                        const std::vector<std::int64_t>& expected, std::size_t num_classes) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run(command + " --output labels.txt '" + data_path(graph) + "'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::int64_t, std::int64_t> found, ours_of, theirs_of;
  std::istringstream lines(dromos.read("labels.txt"));
  for (std::int64_t vertex, label; lines >> vertex >> label;) found[vertex] = label;
  ASSERT_EQ(found.size(), vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::int64_t ours = found.at(vertices[i]);
    ASSERT_EQ(ours_of.try_emplace(expected[i], ours).first->second, ours) << "vertex " << vertices[i];
    ASSERT_EQ(theirs_of.try_emplace(ours, expected[i]).first->second, expected[i]) << "vertex " << vertices[i];
  }
  EXPECT_EQ(ours_of.size(), num_classes);
}

/// The numbers in a compressed text file.
std::vector<std::int64_t> numbers_of(const std::string& file) {
  const Outcome decompressed = RunDromos().shell("xz -dc '" + data_path(file) + "'");
  EXPECT_EQ(decompressed.exit_code, 0) << "a program xz to decompress " << file;
  std::istringstream text(decompressed.out);
  return {std::istream_iterator<std::int64_t>(text), std::istream_iterator<std::int64_t>()};
}

TEST(RealGraphsByOthers, WeakComponentsOfGraphalytics) {
  DROMOS_SKIP_WITHOUT("ldbc-p2p-31-WCC.xz");
  const std::vector<std::int64_t> numbers = numbers_of("ldbc-p2p-31-WCC.xz");
  std::vector<std::int64_t> vertices, labels;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    vertices.push_back(numbers[i]);
    labels.push_back(numbers[i + 1]);
  }
  compare_partitions("cc --method all", "ldbc-p2p-31.e.xz", vertices, labels, 12);
}

TEST(RealGraphsByOthers, StrongComponentsOfTheWebGraphAuthors) {
  DROMOS_SKIP_WITHOUT("cnr-2000.scc.txt.xz");
  const std::vector<std::int64_t> labels = numbers_of("cnr-2000.scc.txt.xz");
  std::vector<std::int64_t> vertices(labels.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  compare_partitions("scc", "cnr-2000.txt.xz", vertices, labels, 100977);
  compare_partitions("scc --relabel", "cnr-2000.txt.xz", vertices, labels, 100977);
}

}  // namespace
}  // namespace dromos::test
