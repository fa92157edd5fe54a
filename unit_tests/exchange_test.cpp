// SPDX-License-Identifier: BSD-3-Clause
// Collective operations on Views, over every transport that runs here, with and without staging, in whole messages and
// in pieces of a few bytes.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/mixed_transport.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/nccl_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/shared_transport.hpp>
#include <dromos/core/error.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

using Word = std::uint32_t;

struct Way {
  const char* name;
  std::unique_ptr<Transport> (*transport)(MPI_Comm);
  std::int64_t piece_bytes;  // 0: the default
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

/// Ranks of one host as if they were on several: two of each, and every other one.
std::unique_ptr<Transport> make_mixed_of_pairs(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return make_mixed_transport_of(communicator, rank / 2, make_host_staged_transport);
}
std::unique_ptr<Transport> make_mixed_of_every_other(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return make_mixed_transport_of(communicator, 5 - rank % 2, make_always_staged_transport);
}

class Exchange : public ::testing::TestWithParam<Way> {
 protected:
  std::string refused;  ///< why this way is not there
  Communicator world = make();
  Space space;

  Communicator make() {
    const Way way = GetParam();
    try {
      Communicator communicator(MPI_COMM_WORLD, way.transport);
      if (way.piece_bytes > 0) communicator.set_piece_bytes(way.piece_bytes);
      return communicator;
    } catch (const Error& error) {
      if (way.transport != make_nccl_transport) throw;
      refused = error.what();
      return Communicator(MPI_COMM_WORLD, make_host_staged_transport);
    }
  }
  void SetUp() override {
    if (!refused.empty()) GTEST_SKIP() << refused;
    if (GetParam().transport == make_gpu_aware_transport && !host_accessible<Memory> && !mpi_takes_gpu_memory()) {
      GTEST_SKIP() << "this MPI does not say that it takes memory of a GPU";
    }
  }
  int p() const { return world.size(); }
  int me() const { return world.rank(); }
};

/// What rank `from` says to rank `to` in place i.
std::int64_t said(int from, int to, std::int64_t i) { return 1000000 * from + 10000 * to + i; }

/// How much; sometimes nothing.
std::int64_t how_much(int from, int to) { return (3 * from + 5 * to) % 4 == 0 ? 0 : 7 * from + 11 * to + 1; }

TEST_P(Exchange, AlltoallvBringsEveryBlockToItsRank) {
  std::vector<std::int64_t> sizes, expected_sizes;
  for (int r = 0; r < p(); ++r) {
    sizes.push_back(how_much(me(), r));
    expected_sizes.push_back(how_much(r, me()));
  }
  const auto send_blocks = consecutive_blocks(sizes);
  const auto receive_blocks = consecutive_blocks(expected_sizes);
  std::vector<std::int64_t> sent, expected;
  for (int r = 0; r < p(); ++r) {
    for (std::int64_t i = 0; i < sizes[r]; ++i) sent.push_back(said(me(), r, i));
    for (std::int64_t i = 0; i < expected_sizes[r]; ++i) expected.push_back(said(r, me(), i));
  }
  const auto send = to_view(sent);
  const Kokkos::View<std::int64_t*, Memory> receive("test::receive", expected.size());
  const CommCounters before = world.counters();
  alltoallv(world, space, send, send_blocks, receive, receive_blocks);
  EXPECT_EQ(to_vector(receive), expected);

  const CommCount cost = (world.counters() - before)[CommKind::exchange];
  EXPECT_EQ(cost.calls, 1);
  EXPECT_EQ(cost.bytes_sent, 8 * static_cast<std::int64_t>(sent.size() - sizes[me()]));
  EXPECT_EQ(cost.bytes_received, 8 * static_cast<std::int64_t>(expected.size() - expected_sizes[me()]));
  EXPECT_GT(cost.seconds, 0);

  // And where all ranks know how long the longest block is.
  std::int64_t longest = 0;
  for (int r = 0; r < p(); ++r) {
    for (int s = 0; s < p(); ++s) longest = std::max(longest, how_much(r, s));
  }
  for (const std::int64_t bound : {longest, std::int64_t(1) << 40}) {
    const Kokkos::View<std::int64_t*, Memory> again("test::receive", expected.size());
    const CommCounters then = world.counters();
    alltoallv(world, space, send, send_blocks, again, receive_blocks, bound);
    EXPECT_EQ(to_vector(again), expected);
    EXPECT_EQ((world.counters() - then)[CommKind::exchange].bytes_sent, cost.bytes_sent);
  }
}

TEST_P(Exchange, BlocksMayHaveGapsAndAnyOrder) {
  // To rank r: two elements from place 3 (p - 1 - r) on; from rank r: into place 4 r + 1.
  std::vector<Block> send_blocks, receive_blocks;
  for (int r = 0; r < p(); ++r) {
    send_blocks.push_back({3 * (p() - 1 - r), 2});
    receive_blocks.push_back({4 * r + 1, 2});
  }
  std::vector<int> sent(3 * p()), expected(4 * p(), -1);
  std::iota(sent.begin(), sent.end(), 100 * me());
  for (int r = 0; r < p(); ++r) {
    for (int i = 0; i < 2; ++i) expected[4 * r + 1 + i] = 100 * r + 3 * (p() - 1 - me()) + i;
  }
  const auto receive = to_view(std::vector<int>(4 * p(), -1));
  alltoallv(world, space, to_view(sent), send_blocks, receive, receive_blocks);
  EXPECT_EQ(to_vector(receive), expected);
}

TEST_P(Exchange, NothingAtAllCanBeExchanged) {
  const std::vector<Block> nothing(p());
  const Kokkos::View<int*, Memory> empty("test::empty", 0);
  alltoallv(world, space, empty, nothing, empty, nothing);
  allgatherv(world, space, empty, 0, empty, nothing);
  broadcast(world, space, empty, p() - 1);
  bitwise_or(world, space, Kokkos::View<Word*, Memory>("test::empty", 0));
}

TEST_P(Exchange, SeveralExchangesMayBeUnderWayAtOnce) {
  constexpr int count = 5;
  std::vector<Kokkos::View<int*, Memory>> received;
  std::vector<Request> requests;
  const auto blocks = consecutive_blocks(std::vector<std::int64_t>(p(), 50));
  for (int k = 0; k < count; ++k) {
    std::vector<int> sent;
    for (int r = 0; r < p(); ++r) {
      for (int i = 0; i < 50; ++i) sent.push_back(1000 * k + 100 * me() + r);
    }
    received.emplace_back("test::receive", 50 * p());
    requests.push_back(start_alltoallv(world, space, to_view(sent), blocks, received.back(), blocks));
  }
  for (int k = count - 1; k >= 0; --k) requests[k].wait();  // in another order than they were started
  for (int k = 0; k < count; ++k) {
    const auto values = to_vector(received[k]);
    for (int i = 0; i < 50 * p(); ++i) ASSERT_EQ(values[i], 1000 * k + 100 * (i / 50) + me());
  }
}

TEST_P(Exchange, RequestsCanBeAskedWhetherTheyArrived) {
  const auto blocks = consecutive_blocks(std::vector<std::int64_t>(p(), 1));
  const auto send = to_view(std::vector<int>(p(), me()));
  const Kokkos::View<int*, Memory> receive("test::receive", p());
  Request request = start_alltoallv(world, space, send, blocks, receive, blocks);
  while (!request.test()) {
  }
  EXPECT_FALSE(request.pending());
  request.wait();  // once more: nothing happens
  for (int r = 0; r < p(); ++r) EXPECT_EQ(to_vector(receive)[r], r);
}

TEST_P(Exchange, AllgathervBringsEveryBlockToAll) {
  std::vector<std::int64_t> sizes;
  std::vector<int> expected;
  for (int r = 0; r < p(); ++r) {
    sizes.push_back(r % 3 == 1 ? 0 : 5 * r + 2);
    for (std::int64_t i = 0; i < sizes[r]; ++i) expected.push_back(static_cast<int>(said(r, 0, i)));
  }
  std::vector<int> sent;
  for (std::int64_t i = 0; i < sizes[me()]; ++i) sent.push_back(static_cast<int>(said(me(), 0, i)));
  const auto blocks = consecutive_blocks(sizes);
  const Kokkos::View<int*, Memory> receive("test::receive", expected.size());
  allgatherv(world, space, to_view(sent), sizes[me()], receive, blocks);
  EXPECT_EQ(to_vector(receive), expected);

  // In place: everybody's block is where it belongs already.
  std::vector<int> partly(expected.size(), -1);
  for (std::int64_t i = 0; i < sizes[me()]; ++i) partly[blocks[me()].offset + i] = sent[i];
  const auto in_place = to_view(partly);
  const Kokkos::View<int*, Memory> own =
      Kokkos::subview(in_place, Kokkos::make_pair(blocks[me()].offset, blocks[me()].offset + sizes[me()]));
  allgatherv(world, space, own, sizes[me()], in_place, blocks);
  EXPECT_EQ(to_vector(in_place), expected);
}

TEST_P(Exchange, BroadcastBringsTheRootsArrayToAll) {
  for (int root = 0; root < p(); ++root) {
    std::vector<std::int64_t> values(33);
    std::iota(values.begin(), values.end(), 1000 * me());
    std::vector<std::int64_t> expected(33);
    std::iota(expected.begin(), expected.end(), 1000 * root);
    const auto view = to_view(values);
    broadcast(world, space, view, root);
    EXPECT_EQ(to_vector(view), expected);
  }
}

TEST_P(Exchange, BitwiseOrCombinesAllRanks) {
  std::vector<Word> words(257), expected(257, 0);
  for (int r = 0; r < p(); ++r) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word word = (Word(1) << (i + r) % 32) | (i % (r + 2) == 0 ? 0x80000000u : 0u);
      if (r == me()) words[i] = word;
      expected[i] |= word;
    }
  }
  const auto view = to_view(words);
  Request request = start_bitwise_or(world, space, view);
  request.wait();
  EXPECT_EQ(to_vector(view), expected);
}

TEST_P(Exchange, RanksWaitForOperationsInOrdersOfTheirOwn) {
  // Of every kind and of sizes from nothing to several pieces, more than a transport may keep apart.
  constexpr int count = 24;
  const bool in_small_pieces = GetParam().piece_bytes > 0 && GetParam().piece_bytes < 100;
  const std::int64_t most = in_small_pieces ? 100 : 5000;
  const auto size_of = [most](int k) { return std::int64_t(k) * k * k * 3 % most; };
  std::vector<Kokkos::View<Word*, Memory>> received;
  std::vector<Request> requests;
  for (int k = 0; k < count; ++k) {
    const std::int64_t size = size_of(k);
    const auto blocks = consecutive_blocks(std::vector<std::int64_t>(p(), size));
    const int kind = k % 4;
    std::vector<Word> sent(kind == 0 ? size * p() : size);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = Word(1) << (k + me()) % 32;
    const auto from = to_view(sent);
    received.emplace_back("test::receive", kind < 2 ? size * p() : 0);
    if (kind == 0) requests.push_back(start_alltoallv(world, space, from, blocks, received[k], blocks));
    if (kind == 1) requests.push_back(start_allgatherv(world, space, from, size, received[k], blocks));
    if (kind > 1) received[k] = from;
    if (kind == 2) requests.push_back(start_broadcast(world, space, from, k % p()));
    if (kind == 3) requests.push_back(start_bitwise_or(world, space, from));
  }
  for (int i = 0; i < count; ++i) requests[(5 * i + 7 * me()) % count].wait();
  for (int k = 0; k < count; ++k) {
    const auto values = to_vector(received[k]);
    Word all = 0;
    for (int r = 0; r < p(); ++r) all |= Word(1) << (k + r) % 32;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int sender = static_cast<int>(static_cast<std::int64_t>(i) / size_of(k));
      const Word expected = k % 4 == 3 ? all : Word(1) << (k + (k % 4 == 2 ? k % p() : sender)) % 32;
      ASSERT_EQ(values[i], expected) << "operation " << k << ", word " << i;
    }
  }
}

TEST_P(Exchange, BlocksOutsideOfTheirArrayAreRefused) {
  const Kokkos::View<int*, Memory> view("test::view", 10);
  auto blocks = std::vector<Block>(p(), Block{0, 1});
  blocks[0] = {8, 3};
  EXPECT_THROW(alltoallv(world, space, view, blocks, view, blocks), ArgumentError);
  blocks.pop_back();
  EXPECT_THROW(alltoallv(world, space, view, blocks, view, blocks), ArgumentError);
  EXPECT_THROW(broadcast(world, space, view, p()), ArgumentError);
  world.barrier();
}

/// Every pair of ranks exchanges as much as it is told, and has what the other sent.
template <class SizeBetween>
void expect_exchanged(const Communicator& world, const SizeBetween& size_between) {
  const int p = world.size(), me = world.rank();
  std::vector<std::int64_t> sent_sizes, received_sizes, sent, expected;
  for (int r = 0; r < p; ++r) {
    sent_sizes.push_back(size_between(me, r));
    received_sizes.push_back(size_between(r, me));
    for (std::int64_t i = 0; i < sent_sizes[r]; ++i) sent.push_back(said(me, r, i));
    for (std::int64_t i = 0; i < received_sizes[r]; ++i) expected.push_back(said(r, me, i));
  }
  const Kokkos::View<std::int64_t*, Memory> receive("test::receive", expected.size());
  alltoallv(world, Space(), to_view(sent), consecutive_blocks(sent_sizes), receive, consecutive_blocks(received_sizes));
  EXPECT_EQ(to_vector(receive), expected);
}

TEST_P(Exchange, ShortAndLongBlocksTravelTogether) {
  if (GetParam().piece_bytes > 0) GTEST_SKIP() << "too many pieces";
  // Between ranks of even distance 1 MiB, between others a few words.
  expect_exchanged(world, [](int from, int to) { return (from + to) % 2 == 0 ? std::int64_t(1) << 17 : from + 1; });
}

/// Long blocks may go another way than short ones, and some ranks may have none of them now and then.
TEST_P(Exchange, SomeRanksHaveLongBlocksAndOthersHaveNone) {
  if (GetParam().piece_bytes > 0) GTEST_SKIP() << "too many pieces";
  const std::int64_t is_long = (std::int64_t(1) << 16) + 50;
  for (int pair = 0; pair < p(); ++pair) {
    const auto has_them = [&](int rank) { return rank == pair || rank == (pair + 1) % p(); };
    expect_exchanged(world, [&](int from, int to) {
      return from != to && has_them(from) && has_them(to) ? is_long : from + 2 * to;
    });
    expect_exchanged(world, [&](int from, int to) { return from != to ? is_long : 3; });
  }
}

TEST_P(Exchange, LongMessagesArriveWhole) {
  // Long for MPI, which sends short and long messages in two ways; or many pieces, and a part of one.
  const std::int64_t piece_bytes = GetParam().piece_bytes;
  const std::int64_t size = piece_bytes == 0 ? 30000 : 50 * piece_bytes / 8 + 3;
  std::vector<std::int64_t> sizes(p(), size);
  const auto blocks = consecutive_blocks(sizes);
  std::vector<std::int64_t> sent;
  for (int r = 0; r < p(); ++r) {
    for (std::int64_t i = 0; i < size; ++i) sent.push_back(said(me(), r, i));
  }
  const Kokkos::View<std::int64_t*, Memory> receive("test::receive", size * p());
  alltoallv(world, space, to_view(sent), blocks, receive, blocks);
  const auto values = to_vector(receive);
  for (std::int64_t i = 0; i < size * p(); ++i) {
    ASSERT_EQ(values[i], said(static_cast<int>(i / size), me(), i % size));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Exchange,
    ::testing::Values(Way{"host_staged", make_host_staged_transport, 0},
                      Way{"staging", make_always_staged_transport, 0}, Way{"gpu_aware", make_gpu_aware_transport, 0},
                      Way{"shared", make_shared_transport, 0}, Way{"pieces_of_4", make_host_staged_transport, 4},
                      Way{"pieces_of_1000", make_host_staged_transport, 1000},
                      Way{"staging_in_pieces", make_always_staged_transport, 36},
                      Way{"gpu_aware_in_pieces", make_gpu_aware_transport, 256},
                      Way{"shared_in_pieces_of_4", make_shared_transport, 4},
                      Way{"shared_in_pieces_of_1000", make_shared_transport, 1000}, Way{"nccl", make_nccl_transport, 0},
                      Way{"mixed_of_pairs", make_mixed_of_pairs, 0},
                      Way{"mixed_of_every_other", make_mixed_of_every_other, 0},
                      Way{"mixed_in_pieces_of_20", make_mixed_of_pairs, 20}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace dromos::test
