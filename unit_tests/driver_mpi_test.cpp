// SPDX-License-Identifier: BSD-3-Clause
// The program on several ranks: the Graph500 benchmark, searches of files, and how mistakes end: said once, with the
// program's exit code, and with nobody left waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <dromos/io/results.hpp>
#include <dromos/version.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "json_schema.hpp"
#include "real_graphs.hpp"
#include "run_dromos.hpp"

namespace dromos::test {
namespace {

/// Runs `dromos ARGUMENTS` on so many ranks.
Outcome run_on(const RunDromos& dromos, int ranks, const std::string& arguments) {
  return dromos.shell("'" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " " + std::to_string(ranks) +
                      " '" DROMOS_PROGRAM "' " + arguments);
}

/// The same without what is about several ranks, which one rank refuses.
std::string on_one_rank(std::string arguments) {
  for (const std::string option : {"--partition delegates ", "--partition grid ", "--degree-threshold 2 "}) {
    const std::size_t at = arguments.find(option);
    if (at != std::string::npos) arguments.erase(at, option.size());
  }
  return arguments;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const std::vector<std::string>& quartiles() {
  static const std::vector<std::string> names = {"min", "firstquartile", "median", "thirdquartile", "max"};
  return names;
}

/// Every field that the benchmark prints of a kernel: "bfs" or "sssp".
std::vector<std::string> all_fields(const std::string& kernel) {
  std::vector<std::string> fields = {
      "SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes", "construction_time"};
  for (const std::string what : {"time", "nedge", "validate"}) {
    for (const std::string& q : quartiles()) fields.push_back(kernel + "_" + q + "_" + what);
    fields.push_back(kernel + "_mean_" + what);
    fields.push_back(kernel + "_stddev_" + what);
  }
  for (const std::string& q : quartiles()) fields.push_back(kernel + "_" + q + "_TEPS");
  fields.push_back(kernel + "_harmonic_mean_TEPS");
  fields.push_back(kernel + "_harmonic_stddev_TEPS");
  return fields;
}

/// A small graph of several components with a hub, a chain and weights.
const char* hub_and_chain() {
  return "%%MatrixMarket matrix coordinate real general\n24 24 30\n"
         "1 2 1\n1 3 2\n1 4 1\n1 5 4\n1 6 1\n1 7 3\n1 8 1\n2 3 1\n3 4 1\n4 2 1\n5 6 2\n6 7 1\n7 5 1\n8 9 1\n"
         "9 10 5\n10 11 1\n11 12 1\n12 13 1\n13 14 2\n14 9 1\n15 16 1\n16 17 1\n17 15 1\n18 19 1\n19 20 1\n"
         "20 18 1\n21 22 3\n14 1 1\n13 8 1\n23 24 1\n";
}

/// One rank refuses to be told of a partition.
std::string for_one_rank(std::string arguments) {
  for (const std::string partition : {" --partition delegates", " --partition grid"}) {
    const std::size_t place = arguments.find(partition);
    if (place != std::string::npos) arguments.erase(place, partition.size());
  }
  return arguments;
}

TEST(AlgorithmsOnRanks, FindWhatOneRankFinds) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  for (const std::string arguments : {"cc g.mtx",
                                      "cc --method hooking --undirected --partition delegates g.mtx",
                                      "color g.mtx",
                                      "color --undirected --partition delegates g.mtx",
                                      "kcore --undirected g.mtx",
                                      "kcore --undirected --partition delegates g.mtx",
                                      "sssp --root 1 g.mtx",
                                      "sssp --undirected --root 9 g.mtx",
                                      "scc g.mtx",
                                      "scc --method coloring g.mtx",
                                      "cc --partition delegates g.mtx",
                                      "color --partition delegates g.mtx",
                                      "scc --partition delegates g.mtx",
                                      "sssp --partition delegates --root 1 g.mtx",
                                      "sssp --undirected --partition delegates --root 9 g.mtx",
                                      "scc --undirected --partition delegates g.mtx",
                                      "cc --method hooking --undirected --partition grid g.mtx",
                                      "cc --partition grid g.mtx",
                                      "color --undirected --partition grid g.mtx",
                                      "color --partition grid g.mtx",
                                      "kcore --undirected --partition grid g.mtx",
                                      "scc --partition grid g.mtx",
                                      "scc --method coloring --partition grid g.mtx",
                                      "sssp --partition grid --root 1 g.mtx",
                                      "sssp --undirected --partition grid --root 9 g.mtx"}) {
    const Outcome one = dromos.shell("'" DROMOS_PROGRAM "' " + on_one_rank(arguments) + " --output one.txt");
    ASSERT_EQ(one.exit_code, 0) << arguments << one.error;
    for (const int ranks : {2, 3}) {
      const Outcome outcome = run_on(dromos, ranks, arguments + " --validate --output several.txt");
      EXPECT_EQ(outcome.exit_code, 0) << arguments << outcome.error;
      EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt")) << arguments << " on " << ranks;
      EXPECT_EQ(count(outcome.out, std::to_string(ranks) + " ranks, by "), 1) << outcome.out;
      EXPECT_EQ(count(outcome.out, "yes"), 1) << outcome.out;
    }
  }
}

/// What one rank writes with these arguments is what several write, 1e-12 apart or less.
void expect_numbers_of_one_rank(const RunDromos& dromos, const std::string& arguments, const std::vector<int>& ranks,
                                std::int64_t num_vertices) {
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' " + on_one_rank(arguments) + " --output one.txt").exit_code, 0);
  for (const int several_ranks : ranks) {
    const Outcome outcome = run_on(dromos, several_ranks, arguments + " --validate --output several.txt");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << " on " << several_ranks << outcome.error;
    std::istringstream one(dromos.read("one.txt")), several(dromos.read("several.txt"));
    std::int64_t vertex = 0, same_vertex = 0, num_lines = 0;
    for (double value = 0, same_value = 0; one >> vertex >> value && several >> same_vertex >> same_value;
         ++num_lines) {
      EXPECT_EQ(vertex, same_vertex);
      EXPECT_NEAR(value, same_value, 1e-12 * std::max(1.0, value)) << arguments << " on " << several_ranks;
    }
    EXPECT_EQ(num_lines, num_vertices) << arguments << " on " << several_ranks;
  }
}

TEST(AlgorithmsOnRanks, FloatsAreThoseOfOneRankToTheLastBits) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  for (const std::string arguments :
       {"pagerank --tolerance 1e-13 g.mtx", "pagerank --tolerance 1e-13 --undirected --partition delegates g.mtx",
        "bc --exact g.mtx", "bc --roots 5 --seed 3 --partition delegates g.mtx", "bc --root 1 --undirected g.mtx",
        "pagerank --tolerance 1e-13 --partition grid g.mtx", "bc --exact --partition grid g.mtx",
        "bc --root 1 --undirected --partition grid g.mtx"}) {
    expect_numbers_of_one_rank(dromos, arguments, {3}, 24);
  }
}

TEST(AlgorithmsOnRanks, WalksStartWhereTheyDoOnOneRank) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  dromos.write("start.txt", "# hub twice, the chain, an end without edges out\n1\n9\n1\n24\n");
  for (const std::string arguments :
       {"pagerank --tolerance 1e-13 --start start.txt g.mtx",
        "pagerank --tolerance 1e-13 --start start.txt --undirected --partition delegates g.mtx",
        "pagerank --tolerance 1e-13 --start start.txt --relabel g.mtx"}) {
    expect_numbers_of_one_rank(dromos, arguments, {2, 3, 4, 7}, 24);
  }
  // Each rank makes its slice of this one, and knows the graph.
  dromos.write("start.txt", "0\n5\n63\n");
  expect_numbers_of_one_rank(
      dromos, "pagerank --tolerance 1e-13 --start start.txt --generate grid --rows 8 --columns 8", {1, 3}, 64);
  dromos.write("start.txt", "1\n25\n");
  const Outcome refused = run_on(dromos, 3, "pagerank --start start.txt g.mtx");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(count(refused.error, "start.txt:2: "), 1) << refused.error;
}

TEST(BatchOnRanks, DoesEachLineOnTheSameRanks) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  dromos.write("lines.txt", "bfs --root 1 --output a g.mtx\ncc --output b g.mtx\ncolor --output c g.mtx\n");
  const Outcome outcome = run_on(dromos, 3, "batch lines.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(count(outcome.out, "; 3 ranks"), 3) << outcome.out;
  EXPECT_EQ(dromos.run("bfs --root 1 --output alone g.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("a"), dromos.read("alone"));
  EXPECT_EQ(dromos.run("color --output alone g.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("c"), dromos.read("alone"));
  dromos.write("wrong.txt", "cc g.mtx\nrcm g.mtx\ncc --output d g.mtx\n");
  const Outcome refused = run_on(dromos, 3, "batch wrong.txt");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(count(refused.error, "wrong.txt:2: ended the batch"), 1) << refused.error;
  EXPECT_EQ(count(refused.error, "rcm runs on one rank"), 1) << refused.error;
  EXPECT_EQ(dromos.files().count("d"), 0u);
  EXPECT_EQ(run_on(dromos, 2, "batch absent.txt").exit_code, 2);
}

TEST(AlgorithmsOnRanks, MeasureTheSameDiameter) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  for (const std::string arguments :
       {"diameter --undirected g.mtx", "diameter --undirected --root 15 --searches 3 g.mtx",
        "diameter --undirected --partition delegates g.mtx", "diameter --undirected --partition grid g.mtx"}) {
    EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' " + on_one_rank(arguments) + " --json one.json").exit_code, 0);
    const Outcome outcome = run_on(dromos, 3, arguments + " --validate --json several.json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto one = nlohmann::json::parse(dromos.read("one.json")).at("runs").at(0);
    const auto several = nlohmann::json::parse(dromos.read("several.json")).at("runs").at(0);
    for (const char* field : {"start", "component_size", "lower", "upper", "from", "to", "num_searches"}) {
      EXPECT_EQ(several.at(field), one.at(field)) << arguments << ": " << field;
    }
  }
}

TEST(AlgorithmsOnRanks, ReadSlicesAndSayWhereTheyRan) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  if (dromos.shell("'" DROMOS_PROGRAM "' convert --weights g.mtx g.h5").exit_code != 0)
    GTEST_SKIP() << "built without HDF5";
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' sssp --root 1 g.h5 --output one.txt").exit_code, 0);
  const Outcome outcome = run_on(dromos, 3, "sssp --root 1 g.h5 --output several.txt --json r.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt"));
  const auto report = nlohmann::json::parse(dromos.read("r.json"));
  const auto& run = report.at("runs").at(0);
  EXPECT_EQ(run.at("num_ranks"), 3);
  EXPECT_EQ(run.at("partition"), "blocks");  // which it chose: a chain of vertices that follow each other
  EXPECT_FALSE(run.at("transport").get<std::string>().empty());
  // Weights that the file has not got are made alike on any number of ranks.
  dromos.write("e.txt", "1 2\n2 3\n3 1\n3 4\n");
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' convert e.txt e.h5").exit_code, 0);
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' sssp --root 1 --weights uniform e.h5 --output one.txt").exit_code, 0);
  EXPECT_EQ(run_on(dromos, 2, "sssp --root 1 --weights uniform e.h5 --output several.txt").exit_code, 0);
  EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt"));
}

TEST(ToolsOnRanks, RepeatWhatIsMeasuredAndWriteOnce) {
  const RunDromos dromos;
  if (run_on(dromos, 2, "generate grid --rows 5 --columns 6 --repeat 3 -o g.h5").exit_code != 0)
    GTEST_SKIP() << "built without HDF5";
  const auto edges_in = [&](const std::string& file) {
    EXPECT_EQ(dromos.run("convert " + file + " edges.txt").exit_code, 0);
    return dromos.read("edges.txt");
  };
  EXPECT_EQ(dromos.run("generate grid --rows 5 --columns 6 -o one.h5").exit_code, 0);
  EXPECT_EQ(edges_in("g.h5"), edges_in("one.h5"));
  for (const std::string arguments : {"generate grid --rows 5 --columns 6 -o ", "convert g.h5 ", "convert --csr g.h5 ",
                                      "convert --separated g.h5 "}) {
    const Outcome once = run_on(dromos, 2, arguments + "once.h5"),
                  thrice = run_on(dromos, 2, arguments + "thrice.h5 --repeat 3");
    EXPECT_EQ(once.exit_code, 0) << arguments << once.error;
    EXPECT_EQ(thrice.exit_code, 0) << arguments << thrice.error;
    EXPECT_EQ(edges_in("thrice.h5"), edges_in("once.h5")) << arguments;
    EXPECT_EQ(count(thrice.out, "(median of 3, "), 1) << thrice.out;
    EXPECT_EQ(count(once.out, "median"), 0) << once.out;
  }
  EXPECT_EQ(run_on(dromos, 2, "info --repeat 3 g.h5 --json r.json").exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(dromos.read("r.json")).at("analysis_seconds").size(), 3u);
}

/// The report of `dromos info` without what depends on who reads how.
nlohmann::json report_of(const RunDromos& dromos, const std::string& file) {
  auto report = nlohmann::json::parse(dromos.read(file));
  for (const char* field : {"bytes_read", "read_seconds", "build_seconds"}) report.at("graph").erase(field);
  return {{"graph", report.at("graph")}, {"degrees", report.at("degrees")}, {"weak", report.at("weak_components")}};
}

TEST(InfoOnRanks, SaysOfFilesAndGeneratedGraphsWhatOneRankSays) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  dromos.write("none.txt", "");
  std::vector<std::string> graphs = {"g.mtx",
                                     "--undirected --partition delegates g.mtx",
                                     "--generate kronecker --scale 8",
                                     "--generate kronecker --scale 8 --directed --partition delegates",
                                     "--undirected --partition grid g.mtx",
                                     "--generate kronecker --scale 8 --directed --partition grid",
                                     "--generate kronecker --scale 7 --keep-self-loops --keep-duplicates",
                                     "--generate kronecker --scale 7 --keep-self-loops",
                                     "--generate kronecker --scale 7 --relabel",
                                     "--generate erdos-renyi --vertices 60 --edges 40 --ids 64",
                                     "--generate random-geometric --vertices 200",
                                     "--generate star --vertices 2"};
  if (dromos.shell("'" DROMOS_PROGRAM "' convert g.mtx g.h5").exit_code == 0) {
    for (const char* graph : {"g.h5", "--undirected --keep-duplicates g.h5"}) graphs.push_back(graph);
  }
  for (const std::string& graph : graphs) {
    const Outcome one = dromos.shell("'" DROMOS_PROGRAM "' info " + for_one_rank(graph) + " --json one.json");
    ASSERT_EQ(one.exit_code, 0) << graph << one.error;
    for (const int ranks : {2, 3}) {
      const Outcome several = run_on(dromos, ranks, "info " + graph + " --json several.json");
      EXPECT_EQ(several.exit_code, 0) << graph << several.error;
      EXPECT_EQ(report_of(dromos, "several.json"), report_of(dromos, "one.json")) << graph << " on " << ranks;
      const auto degrees = [](const std::string& out) { return out.substr(out.find("degrees: ")); };
      EXPECT_EQ(degrees(several.out), degrees(one.out)) << graph << " on " << ranks;
    }
  }
}

TEST(AlgorithmsOnRanks, EachMakesItsSliceOfAGeneratedGraph) {
  const RunDromos dromos;
  for (const std::string arguments :
       {"sssp --root 3 --generate kronecker --scale 7 --parents",
        "sssp --root 3 --generate kronecker --scale 7 --parents --partition delegates",
        "sssp --root 3 --generate kronecker --scale 7 --parents --partition grid",
        "cc --generate erdos-renyi --vertices 90 --edges 60",
        "kcore --generate kronecker --scale 7 --partition delegates", "sssp --generate path --vertices 3 --root 0",
        "scc --generate kronecker --scale 7 --directed --keep-self-loops",
        "sssp --generate grid --rows 5 --columns 4"}) {
    const Outcome one =
        dromos.shell("'" DROMOS_PROGRAM "' " + for_one_rank(arguments) + " --output one.txt --json one.json");
    ASSERT_EQ(one.exit_code, 0) << arguments << one.error;
    for (const int ranks : {2, 4}) {
      const Outcome several = run_on(dromos, ranks, arguments + " --output several.txt --json several.json");
      EXPECT_EQ(several.exit_code, 0) << arguments << several.error;
      EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt")) << arguments << " on " << ranks;
      const auto graph_in = [&](const char* file) {
        auto graph = nlohmann::json::parse(dromos.read(file)).at("graph");
        for (const char* field : {"read_seconds", "build_seconds"}) graph.erase(field);
        return graph;
      };
      EXPECT_EQ(graph_in("several.json"), graph_in("one.json")) << arguments;
    }
  }
}

TEST(AlgorithmsOnRanks, WriteTheirBlocksOfEveryKindOfOutput) {
  const RunDromos dromos;
  dromos.write("e.txt", "12 17\n17 5\n5 12\n30 31\n31 32\n40 30\n7 7\n99 5\n");  // names with gaps
  std::vector<std::string> outputs = {".txt", ".mtx"};
  std::string graph = "--generate erdos-renyi --vertices 70 --edges 90 --seed 5";
  if (dromos.shell("'" DROMOS_PROGRAM "' convert e.txt e.h5").exit_code == 0) {
    outputs.push_back(".h5");
    graph = "e.h5";
  }
  for (const std::string algorithm :
       {"cc", "scc", "color", "kcore --undirected", "sssp --weights uniform", "sssp --weights uniform --parents",
        "sssp --distances float --weights uniform --undirected --parents"}) {
    for (const std::string& end : outputs) {
      const bool parents = algorithm.find("--parents") != std::string::npos;
      if (parents && end == ".mtx") continue;
      std::string arguments = algorithm + " " + graph;
      if (end == ".txt") arguments = algorithm + " --generate erdos-renyi --vertices 9 --edges 14";
      const Outcome one = dromos.shell("'" DROMOS_PROGRAM "' " + arguments + " --output one" + end);
      ASSERT_EQ(one.exit_code, 0) << arguments << one.error;
      const Outcome several = run_on(dromos, 3, arguments + " --output several" + end);
      EXPECT_EQ(several.exit_code, 0) << arguments << several.error;
      if (end != ".h5") {
        EXPECT_EQ(dromos.read("several" + end), dromos.read("one" + end)) << arguments;
        continue;
      }
      const ResultTable expected = read_results(dromos.folder() + "/one.h5", {"algorithm", "graph"}, {"root"});
      const ResultTable found = read_results(dromos.folder() + "/several.h5", {"algorithm", "graph"}, {"root"});
      EXPECT_EQ(found.texts, expected.texts);
      EXPECT_EQ(found.numbers, expected.numbers);
      ASSERT_EQ(found.num_vertices, expected.num_vertices);
      ASSERT_EQ(found.columns.size(), expected.columns.size()) << arguments;
      for (std::size_t c = 0; c < found.columns.size(); ++c) {
        EXPECT_EQ(found.columns[c].name, expected.columns[c].name);
        EXPECT_EQ(found.columns[c].description, expected.columns[c].description);
        ASSERT_EQ(found.columns[c].values.index(), expected.columns[c].values.index());
        std::visit(
            [&, expected_values = &expected.columns[c].values](const auto& values) {
              const auto& right = std::get<std::decay_t<decltype(values)>>(*expected_values);
              for (std::size_t v = 0; v < values.extent(0); ++v) {
                EXPECT_EQ(values(v), right(v)) << arguments << ": vertex " << v;
              }
            },
            found.columns[c].values);
      }
      for (std::int64_t v = 0; v < found.num_vertices; ++v) EXPECT_EQ(found.names.name(v), expected.names.name(v));
    }
  }
  // Where a text goes to a stream, in the order of ranks; where there is no room, nobody waits.
  const std::string cores = "kcore --generate kronecker --scale 8 --output ";
  const Outcome one = dromos.shell("'" DROMOS_PROGRAM "' " + cores + "-");
  EXPECT_EQ(run_on(dromos, 3, cores + "-").out, one.out);
  const Outcome full = run_on(dromos, 3, cores + "/dev/full");
  EXPECT_EQ(full.exit_code, 1) << full.error;
  EXPECT_EQ(count(full.error, "dromos: error: "), 1) << full.error;
}

TEST(AlgorithmsOnRanks, SayWhatTheirGridIs) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  ASSERT_EQ(dromos.run("scc g.mtx --output one.txt").exit_code, 0);
  const auto expect_grid = [&](const std::string& options, int rows, int columns) {
    const Outcome outcome =
        run_on(dromos, 6, "scc --partition grid " + options + " g.mtx --output several.txt --json r.json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt")) << options;
    const std::string grid = std::to_string(rows) + " x " + std::to_string(columns);
    EXPECT_EQ(count(outcome.out, "6 ranks, by grid of " + grid), 1) << outcome.out;
    const auto run = nlohmann::json::parse(dromos.read("r.json")).at("runs").at(0);
    EXPECT_EQ(run.at("partition"), "grid");
    EXPECT_EQ(run.at("grid_rows"), rows);
    EXPECT_EQ(run.at("grid_columns"), columns);
  };
  expect_grid("", 2, 3);
  expect_grid("--grid 3x2", 3, 2);
  expect_grid("--grid 1x6", 1, 6);
}

TEST(AlgorithmsOnRanks, MistakesAreSaidOnce) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  dromos.write("e.txt", "1 2\n2 3\n");
  const std::pair<const char*, const char*> mistakes[] = {
      {"cc --partition gird g.mtx", "there is no partition 'gird'"},
      {"cc --partition grid --grid 2x2 g.mtx", "a grid of 2 x 2 has 4 places, and there are 2 ranks"},
      {"cc --partition grid --grid 2by1 g.mtx", "--grid: expected rows and columns such as 2x3, found '2by1'"},
      {"cc --partition delegates --grid 1x2 g.mtx", "--grid has no effect on --partition delegates"},
      {"cc --grid 1x2 g.mtx", "--grid has no effect; it is for --partition grid"},
      {"kcore g.mtx", "core numbers are for undirected graphs"},
      {"cc --method color g.mtx", "takes a whole graph"},
      {"scc --method forward-backward g.mtx", "is for graphs that are whole"},
      {"sssp --root 77 g.mtx", "root 77 is not a vertex"},
      {"sssp --root 1 e.txt", "--weights uniform: random ones instead"},
      {"cc missing.mtx", "there is no such file"},
      {"cc --transport pigeon g.mtx", "pigeon"},
      {"rcm g.mtx", "runs on one rank"}};
  for (const auto& [arguments, message] : mistakes) {
    const Outcome outcome = run_on(dromos, 2, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.error;
    EXPECT_EQ(count(outcome.error, message), 1) << arguments << ": " << outcome.error;
  }
}

TEST(AlgorithmsOnRanks, TalkByTheTransportThatIsNamed) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' cc --undirected g.mtx --output one.txt").exit_code, 0);
  for (const std::string name : {"host-staged", "shared", "mixed"}) {
    const Outcome outcome =
        run_on(dromos, 3, "cc --undirected --transport " + name + " g.mtx --output several.txt --json r.json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(dromos.read("several.txt"), dromos.read("one.txt")) << name;
    const auto run = nlohmann::json::parse(dromos.read("r.json")).at("runs").at(0);
    const auto said = run.at("transport").get<std::string>();
    EXPECT_EQ(said.rfind(name == "mixed" ? "shared+" : name, 0), 0u) << said;
  }
#ifndef DROMOS_ENABLE_CUDA
  const Outcome refused = run_on(dromos, 2, "cc --undirected --transport nccl g.mtx");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(count(refused.error, "transport nccl: Kokkos runs on"), 1) << refused.error;
#endif
}

TEST(AlgorithmsOnRanks, WhatOneRankCannotUseIsRefused) {
  const RunDromos dromos;
  dromos.write("g.mtx", hub_and_chain());
  for (const std::string arguments :
       {"cc --partition vertices g.mtx", "cc --grid 1x1 g.mtx", "cc --transport host-staged g.mtx",
        "bfs --transport host-staged g.mtx", "bfs --degree-threshold 4 g.mtx", "bfs --distributed 2d g.mtx",
        "bfs --grid 1x1 g.mtx"}) {
    const Outcome outcome = dromos.shell("'" DROMOS_PROGRAM "' " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.error.find(" has no effect on one rank"), std::string::npos) << arguments << outcome.error;
    EXPECT_EQ(run_on(dromos, 1, arguments).exit_code, 0) << "a launcher says that it is meant: " << arguments;
  }
  for (const std::string arguments : {"bfs --grid 1x2 g.mtx", "bfs --distributed delegate --grid 1x2 g.mtx"}) {
    const Outcome outcome = run_on(dromos, 2, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(count(outcome.error, "--grid has no effect"), 1) << outcome.error;
  }
  EXPECT_EQ(count(run_on(dromos, 2, "bfs --degree-threshold 3 g.mtx").error, "--degree-threshold has no effect"), 1);
}

TEST(Graph500, PrintsEveryFieldOnce) {
  const RunDromos dromos;
  for (const int ranks : {1, 3}) {
    const Outcome outcome = run_on(dromos, ranks, "graph500 --scale 7");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    for (const std::string& field : all_fields("bfs")) EXPECT_EQ(count(outcome.out, "\n" + field + ": "), 1) << field;
    EXPECT_EQ(count(outcome.out, "num_mpi_processes: " + std::to_string(ranks) + "\n"), 1);
    EXPECT_EQ(count(outcome.out, "NBFS: 64\n"), 1);
  }
}

TEST(Graph500, ShortestPathsPrintEveryFieldToo) {
  const RunDromos dromos;
  std::set<std::string> seen;
  for (const int ranks : {1, 3, 4}) {
    const Outcome text = run_on(dromos, ranks, "graph500 --scale 6 --roots 3 --sssp");
    ASSERT_EQ(text.exit_code, 0) << text.error;
    for (const std::string& field : all_fields("sssp")) EXPECT_GE(count(text.out, "\n" + field + ": "), 1) << field;
    EXPECT_EQ(count(text.out, "algorithm: delta-stepping\n"), 1);
    EXPECT_EQ(count(text.out, "\nconstruction_time: "), 2) << "each kernel has a graph of its own";

    // The same roots and edges as kernel 2, whose result they do not depend on, and on any number of ranks.
    const Outcome outcome = run_on(dromos, ranks, "graph500 --scale 8 --roots 10 --seed 3 --sssp --delta 0.2 --json -");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto runs = outcome.json()["runs"];
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]["kernel"], "bfs");
    EXPECT_EQ(runs[1]["kernel"], "sssp");
    EXPECT_EQ(runs[1]["validated"], true);
    for (const std::string& field : all_fields("sssp")) EXPECT_TRUE(runs[1]["fields"].contains(field)) << field;
    for (const auto& run : runs) {
      std::ostringstream searches;
      for (const auto& search : run["searches"]) searches << search["root"] << ":" << search["edges"] << " ";
      seen.insert(searches.str());
    }
  }
  EXPECT_EQ(seen.size(), 1u) << "roots or edges differ between kernels or numbers of ranks";
}

TEST(Graph500, WorksWithoutALauncher) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("graph500 --scale 6 --roots 5 --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.json()["runs"][0]["fields"]["num_mpi_processes"], 1);
  EXPECT_EQ(outcome.json()["runs"][0]["searches"].size(), 5);
}

TEST(Graph500, SearchesFromEachRootAsOftenAsAsked) {
  const RunDromos dromos;
  const Outcome outcome = run_on(dromos, 2, "graph500 --scale 6 --roots 3 --repeat 2 --sssp --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto runs = outcome.json()["runs"];
  EXPECT_EQ(runs.size(), 2u);
  for (const auto& run : runs) {
    EXPECT_EQ(run["fields"]["NBFS"], 6);
    std::vector<std::int64_t> roots;
    for (const auto& search : run["searches"]) roots.push_back(search["root"]);
    ASSERT_EQ(roots.size(), 6u);
    for (std::size_t i = 0; i < roots.size(); i += 2) EXPECT_EQ(roots[i], roots[i + 1]);
    EXPECT_EQ(std::set<std::int64_t>(roots.begin(), roots.end()).size(), 3u);
  }
}

TEST(Graph500, EveryAlgorithmOnAnyNumberOfRanksCountsTheSameEdges) {
  const RunDromos dromos;
  std::set<std::string> seen;
  for (const int ranks : {1, 2, 3, 4}) {
    const Outcome outcome = run_on(dromos, ranks, "graph500 --scale 8 --roots 10 --seed 3 --algorithm all --json -");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto runs = outcome.json()["runs"];
    EXPECT_GE(runs.size(), 3u);
    for (const auto& run : runs) {
      std::ostringstream searches;
      for (const auto& search : run["searches"]) searches << search["root"] << ":" << search["edges"] << " ";
      seen.insert(searches.str());
    }
  }
  EXPECT_EQ(seen.size(), 1u) << "roots or edges differ between algorithms or numbers of ranks";
}

TEST(Graph500, FewerRootsWhereTheGraphHasFewer) {
  const RunDromos dromos;
  const Outcome outcome = run_on(dromos, 2, "graph500 --scale 2 --edge-factor 1 --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_LE(outcome.json()["runs"][0]["fields"]["NBFS"], 4);
  const Outcome none = run_on(dromos, 2, "graph500 --scale 3 --edge-factor 0");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(count(none.error, "nowhere to start"), 1) << none.error;
}

TEST(Graph500, LevelsOnRequest) {
  const RunDromos dromos;
  const Outcome outcome = run_on(dromos, 2, "graph500 --scale 8 --roots 2 --algorithm sort-unique --levels");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  for (const char* column : {"CLQ", "NLF", "LV", "RV", "NLQ", "QR", "UR"}) EXPECT_GE(count(outcome.out, column), 1);
}

struct Mistake {
  const char* arguments;
  const char* said;
};

TEST(SeveralRanks, MistakesAreSaidOnceAndEndAllRanks) {
  const RunDromos dromos;
  const std::vector<Mistake> mistakes = {
      {"graph500 --algorithm pigeon", "no distributed search is called 'pigeon'"},
      {"graph500 --algorithm sort-uniqe", "did you mean sort-unique?"},
      {"graph500 --scale 48", "--scale"},
      {"graph500 --scale 31 --ids 32", "scale is 31"},
      {"graph500 --sclae 5", "did you mean --scale?"},
      {"graph500 --transport pigeon", "no transport is called 'pigeon'"},
      {"graph500 --scale 5 --algorithm 2d --grid 2x2", "3 ranks fill 1 x 3, 3 x 1; or start 4 ranks"},
      {"graph500 --scale 5 --algorithm 2d --grid 2x", "--grid: expected rows and columns such as 2x3, found '2x'"},
      {"bfs --generate path --vertices 5 --distributed 2d --grid 0x3", "found '0x3'"},
      {"graph500 --scale 5 --sssp --delta -1", "--delta"},
      {"graph500 --scale 5 --json no/such/folder/x.json", "no/such/folder"},
      {"bfs absent.txt", "absent.txt"},
      {"bfs --root 99999 --generate path --vertices 5", "99999"},
      {"bfs --generate path", "--vertices"},
      {"bfs --distributed all --generate path --vertices 5", "one at a time"},
      {"rcm --generate path --vertices 5", "runs on one rank"},
      {"generate path --vertices 5 -o path.txt", "path.txt: 3 ranks were started, and edge-list is written by one"},
      {"generate pth -o path.h5", "did you mean path?"},
      {"convert absent.h5 other.mtx", "other.mtx: 3 ranks were started, and matrix-market is written by one"},
#ifdef DROMOS_ENABLE_HDF5
      {"convert absent.h5 other.h5", "absent.h5: there is no such file"},
      {"convert --compression 3 absent.h5 other.h5", "leave out the option or the launcher"},
#endif
      {"--no-such-option", "--no-such-option"},
  };
  for (const Mistake& mistake : mistakes) {
    const Outcome outcome = run_on(dromos, 3, mistake.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << mistake.arguments << "\n" << outcome.error;
    EXPECT_EQ(count(outcome.error, "dromos: error: "), 1) << mistake.arguments << "\n" << outcome.error;
    EXPECT_GE(count(outcome.error, mistake.said), 1) << mistake.arguments << "\n" << outcome.error;
    EXPECT_EQ(outcome.out, "") << mistake.arguments;
  }
}

TEST(SeveralRanks, HelpAndVersionAreSaidOnce) {
  const RunDromos dromos;
  for (const char* arguments : {"--help", "--version", "graph500 --help"}) {
    const Outcome alone = dromos.run(arguments);
    const Outcome together = run_on(dromos, 3, arguments);
    EXPECT_EQ(together.exit_code, 0);
    EXPECT_EQ(together.out, alone.out);
  }
}

TEST(SeveralRanks, TellTheMemoryOfEach) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n2 3\n");
  const Outcome outcome = run_on(dromos, 2, "cc --generate kronecker --scale 24 --memory");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(count(outcome.out, " of memory at its peak on each of 2 ranks of this machine, "), 1) << outcome.out;
  const auto told = [&](int ranks) {
    const Outcome report = run_on(dromos, ranks, "bfs --generate kronecker --scale 24 --memory --json -");
    EXPECT_EQ(report.exit_code, 0) << report.error;
    EXPECT_EQ(report.json()["memory"]["num_ranks"], ranks);
    return report.json()["memory"]["bytes"].get<double>();
  };
  EXPECT_LT(told(3), 0.8 * told(2));
  EXPECT_EQ(run_on(dromos, 2, "cc --memory g.txt").exit_code, 2);
#ifdef DROMOS_ENABLE_HDF5
  ASSERT_EQ(dromos.run("generate kronecker --scale 10 -o g.h5").exit_code, 0);
  for (const std::string options : {"", "--undirected "}) {
    EXPECT_EQ(count(run_on(dromos, 2, "cc --memory " + options + "g.h5").out, "dromos cc needs "), 1);
  }
#endif
}

#ifndef __SANITIZE_ADDRESS__
/// What is told of the rank that needs most is what it needs. Kronecker graphs have few vertices and lose duplicates;
/// of thin graphs it is the vertices of others that count.
TEST(SeveralRanks, NeedTheMemoryThatTheyAreTold) {
  const RunDromos dromos;
  const auto expect_told = [&](int ranks, const std::string& arguments) {
    const Outcome outcome = run_on(dromos, ranks, arguments + " --memory --json -");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const double told = outcome.json()["memory"]["bytes"];
    const auto measure = [&] {
      return dromos.peak_of("exec '" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " " + std::to_string(ranks) +
                            " '" DROMOS_PROGRAM "' " + arguments);
    };
    double needed = measure();
    // What ranks have at once depends on who waits.
    if (needed > 1.1 * told) needed = std::min(needed, measure());
    if (needed < 0.9 * told) needed = std::max(needed, measure());
    EXPECT_LE(needed, 1.1 * told) << arguments;
    EXPECT_GE(needed, 0.9 * told) << arguments;
    std::printf("%d ranks, %s: %.0f MiB told, %.0f needed\n", ranks, arguments.c_str(), told / 1048576,
                needed / 1048576);
  };
  for (const std::string graph : {"kronecker --scale 18", "erdos-renyi --vertices 2000000 --edges 2000000"}) {
    expect_told(2, "cc --generate " + graph);
    expect_told(3, "bfs --generate " + graph);
    expect_told(3, "pagerank --max-iterations 2 --generate " + graph);
    expect_told(2, "kcore --generate " + graph);
    expect_told(3, "scc --directed --generate " + graph);
    expect_told(2, "cc --partition grid --generate " + graph);
    expect_told(3, "pagerank --max-iterations 2 --partition grid --generate " + graph);
    expect_told(3, "scc --directed --partition grid --generate " + graph);
  }
  expect_told(2, "graph500 --scale 18 --roots 1");
  expect_told(1, "graph500 --scale 18 --roots 1");
}
#endif

TEST(SeveralRanks, OneThatGivesUpAloneEndsAll) {
  const RunDromos dromos;
  const Outcome outcome =
      dromos.shell("'" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " 3 '" DROMOS_ABORT_PROGRAM "'");
  EXPECT_EQ(outcome.exit_code, 7) << outcome.error;
  EXPECT_EQ(count(outcome.error, "the last rank gives up"), 1) << outcome.error;
}

/// The lines of an --output file without their parents, of which there may be several right ones.
std::string levels_of(const std::string& text) {
  std::istringstream lines(text);
  std::string levels, vertex, parent, level;
  while (lines >> vertex >> parent >> level) levels += vertex + " " + level + "\n";
  return levels;
}

TEST(DistributedBfs, FindsOfFilesWhatOneRankFinds) {
  const RunDromos dromos;
  // Numbers with gaps, a loop, a duplicate, a part that is out of reach.
  dromos.write("gaps.txt", "7 12\n12 900\n12 900\n900 900\n900 7\n900 41\n1000 1001\n");
  dromos.write("empty_rows.txt", "0 5\n5 0\n");
  const std::vector<std::string> graphs = {"gaps.txt --root 7",
                                           "gaps.txt --undirected --root 41",
                                           "gaps.txt --relabel --ids 64 --root 12",
                                           "empty_rows.txt --root 5",
                                           "--generate kronecker --scale 9 --direction-optimizing",
                                           "--generate grid --rows 9 --columns 30"};
  // A run costs what starting its ranks does, so not all with all: every algorithm on both numbers of ranks, with one
  // of the graphs that have gaps and with one of the others.
  const std::vector<std::string> algorithms = {"straightforward", "sort-unique", "relabelled-bitmask",
                                               "delegate",        "2d",          "2d-wave"};
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Outcome alone = dromos.run("bfs " + graphs[i] + " --output alone.txt --json alone.json");
    ASSERT_EQ(alone.exit_code, 0) << alone.error;
    const auto expected = nlohmann::json::parse(dromos.read("alone.json"))["runs"][0];
    for (const int ranks : {3, 7}) {
      const std::string arguments =
          "bfs " + graphs[i] + " --distributed " + algorithms[(i + (ranks == 7 ? 3 : 0)) % algorithms.size()];
      SCOPED_TRACE(arguments + " on " + std::to_string(ranks));
      const Outcome outcome =
          run_on(dromos, ranks, arguments + " --validate --output together.txt --json together.json");
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
      EXPECT_EQ(levels_of(dromos.read("together.txt")), levels_of(dromos.read("alone.txt")));
      const auto run = nlohmann::json::parse(dromos.read("together.json"))["runs"][0];
      for (const char* field : {"root", "reached", "depth", "levels", "edges"}) EXPECT_EQ(run[field], expected[field]);
      EXPECT_EQ(run["valid"], true);
    }
  }
}

TEST(DistributedBfs, RealGraphsHaveTheKnownLevels) {
  const RunDromos dromos;
  for (const char* file : {"wiki-Vote.txt.xz", "email-Eu-core.csv.xz", "karate.mtx.xz", "power.graph.xz"}) {
    DROMOS_SKIP_WITHOUT(file);
    const std::string arguments = "bfs '" + data_path(file) + "' --roots 3 --validate --json -";
    const Outcome alone = dromos.run(arguments);
    const Outcome together = run_on(dromos, 3, arguments);
    ASSERT_EQ(alone.exit_code, 0) << alone.error;
    ASSERT_EQ(together.exit_code, 0) << together.error;
    for (int i = 0; i < 3; ++i) {
      for (const char* field : {"root", "reached", "depth", "levels", "edges", "valid"}) {
        EXPECT_EQ(together.json()["runs"][i][field], alone.json()["runs"][i][field]) << file;
      }
    }
  }
}

#ifdef DROMOS_ENABLE_HDF5

/// What a file lists, as text.
std::string listed(const RunDromos& dromos, const std::string& file) {
  EXPECT_EQ(dromos.run("convert --weights " + file + " listed.txt").exit_code, 0) << file;
  return dromos.read("listed.txt");
}

TEST(SharedFiles, GeneratedTogetherHaveTheEdgesOfOneRank) {
  const RunDromos dromos;
  int ranks = 2;
  for (const std::string graph : {"kronecker --scale 7 --seed 5", "erdos-renyi --vertices 50 --edges 77 --directed",
                                  "path --vertices 20", "grid --rows 3 --columns 8", "star --vertices 1"}) {
    ASSERT_EQ(dromos.run("generate " + graph + " -o alone.h5").exit_code, 0);
    const Outcome outcome = run_on(dromos, ranks, "generate " + graph + " -o together.h5");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(count(outcome.out, "drawn by " + std::to_string(ranks) + " ranks"), 1) << outcome.out;
    EXPECT_EQ(listed(dromos, "together.h5"), listed(dromos, "alone.h5")) << graph;
    ranks = 5 - ranks;
  }
}

TEST(SharedFiles, ConvertedTogetherAreThoseOfOneRank) {
  const RunDromos dromos;
  // Gaps in the numbers, weights, a self loop, a duplicate, an edge in both directions.
  dromos.write("list.txt", "3 5 2.5\n5 3 1\n5 5 4\n9 3 8\n9 3 7\n20 9 1.5\n");
  for (const std::string direction : {"--directed", "--undirected"}) {
    ASSERT_EQ(dromos.run("convert --weights " + direction + " list.txt list.h5").exit_code, 0);
    ASSERT_EQ(dromos.run("convert --weights --csr list.h5 rows.h5").exit_code, 0);
    const int ranks = direction == "--directed" ? 2 : 3;
    for (const std::string from : {"list.h5", "rows.h5"}) {
      ASSERT_EQ(run_on(dromos, ranks, "convert --weights " + from + " again.h5").exit_code, 0);
      EXPECT_EQ(listed(dromos, "again.h5"), listed(dromos, from)) << direction << " " << from;
      ASSERT_EQ(run_on(dromos, ranks, "convert --weights --csr " + from + " again.h5").exit_code, 0);
      EXPECT_EQ(listed(dromos, "again.h5"), listed(dromos, "rows.h5")) << direction << " " << from;
    }
    const Outcome without = run_on(dromos, ranks, "convert --csr list.h5 again.h5");
    ASSERT_EQ(without.exit_code, 0) << without.error;
    EXPECT_EQ(count(without.out, "again.h5: written as hdf5 by rows, " + direction.substr(2)), 1) << without.out;
    EXPECT_EQ(dromos.run("sssp --root 3 again.h5").exit_code, 2) << "weights were not asked for";
  }
}

TEST(BfsOnRanks, ReadsItsSlicesOfAnHdf5FileWithTheResultsOfOneRank) {
  const RunDromos dromos;
  // Gaps in the ids, self loops, and edges listed twice and in both directions.
  dromos.write("list.txt", "7 12\n12 900\n900 7\n12 12\n7 12\n12 7\n30 31\n31 900\n1000 1000\n31 32\n32 33\n33 34\n");
  ASSERT_EQ(dromos.run("convert list.txt list.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --undirected list.txt undirected.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --csr list.txt rows.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --csr --undirected list.txt undirected_rows.h5").exit_code, 0);
  for (const std::string file : {"list.h5", "undirected.h5", "rows.h5", "undirected_rows.h5", "--undirected list.h5",
                                 "--keep-duplicates list.h5", "--keep-self-loops undirected.h5", "--ids 64 rows.h5"}) {
    const std::string arguments = "bfs --validate --json - --output levels.txt " + file;
    const Outcome alone = dromos.run(arguments);
    ASSERT_EQ(alone.exit_code, 0) << file << alone.error;
    const std::string levels = levels_of(dromos.read("levels.txt"));
    const Outcome outcome = run_on(dromos, 3, arguments);
    ASSERT_EQ(outcome.exit_code, 0) << file << outcome.error;
    EXPECT_EQ(levels_of(dromos.read("levels.txt")), levels) << file;
    const auto found = outcome.json(), expected = alone.json();
    for (const char* member :
         {"num_vertices", "num_edges", "directed", "self_loops_removed", "duplicates_removed", "id_bits", "format"}) {
      EXPECT_EQ(found["graph"][member], expected["graph"][member]) << file << " " << member;
    }
    for (const char* member : {"root", "reached", "depth", "levels", "edges", "valid"}) {
      EXPECT_EQ(found["runs"][0][member], expected["runs"][0][member]) << file << " " << member;
    }
  }
}

TEST(BfsOnRanks, WriteTheirResultsIntoOneHdf5File) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("generate kronecker --scale 8 -o graph.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("bfs --output alone.h5 graph.h5").exit_code, 0);
  ASSERT_EQ(run_on(dromos, 3, "bfs --output ranks.h5 graph.h5").exit_code, 0);
  const auto folder = std::filesystem::path(dromos.folder());
  const std::vector<std::string> texts = {"algorithm", "graph"}, numbers = {"root"};
  const ResultTable alone = read_results((folder / "alone.h5").string(), texts, numbers);
  const ResultTable ranks = read_results((folder / "ranks.h5").string(), texts, numbers);
  EXPECT_EQ(ranks.texts, alone.texts);
  EXPECT_EQ(ranks.numbers, alone.numbers);
  ASSERT_EQ(alone.columns.size(), 2u);
  ASSERT_EQ(ranks.columns.size(), 2u);
  EXPECT_EQ(alone.columns[0].name, "level");
  const auto expected = std::get<ResultValues<std::int32_t>>(alone.columns[0].values);
  const auto found = std::get<ResultValues<std::int32_t>>(ranks.columns[0].values);
  ASSERT_EQ(found.extent(0), 256u);
  for (int v = 0; v < 256; ++v) EXPECT_EQ(found(v), expected(v)) << v;
}

TEST(BfsOnRanks, AllRefuseADamagedHdf5File) {
  const RunDromos dromos;
  dromos.write("list.txt", "0 1\n1 2\n2 3\n");
  ASSERT_EQ(dromos.run("convert --csr list.txt rows.h5").exit_code, 0);
  ASSERT_EQ(dromos.shell("truncate -s 1000 rows.h5").exit_code, 0);
  for (const int ranks : {1, 3}) {
    const Outcome outcome = run_on(dromos, ranks, "bfs rows.h5");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.error;
    EXPECT_EQ(count(outcome.error, "rows.h5: HDF5 cannot open it"), 1) << outcome.error;
  }
}

/// "list.h5", and "undirected.h5" without directions; gaps in the ids, self loops, and edges listed twice.
void write_lists(const RunDromos& dromos) {
  dromos.write("list.txt",
               "7 12\n12 900\n900 7\n12 12\n7 12\n12 7\n30 31\n31 900\n1000 1000\n31 32\n32 33\n900 31\n"
               "12 31\n7 31\n31 30\n");
  ASSERT_EQ(dromos.run("convert list.txt list.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert --undirected list.txt undirected.h5").exit_code, 0);
}

TEST(BfsOnRanks, SearchAGraphSeparatedByDegreeAsItsFileHasIt) {
  const RunDromos dromos;
  ASSERT_NO_FATAL_FAILURE(write_lists(dromos));
  ASSERT_EQ(dromos.run("generate kronecker --scale 8 -o kronecker.h5").exit_code, 0);
  const JsonSchema schema(nlohmann::json::parse(std::ifstream(DROMOS_DOC_DIR "/results.schema.json")));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"list.h5", ""},
      {"undirected.h5", "--root 900 --ids 64"},
      {"kronecker.h5", "--direction-optimizing --degree-threshold 2"}};
  for (const auto& [file, options] : cases) {
    const std::string arguments = " --validate --json - --output levels.txt ";
    const Outcome alone = dromos.run("bfs " + on_one_rank(arguments + options + " " + file));
    ASSERT_EQ(alone.exit_code, 0) << file << alone.error;
    const std::string levels = levels_of(dromos.read("levels.txt"));
    for (const int ranks : {1, 2, 3}) {
      SCOPED_TRACE(file + " " + options + " on " + std::to_string(ranks));
      ASSERT_EQ(run_on(dromos, ranks, "convert --separated --degree-threshold 2 " + file + " separated.h5").exit_code,
                0);
      const Outcome outcome =
          run_on(dromos, ranks, "bfs --distributed delegate" + arguments + options + " separated.h5");
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
      EXPECT_EQ(levels_of(dromos.read("levels.txt")), levels);
      const auto found = outcome.json(), expected = alone.json();
      EXPECT_EQ(schema.fault(found), "");
      for (const char* member : {"num_vertices", "num_edges", "directed", "id_bits", "format"}) {
        EXPECT_EQ(found["graph"][member], expected["graph"][member]) << member;
      }
      for (const char* member : {"root", "reached", "depth", "levels", "edges", "valid"}) {
        EXPECT_EQ(found["runs"][0][member], expected["runs"][0][member]) << member;
      }
      if (ranks == 1) {
        EXPECT_FALSE(found["graph"].contains("separated")) << "one rank reads its edges";
        continue;
      }
      EXPECT_EQ(found["graph"]["build_seconds"], 0.0);
      EXPECT_EQ(found["graph"]["separated"]["num_ranks"], ranks);
      EXPECT_EQ(found["graph"]["separated"]["degree_threshold"], 2);
      EXPECT_GT(found["graph"]["separated"]["num_delegates"], 0);
    }
  }
}

TEST(BfsOnRanks, SayHowAFileHasItsGraphSeparated) {
  const RunDromos dromos;
  ASSERT_NO_FATAL_FAILURE(write_lists(dromos));
  ASSERT_EQ(run_on(dromos, 2, "convert --separated --degree-threshold 2 undirected.h5 separated.h5").exit_code, 0);
  const Outcome several =
      run_on(dromos, 2, "bfs --distributed delegate --roots 3 --strategy all --validate separated.h5");
  ASSERT_EQ(several.exit_code, 0) << several.error;
  EXPECT_EQ(count(several.out, "separated by degree for 2 ranks already: "), 1) << several.out;
  EXPECT_EQ(count(several.out, "of more than 2 neighbors"), 1) << several.out;
}

TEST(BfsOnRanks, RefuseAGraphThatIsSeparatedInAnotherWay) {
  const RunDromos dromos;
  ASSERT_NO_FATAL_FAILURE(write_lists(dromos));
  ASSERT_EQ(run_on(dromos, 2, "convert --separated --degree-threshold 2 list.h5 separated.h5").exit_code, 0);
  ASSERT_EQ(run_on(dromos, 2, "convert --separated --degree-threshold 2 undirected.h5 both.h5").exit_code, 0);
  ASSERT_EQ(dromos.shell("cp separated.h5 cut.h5 && truncate -s 1000 cut.h5").exit_code, 0);
  struct Refusal {
    int ranks;
    const char* arguments;
    const char* said;
  };
  const std::vector<Refusal> refusals = {
      {3, "separated.h5",
       "separated.h5: it was separated by degree for 2 ranks, and 3 ranks load it; start 2 ranks, or "
       "make a list of edges of it with one: dromos convert separated.h5 edges.h5"},
      {2, "--degree-threshold 7 separated.h5",
       "--degree-threshold 7: separated.h5 has its graph separated by degree "
       "already, with threshold 2; leave the option out"},
      {2, "--undirected separated.h5", "--undirected: separated.h5 has a directed graph"},
      {2, "--directed both.h5", "both.h5 says that its edges have no direction"},
      {2, "cut.h5", "cut.h5: HDF5 cannot open it"}};
  for (const Refusal& refusal : refusals) {
    const Outcome outcome =
        run_on(dromos, refusal.ranks, std::string("bfs --distributed delegate ") + refusal.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << refusal.arguments << "\n" << outcome.error;
    EXPECT_EQ(count(outcome.error, "dromos: error: "), 1) << refusal.arguments << "\n" << outcome.error;
    EXPECT_EQ(count(outcome.error, refusal.said), 1) << refusal.arguments << "\n" << outcome.error;
    EXPECT_EQ(outcome.out, "") << refusal.arguments;
  }
}

// Rank 0 reads its edges and deals them out, as those of any other file; and what the errors advise works.
TEST(BfsOnRanks, ReadASeparatedGraphAsEdgesForEveryOtherSearch) {
  const RunDromos dromos;
  ASSERT_NO_FATAL_FAILURE(write_lists(dromos));
  ASSERT_EQ(run_on(dromos, 2, "convert --separated --degree-threshold 2 list.h5 separated.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("convert separated.h5 edges.h5").exit_code, 0);
  ASSERT_EQ(dromos.run("bfs --output levels.txt list.h5").exit_code, 0);
  const std::string levels = levels_of(dromos.read("levels.txt"));
  for (const char* arguments :
       {"separated.h5", "--distributed straightforward separated.h5", "--distributed 2d separated.h5",
        "--distributed delegate --relabel separated.h5", "--distributed delegate edges.h5"}) {
    const Outcome outcome = run_on(dromos, 3, std::string("bfs --validate --output levels.txt ") + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << outcome.error;
    EXPECT_EQ(levels_of(dromos.read("levels.txt")), levels) << arguments;
  }
}

#endif

}  // namespace
}  // namespace dromos::test
