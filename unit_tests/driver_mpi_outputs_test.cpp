// SPDX-License-Identifier: BSD-3-Clause
// Files that several ranks write together, on a disk that fills up at any call of any rank: every rank ends, the error
// is said once, and there is no file, or the one that was there before. A disk that says all is well and keeps nothing
// is found out as well.
#include <string>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

/// Runs `dromos ARGUMENTS` on so many ranks, and ends them where they have not by then.
Outcome run_on(const RunDromos& dromos, int ranks, const std::string& arguments) {
  return dromos.shell("timeout 60 '" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " " + std::to_string(ranks) +
                      " '" DROMOS_PROGRAM "' " + arguments);
}

struct Fault {
  std::string kind;
  int ranks, rank, at;
};

/// The same where the disk of one rank fails; false where that rank does not come so far.
bool meets(const RunDromos& dromos, const Fault& fault, const std::string& arguments, Outcome& outcome) {
  const std::string met = dromos.folder() + "/../met";
  // mpirun itself is not to meet the fault, nor what it calls: so the ranks are started by env.
  outcome = dromos.shell("rm -f " + met + "; timeout 60 '" DROMOS_MPIEXEC "' " DROMOS_MPIEXEC_NUMPROC_FLAG " " +
                         std::to_string(fault.ranks) +
                         " env LD_PRELOAD='" DROMOS_FAILING_WRITES "' DROMOS_FAULT_FOLDER='" + dromos.folder() +
                         "' DROMOS_FAULT_AT=" + std::to_string(fault.at) + " DROMOS_FAULT_KIND=" + fault.kind +
                         " DROMOS_FAULT_RANK=" + std::to_string(fault.rank) + " DROMOS_FAULT_MET=" + met +
                         " ASAN_OPTIONS=verify_asan_link_order=0 '" DROMOS_PROGRAM "' " + arguments);
  return std::filesystem::exists(met);
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

struct Writing {
  const char* arguments;
  bool is_graph;  ///< what is written can be read as one
};

void PrintTo(const Writing& writing, std::ostream* out) { *out << writing.arguments; }

class SharedDiskThatFills : public ::testing::TestWithParam<Writing> {};

TEST_P(SharedDiskThatFills, LosesNothingAndHoldsNobody) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("generate kronecker --scale 8 -o graph.h5").exit_code, 0);
  const std::string arguments = GetParam().arguments;
  const auto edges = [&] {
    EXPECT_EQ(dromos.run("convert r.h5 edges.txt").exit_code, 0) << arguments;
    const std::string text = dromos.read("edges.txt");
    std::filesystem::remove(dromos.folder() + "/edges.txt");
    return text;
  };
  Outcome outcome;
  EXPECT_FALSE(meets(dromos, {"full", 2, 0, 100000}, arguments, outcome));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const std::string expected = GetParam().is_graph ? edges() : "";
  dromos.write("r.h5", "as before");
  const auto files = dromos.files();
  for (const std::string kind : {"full", "drop"}) {
    if (kind == "drop" && !GetParam().is_graph) continue;
    for (const int rank : {0, 1}) {
      Fault fault{kind, 2, rank, 1};
      int num_noticed = 0;
      // Later calls are much the same, dataset after dataset.
      for (; meets(dromos, fault, arguments, outcome); fault.at += fault.at < 8 ? 1 : 5) {
        ASSERT_LT(fault.at, 200);
        const std::string what = kind + " on rank " + std::to_string(rank) + " at " + std::to_string(fault.at);
        EXPECT_EQ(dromos.files(), files) << what;
        if (kind == "drop" && outcome.exit_code == 0) {
          // Nothing that anybody reads: room that is taken beforehand, or a wait for the disk.
          EXPECT_EQ(edges(), expected) << what;
          dromos.write("r.h5", "as before");
          continue;
        }
        ++num_noticed;
        EXPECT_EQ(outcome.exit_code, 1) << what << outcome.error;
        EXPECT_EQ(count(outcome.error, "dromos: error: "), 1) << what << outcome.error;
        EXPECT_EQ(count(outcome.error, "r.h5: "), 1) << what << outcome.error;
        EXPECT_EQ(count(outcome.error, "the disk is full"), kind == "full" ? 1 : 0) << what << outcome.error;
        EXPECT_EQ(dromos.read("r.h5"), "as before") << what;
      }
      EXPECT_GE(num_noticed, 2) << kind << " on rank " << rank;
      EXPECT_EQ(outcome.exit_code, 0) << "the last one met no fault";
      EXPECT_NE(dromos.read("r.h5"), "as before");
      dromos.write("r.h5", "as before");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, SharedDiskThatFills,
                         ::testing::Values(Writing{"generate kronecker --scale 8 -o r.h5", true},
                                           Writing{"convert --csr graph.h5 r.h5", true},
                                           Writing{"convert --separated graph.h5 r.h5", true},
                                           Writing{"bfs graph.h5 --root 1 --output r.h5", false},
                                           Writing{"kcore graph.h5 --output r.h5", false}));

TEST(SharedFiles, AreNotWrittenOverWhatIsRead) {
  const RunDromos dromos;
  ASSERT_EQ(dromos.run("generate kronecker --scale 8 -o graph.h5").exit_code, 0);
  const std::string graph = dromos.read("graph.h5");
  for (const char* arguments : {"convert --csr graph.h5 graph.h5", "convert --separated graph.h5 ./graph.h5",
                                "bfs graph.h5 --output graph.h5", "bfs graph.h5 --json graph.h5"}) {
    const Outcome outcome = run_on(dromos, 2, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.error;
    EXPECT_EQ(count(outcome.error, "this file is read as"), 1) << arguments << outcome.error;
    EXPECT_EQ(dromos.read("graph.h5"), graph) << arguments;
  }
}

}  // namespace
}  // namespace dromos::test
