// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a row agree on, by its definition; and the steps of the wave and of the scan, counted by a clock
// that travels with the messages.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_grid/bfs_2d_contraction.hpp>
#include <dromos/distributed/by_grid/bfs_2d_options.hpp>
#include <memory>
#include <vector>

#include "clocked_transport.hpp"
#include "view_tools.hpp"

namespace dromos::test {
namespace {

/// The contraction of a row of all ranks: what every rank has of it, by its definition, and how many messages had to
/// wait for each other.
TEST(RowContraction, WaveTakesOneStepAColumnAndScanTheirLogarithm) {
  const auto clock = std::make_shared<std::int64_t>(0);
  const Communicator row(MPI_COMM_WORLD, clocked_transport(clock));
  const int c = row.size();
  const int j = row.rank();
  constexpr std::int64_t num_words = 40;
  const auto found_of = [](int rank) {
    std::vector<std::uint32_t> words(num_words);
    for (std::int64_t w = 0; w < num_words; ++w) {
      words[w] = std::uint32_t(2654435761u) * static_cast<std::uint32_t>(w * 31 + rank) &
                 std::uint32_t(40503u) * static_cast<std::uint32_t>(w + 7 * rank);
    }
    return words;
  };
  std::vector<std::uint32_t> prefix(num_words, 0), total(num_words, 0);
  for (int r = 0; r < c; ++r) {
    for (std::int64_t w = 0; w < num_words; ++w) {
      if (r < j) prefix[w] |= found_of(r)[w];
      total[w] |= found_of(r)[w];
    }
  }
  const Bitmap<Memory> found(num_words * 32, "test::found");
  Kokkos::deep_copy(found.words(), to_view(found_of(j)));
  detail::RowContraction<Space> contraction(row, Space(), num_words * 32);
  int log2 = 0;
  while ((1 << log2) < c) ++log2;
  const bool power_of_two = (1 << log2) == c;

  for (const Contraction2d way : {Contraction2d::wave, Contraction2d::scan, Contraction2d::wave}) {
    *clock = 0;
    row.barrier();
    const CommCounters before = row.counters();
    if (way == Contraction2d::wave) {
      contraction.wave(found);
    } else {
      contraction.scan(found);
    }
    EXPECT_EQ(to_vector(contraction.prefix().words()), prefix) << contraction_2d_name(way);
    EXPECT_EQ(to_vector(contraction.total().words()), total) << contraction_2d_name(way);
    const CommCounters cost = row.counters() - before;
    const std::int64_t ticks = max<std::int64_t>(row, *clock);
    if (way == Contraction2d::wave) {
      EXPECT_EQ(ticks, c > 1 ? c - 1 + 1 : 0);  // and the broadcast
      EXPECT_EQ(cost[CommKind::exchange].messages, j + 1 < c ? 1 : 0);
    } else {
      EXPECT_EQ(ticks, log2 + (power_of_two ? 0 : 1));
      EXPECT_LE(cost[CommKind::exchange].messages, log2);
      EXPECT_EQ(cost[CommKind::broadcast].calls, power_of_two ? 0 : 1);
    }
  }
}

TEST(RowContraction, ListsGiveTheSame) {
  const Communicator row(MPI_COMM_WORLD);
  const std::int64_t num_bits = 320;
  const Bitmap<Memory> found(num_bits, "test::found");
  std::vector<std::int32_t> list;
  std::vector<std::uint32_t> words(num_bits / 32, 0);
  for (std::int32_t v = row.rank(); v < num_bits; v += 3 + row.rank() % 2) {
    if (row.rank() == 1) break;  // a rank that found nothing
    list.push_back(v);
    words[v / 32] |= 1u << v % 32;
  }
  Kokkos::deep_copy(found.words(), to_view(words));
  detail::RowContraction<Space> scan(row, Space(), num_bits), lists(row, Space(), num_bits);
  scan.scan(found);
  lists.lists(found, to_view(list), gather_counts(row, static_cast<std::int64_t>(list.size())));
  EXPECT_EQ(to_vector(lists.total().words()), to_vector(scan.total().words()));
  EXPECT_EQ(to_vector(lists.prefix().words()), to_vector(scan.prefix().words()));
}

}  // namespace
}  // namespace dromos::test
