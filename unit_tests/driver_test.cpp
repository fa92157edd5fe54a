// SPDX-License-Identifier: BSD-3-Clause
// The program `dromos` on graphs that are small enough to know the answers: what it computes, counts and writes.
#include <algorithm>
#include <cmath>
#include <dromos/io/results.hpp>
#include <dromos/traverse/strategy.hpp>
#include <dromos/version.hpp>
#include <map>
#include <queue>
#include <type_traits>
#include <variant>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

const std::vector<std::string> all_strategy_names = {"vertex-chunk", "hierarchical", "manhattan-local",
                                                     "manhattan-global"};

/// Adjacency by the file's own ids, from a symmetric Matrix Market pattern: read here by other means than the
/// program's.
std::map<std::int64_t, std::vector<std::int64_t>> read_symmetric(const std::string& name) {
  std::ifstream file(std::string(DROMOS_INPUTS_DIR "/") + name);
  std::string line;
  while (std::getline(file, line) && line[0] == '%') {
  }
  std::map<std::int64_t, std::vector<std::int64_t>> neighbors;
  std::int64_t u = 0, v = 0;
  while (file >> u >> v) {
    neighbors[u].push_back(v);
    neighbors[v].push_back(u);
  }
  return neighbors;
}

/// Number of vertices on each level from a root.
std::vector<std::int64_t> level_sizes(const std::map<std::int64_t, std::vector<std::int64_t>>& neighbors,
                                      std::int64_t root) {
  std::map<std::int64_t, std::size_t> level = {{root, 0}};
  std::queue<std::int64_t> queue({root});
  std::vector<std::int64_t> sizes;
  for (; !queue.empty(); queue.pop()) {
    const std::int64_t u = queue.front();
    sizes.resize(level[u] + 1);
    ++sizes[level[u]];
    const auto found = neighbors.find(u);
    if (found == neighbors.end()) continue;
    for (const std::int64_t v : found->second) {
      if (level.emplace(v, level[u] + 1).second) queue.push(v);
    }
  }
  return sizes;
}

TEST(DriverInfo, SelfLoopsThatAreKeptAreDuplicatesOnceEach) {
  const RunDromos dromos;
  std::string loops;
  for (int i = 0; i < 10; ++i) loops += "3 3\n";
  dromos.write("g.txt", loops + "3 7\n7 3\n3 7\n7 9\n");
  const json graph = run_json(dromos, "info --undirected --keep-self-loops g.txt")["graph"];
  EXPECT_EQ(graph["duplicates_removed"], 9 + 2);
  EXPECT_EQ(graph["self_loops_removed"], 0);
  EXPECT_EQ(run_json(dromos, "info --undirected g.txt")["graph"]["duplicates_removed"], 2);
  EXPECT_EQ(run_json(dromos, "info --keep-self-loops g.txt")["graph"]["duplicates_removed"], 9 + 1);
}

TEST(DriverNames, NothingThatATerminalTakesAsACommandIsSaid) {
  const RunDromos dromos;
  const std::string name = "a\x1b[31m\nb\xc2\x9b\xc3\xa9";  // the last one is a letter
  dromos.write(name, "3 7\n");
  for (const std::string& arguments : std::vector<std::string>{
           "info '" + name + "'", "info 'absent" + name + "'", "convert '" + name + "' 'x" + name + "' --to dimacs",
           "generate path --vertices 3 --to smat -o '" + name + "'"}) {
    const Outcome outcome = dromos.run(arguments);
    for (const std::string& text : {outcome.out, outcome.error}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
      EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << text;
    }
    EXPECT_NE((outcome.out + outcome.error).find("a\\x1b[31m\\x0ab\\xc2\\x9b\xc3\xa9"), std::string::npos)
        << arguments << outcome.out << outcome.error;
  }
}

TEST(Driver, EveryStrategyFindsTheLevelsOfASerialSearch) {
  const auto neighbors = read_symmetric("squares.mtx");
  const RunDromos dromos;
  const json report = run_json(dromos, "bfs --strategy all --validate --root 1,17,1020 " + input("squares.mtx"));
  EXPECT_EQ(report["graph"]["num_vertices"], 1025);
  EXPECT_EQ(report["graph"]["num_edges"], 2 * 1355);
  EXPECT_EQ(report["graph"]["directed"], false);
  ASSERT_EQ(report["runs"].size(), 12u);
  const std::vector<std::int64_t> roots = {1, 17, 1020};
  for (std::size_t i = 0; i < 12; ++i) {
    const json& run = report["runs"][i];
    const auto sizes = level_sizes(neighbors, roots[i % 3]);
    EXPECT_EQ(run["algorithm"], "bfs");
    EXPECT_EQ(run["strategy"], all_strategy_names[i / 3]);
    EXPECT_EQ(run["root"], roots[i % 3]);
    EXPECT_EQ(run["levels"], json(sizes));
    EXPECT_EQ(run["depth"], sizes.size() - 1);
    std::int64_t reached = 0;
    for (const std::int64_t size : sizes) reached += size;
    EXPECT_EQ(run["reached"], reached);
    EXPECT_EQ(run["valid"], true);
    EXPECT_GT(run["seconds"], 0);
    EXPECT_NEAR(run["gteps"].get<double>(), run["edges"].get<double>() / run["seconds"].get<double>() / 1e9, 1e-9);
  }
}

TEST(Driver, TheDefaultRootHasTheHighestOutDegreeAndOfThoseTheSmallestId) {
  const RunDromos dromos;
  dromos.write("g.txt", "50 1\n50 2\n40 1\n40 2\n40 40\n40 1\n9 1\n");
  const json report = run_json(dromos, "bfs g.txt");
  ASSERT_EQ(report["runs"].size(), 1u);
  EXPECT_EQ(report["runs"][0]["root"], 40);
  EXPECT_EQ(report["runs"][0]["valid"], nullptr);
  EXPECT_EQ(run_json(dromos, "bfs --relabel g.txt")["runs"][0]["root"], 40);
}

TEST(Driver, CountsWhatItRemovesInEdgesOfTheFile) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n2 1\n1 2\n2 3\n3 3\n");
  const auto graph = [&](const std::string& options) {
    return run_json(dromos, "bfs --root 1 g.txt " + options)["graph"];
  };
  json g = graph("");
  EXPECT_EQ(g["directed"], true);
  EXPECT_EQ(g["num_edges"], 3);  // 1->2 2->1 2->3
  EXPECT_EQ(g["self_loops_removed"], 1);
  EXPECT_EQ(g["duplicates_removed"], 1);
  g = graph("--undirected");
  EXPECT_EQ(g["directed"], false);
  EXPECT_EQ(g["num_edges"], 4);
  EXPECT_EQ(g["self_loops_removed"], 1);
  EXPECT_EQ(g["duplicates_removed"], 2);
  g = graph("--keep-self-loops --keep-duplicates");
  EXPECT_EQ(g["num_edges"], 5);
  EXPECT_EQ(g["self_loops_removed"], 0);
  EXPECT_EQ(g["duplicates_removed"], 0);
}

TEST(Driver, CountsDuplicatesOfAFormatThatListsEdgesAtBothEnds) {
  const RunDromos dromos;
  dromos.write("g.graph", "3 2\n2\n1 3\n2\n");
  const json clean = run_json(dromos, "bfs g.graph")["graph"];
  EXPECT_EQ(clean["num_edges"], 4);
  EXPECT_EQ(clean["duplicates_removed"], 0);
  const json kept = run_json(dromos, "bfs --keep-duplicates g.graph");
  EXPECT_EQ(kept["graph"]["num_edges"], 4);
  EXPECT_EQ(kept["graph"]["directed"], false);
  EXPECT_EQ(kept["runs"][0]["reached"], 3);
}

TEST(Driver, TepsCountAnUndirectedEdgeOnceAndOnlyWhereTheSearchCame) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n2 3\n3 1\n8 9\n");
  EXPECT_EQ(run_json(dromos, "bfs --undirected --root 1 g.txt")["runs"][0]["edges"], 3);
  EXPECT_EQ(run_json(dromos, "bfs --undirected --root 9 g.txt")["runs"][0]["edges"], 1);
  EXPECT_EQ(run_json(dromos, "bfs --root 9 g.txt")["runs"][0]["edges"], 0);
  EXPECT_EQ(run_json(dromos, "bfs --root 2 g.txt")["runs"][0]["edges"], 3);
}

TEST(Driver, OutputSpeaksTheNumbersOfTheFile) {
  // A path with ids in no order, and one vertex that is not reached: parents are unique.
  const std::string expected = "5 5 0\n7 1000000000000 3\n90 5 1\n300 -1 -1\n1000000000000 90 2\n";
  for (const std::string options : {"", "--relabel", "--ids 64 --relabel", "--validate --strategy MG"}) {
    const RunDromos dromos;
    dromos.write("g.txt", "5 90\n90 1000000000000\n1000000000000 7\n300 5\n");
    const Outcome outcome = dromos.run("bfs --root 5 --output result.txt g.txt " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(dromos.read("result.txt"), expected) << options;
    EXPECT_EQ(dromos.files(), (std::set<std::string>{"g.txt", "result.txt"}));
  }
}

TEST(Driver, RandomRootsAreDistinctHaveOutEdgesAndDependOnTheSeedAlone) {
  const RunDromos dromos;
  std::string star;
  for (int v = 1; v <= 30; ++v) star += std::to_string(v) + " 0\n";
  dromos.write("star.txt", star);
  const auto roots = [&](const std::string& options) {
    std::vector<std::int64_t> names;
    const json report = run_json(dromos, "bfs star.txt " + options);
    for (const json& run : report["runs"]) names.push_back(run["root"]);
    return names;
  };
  const auto eight = roots("--roots 8 --seed 5");
  EXPECT_EQ(eight.size(), 8u);
  EXPECT_EQ(std::set<std::int64_t>(eight.begin(), eight.end()).size(), 8u);
  EXPECT_EQ(std::count(eight.begin(), eight.end(), 0), 0);
  EXPECT_EQ(roots("--roots 8 --seed 5 --relabel"), eight);
  EXPECT_NE(roots("--roots 8 --seed 6"), eight);
  EXPECT_EQ(roots("--roots 1000 --quiet").size(), 30u);
}

TEST(Driver, StrategiesAreNamedWithTheirStepsAndEachRunsOnce) {
  const RunDromos dromos;
  const json report = run_json(dromos,
                               "bfs --validate --strategy manhattan-local:M,ML:M+C --strategy ML:M+C+S,ML:M+C+S+L,MG "
                               "--strategy MG --team-size 2 --vertices-per-team 7 --edges-per-team 5 --queue-size 3 " +
                                   input("squares.mtx"));
  std::vector<std::string> names;
  for (const json& run : report["runs"]) {
    names.push_back(run["strategy"]);
    EXPECT_EQ(run["valid"], true);
    EXPECT_EQ(run["levels"], report["runs"][0]["levels"]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"manhattan-local:M", "manhattan-local:M+C", "manhattan-local:M+C+S",
                                             "manhattan-local:M+C+S+L", "manhattan-global"}));
}

/// Each number that a strategy can be tuned by is an option, so that none that is added is forgotten.
TEST(Driver, EveryTuningOfAStrategyIsAnOption) {
  const std::string help = RunDromos().run("bfs --help").out;
  for (Strategy strategy : all_strategies()) {
    const auto look = [&](const char* name, auto& field) {
      if constexpr (std::is_same_v<decltype(field), int&>) {
        std::string option = std::string("--") + name;
        std::replace(option.begin(), option.end(), ' ', '-');
        EXPECT_NE(help.find(option + " "), std::string::npos) << option << " of " << strategy_name(strategy);
      }
    };
    std::visit([&](auto& chosen) { chosen.fields(look); }, strategy);
  }
}

TEST(Driver, EveryGeneratedKindHasTheShapeItIsKnownFor) {
  const RunDromos dromos;
  const auto search = [&](const std::string& options) {
    const json report = run_json(dromos, "bfs --validate --strategy all --root 0 --generate " + options);
    for (const json& run : report["runs"]) EXPECT_EQ(run["levels"], report["runs"][0]["levels"]);
    return report;
  };
  EXPECT_EQ(search("path --vertices 50")["runs"][0]["depth"], 49);
  EXPECT_EQ(search("path --vertices 50")["graph"]["directed"], false);
  EXPECT_EQ(search("cycle --vertices 50")["runs"][0]["depth"], 25);
  EXPECT_EQ(search("cycle --vertices 50 --directed")["runs"][0]["depth"], 49);
  EXPECT_EQ(search("star --vertices 50")["runs"][0]["levels"], (json{1, 49}));
  EXPECT_EQ(search("grid --rows 3 --columns 4")["runs"][0]["levels"], (json{1, 2, 3, 3, 2, 1}));
  EXPECT_EQ(search("binary-tree --vertices 15")["runs"][0]["levels"], (json{1, 2, 4, 8}));
  EXPECT_EQ(search("ladder --rungs 3")["runs"][0]["levels"], (json{1, 2, 2, 1}));
  EXPECT_EQ(search("comb --spine 3 --length 2")["runs"][0]["levels"], (json{1, 2, 3, 2, 1}));
  EXPECT_EQ(search("caterpillar --spine 3 --legs 2")["runs"][0]["levels"], (json{1, 3, 3, 2}));
  EXPECT_EQ(search("cycle-chain --cycles 2 --length 4")["runs"][0]["levels"], (json{1, 2, 1, 1, 2, 1}));
  EXPECT_EQ(search("bipartite-hubs --hubs 2 --vertices 10")["runs"][0]["levels"], (json{1, 8, 1}));
  const json near = search("random-geometric --vertices 500 --degree 10");
  EXPECT_EQ(near["graph"]["source"], "random-geometric, 500 vertices, degree 10, seed 1");
  EXPECT_GT(near["runs"][0]["depth"], 10);
  const json random = search("erdos-renyi --vertices 100 --edges 400 --seed 3");
  EXPECT_EQ(random["graph"]["num_edges"].get<int>() / 2 + random["graph"]["self_loops_removed"].get<int>() +
                random["graph"]["duplicates_removed"].get<int>(),
            400);
}

TEST(Driver, AGeneratedGraphIsTheSameFromAFile) {
  const RunDromos dromos;
  const std::string kind = "kronecker --scale 9 --edge-factor 8 --seed 4";
  for (const std::string file : {"k.mtx", "k.graph.gz", "k.gr.xz"}) {
    ASSERT_EQ(dromos.run("generate " + kind + " -o " + file).exit_code, 0) << file;
  }
  const json memory = run_json(dromos, "bfs --validate --generate " + kind);
  const std::int64_t root = memory["runs"][0]["root"];
  for (const std::string file : {"k.mtx", "k.graph.gz", "k.gr.xz"}) {  // these count from 1
    const json read = run_json(dromos, "bfs --validate --undirected --root " + std::to_string(root + 1) + " " + file);
    EXPECT_EQ(read["graph"]["num_edges"], memory["graph"]["num_edges"]) << file;
    EXPECT_EQ(read["runs"][0]["levels"], memory["runs"][0]["levels"]) << file;
    EXPECT_EQ(read["runs"][0]["edges"], memory["runs"][0]["edges"]) << file;
  }
}

TEST(Driver, ConvertKeepsTheGraph) {
  const RunDromos dromos;
  const json before = run_json(dromos, "bfs --root 17 " + input("squares.mtx"));
  ASSERT_EQ(dromos.run("convert " + input("squares.mtx") + " a.graph").exit_code, 0);
  ASSERT_EQ(dromos.run("convert a.graph b.gr.gz").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --undirected b.gr.gz c --to edge-list").exit_code, 0);
  for (const std::string file : {"a.graph", "b.gr.gz", "c"}) {
    const json after = run_json(dromos, "bfs --undirected --root 17 " + file);
    EXPECT_EQ(after["runs"][0]["levels"], before["runs"][0]["levels"]) << file;
  }
  EXPECT_EQ(dromos.files(), (std::set<std::string>{"a.graph", "b.gr.gz", "c"}));
}

TEST(Driver, RepeatsWhatIsMeasuredAndWritesOnce) {
  const RunDromos dromos;
  const std::string commands[] = {"generate kronecker --scale 6 --seed 3 -o ", "convert " + input("squares.mtx") + " ",
                                  "subgraph --component largest " + input("squares.mtx") + " -o "};
  for (const std::string& command : commands) {
    const Outcome once = dromos.run(command + "once.mtx"), thrice = dromos.run(command + "thrice.mtx --repeat 3");
    EXPECT_EQ(once.exit_code, 0) << command << once.error;
    EXPECT_EQ(thrice.exit_code, 0) << command << thrice.error;
    EXPECT_EQ(dromos.read("thrice.mtx"), dromos.read("once.mtx")) << command;
    EXPECT_EQ(once.out.find("median of"), std::string::npos) << once.out;
    EXPECT_NE(thrice.out.find("(median of 3, "), std::string::npos) << thrice.out;
    expect_refusal(dromos, command + "none.mtx --repeat 0", {"--repeat", "from 1 on"});
  }
  json once = run_json(dromos, "info " + input("squares.mtx"));
  json four = run_json(dromos, "info --repeat 4 " + input("squares.mtx"));
  EXPECT_EQ(once["analysis_seconds"].size(), 1u);
  EXPECT_EQ(four["analysis_seconds"].size(), 4u);
  EXPECT_EQ(four["degrees"], once["degrees"]);
  EXPECT_EQ(four["weak_components"], once["weak_components"]);
  EXPECT_NE(dromos.run("info --repeat 4 " + input("squares.mtx")).out.find("(median of 4, "), std::string::npos);
}

#ifdef DROMOS_ENABLE_HDF5

TEST(Driver, Hdf5FilesAreSearchedLikeTheTextTheyWereMadeOf) {
  const RunDromos dromos;
  dromos.write("list.txt", "7 12 2\n12 900 1\n900 7 1\n12 12 9\n7 12 1\n12 7 4\n30 31 3\n31 900 1\n1000 1000 1\n");
  ASSERT_EQ(dromos.run("convert --weights list.txt list.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --weights --compression 9 list.txt packed.hdf5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --weights --csr list.txt rows.h5").exit_code, 0);
  for (const std::string options : {"", "--relabel ", "--undirected ", "--keep-self-loops ", "--ids 64 "}) {
    const Outcome expected = dromos.run("bfs --root 7 --json - --output expected.txt " + options + "list.txt");
    ASSERT_EQ(expected.exit_code, 0) << expected.error;
    for (const std::string file : {"list.h5", "packed.hdf5", "rows.h5"}) {
      const Outcome found = dromos.run("bfs --root 7 --json - --output found.txt " + options + file);
      ASSERT_EQ(found.exit_code, 0) << file << found.error;
      EXPECT_EQ(dromos.read("found.txt"), dromos.read("expected.txt")) << options << file;
      // Rows were written without self loops; of lists nothing is gone.
      if (file == "list.h5" || file == "packed.hdf5") {
        for (const char* member : {"num_edges", "self_loops_removed", "duplicates_removed"}) {
          EXPECT_EQ(found.json()["graph"][member], expected.json()["graph"][member]) << options << file << member;
        }
      }
    }
  }
  ASSERT_EQ(dromos.run("sssp --root 7 --output expected.txt list.txt").exit_code, 0);
  ASSERT_EQ(dromos.run("sssp --root 7 --output found.txt rows.h5").exit_code, 0);
  EXPECT_EQ(dromos.read("found.txt"), dromos.read("expected.txt"));
}

/// Lines "vertex value" of the only column of a file of results, in the numbers of the graph's own file.
std::vector<std::pair<std::int64_t, double>> values_of(const RunDromos& dromos, const std::string& file,
                                                       const std::string& algorithm) {
  const ResultTable table = read_results(dromos.folder() + "/" + file, {"algorithm", "graph"});
  EXPECT_EQ(table.texts,
            (std::vector<std::pair<std::string, std::string>>{{"algorithm", algorithm}, {"graph", "list.txt"}}));
  std::vector<std::pair<std::int64_t, double>> values;
  if (table.columns.size() != 1) return values;
  const ResultColumn& column = table.columns[0];
  for (std::int64_t v = 0; v < table.num_vertices; ++v) {
    const double value = std::visit([&](const auto& of) { return static_cast<double>(of(v)); }, column.values);
    const bool is_vertex = column.unit == "vertex";
    values.emplace_back(table.names.name(v),
                        is_vertex ? static_cast<double>(table.names.name(static_cast<std::int64_t>(value))) : value);
  }
  return values;
}

TEST(Driver, ResultsInHdf5AreThoseInText) {
  const RunDromos dromos;
  dromos.write("list.txt", "7 12 2\n12 900 1\n900 7 1\n12 12 9\n7 12 1\n12 7 4\n30 31 3\n31 900 1\n1000 1000 1\n");
  for (const std::string command :
       {"scc", "cc", "color", "kcore --undirected", "rcm --undirected", "coloring --undirected", "mis2 --undirected",
        "pagerank", "sssp --root 7", "bc --root 7", "scc --relabel", "color --relabel", "sssp --relabel --root 30",
        "kcore --undirected --relabel"}) {
    SCOPED_TRACE(command);
    const Outcome text = dromos.run(command + " --output found.txt list.txt");
    const Outcome columns = dromos.run(command + " --output found.h5 list.txt");
    ASSERT_EQ(text.exit_code, 0) << text.error;
    ASSERT_EQ(columns.exit_code, 0) << columns.error;
    const auto values = values_of(dromos, "found.h5", command.substr(0, command.find(' ')));
    ASSERT_EQ(values.size(), 6u);
    std::istringstream lines(dromos.read("found.txt"));
    for (const auto& [vertex, value] : values) {
      std::string name, expected;  // "inf" is no number to streams
      lines >> name >> expected;
      EXPECT_EQ(name, std::to_string(vertex));
      if (expected == "inf") {  // in a column of whole numbers -1
        EXPECT_TRUE(std::isinf(value) || (value == -1 && command.compare(0, 4, "sssp") == 0)) << value;
      } else {
        EXPECT_NEAR(value, std::stod(expected), 1e-12);
      }
    }
  }
  EXPECT_EQ(read_results(dromos.folder() + "/found.h5").num_vertices, 6);
  ASSERT_EQ(dromos.run("sssp --root 30 --output found.hdf5 list.txt").exit_code, 0);
  const ResultTable table = read_results(dromos.folder() + "/found.hdf5", {}, {"root"});
  ASSERT_EQ(table.numbers.size(), 1u);
  EXPECT_EQ(table.names.name(table.numbers[0].second), 30);
}

#ifdef DROMOS_ENABLE_MPI

TEST(Driver, GraphsSeparatedByDegreeAreConvertedThereAndBack) {
  const RunDromos dromos;
  dromos.write("list.txt", "7 12\n12 900\n900 7\n12 12\n7 12\n12 7\n30 31\n31 900\n1000 1000\n");
  for (const std::string options : {"", "--undirected "}) {
    ASSERT_EQ(dromos.run("convert " + options + "list.txt list.h5").exit_code, 0);
    ASSERT_EQ(dromos.run("convert --csr " + options + "list.txt rows.h5").exit_code, 0);
    const Outcome outcome = dromos.run("convert --separated --degree-threshold 1 list.h5 separated.h5");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("separated by degree for 1 rank"), std::string::npos) << outcome.out;
    ASSERT_EQ(dromos.run("convert rows.h5 expected.txt").exit_code, 0);
    ASSERT_EQ(dromos.run("convert separated.h5 found.txt").exit_code, 0);
    ASSERT_EQ(dromos.shell("{ sort expected.txt > expected; sort found.txt > found; }").exit_code, 0);
    EXPECT_EQ(dromos.read("found"), dromos.read("expected")) << options;
    EXPECT_EQ(dromos.run("bfs --root 7 --json - separated.h5").json()["runs"][0]["levels"],
              dromos.run("bfs --root 7 --json - list.h5").json()["runs"][0]["levels"]);
  }
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"--separated list.txt other.h5", "list.txt: expected an HDF5 file with edges or rows"},
      {"--separated separated.h5 other.h5", "separated.h5: expected an HDF5 file with edges or rows"},
      {"--separated list.h5 other.mtx", "other.mtx is no HDF5 file"},
      {"--separated --csr list.h5 other.h5", "leave out --csr"},
      {"--degree-threshold 3 list.h5 other.h5", "--degree-threshold is for"},
      {"--separated none.h5 other.h5", "none.h5"}};
  for (const auto& [arguments, message] : refused) {
    const Outcome outcome = dromos.run("convert " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.error.find(message), std::string::npos) << outcome.error;
    EXPECT_EQ(dromos.files().count("other.h5"), 0u) << arguments;
  }
}

#endif

TEST(Driver, OptionsOfHdf5FilesAreForThemAlone) {
  const RunDromos dromos;
  dromos.write("list.txt", "0 1\n");
  for (const std::string option : {"--csr", "--compression 3"}) {
    const Outcome outcome = dromos.run("convert " + option + " list.txt other.mtx");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find("other.mtx is no HDF5 file"), std::string::npos) << outcome.error;
  }
  ASSERT_EQ(dromos.run("convert list.txt list.h5").exit_code, 0);
  ASSERT_EQ(dromos.shell("truncate -s 300 list.h5").exit_code, 0);
  const Outcome outcome = dromos.run("info list.h5");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error.find("dromos: error: list.h5: HDF5 cannot open it"), 0u) << outcome.error;
  EXPECT_EQ(dromos.files().size(), 2u);
}

#else

TEST(Driver, WithoutHdf5ItsFilesAreRefusedBeforeAnythingIsRead) {
  const RunDromos dromos;
  for (const char* arguments : {"bfs --output levels.h5 none.txt", "scc --output components.hdf5 none.txt",
                                "generate path --vertices 3 -o path.h5", "convert none.txt other.h5"}) {
    const Outcome outcome = dromos.run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.error.find("built without HDF5"), std::string::npos) << outcome.error;
    EXPECT_TRUE(dromos.files().empty()) << arguments;
  }
}

#endif

TEST(Driver, InfoKnowsDegreesAndComponents) {
  const RunDromos dromos;
  const json report = run_json(dromos, "info " + input("squares.mtx"));
  // By searches from every vertex: each of a component's n vertices reaches n.
  const auto neighbors = read_symmetric("squares.mtx");
  double number = 0;
  std::int64_t largest = 0;
  for (std::int64_t v = 1; v <= 1025; ++v) {
    std::int64_t reached = 0;
    for (const std::int64_t size : level_sizes(neighbors, v)) reached += size;
    number += 1.0 / static_cast<double>(reached);
    largest = std::max(largest, reached);
  }
  EXPECT_NEAR(report["weak_components"]["number"].get<double>(), number, 1e-6);
  EXPECT_EQ(report["weak_components"]["largest"], largest);
  std::int64_t vertices = 0;
  for (const json& bin : report["degrees"]["histogram"]) vertices += bin["vertices"].get<std::int64_t>();
  EXPECT_EQ(vertices, 1025);
  EXPECT_NEAR(report["degrees"]["mean"].get<double>(), 2.0 * 1355 / 1025, 1e-12);
  EXPECT_EQ(report.count("runs"), 0u);
}

TEST(Driver, JsonFileIsWhatStdoutWouldHaveBeen) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("bfs --validate --levels --json r.json " + input("squares.mtx"));
  ASSERT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("vertices on each level, from root"), std::string::npos);
  EXPECT_EQ(dromos.files(), std::set<std::string>{"r.json"});
  const json from_file = json::parse(dromos.read("r.json"));
  const json from_stdout = run_json(dromos, "bfs --validate " + input("squares.mtx"));
  EXPECT_EQ(from_file["runs"][0]["levels"], from_stdout["runs"][0]["levels"]);
  EXPECT_EQ(from_file["runs"][0]["level_details"].size(), from_file["runs"][0]["levels"].size());
  for (const char* key : {"dromos", "kokkos", "graph"}) EXPECT_EQ(from_file.count(key), 1u) << key;
}

TEST(Driver, HelpAndVersionAreNoErrors) {
  const RunDromos dromos;
  const Outcome version = dromos.run("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_NE(version.out.find("Kokkos"), std::string::npos);
  for (const std::string command : {"", "bfs", "info", "generate", "convert"}) {
    const Outcome help = dromos.run(command + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
    EXPECT_EQ(help.error, "") << command;
  }
}

TEST(Driver, KokkosOptionsReachKokkos) {
  const RunDromos dromos;
  // Kokkos 4 renamed it.
  const bool new_name = dromos.run("--kokkos-help").out.find("--kokkos-num-threads") != std::string::npos;
  const std::string option = new_name ? "--kokkos-num-threads=1" : "--kokkos-threads=1";
  const json report = run_json(dromos, option + " bfs " + input("squares.mtx"));
  if (report["kokkos"]["host_execution_space"] == "OpenMP") {
    EXPECT_EQ(report["kokkos"]["host_concurrency"], 1);
  }
}

}  // namespace
}  // namespace dromos::test
