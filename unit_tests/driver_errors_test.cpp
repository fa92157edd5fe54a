// SPDX-License-Identifier: BSD-3-Clause
// What the program `dromos` says to those who make a mistake: one line that helps, exit code 2, and no file written.
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

struct Mistake {
  const char* arguments;
  std::vector<const char*> said;  ///< all of these, somewhere in the line
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.arguments; }

class DriverErrors : public ::testing::TestWithParam<Mistake> {};

TEST_P(DriverErrors, OneLineExitCodeTwoNothingWritten) {
  const RunDromos dromos;
  dromos.write("g.txt", "3 7\n7 9\n9 3\n");
  dromos.write("g.graph", "2 1\n2\n1\n");
  dromos.write("empty.txt", "");
  dromos.write("broken.txt", "1 2\n3\n");
  dromos.write("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  dromos.write("lonely.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 0\n");
  dromos.shell("mkdir folder");
  const auto before = dromos.files();
  Outcome outcome = dromos.run(GetParam().arguments);
  // Of its own options Kokkos says, from version 4 on, what it does not know before the program can.
  if (outcome.error.compare(0, 9, "Warning: ") == 0 &&
      outcome.error.find("Raised by Kokkos") < outcome.error.find('\n')) {
    outcome.error.erase(0, outcome.error.find('\n') + 1);
  }
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error.compare(0, 15, "dromos: error: "), 0) << outcome.error;
  EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
  for (const char* word : GetParam().said) EXPECT_NE(outcome.error.find(word), std::string::npos) << outcome.error;
  EXPECT_EQ(dromos.files(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Files, DriverErrors,
    ::testing::Values(Mistake{"bfs absent.txt", {"absent.txt"}}, Mistake{"bfs folder", {"folder"}},
                      Mistake{"bfs empty.txt", {"empty.txt"}},
                      Mistake{"info broken.txt --json r.json", {"broken.txt:2"}},
                      Mistake{"bfs none.mtx --json r.json", {"none.mtx", "no vertices"}},
                      Mistake{"bfs --roots 2 lonely.mtx", {"no vertex of lonely.mtx has an out-edge", "--root"}},
                      Mistake{"convert broken.txt out.mtx", {"broken.txt:2"}},
                      Mistake{"convert g.txt out.unknown", {"out.unknown", "--to"}},
                      Mistake{"convert g.txt out.graph", {"METIS", "undirected"}},
                      Mistake{"convert g.txt absent/out.mtx", {"no folder absent"}},
                      Mistake{"bfs g.txt --json absent/r.json", {"--json", "no folder absent"}},
                      Mistake{"bfs g.txt --json folder", {"--json", "folder"}},
                      Mistake{"bfs g.txt --output absent/r.txt", {"--output", "no folder absent"}}));

INSTANTIATE_TEST_SUITE_P(
    Roots, DriverErrors,
    ::testing::Values(Mistake{"bfs g.txt --root 4", {"root 4", "g.txt", "3 to 9"}},
                      Mistake{"bfs g.txt --root 3,-5 --json r.json", {"root -5"}},
                      Mistake{"bfs g.txt --root three", {"--root", "vertex id", "whole number, 0 or more", "'three'"}},
                      Mistake{"path g.txt --from 3 --to nine", {"--to", "vertex id", "'nine'"}},
                      Mistake{"bfs g.txt --root 99999999999999999999", {"--root", "99999999999999999999"}},
                      Mistake{"bfs g.txt --root", {"--root", "needs a value"}},
                      Mistake{"bfs g.txt --roots 0", {"--roots", "'0'"}},
                      Mistake{"bfs g.txt --roots 2x", {"--roots", "'2x'"}},
                      Mistake{"bfs g.txt --root 3 --roots 2", {"--root", "--roots"}},
                      Mistake{"bfs g.txt --root 3,7 --output r.txt", {"--output", "one root"}},
                      Mistake{"bfs g.txt --strategy all --output r.txt", {"--output", "one strategy"}}));

INSTANTIATE_TEST_SUITE_P(
    Words, DriverErrors,
    ::testing::Values(Mistake{"bfss g.txt", {"'bfss'", "did you mean bfs?"}},
                      Mistake{"bfs g.txt --stratgy all", {"--stratgy", "did you mean --strategy?"}},
                      Mistake{"bfs g.txt --zzzzzzzzz", {"--zzzzzzzzz", "bfs --help"}},
                      Mistake{"path g.txt -f 3", {"there is no option -f", "did you mean --from or --format?"}},
                      Mistake{"bfs g.txt -r 3", {"did you mean --relabel, --root, --roots or --repeat?"}},
                      Mistake{"bfs g.txt -j r.json", {"there is no option -j", "did you mean --json?"}},
                      Mistake{"bfs g.txt -validate", {"there is no option -validate", "did you mean --validate?"}},
                      Mistake{"bfs g.txt g.graph", {"'g.graph'", "too many"}},
                      Mistake{"bfs", {"name a graph file", "--generate"}},
                      Mistake{"bfs g.txt --generate path --vertices 3", {"g.txt", "--generate"}},
                      Mistake{"bfs g.txt --strategy manhatan-local", {"did you mean manhattan-local?"}},
                      Mistake{"bfs g.txt --strategy nonsense", {"'nonsense'", "vertex-chunk", "manhattan-global"}},
                      Mistake{"bfs g.txt --strategy ML:C", {"ML:C", "M+C+S+L"}},
                      Mistake{"bfs g.txt --strategy B:M", {"B:M", "manhattan-local"}},
                      Mistake{"bfs g.txt --strategy B --edges-per-team 9", {"--edges-per-team"}},
                      Mistake{"bfs g.txt --team-size 1000", {"--team-size", "1000"}},
                      Mistake{"bfs g.txt --team-size 0", {"--team-size", "'0'"}},
                      Mistake{"bfs g.txt --queue-size -1", {"--queue-size", "'-1'"}},
                      Mistake{"bfs g.txt --ids 48", {"--ids", "48"}},
                      Mistake{"bfs g.txt --seed soon", {"--seed", "'soon'"}},
                      Mistake{"bfs g.txt --format jpeg", {"'jpeg'", "matrix-market"}},
                      Mistake{"bfs g.txt --directed --undirected", {"--directed", "--undirected"}},
                      Mistake{"bfs g.graph --directed", {"g.graph", "--directed"}},
                      Mistake{"bfs g.txt --scale 4", {"--scale", "--generate"}},
                      Mistake{"bfs g.txt --kokkos-threads=many", {"--kokkos-threads=many"}},
                      Mistake{"bfs g.txt --kokkos-nonsense=1", {"--kokkos-nonsense=1"}}));

INSTANTIATE_TEST_SUITE_P(
    Generators, DriverErrors,
    ::testing::Values(Mistake{"generate", {"kronecker"}}, Mistake{"generate path --vertices 3", {"-o"}},
                      Mistake{"generate pth --vertices 3 -o p.mtx", {"did you mean path?"}},
                      Mistake{"generate path -o p.mtx", {"--vertices"}},
                      Mistake{"generate path --vertices 3 --scale 3 -o p.mtx", {"--scale"}},
                      Mistake{"generate kronecker --scale 48 -o p.mtx", {"--scale", "47"}},
                      Mistake{"generate kronecker --a 0.9 --b 0.9 -o p.mtx", {"0.9"}},
                      Mistake{"generate kronecker --a much -o p.mtx", {"--a", "'much'"}},
                      Mistake{"generate path --vertices 3 --directed -o p.graph", {"METIS"}},
                      Mistake{"bfs --generate erdos-renyi --vertices 0 --edges 0", {"no vertices"}},
                      Mistake{"bfs --generate kronecker --scale 31 --ids 32 --edge-factor 0", {"32-bit"}}));

TEST(DriverMoreErrors, WithoutASubcommandTheHelpIsShown) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("Subcommands:"), std::string::npos);
}

TEST(DriverMoreErrors, MoreThreadsThanKokkosHasRoomForAreTold) {
  const RunDromos dromos;
  dromos.write("g.txt", "3 7\n");
  const Outcome outcome = dromos.shell("OMP_NUM_THREADS=530 '" DROMOS_PROGRAM "' info g.txt");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("530 OpenMP threads"), std::string::npos) << outcome.error;
}

TEST(DriverMoreErrors, AGraphThatCannotFitIsTold) {
  const RunDromos dromos;
  const Outcome outcome = dromos.run("generate kronecker --scale 45 -o k.mtx");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("PiB of memory"), std::string::npos) << outcome.error;
  EXPECT_TRUE(dromos.files().empty());
}

}  // namespace
}  // namespace dromos::test
