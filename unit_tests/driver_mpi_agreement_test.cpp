// SPDX-License-Identifier: BSD-3-Clause
// Ranks that were started differently, or see different files, say so and end; nobody waits for them.
#include <dromos/io/write_graph.hpp>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

/// mpirun with one rank for each command, in this order; ended where it takes too long.
Outcome run_ranks(const RunDromos& dromos, const std::vector<std::string>& ranks) {
  std::string line = "timeout 60 '" DROMOS_MPIEXEC "'";
  for (const std::string& rank : ranks)
    line += (&rank == &ranks[0] ? "" : " :") + (" " DROMOS_MPIEXEC_NUMPROC_FLAG " 1 " + rank);
  return dromos.shell(line);
}

void expect_said_once(const Outcome& outcome, const std::string& words) {
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_NE(outcome.exit_code, 124) << "it took too long";
  const std::size_t at = outcome.error.find("dromos: error: ");
  EXPECT_NE(at, std::string::npos) << outcome.error;
  EXPECT_EQ(outcome.error.find("dromos: error: ", at + 1), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find(words), std::string::npos) << outcome.error;
}

const std::string program = "'" DROMOS_PROGRAM "' ";

TEST(RanksAgree, OnTheCommandLine) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n2 3\n");
  expect_said_once(run_ranks(dromos, {program + "bfs g.txt", program + "bfs --roots 0 g.txt"}),
                   "rank 1 was started as 'dromos bfs --roots 0 g.txt'");
  expect_said_once(run_ranks(dromos, {program + "bfs --bad g.txt", program + "bfs g.txt"}), "rank 1 was started as");
  expect_said_once(run_ranks(dromos, {program + "bfs g.txt", program + "bfs g.txt --kokkos-threads=many"}),
                   "--kokkos-threads=many");
  expect_said_once(run_ranks(dromos, {program + "bfs g.txt", "env OMP_NUM_THREADS=530 " + program + "bfs g.txt"}),
                   "530 OpenMP threads");
}

TEST(RanksAgree, OnTheFile) {
  const RunDromos dromos;
  dromos.shell("mkdir a b");
  const std::vector<std::string> ranks = {"sh -c \"cd a && exec " + program + "bfs g.h5\"",
                                          "sh -c \"cd b && exec " + program + "bfs g.h5\""};
  ASSERT_EQ(dromos.run("generate kronecker --scale 8 -o a/g.h5").exit_code, 0);
  expect_said_once(run_ranks(dromos, ranks), "no such file");
  ASSERT_EQ(dromos.run("generate kronecker --scale 9 -o b/g.h5").exit_code, 0);
  expect_said_once(run_ranks(dromos, ranks), "rank 1: g.h5: this rank sees another file of that name");
  dromos.shell("cp a/g.h5 b/g.h5");
  EXPECT_EQ(run_ranks(dromos, ranks).exit_code, 0);
}

TEST(RanksAgree, ThatAGraphDoesNotFit) {
  const RunDromos dromos;
  EdgeList<std::int64_t, Kokkos::HostSpace> edges(std::int64_t(1) << 62, 1);
  edges.source(0) = 0;
  edges.target(0) = 1;
  write_graph(dromos.folder() + "/huge.h5", GraphFormat::hdf5, edges, VertexNames(), true);
  for (const int ranks : {1, 3}) {
    for (const char* arguments : {"bfs huge.h5", "bfs --root 0 huge.h5"}) {
      expect_said_once(run_ranks(dromos, std::vector<std::string>(ranks, program + arguments)), " needs ");
    }
  }
}

TEST(RanksAgree, ThatAFileOfManyEdgesDoesNotFitTheGroupOfAll) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("generate kronecker --scale 19 -o big.h5").exit_code, 0);
  for (const std::string arguments : {"cc big.h5", "bfs big.h5", "pagerank --generate kronecker --scale 19"}) {
    const Outcome outcome = dromos.shell(R"({
      root=/sys/fs/cgroup; limit=memory.max
      [ -e $root/memory ] && { root=$root/memory; limit=memory.limit_in_bytes; }
      outer=$root/dromos-test-$$
      mkdir $outer && echo 160000000 > $outer/$limit || { rmdir $outer; exit 77; }
      mkdir $outer/inner || { rmdir $outer; exit 77; }
      sh -c "echo \$\$ > $outer/inner/cgroup.procs &&
             exec timeout 60 ')" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " 3 '" DROMOS_PROGRAM "' " +
                                         arguments + R"("
      code=$?
      rmdir $outer/inner $outer
      exit $code; })");
    if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
    EXPECT_EQ(outcome.exit_code, 2) << arguments << ": " << outcome.error;
    expect_said_once(outcome, " ranks of this machine, needs ");
  }
}

}  // namespace
}  // namespace dromos::test
