// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/device_counts.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using dromos::DeviceCounts;

// Kernels stand outside TEST bodies, which are private functions, where CUDA allows no device lambdas.

/// Counter i grows by `times` times i + 1.
void raise(const DeviceCounts<Memory>& counts, int size, std::int64_t times) {
  const auto on_device = counts.on_device();
  Kokkos::parallel_for(
      "test::raise", Kokkos::RangePolicy<Space>(0, times), KOKKOS_LAMBDA(const std::int64_t) {
        for (int i = 0; i < size; ++i) dromos::atomic_fetch_add(&on_device(i), static_cast<std::uint64_t>(i + 1));
      });
}

/// The same by teams, the last of which publishes.
void raise_and_publish(const DeviceCounts<Memory>& counts, int size, int num_teams,
                       const dromos::CountsPublisher& publisher) {
  using Policy = Kokkos::TeamPolicy<Space>;
  const auto on_device = counts.on_device();
  Kokkos::parallel_for(
      "test::raise_and_publish", Policy(Space(), num_teams, 1), KOKKOS_LAMBDA(const Policy::member_type& team) {
        for (int i = 0; i < size; ++i) dromos::atomic_fetch_add(&on_device(i), static_cast<std::uint64_t>(i + 1));
        publisher.team_done(team.league_size());
      });
}

TEST(DeviceCounts, TellWhatKernelsCountedSinceTheLastTime) {
  const Space space;
  for (const int size : {1, 3, 4, 5, 9}) {
    DeviceCounts<Memory> counts(size, "test::counts");
    for (const std::int64_t times : {1000, 0, 1, 70000, 3}) {
      counts.open(space);
      raise(counts, size, times);
      counts.read(space);
      for (int i = 0; i < size; ++i) EXPECT_EQ(counts[i], static_cast<std::uint64_t>(times * (i + 1)));
    }
  }
}

TEST(DeviceCounts, BeginAtZeroAlthoughNobodyReadTheLastOnes) {
  const Space space;
  DeviceCounts<Memory> counts(2, "test::counts");
  counts.open(space);
  raise(counts, 2, 5);
  counts.open(space);
  raise(counts, 2, 7);
  counts.read(space);
  EXPECT_EQ(counts[0], 7u);
  EXPECT_EQ(counts[1], 14u);
}

/// Copies are shallow: what one was told is told to the other, and neither takes an old answer for a new one.
TEST(DeviceCounts, OfCopiesAreTheSame) {
  const Space space;
  DeviceCounts<Memory> counts(1, "test::counts");
  DeviceCounts<Memory> copy = counts;
  for (const std::int64_t times : {4, 9, 2}) {
    counts.open(space);
    raise(counts, 1, times);
    counts.read(space);
    EXPECT_EQ(copy[0], static_cast<std::uint64_t>(times));
    copy.open(space);
    raise(copy, 1, times + 1);
    copy.read(space);
    EXPECT_EQ(counts[0], static_cast<std::uint64_t>(times + 1));
  }
}

TEST(DeviceCounts, ArePublishedByTheLastTeam) {
  if (!dromos::sends_messages<Space>) GTEST_SKIP() << "kernels of " << Space::name() << " send no messages";
  const Space space;
  DeviceCounts<Memory> counts(3, "test::counts");
  for (const int num_teams : {1, 2, 20000, 3, 500}) {
    counts.open(space);
    const auto publisher = counts.publisher();
    raise_and_publish(counts, 3, num_teams, publisher);
    counts.read(space, publisher);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(counts[i], static_cast<std::uint64_t>(num_teams * (i + 1)));
    counts.open(space);  // and by a kernel behind
    raise(counts, 3, num_teams);
    counts.read(space);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(counts[i], static_cast<std::uint64_t>(num_teams * (i + 1)));
  }
}

}  // namespace
