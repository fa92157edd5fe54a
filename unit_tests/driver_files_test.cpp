// SPDX-License-Identifier: BSD-3-Clause
// Files as other programs write them, read by the program with the options that say what they are; every format that is
// written read again; and standard output as a file.
#include <algorithm>
#include <dromos/version.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

/// The undirected edges of a file that the program reads with these arguments, by the names of their ends.
std::set<std::pair<std::string, std::string>> edges_of(const RunDromos& dromos, const std::string& arguments) {
  const Outcome outcome = dromos.run("convert --undirected --to csv " + arguments + " -");
  EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.error;
  std::istringstream lines(outcome.out);
  std::set<std::pair<std::string, std::string>> edges;
  std::string line;
  EXPECT_TRUE(std::getline(lines, line) && line == "source,target") << outcome.out;
  while (std::getline(lines, line)) {
    const std::size_t comma = line.find(',');
    edges.insert(std::minmax(line.substr(0, comma), line.substr(comma + 1)));
  }
  return edges;
}

using EdgeSet = std::set<std::pair<std::string, std::string>>;

TEST(Files, AsOtherProgramsWriteThem) {
  const RunDromos dromos;
  const EdgeSet expected = {{"1", "2"}, {"1", "5"}, {"2", "3"}};
  dromos.write("networkx.edgelist", "1 2 {}\n1 5 {'weight': 3}\n2 3 {}\n");
  dromos.write("weighted.edgelist", "1 2 1.5\n1 5 3\n2 3 2\n");
  dromos.write("pandas.csv", ",source,target\n0,1,2\n1,1,5\n2,2,3\n");
  dromos.write("excel.csv", "\"von\";\"nach\";\"km\"\r\n\"1\";\"2\";\"1,5\"\r\n1;5;3\r\n2;3;2\r\n");
  dromos.write("adjlist.txt", "# written by a library\n1 2 5\n2 3\n3\n5\n");
  dromos.write("g.wel", "1 2 4\n1 5 4\n2 3 4\n");
  for (const std::string arguments :
       {"--columns 1,2 networkx.edgelist", "networkx.edgelist", "weighted.edgelist", "pandas.csv",
        "--columns von,nach excel.csv", "--columns 1,2 --separator ';' excel.csv",
        "--format adjacency-list adjlist.txt", "g.wel"}) {
    EXPECT_EQ(edges_of(dromos, arguments), expected) << arguments;
  }
  // Without the option, the error names it.
  expect_refusal(dromos, "sssp networkx.edgelist", {"networkx.edgelist:1:", "{}", "write_weighted_edgelist"});
  expect_refusal(dromos, "info excel.csv", {"excel.csv:1:", "--columns"});
  expect_refusal(dromos, "info --columns von,nahc excel.csv", {"excel.csv:1:", "'nahc'", "'nach'"});
  expect_refusal(dromos, "info --columns von excel.csv", {"--columns", "SOURCE,TARGET"});
  expect_refusal(dromos, "info --separator comma excel.csv", {"--separator", "'comma'"});
  expect_refusal(dromos, "info --format metis --columns 1,2 excel.csv", {"--columns", "metis"});
  expect_refusal(dromos, "info --names n.txt --generate path --vertices 3", {"--names", "--generate"});
  // A grid has columns, too.
  EXPECT_EQ(run_json(dromos, "info --generate grid --rows 2 --columns 3")["graph"]["num_vertices"], 6);
  expect_refusal(dromos, "info --generate grid --rows 2 --columns a,b", {"--columns", "'a,b'"});
  expect_refusal(dromos, "info --generate path --vertices 2 --columns 3", {"--columns", "path"});
}

TEST(Files, VerticesMayBeWords) {
  const RunDromos dromos;
  dromos.write("people.csv", "name,friend,since\nAnn,Bo Li,2001\nBo Li,Cy,2005\nAnn,Cy,2010\n");
  const json report = run_json(dromos, "bfs --root 0 --columns name,friend --names who.txt people.csv");
  EXPECT_EQ(report["graph"]["num_vertices"], 3);
  EXPECT_EQ(report["runs"][0]["reached"], 3);
  EXPECT_EQ(dromos.read("who.txt"), "0 Ann\n1 Bo Li\n2 Cy\n");
  ASSERT_EQ(dromos.run("sssp --root 0 --columns name,friend,since --names who.txt --output d.txt people.csv").exit_code,
            0);
  EXPECT_EQ(dromos.read("d.txt"), "0 0\n1 2001\n2 2010\n");
  expect_refusal(dromos, "bfs --columns name,friend --names people.csv people.csv", {"--names", "is read"});
  expect_refusal(dromos, "bfs --columns name,friend people.csv", {"people.csv:2:", "'Ann'", "--names"});
}

TEST(Files, EveryFormatThatIsWrittenIsReadAgain) {
  const RunDromos dromos;
  dromos.write("g.txt", "0 1\n1 2\n2 3\n3 1\n4 2\n");
  const EdgeSet from_zero = {{"0", "1"}, {"1", "2"}, {"2", "3"}, {"1", "3"}, {"2", "4"}};
  const EdgeSet from_one = {{"1", "2"}, {"2", "3"}, {"3", "4"}, {"2", "4"}, {"3", "5"}};
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"g.csv", ""},
      {"g.wel", ""},
      {"g.adjlist", "--format adjacency-list"},
      {"g.sg", ""},
      {"g.bin", "--format graph500"},
      {"g.bin64", "--format graph500-64"},
      {"g.smat", ""},
      {"g.mtx", ""},
      {"g.graph", ""},
      {"g.gr", ""},
#ifdef DROMOS_ENABLE_HDF5
      {"g.h5", ""},
#endif
  };
  for (const auto& [name, options] : formats) {
    const std::string to = options.empty() ? "" : "--to " + options.substr(std::string("--format ").size()) + " ";
    const Outcome written = dromos.run("convert --undirected " + to + "g.txt " + name);
    ASSERT_EQ(written.exit_code, 0) << name << written.error;
    const bool counts_from_one = name == "g.mtx" || name == "g.graph" || name == "g.gr";
    EXPECT_EQ(edges_of(dromos, options + " " + name), counts_from_one ? from_one : from_zero) << name;
  }
  expect_refusal(dromos, "convert g.txt out.h5.gz", {"out.h5.gz", "leave out '.gz'"});
  expect_refusal(dromos, "bfs g.txt --output out.h5.gz", {"out.h5.gz", "leave out '.gz'"});
  expect_refusal(dromos, "convert g.txt out.bin --to graph500", {"out.bin", "--undirected"});
}

TEST(StandardOutput, TakesOneResultAndNothingElse) {
  const RunDromos dromos;
  dromos.write("g.txt", "7 12\n12 900\n");
  EXPECT_EQ(dromos.run("bfs --root 7 --output - g.txt").out, "7 7 0\n12 7 1\n900 12 2\n");
  EXPECT_EQ(dromos.run("cc --output - g.txt").out, "7 7\n12 7\n900 7\n");
  EXPECT_EQ(dromos.run("convert --to csv g.txt -").out, "source,target\n7,12\n12,900\n");
  EXPECT_EQ(dromos.run("generate path --vertices 3 --to csv -o -").out, "source,target\n0,1\n1,2\n");
  EXPECT_EQ(dromos.run("subgraph --component 7 --to csv -o - g.txt").out, "source,target\n7,12\n12,900\n");
  EXPECT_EQ(dromos.files(), (std::set<std::string>{"g.txt"}));
  expect_refusal(dromos, "bfs --output - --json - g.txt", {"--json", "--output", "standard output"});
  expect_refusal(dromos, "convert g.txt -", {"--to FORMAT"});
#ifdef DROMOS_ENABLE_HDF5
  expect_refusal(dromos, "convert --to hdf5 g.txt -", {"HDF5", "standard output"});
#endif
}

TEST(SmallThings, HelpVersionQuietThreads) {
  const RunDromos dromos;
  dromos.write("g.txt", "7 12\n12 900\n");
  EXPECT_EQ(dromos.run("-V").out, dromos.run("--version").out);
  EXPECT_EQ(dromos.run("help bfs").out, dromos.run("bfs --help").out);
  EXPECT_EQ(dromos.run("help").out, dromos.run("--help").out);
  EXPECT_EQ(dromos.run("help").exit_code, 0);
  expect_refusal(dromos, "help bsf", {"'bsf'", "did you mean"});

  const Outcome quiet = dromos.run("bfs --quiet --output levels.txt g.txt");
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.error, "");
  EXPECT_NE(dromos.read("levels.txt"), "");
  EXPECT_EQ(dromos.run("convert -q g.txt g.mtx").out, "");
  EXPECT_EQ(dromos.run("info -q --json - g.txt").json()["graph"]["num_vertices"], 3);

  if (dromos.run("--version").out.find("OpenMP") != std::string::npos) {
    const std::string two = "OMP_NUM_THREADS=2 '" DROMOS_PROGRAM "' info --json - g.txt";
    EXPECT_EQ(dromos.shell(two).json()["kokkos"]["host_concurrency"], 2);
    EXPECT_EQ(dromos.shell(two + " --threads 1").json()["kokkos"]["host_concurrency"], 1);
  }
  expect_refusal(dromos, "bfs --threads 0 g.txt", {"--threads", "from 1"});
}

/// What is particular to an algorithm stands before what all share.
TEST(SmallThings, HelpBeginsWithWhatIsParticular) {
  const RunDromos dromos;
  struct Order {
    std::string command, first, then;
  };
  for (const auto& [command, first, then] : {Order{"sssp", "--delta", "--format"},
                                             {"sssp", "--delta", "--strategy"},
                                             {"sssp", "--strategy", "--validate"},
                                             {"sssp", "--json", "--repeat"},
                                             {"bfs", "--direction-optimizing", "--strategy"},
                                             {"bc", "--exact", "--undirected"},
                                             {"pagerank", "--damping", "--strategy"},
                                             {"kcore", "--strategy", "--scale"}}) {
    const std::string help = dromos.run(command + " --help").out;
    ASSERT_NE(help.find("  " + first), std::string::npos) << help;
    EXPECT_LT(help.find("  " + first), help.find("  " + then)) << help;
  }
}

TEST(SmallThings, HelpNamesEveryFormat) {
  const std::string help = RunDromos().run("--help").out;
  for (const std::string format : {"Matrix Market", "edge list", "adjacency list", "METIS", "DIMACS", "SMAT", "table",
                                   "GraphML", "GAPBS", "Graph500", "HDF5"}) {
    EXPECT_NE(help.substr(0, help.find("Usage:")).find(format), std::string::npos) << format;
  }
}

TEST(SmallThings, SaysWhatWasDoneInsteadOfWhatWasAsked) {
  const RunDromos dromos;
  dromos.write("g.txt", "7 12\n12 900\n900 7\n");
  const Outcome fewer = dromos.run("bfs --roots 100 g.txt");
  EXPECT_EQ(fewer.exit_code, 0);
  EXPECT_NE(fewer.error.find("--roots 100: g.txt has 3 vertices"), std::string::npos) << fewer.error;
  EXPECT_EQ(dromos.run("bfs --roots 3 g.txt").error, "");

  const std::string graph = "--generate kronecker --scale 8";
  EXPECT_NE(dromos.run("bc " + graph).out.find("an estimate, from 32 roots of the"), std::string::npos);
  EXPECT_EQ(dromos.run("bc --exact " + graph).out.find("estimate"), std::string::npos);
  EXPECT_EQ(dromos.run("bc --root 3 " + graph).out.find("estimate"), std::string::npos);

  EXPECT_EQ(run_json(dromos, "bfs --root 7,12 --repeat 3 g.txt")["runs"].size(), 6u);
#ifdef DROMOS_ENABLE_MPI
  expect_refusal(dromos, "bfs --distributed 2d g.txt", {"--distributed", "no effect", "mpirun"});
  expect_refusal(dromos, "bfs --grid 2x2 g.txt", {"--grid", "no effect", "mpirun"});
#endif
}

TEST(DriverFiles, ConvertsToGraphml) {
  const RunDromos dromos;
  dromos.write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 0.5\n3 2 7\n");
  EXPECT_EQ(dromos.run("convert --weights g.mtx g.graphml").exit_code, 0);
  EXPECT_EQ(dromos.run("convert --weights g.graphml back.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("back.mtx"), "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 0.5\n3 2 7\n");
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (dromos.shell(python + " -c 'import networkx'").exit_code != 0) continue;
    const Outcome outcome =
        dromos.shell(python +
                     " -c 'import networkx; g = networkx.read_graphml(\"g.graphml\", node_type=int); "
                     "print(type(g).__name__, sorted(g.nodes), sorted(g.edges(data=\"weight\")))'");
    EXPECT_EQ(outcome.out, "Graph [1, 2, 3, 4] [(1, 2, 0.5), (2, 3, 7.0)]\n") << outcome.error;
    return;
  }
  GTEST_SKIP() << "python3 or its networkx is missing: nobody else has read what was written";
}

TEST(DriverFiles, ADashIsStandardInput) {
  const RunDromos dromos;
  dromos.write("g.txt", "7 12\n12 900\n");
  const std::string program = "'" DROMOS_PROGRAM "' ";
  for (const std::string& input :
       {"cat g.txt | " + program + "info - --json -", "gzip -c g.txt | " + program + "info - --json -"}) {
    const Outcome outcome = dromos.shell("{ " + input + "; }");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(outcome.json()["graph"]["num_vertices"], 3);
  }
  EXPECT_EQ(dromos.shell("{ cat g.txt | " + program + "convert - out.mtx; }").exit_code, 0);
  EXPECT_EQ(dromos.files().count("out.mtx"), 1u);
  EXPECT_EQ(dromos.shell("{ cat g.txt | " + program + "cc - --output -; }").out, "7 7\n12 7\n900 7\n");
  EXPECT_NE(dromos.run("info -").error.find("empty file"), std::string::npos);
  dromos.shell("cp g.txt ./-");
  EXPECT_EQ(dromos.run("info ./-").exit_code, 0);
}

TEST(DriverFiles, OptionsWithoutEffectAreErrors) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2 3\n2 3 4\n");
  expect_refusal(dromos, "bfs --seed 3 g.txt", {"--seed has no effect", "--roots N"});
  expect_refusal(dromos, "bfs --seed 3 --root 1 g.txt", {"--seed has no effect"});
  expect_refusal(dromos, "sssp --seed 3 g.txt", {"--seed has no effect"});
  expect_refusal(dromos, "cc --seed 3 g.txt", {"--seed has no effect"});
  expect_refusal(dromos, "bfs --seed 3 --generate path --vertices 4", {"--seed has no effect"});
  for (const std::string arguments : {"bfs --seed 3 --roots 1 g.txt", "sssp --seed 3 --weights uniform g.txt",
                                      "bfs --seed 3 --generate kronecker --scale 4", "bc --seed 3 --roots 1 g.txt"}) {
    EXPECT_EQ(dromos.run(arguments).exit_code, 0) << arguments;
  }
  expect_refusal(dromos, "sssp --tolerance 1e-3 g.txt", {"--tolerance has no effect without --validate"});
  expect_refusal(dromos, "sssp --tolerance 1e-3 --validate g.txt", {"no effect without --distances float"});
  EXPECT_EQ(dromos.run("sssp --tolerance 1e-3 --validate --distances float g.txt").exit_code, 0);
#ifdef DROMOS_ENABLE_MPI
  expect_refusal(dromos, "graph500 --scale 5 --delta 0.5", {"--delta has no effect without --sssp"});
  expect_refusal(dromos, "graph500 --scale 5 --grid 1x1",
                 {"--grid has no effect on the search relabelled-bitmask", "--algorithm 2d"});
  expect_refusal(dromos, "graph500 --scale 5 --algorithm 2d --degree-threshold 2",
                 {"--degree-threshold has no effect on the search 2d", "--algorithm delegate"});
  EXPECT_EQ(dromos.run("graph500 --scale 5 --roots 2 --algorithm 2d --grid 1x1").exit_code, 0);
  const Outcome fewer = dromos.run("graph500 --scale 4 --roots 100");
  EXPECT_EQ(fewer.exit_code, 0) << fewer.error;
  EXPECT_NE(fewer.error.find("--roots 100: this graph has "), std::string::npos) << fewer.error;
#endif
}

}  // namespace
}  // namespace dromos::test
