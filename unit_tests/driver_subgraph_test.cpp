// SPDX-License-Identifier: BSD-3-Clause
// `dromos subgraph` and `path`, and the parents of `sssp`, on graphs that are small enough to know the answers by hand.
#include <algorithm>
#include <cstdint>
#include <dromos/io/results.hpp>
#include <dromos/version.hpp>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

//   10 -> 20 -> 30 -> 10, 30 -> 40 -> 900; 50 -> 60 apart
const char* const directed = "10 20 1.5\n20 30 2\n30 10 -3\n30 40 4\n40 900 5\n50 60 6\n";

/// The lines of a file that are no comments, sorted; columns apart by one blank.
std::vector<std::string> lines_of(const RunDromos& dromos, const std::string& file) {
  std::istringstream text(dromos.read(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::replace(line.begin(), line.end(), '\t', ' ');
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

using Lines = std::vector<std::string>;

void subgraph(const RunDromos& dromos, const std::string& arguments) {
  const Outcome outcome = dromos.run("subgraph " + arguments);
  ASSERT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.error;
}

TEST(Subgraph, WritesEveryPart) {
  const RunDromos dromos;
  dromos.write("g.txt", directed);
  dromos.write("chosen.txt", "# some of them\n900, and why\n10 1\n\n40\n30\n");
  const std::vector<std::pair<std::string, Lines>> parts = {
      {"--component largest", {"10 20", "20 30", "30 10", "30 40", "40 900"}},
      {"--component 60", {"50 60"}},
      {"--strong-component largest", {"10 20", "20 30", "30 10"}},
      {"--strong-component 900", {}},
      {"--around 20 --depth 0", {}},
      {"--around 20 --depth 2", {"20 30", "30 10", "30 40", "10 20"}},
      {"--list chosen.txt", {"30 10", "30 40", "40 900"}},
      {"--undirected --core 2", {"10 20", "10 30", "20 30"}},
      {"--undirected --around 900 --depth 2", {"30 40", "40 900"}},
  };
  for (auto [part, expected] : parts) {
    std::sort(expected.begin(), expected.end());
    for (const std::string options : {"", " --ids 64"}) {
      subgraph(dromos, part + options + " -o part.txt g.txt");
      EXPECT_EQ(lines_of(dromos, "part.txt"), expected) << part << options;
    }
  }
}

TEST(Subgraph, KeepsWeightsAndDirections) {
  const RunDromos dromos;
  dromos.write("g.txt", directed);
  subgraph(dromos, "--strong-component largest --weights -o part.txt g.txt");
  EXPECT_EQ(lines_of(dromos, "part.txt"), (Lines{"10 20 1.5", "20 30 2", "30 10 -3"}));
  EXPECT_NE(dromos.read("part.txt").find("# Directed"), std::string::npos);
  subgraph(dromos, "--component 50 --weights --undirected -o part.txt g.txt");
  EXPECT_EQ(lines_of(dromos, "part.txt"), (Lines{"50 60 6"}));
  EXPECT_NE(dromos.read("part.txt").find("# Undirected"), std::string::npos);
  expect_refusal(dromos, "subgraph --component 50 --weights -o p.txt " + input("example.mtx"),
                 {"no weights", "leave --weights out"});
}

TEST(Subgraph, KeepsNamesOrMapsThem) {
  const RunDromos dromos;
  dromos.write("g.txt", directed);
  // Vertices 30, 40, 900, of which two have an edge.
  dromos.write("chosen.txt", "900\n40\n10\n");
  subgraph(dromos, "--list chosen.txt -o part.mtx --map names.txt g.txt");
  EXPECT_EQ(dromos.read("part.mtx"), "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 3\n");
  EXPECT_EQ(dromos.read("names.txt"), "1 10\n2 40\n3 900\n");
  subgraph(dromos, "--list chosen.txt -o part.smat --map names.txt g.txt");
  EXPECT_EQ(dromos.read("part.smat"), "3 3 1\n1 2 1\n");
  EXPECT_EQ(dromos.read("names.txt"), "0 10\n1 40\n2 900\n");
  const Outcome outcome = dromos.run("subgraph --list chosen.txt -o part.txt --map names.txt g.txt");
  EXPECT_NE(outcome.out.find("1 vertex without an edge"), std::string::npos) << outcome.out;
  EXPECT_EQ(dromos.read("names.txt"), "10 10\n40 40\n900 900\n");
#ifdef DROMOS_ENABLE_HDF5
  subgraph(dromos, "--list chosen.txt -o part.h5 g.txt");
  EXPECT_EQ(run_json(dromos, "bfs --root 40 part.h5")["graph"]["num_vertices"], 3);
  EXPECT_EQ(dromos.run("bfs --root 10 part.h5").exit_code, 0);
  expect_refusal(dromos, "bfs --root 20 part.h5", {"root 20"});
#endif
}

/// The parts of a graph that commands find are as large as these commands say.
TEST(Subgraph, IsWhatTheAlgorithmsSay) {
  const RunDromos dromos;
  const std::string graph = "--generate kronecker --scale 9 --directed";
  const auto vertices_of = [&](const std::string& part) {
    subgraph(dromos, part + " -o part.smat " + graph);
    return run_json(dromos, "info part.smat")["graph"]["num_vertices"];
  };
  EXPECT_EQ(vertices_of("--component largest"), run_json(dromos, "cc " + graph)["runs"][0]["largest_component"]);
  EXPECT_EQ(vertices_of("--strong-component largest"),
            run_json(dromos, "scc " + graph)["runs"][0]["largest_component"]);
  EXPECT_EQ(vertices_of("--around 1 --depth 1000"), run_json(dromos, "bfs --root 1 " + graph)["runs"][0]["reached"]);
}

TEST(Subgraph, RefusesWhatItCannotUse) {
  const RunDromos dromos;
  dromos.write("g.txt", directed);
  dromos.write("chosen.txt", "10\n11\n");
  dromos.write("words.txt", "10\nten\n");
  dromos.write("none.txt", "# nobody\n");
  expect_refusal(dromos, "subgraph -o p.txt g.txt", {"which part", "--component"});
  expect_refusal(dromos, "subgraph --component 10 --core 2 -o p.txt g.txt", {"--component", "--core", "one part"});
  expect_refusal(dromos, "subgraph --component 10 g.txt", {"-o FILE"});
  expect_refusal(dromos, "subgraph --component 11 -o p.txt g.txt", {"vertex 11", "10 to 900"});
  expect_refusal(dromos, "subgraph --component all -o p.txt g.txt", {"--component", "largest", "'all'"});
  expect_refusal(dromos, "subgraph --core 2 -o p.txt g.txt", {"directed", "--undirected"});
  expect_refusal(dromos, "subgraph --core 3 --undirected -o p.txt g.txt", {"--core 3", "is 2"});
  expect_refusal(dromos, "subgraph --around 10 -o p.txt g.txt", {"--depth"});
  expect_refusal(dromos, "subgraph --component 10 --depth 1 -o p.txt g.txt", {"--depth", "--around"});
  expect_refusal(dromos, "subgraph --list chosen.txt -o p.txt g.txt", {"chosen.txt:2:", "g.txt", "11"});
  expect_refusal(dromos, "subgraph --list words.txt -o p.txt g.txt", {"words.txt:2:", "'ten'"});
  expect_refusal(dromos, "subgraph --list none.txt -o p.txt g.txt", {"none.txt"});
  expect_refusal(dromos, "subgraph --component 10 -o g.txt g.txt", {"--output g.txt", "is read"});
  expect_refusal(dromos, "subgraph --list chosen.txt -o p.txt --map chosen.txt g.txt", {"--map", "is read"});
  expect_refusal(dromos, "subgraph --component 10 -o p.what g.txt", {"p.what", "--to FORMAT"});
  expect_refusal(dromos, "subgraph --strong-component 10 --weights -o p.gr g.txt", {"p.gr", "whole weights"});
}

TEST(Path, CountsEdgesOrAddsWeights) {
  const RunDromos dromos;
  //   10 -1- 20 -1- 30, 10 -5- 30, 30 -2.5- 40; 50 -1- 60 apart
  dromos.write("g.txt", "10 20 1\n20 30 1\n10 30 5\n30 40 2.5\n50 60 1\n");
  const std::string ends = "path --from 10 --to 40 --validate --strategy all ";
  for (const std::string options : {"", "--relabel ", "--ids 64 --undirected "}) {
    const json hops = run_json(dromos, ends + options + "g.txt"),
               lengths = run_json(dromos, ends + options + "--weighted g.txt");
    ASSERT_EQ(hops["runs"].size(), 4u);
    for (const json& run : hops["runs"]) {
      EXPECT_EQ(run["path"], json({10, 30, 40}));
      EXPECT_EQ(run["path_edges"], 2);
      EXPECT_EQ(run["length"], nullptr);
      EXPECT_EQ(run["valid"], true);
    }
    ASSERT_EQ(lengths["runs"].size(), 4u);
    for (const json& run : lengths["runs"]) {
      EXPECT_EQ(run["path"], json({10, 20, 30, 40}));
      EXPECT_EQ(run["path_edges"], 3);
      EXPECT_EQ(run["length"], 4.5);
      EXPECT_EQ(run["valid"], true);
    }
  }
  const Outcome text = dromos.run("path --from 10 --to 40 --weighted --output way.txt g.txt");
  EXPECT_NE(text.out.find("\n10 -> 20 -> 30 -> 40\n"), std::string::npos) << text.out;
  EXPECT_EQ(dromos.read("way.txt"), "10 0\n20 1\n30 2\n40 4.5\n");
  EXPECT_EQ(run_json(dromos, "path --from 30 --to 30 --validate g.txt")["runs"][0]["path"], json({30}));

  // A graph without an edge has a way from a vertex to itself all the same.
  dromos.write("loop.txt", "7 7 3\n");
  const json at_once = run_json(dromos, "path --from 7 --to 7 --weighted --validate loop.txt")["runs"][0];
  EXPECT_EQ(at_once["length"], 0);
  EXPECT_EQ(at_once["valid"], true);

  const json none = run_json(dromos, "path --from 40 --to 10 --validate g.txt")["runs"][0];
  EXPECT_EQ(none["path"], json::array());
  EXPECT_EQ(none["path_edges"], nullptr);
  const Outcome no_path = dromos.run("path --from 40 --to 10 --output way.txt g.txt");
  EXPECT_NE(no_path.out.find("no path from 40 to 10; --undirected"), std::string::npos) << no_path.out;
  EXPECT_EQ(dromos.read("way.txt"), "");

  const Outcome far = dromos.run("path --from 0 --to 99 --generate path --vertices 100");
  EXPECT_NE(far.out.find("0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> (80 more; --output FILE has all) -> 90"),
            std::string::npos)
      << far.out;

  expect_refusal(dromos, "path --from 10 g.txt", {"--from ID --to ID"});
  expect_refusal(dromos, "path --from 10 --to 41 g.txt", {"--to: vertex 41", "10 to 60"});
  expect_refusal(dromos, "path --from 10 --to 40 --weights uniform g.txt", {"--weights", "--weighted"});
  expect_refusal(dromos, "path --from 10 --to 40 --output p.h5 g.txt", {"p.h5", "text"});
}

TEST(SsspParents, LeadToTheRoot) {
  const RunDromos dromos;
  dromos.write("g.txt", "10 20 1\n20 30 1\n10 30 5\n30 40 2.5\n50 60 1\n");
  const std::string expected = "10 0 10\n20 1 10\n30 2 20\n40 4.5 30\n50 inf -1\n60 inf -1\n";
  for (const std::string options : {"", "--relabel ", "--ids 64 "}) {
    ASSERT_EQ(dromos.run("sssp --root 10 --parents --output tree.txt " + options + "g.txt").exit_code, 0);
    EXPECT_EQ(dromos.read("tree.txt"), expected) << options;
  }
#ifdef DROMOS_ENABLE_HDF5
  ASSERT_EQ(dromos.run("sssp --root 10 --parents --relabel --output tree.h5 g.txt").exit_code, 0);
  const ResultTable table = read_results(dromos.folder() + "/tree.h5");
  ASSERT_EQ(table.columns.size(), 2u);
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [](const ResultColumn& each) { return each.name == "parent"; });
  ASSERT_NE(column, table.columns.end());
  const auto parent = std::get<ResultValues<std::int32_t>>(column->values);
  const std::vector<std::int32_t> places = {0, 0, 1, 2, -1, -1};
  for (std::size_t v = 0; v < places.size(); ++v) EXPECT_EQ(parent(v), places[v]) << v;
#endif
  expect_refusal(dromos, "sssp --root 10 --parents g.txt", {"--parents", "--output"});
  expect_refusal(dromos, "sssp --root 10 --parents --output t.mtx g.txt", {"t.mtx", "one column"});
}

}  // namespace
}  // namespace dromos::test
