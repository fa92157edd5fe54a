// SPDX-License-Identifier: BSD-3-Clause
// What does not fit is refused with numbers before it is there, whatever sets the limit: the addresses of the process,
// or a control group somewhere around it. Nothing is ended by the system, which says nothing.
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

constexpr const char* two_gigabytes = " info --generate erdos-renyi --vertices 30000000 --edges 100000000";

void expect_refusal_of_memory(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error;
  EXPECT_EQ(outcome.error.compare(0, 15, "dromos: error: "), 0) << outcome.error;
  EXPECT_NE(outcome.error.find(what), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find(" needs "), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find(" are available"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("iB of memory"), std::string::npos) << outcome.error;
}

// The address sanitizer takes more addresses than any limit leaves.
#ifndef __SANITIZE_ADDRESS__
TEST(DriverMemory, TheLimitOfAddressesCounts) {
  const RunDromos dromos;
  expect_refusal_of_memory(
      dromos.shell(std::string("{ ulimit -v 1500000; '" DROMOS_PROGRAM "'") + two_gigabytes + "; }"), "erdos-renyi");
}

TEST(DriverMemory, TextIsNotDecompressedWithoutEnd) {
  const RunDromos dromos;
  // 2.5 GB of zeros, as 40 members of 64 KB.
  dromos.shell(
      "{ head -c 64M /dev/zero | gzip -1 > one; for i in 0 1 2 3 4 5 6 7 8 9; do cat one one one one; done > bomb.gz; "
      "}");
  ASSERT_GT(std::filesystem::file_size(dromos.folder() + "/bomb.gz"), 1000000u);
  expect_refusal_of_memory(dromos.shell("{ ulimit -v 1500000; '" DROMOS_PROGRAM "' info bomb.gz; }"), "bomb.gz");
}

#endif

/// Runs `dromos ARGUMENTS` in a control group of so many bytes that lies around its own, as batch systems make them;
/// exit code 77 where none can be made.
Outcome run_in_nested_group(const RunDromos& dromos, std::int64_t bytes, const std::string& arguments,
                            const std::string& launcher = "") {
  return dromos.shell(R"({
    root=/sys/fs/cgroup; limit=memory.max
    [ -e $root/memory ] && { root=$root/memory; limit=memory.limit_in_bytes; }
    outer=$root/dromos-test-$$
    mkdir $outer && echo )" +
                      std::to_string(bytes) + R"( > $outer/$limit || { rmdir $outer; exit 77; }
    mkdir $outer/inner || { rmdir $outer; exit 77; }
    OMP_NUM_THREADS=2 sh -c "echo \$\$ > $outer/inner/cgroup.procs && exec )" +
                      launcher + " '" DROMOS_PROGRAM "' " + arguments + R"("
    code=$?
    rmdir $outer/inner $outer
    exit $code; })");
}

TEST(DriverMemory, ControlGroupsAroundOurOwnCount) {
  const RunDromos dromos;
  const Outcome outcome = run_in_nested_group(dromos, 600000000, two_gigabytes);
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "erdos-renyi");
}

/// The lines are counted before there is room for their edges.
TEST(DriverMemory, TextOfTooManyEdgesIsRefused) {
  const RunDromos dromos;
  dromos.shell("{ yes '1 2' | head -n 20000000 > g.txt; }");
  const Outcome outcome = run_in_nested_group(dromos, 120000000, "cc g.txt");
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "g.txt: its text, of up to 20000000 edges, needs 153 MiB");
}

class GraphOfManyVertices : public ::testing::TestWithParam<const char*> {};

/// Few edges: it is the arrays of the algorithm that do not fit.
TEST_P(GraphOfManyVertices, IsRefusedBeforeItIsGenerated) {
  const RunDromos dromos;
  const Outcome outcome = run_in_nested_group(dromos, 1000000000, GetParam());
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "erdos-renyi");
  EXPECT_NE(outcome.error.find("would fit"), std::string::npos) << outcome.error;
}

INSTANTIATE_TEST_SUITE_P(Commands, GraphOfManyVertices,
                         ::testing::Values("bfs --generate erdos-renyi --vertices 100000000 --edges 10",
                                           "bc --generate erdos-renyi --vertices 30000000 --edges 10",
                                           "pagerank --generate erdos-renyi --vertices 40000000 --edges 10",
                                           "scc --generate erdos-renyi --vertices 30000000 --edges 10",
                                           "sssp --generate erdos-renyi --vertices 40000000 --edges 10"));

TEST(DriverMemory, IsToldWithoutTheWork) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("cc --generate kronecker --scale 30 --memory --output labels.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.out.find("kronecker, scale 30"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("dromos cc needs "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" at its peak; "), std::string::npos) << outcome.out;
  EXPECT_EQ(dromos.run("cc --quiet --generate path --vertices 5 --memory").out, "");
  EXPECT_FALSE(std::filesystem::exists(dromos.folder() + "/labels.txt"));
  const auto report = dromos.run("cc --generate kronecker --scale 30 --memory --json -").json();
  EXPECT_EQ(report["graph"]["num_edges_listed"], std::int64_t(16) << 30);
  EXPECT_GT(report["memory"]["bytes"], 2.8e11);  // the list and the rows
  EXPECT_EQ(report["memory"]["fits"], false);
  EXPECT_EQ(dromos.run("cc --memory absent.txt").exit_code, 2);
}

TEST(DriverMemory, TheScaleThatWouldFitIsTold) {
  const RunDromos dromos;
  const Outcome outcome = run_in_nested_group(dromos, 1000000000, "cc --generate kronecker --scale 23");
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "kronecker, scale 23");
  EXPECT_NE(outcome.error.find("; scale 21 would fit"), std::string::npos) << outcome.error;
  EXPECT_NE(run_in_nested_group(dromos, 1000000000, "cc --generate kronecker --scale 47 --ids 64").error.find("PiB"),
            std::string::npos);
}

TEST(DriverMemory, TheEdgesThatWouldFitAreToldWhereTwoVerticesHaveThemAll) {
  const RunDromos dromos;
  const Outcome outcome =
      run_in_nested_group(dromos, 600000000, "info --generate erdos-renyi --vertices 2 --edges 200000000");
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "erdos-renyi");
  EXPECT_NE(outcome.error.find("000 edges would fit"), std::string::npos) << outcome.error;
}

/// "153 MiB" behind the words, in bytes; 0 without them.
double bytes_after(const std::string& said, const std::string& words) {
  const std::size_t at = said.find(words);
  if (at == std::string::npos) return 0;
  std::istringstream text(said.substr(at + words.size()));
  double number = 0;
  std::string unit;
  text >> number >> unit;
  return number * (unit == "GiB" ? 1 << 30 : unit == "MiB" ? 1 << 20 : 1 << 10);
}

/// What a command says that it needs, in bytes, in a group where that is too much; 0: it did not say so.
double said_need(const RunDromos& dromos, const std::string& arguments) {
  const Outcome outcome = run_in_nested_group(dromos, 40000000, arguments);
  return outcome.exit_code == 77 ? 0 : bytes_after(outcome.error, " needs ");
}

/// What --memory says, in bytes.
double told_need(const RunDromos& dromos, const std::string& arguments) {
  const Outcome outcome = dromos.shell("OMP_NUM_THREADS=2 '" DROMOS_PROGRAM "' " + arguments + " --memory --json -");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  if (outcome.exit_code != 0) return 0;
  EXPECT_EQ(outcome.json()["memory"]["fits"], true);
  return outcome.json()["memory"]["bytes"];
}

/// Bytes that a command has in memory at its peak.
double measured_peak(const RunDromos& dromos, const std::string& arguments) {
  return dromos.peak_of("OMP_NUM_THREADS=2 exec '" DROMOS_PROGRAM "' " + arguments);
}

#ifndef __SANITIZE_ADDRESS__
class CommandsMemory : public ::testing::TestWithParam<const char*> {};

/// A graph of few edges, where what a vertex costs is most of it.
TEST_P(CommandsMemory, IsNoMoreThanItSays) {
  const RunDromos dromos;
  const std::string command = GetParam();
  const double said = said_need(dromos, command + " --generate erdos-renyi --vertices 2000000 --edges 2000000");
  if (said == 0) GTEST_SKIP() << "no control groups of memory can be made here";
  const double before = measured_peak(dromos, command + " --generate erdos-renyi --vertices 20 --edges 20");
  const double peak = measured_peak(dromos, command + " --generate erdos-renyi --vertices 2000000 --edges 2000000");
  EXPECT_LE(peak - before, 1.1 * said) << command;
  EXPECT_GE(peak - before, 0.4 * said) << command << " is refused where it would fit";
}

INSTANTIATE_TEST_SUITE_P(Commands, CommandsMemory,
                         ::testing::Values("info", "bfs", "cc", "color", "sssp", "pagerank", "bc --root 1",
                                           "scc --directed", "kcore", "coloring", "mis2", "path --from 1 --to 2", "rcm",
                                           "condense --directed", "matching", "btf",
                                           "subgraph --component largest -o part.h5"));

struct Told {
  std::string command;
  bool within_a_tenth;  ///< otherwise it is no less than what is needed
};

class ToldMemory : public ::testing::TestWithParam<Told> {};

/// Vertices without many edges, and a graph where edges are most.
TEST_P(ToldMemory, IsWhatIsNeeded) {
  const RunDromos dromos;
  for (const std::string graph : {"erdos-renyi --vertices 2000000 --edges 2000000", "kronecker --scale 18"}) {
    const std::string arguments = GetParam().command + " --generate " + graph;
    const double told = told_need(dromos, arguments), needed = measured_peak(dromos, arguments);
    EXPECT_LE(needed, 1.1 * told) << arguments;
    if (GetParam().within_a_tenth) {
      EXPECT_GE(needed, 0.9 * told) << arguments;
    }
    std::printf("%s: %.0f MiB told, %.0f needed\n", arguments.c_str(), told / 1048576, needed / 1048576);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, ToldMemory,
                         ::testing::Values(Told{"info", true}, Told{"bfs", false}, Told{"cc", true},
                                           Told{"color", true}, Told{"pagerank --double --max-iterations 2", true},
                                           Told{"pagerank --double --max-iterations 2 --share-order by-degree", true},
                                           Told{"bc --root 1", true}, Told{"kcore", false}, Told{"coloring", true},
                                           Told{"mis2", true}, Told{"matching", false}, Told{"btf", false},
                                           Told{"diameter --searches 3", false}, Told{"rcm", false},
                                           Told{"sssp --weights uniform", false}, Told{"scc --directed", false},
                                           Told{"path --from 1 --to 2", false}, Told{"condense --directed", false},
                                           Told{"cc --relabel", false}));

/// The list has twice the bytes of the rows, and shrinks while these are built.
TEST(DriverMemory, DirectedListsShrinkWhileRowsAreBuilt) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("generate kronecker --directed --scale 20 -o g.h5").exit_code, 0);
  const double program = measured_peak(dromos, "info --generate path --vertices 3");
  for (const std::string graph : {"--generate kronecker --scale 20", "g.h5"}) {
    const std::string arguments = "info --directed " + graph;
    const auto report = dromos.run(arguments + " --json -").json();
    const double rows =
        4.0 * report["graph"]["num_edges"].get<double>() + 8.0 * (report["graph"]["num_vertices"].get<double>() + 1);
    const double told = told_need(dromos, arguments), needed = measured_peak(dromos, arguments);
    EXPECT_LE(needed - program, 2.2 * rows) << arguments;
    EXPECT_LE(needed, 1.1 * told) << arguments;
    EXPECT_GE(needed, 0.9 * told) << arguments;
    std::printf("%s: %.2f times the rows, %.0f MiB told, %.0f needed\n", arguments.c_str(), (needed - program) / rows,
                told / 1048576, needed / 1048576);
  }
}

TEST(DriverMemory, IsToldOfWalksThatStartSomewhere) {
  const RunDromos dromos;
  dromos.write("start.txt", "1\n");
  const std::string anywhere =
      "pagerank --double --max-iterations 2 --generate erdos-renyi --vertices 2000000 --edges 2000000";
  const std::string somewhere = anywhere + " --start start.txt";
  const double told = told_need(dromos, somewhere), needed = measured_peak(dromos, somewhere);
  EXPECT_NEAR(told - told_need(dromos, anywhere), 16e6, 3e6);
  EXPECT_LE(needed, 1.1 * told);
  EXPECT_GE(needed, 0.9 * told);
}

TEST(DriverMemory, RepeatsNothingThatIsOnlyTold) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n");
  for (const std::string command :
       {"pagerank g.txt", "bfs g.txt", "info g.txt", "rcm g.txt", "convert g.txt h.mtx",
        "subgraph --component largest -o h.mtx g.txt", "generate path --vertices 3 -o h.mtx"}) {
    expect_refusal(dromos, command + " --memory --repeat 3", {"--repeat has no effect with --memory"});
    EXPECT_EQ(dromos.run(command + " --memory").exit_code, 0) << command;
  }
}

TEST(DriverMemory, IsToldOfWhatIsWritten) {
  const RunDromos dromos;
  const auto expect_told = [&](const std::string& arguments) {
    const Outcome outcome = dromos.run(arguments + " --memory");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const double told = bytes_after(outcome.out, " needs "), needed = measured_peak(dromos, arguments);
    EXPECT_LE(needed, 1.2 * told) << arguments;
    EXPECT_GE(needed, 0.8 * told) << arguments;
    std::printf("%s: %.0f MiB told, %.0f needed\n", arguments.c_str(), told / 1048576, needed / 1048576);
  };
  expect_told("generate kronecker --scale 18 -o g.h5");
  expect_told("generate kronecker --scale 18 -o g.txt");
  EXPECT_EQ(dromos.run("generate path --vertices 3 -o p.txt --memory").exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(dromos.folder() + "/p.txt"));
  expect_told("convert g.h5 copy.h5");
  expect_told("convert g.txt copy.h5");
  expect_told("convert --csr g.h5 rows.h5");
}

TEST(DriverMemory, IsToldOfFiles) {
  const RunDromos dromos;
  for (const std::string name : {"g.txt", "g.mtx", "g.graph", "g.h5", "g.txt.gz"}) {
    ASSERT_EQ(dromos.run("generate kronecker --scale 17 -o " + name).exit_code, 0);
    const double told = told_need(dromos, "cc " + name), needed = measured_peak(dromos, "cc " + name);
    EXPECT_LE(needed, 1.2 * told) << name;  // how much of a text waits for its turn is up to the threads
    std::printf("%s: %.0f MiB told, %.0f needed\n", name.c_str(), told / 1048576, needed / 1048576);
  }
  ASSERT_EQ(dromos.run("convert --csr g.h5 rows.h5").exit_code, 0);
  const double told = told_need(dromos, "cc rows.h5"), needed = measured_peak(dromos, "cc rows.h5");
  EXPECT_LE(needed, 1.1 * told);
  std::printf("rows.h5: %.0f MiB told, %.0f needed\n", told / 1048576, needed / 1048576);
}
#endif

}  // namespace
}  // namespace dromos::test
