// SPDX-License-Identifier: BSD-3-Clause
// `dromos` on real graphs with known answers: every search of values.json (computed by scipy.sparse.csgraph, a code
// that shares nothing with this one), by every strategy, validated; weak components; and the levels that the LDBC
// Graphalytics benchmark ships with its graph. Skips itself where the folder of graphs is absent.
#include <map>
#include <string>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

std::string data_path(const std::string& name) { return std::string(DROMOS_DATA_DIR) + "/" + name; }

bool is_there(const std::string& name) { return std::filesystem::exists(data_path(name)); }

#define DROMOS_SKIP_WITHOUT(name) \
  if (!is_there(name)) GTEST_SKIP() << data_path(name) << " is absent: set DROMOS_DATA_DIR to the folder of graphs"

/// A member of values.json and its file.
struct RealGraph {
  const char* key;
  const char* file;
};

void PrintTo(const RealGraph& graph, std::ostream* out) { *out << graph.key; }

class RealGraphs : public ::testing::TestWithParam<RealGraph> {
 protected:
  static json values(const std::string& key) {
    std::ifstream file(data_path("values.json"));
    return json::parse(file)[key];
  }
  static std::string arguments(const json& expected, const std::string& file) {
    return "'" + data_path(file) + "' --json -" + (expected["directed"] ? "" : " --undirected");
  }
};

TEST_P(RealGraphs, EveryStrategyReproducesEverySearch) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = values(GetParam().key);
  const json& searches = expected["bfs"];
  ASSERT_FALSE(searches.empty());
  std::string roots;
  for (const json& search : searches) roots += " --root " + search["source_id"].dump();
  const RunDromos dromos;
  const Outcome outcome =
      dromos.run("bfs --strategy all --validate" + roots + " " + arguments(expected, GetParam().file));
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
  EXPECT_EQ(runs_of.size(), 4u);
  for (const auto& [strategy, num_runs] : runs_of) EXPECT_EQ(num_runs, searches.size()) << strategy;
}

TEST_P(RealGraphs, InfoKnowsTheWeakComponents) {
  DROMOS_SKIP_WITHOUT("values.json");
  DROMOS_SKIP_WITHOUT(GetParam().file);
  const json expected = values(GetParam().key);
  const RunDromos dromos;
  const Outcome outcome = dromos.run("info " + arguments(expected, GetParam().file));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json report = outcome.json();
  EXPECT_EQ(report["weak_components"]["number"], expected["wcc"]);
  EXPECT_EQ(report["weak_components"]["largest"], expected["largest_wcc"]);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealGraphs,
    ::testing::Values(RealGraph{"web-NotreDame", "web-NotreDame.txt.xz"},
                      RealGraph{"soc-Epinions1", "soc-Epinions1.txt.xz"}, RealGraph{"wiki-Vote", "wiki-Vote.txt.xz"},
                      RealGraph{"p2p-Gnutella31", "p2p-Gnutella31.txt.xz"},
                      RealGraph{"email-Eu-core", "email-Eu-core.csv.xz"}, RealGraph{"cit-HepTh", "cit-HepTh.txt.xz"},
                      RealGraph{"wb-cs-stanford", "wb-cs.stanford.smat.xz"}, RealGraph{"cnr-2000", "cnr-2000.txt.xz"},
                      RealGraph{"ca-GrQc", "ca-GrQc.txt.xz"}, RealGraph{"email-Enron", "email-Enron.txt.xz"},
                      RealGraph{"luxembourg_osm", "luxembourg_osm.mtx.xz"}, RealGraph{"karate", "karate.mtx.xz"},
                      RealGraph{"power", "power.graph.xz"}, RealGraph{"PGPgiantcompo", "PGPgiantcompo.graph.xz"},
                      RealGraph{"rgg_n_2_15_s0", "rgg_n_2_15_s0.graph.xz"},
                      RealGraph{"USA-road-d.NY", "USA-road-d.NY.gr.xz"},
                      RealGraph{"ldbc-p2p-31", "ldbc-p2p-31.e.xz"}),
    [](const auto& parameters) {
      std::string name = parameters.param.key;
      for (char& c : name) {
        if (c == '-' || c == '.') c = '_';
      }
      return name;
    });

TEST(RealGraphValues, HoldNoGraphThatIsNotTested) {
  DROMOS_SKIP_WITHOUT("values.json");
  std::ifstream file(data_path("values.json"));
  EXPECT_EQ(json::parse(file).size(), 17u) << "add the new graph to the list above";
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

}  // namespace
}  // namespace dromos::test
