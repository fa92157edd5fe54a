// SPDX-License-Identifier: BSD-3-Clause
// Who waits in shared memory notices when a process is no more: killed, or ended and not collected yet.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "comm/shared/process_watch.hpp"

namespace dromos::test {
namespace {

TEST(ProcessWatch, SeesTheRanksThatRun) {
  const detail::ProcessWatch watch(MPI_COMM_WORLD);
  EXPECT_TRUE(watch.sees_all());
  EXPECT_EQ(watch.first_ended(), -1);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(ProcessWatch, AKilledProcessHasNoStartBeforeAndAfterItIsCollected) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (;;) pause();
  }
  EXPECT_GT(detail::ProcessWatch::start_of(child), 0u);
  kill(child, SIGKILL);
  bool ended = false;
  for (int i = 0; i < 1000 && !ended; ++i) {
    ended = detail::ProcessWatch::start_of(child) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(ended) << "a killed process that nobody has collected counts as running";
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(detail::ProcessWatch::start_of(child), 0u);
}

}  // namespace
}  // namespace dromos::test
