// SPDX-License-Identifier: BSD-3-Clause
// Words and bits that travel between GPUs without the host: what kernels put down arrives whole, turn after turn,
// however much or little it is, from each rank in its own place. Wants a GPU for each rank.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/streamed_words.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

/// How many words rank `from` has for rank `to`: nothing, a few, or more than a team copies at a time.
std::int64_t how_many(int turn, int from, int to) {
  const int kind = (turn + 2 * from + 3 * to) % 4;
  return kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? 37 + from : 5000 + 11 * to + turn;
}
std::uint64_t word(int turn, int from, int to, std::int64_t i) {
  return static_cast<std::uint64_t>(turn) << 48 | static_cast<std::uint64_t>(from) << 40 |
         static_cast<std::uint64_t>(to) << 32 | static_cast<std::uint64_t>(i);
}

/// Writes this rank's words of a turn and says by the cursors how many there are.
struct PutDown {
  Kokkos::View<std::uint64_t*, Memory> words;
  detail::RankCursors<Memory> cursors;
  Kokkos::View<const std::uint64_t*, Memory> all;
  Kokkos::View<const std::int64_t*, Memory> begins;  // in `all`, by rank, and the end

  KOKKOS_FUNCTION void operator()(const int r) const {
    for (std::int64_t i = begins(r); i < begins(r + 1); ++i) {
      words(static_cast<std::int64_t>(cursors.take(r))) = all(i);
    }
  }
};

void arrive_whole_turn_after_turn(const Communicator& world) {
  const int p = world.size(), me = world.rank();
  const std::int64_t region = 6000;
  detail::StreamedWords<Space> streamed(world, region);
  if (!streamed.take(region)) GTEST_SKIP() << "wants several ranks, and a GPU for each";
  const Space space;
  const Kokkos::View<std::uint64_t*, Memory> words("test::words", static_cast<std::size_t>(p * region));
  detail::RankCursorsOwner<Space> cursors("test::cursors", static_cast<std::size_t>(p));
  std::vector<Block> behind;
  for (int r = 0; r < p; ++r) behind.push_back({r * region, 0});
  cursors.put_behind(space, behind);
  const Kokkos::View<std::uint64_t*, Memory> num_sent("test::num_sent", 1);

  std::int64_t sent = 0;
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<std::uint64_t> mine;
    std::vector<std::int64_t> begins{0};
    for (int r = 0; r < p; ++r) {
      const std::int64_t count = r == me ? 0 : how_many(turn, me, r);
      for (std::int64_t i = 0; i < count; ++i) mine.push_back(word(turn, me, r, i));
      begins.push_back(static_cast<std::int64_t>(mine.size()));
    }
    sent += begins.back();
    Kokkos::parallel_for("test::put_down", Kokkos::RangePolicy<Space>(space, 0, p),
                         PutDown{words, cursors.cursors(), to_view(mine), to_view(begins)});
    ASSERT_TRUE(streamed.take(region));
    streamed.travel(space, words.data(), cursors.cursors(), behind, false, region, num_sent.data());
    const detail::ArrivedWords arrived = streamed.arrived();
    fence(space, "test");
    ASSERT_EQ(arrived.num_senders, p - 1);
    for (int k = 0; k < p - 1; ++k) {
      const int from = arrived.rank(k);
      ASSERT_EQ(from, (me + 1 + k) % p);
      const auto count =
          to_vector(Kokkos::View<const std::uint64_t*, Memory, Kokkos::MemoryUnmanaged>(arrived.device_counts + k, 1));
      ASSERT_EQ(static_cast<std::int64_t>(count[0]), how_many(turn, from, me)) << "turn " << turn << " from " << from;
      const auto got =
          to_vector(Kokkos::View<const std::uint64_t*, Memory, Kokkos::MemoryUnmanaged>(arrived.from(k), count[0]));
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i], word(turn, from, me, static_cast<std::int64_t>(i))) << "turn " << turn << " from " << from;
      }
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(to_vector(num_sent)[0]), sent);
}

TEST(StreamedWords, ArriveWholeTurnAfterTurn) { arrive_whole_turn_after_turn(Communicator(MPI_COMM_WORLD)); }

TEST(StreamedWords, ArriveWholeInManyRounds) {
  Communicator world(MPI_COMM_WORLD);
  world.set_piece_bytes(64);
  arrive_whole_turn_after_turn(world);
}

TEST(StreamedBits, AreUnitedWithoutTheHost) {
  const Communicator world(MPI_COMM_WORLD);
  if (detail::streamed_operations<Memory>(world) == nullptr) GTEST_SKIP() << "wants several ranks, and a GPU for each";
  const Space space;
  for (int turn = 0; turn < 20; ++turn) {
    const std::size_t size =
        turn % 2 == 0 ? 3u + static_cast<std::size_t>(turn) : 40000u + static_cast<std::size_t>(turn);
    std::vector<std::uint32_t> mine(size), expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (int r = 0; r < world.size(); ++r) {
        const std::uint32_t bits = 1u << ((i + static_cast<std::size_t>(5 * r + turn)) % 32);
        if (r == world.rank()) mine[i] = bits;
        expected[i] |= bits;
      }
    }
    const auto view = to_view(mine);
    bitwise_or(world, space, view);
    EXPECT_EQ(to_vector(view), expected) << "turn " << turn;
  }
}

/// Word i of rank r after that many turns: in every third turn most words are others, and a few in the other turns.
std::uint32_t word_after(int turns, int r, std::size_t i) {
  std::uint32_t word = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const std::size_t one_of = turn % 3 == 0 ? 1 : 97 + static_cast<std::size_t>(turn);
    if ((i + static_cast<std::size_t>(r)) % one_of == 0) word = static_cast<std::uint32_t>(1000 * turn + 10 * r) + 1;
  }
  return word;
}

TEST(Changes, AreAllThatEveryRankLacks) {
  const Communicator world(MPI_COMM_WORLD);
  const Space space;
  for (const std::size_t most : {1u, 40u, 4095u, 4096u, 4097u, 300000u}) {
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < world.size(); ++r) {
      sizes.push_back(static_cast<std::int64_t>(most) - std::min<std::int64_t>(r, static_cast<std::int64_t>(most)));
    }
    const auto blocks = consecutive_blocks(sizes);
    const auto all = to_view(std::vector<std::uint32_t>(static_cast<std::size_t>(total_size(blocks)), 0));
    for (int turns = 1; turns < 9; ++turns) {
      std::vector<std::uint32_t> own, expected;
      for (int r = 0; r < world.size(); ++r) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(sizes[r]); ++i) {
          expected.push_back(word_after(turns, r, i));
          if (r == world.rank()) own.push_back(expected.back());
        }
      }
      allgather_changes(world, space, to_view(own), all, blocks);
      fence(space, "test");
      ASSERT_EQ(to_vector(all), expected) << most << " words, turn " << turns;
    }
  }
}

}  // namespace
}  // namespace dromos::test
