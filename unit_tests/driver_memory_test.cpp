// SPDX-License-Identifier: BSD-3-Clause
// What does not fit is refused with numbers before it is there, whatever sets the limit: the addresses of the process,
// or a control group somewhere around it. Nothing is ended by the system, which says nothing.
#include <string>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

constexpr const char* two_gigabytes = " info --generate erdos-renyi --vertices 30000000 --edges 100000000";

void expect_refusal_of_memory(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
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

TEST(DriverMemory, ControlGroupsAroundOurOwnCount) {
  const RunDromos dromos;
  const Outcome outcome = dromos.shell(R"({
    root=/sys/fs/cgroup; limit=memory.max
    [ -e $root/memory ] && { root=$root/memory; limit=memory.limit_in_bytes; }
    outer=$root/dromos-test-$$
    mkdir $outer && echo 600000000 > $outer/$limit || { rmdir $outer; exit 77; }
    mkdir $outer/inner || { rmdir $outer; exit 77; }
    sh -c "echo \$\$ > $outer/inner/cgroup.procs && exec ')" DROMOS_PROGRAM R"(')" +
                                       std::string(two_gigabytes) + R"("
    code=$?
    rmdir $outer/inner $outer
    exit $code; })");
  if (outcome.exit_code == 77) GTEST_SKIP() << "no control groups of memory can be made here";
  expect_refusal_of_memory(outcome, "erdos-renyi");
}

}  // namespace
}  // namespace dromos::test
