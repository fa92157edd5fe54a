// SPDX-License-Identifier: BSD-3-Clause
// What kernels put down for other ranks (distributed/moving/outbox.hpp).
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/outbox.hpp>
#include <vector>

namespace dromos {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Out = detail::Outbox<std::uint64_t, Memory>;

constexpr int most_ranks = 16;

/// Items 0, p, 2 p, ... are for rank 0, and so on; each says whose it is and its number.
struct PutDown {
  Out outbox;
  int num_ranks;
  std::uint64_t sender;
  std::int64_t room[most_ranks];

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const int rank = static_cast<int>(i % num_ranks);
    if (i / num_ranks >= room[rank]) return;
    put_into(outbox, rank, sender << 32 | static_cast<std::uint64_t>(i));
  }
  template <class AnyOutbox>
  static KOKKOS_FUNCTION void put_into(const AnyOutbox& outbox, int rank, std::uint64_t item) {
    if constexpr (host_accessible<Memory>) {
      outbox.on_thread().put(rank, item);
    } else {
      outbox.put(rank, item);
    }
  }
};

TEST(OutboxExchange, WhatThreadsPutDownArrivesWhole) {
  const Communicator world(MPI_COMM_WORLD);
  const int p = world.size();
  ASSERT_LE(p, most_ranks);
  PutDown put{{}, p, static_cast<std::uint64_t>(world.rank()), {}};
  std::vector<std::int64_t> room;
  for (int r = 0; r < p; ++r) room.push_back(put.room[r] = 20000 + 7 * r);  // never whole batches
  detail::OutboxExchange<Space, std::uint64_t> exchange(world, room);
  for (int turn = 0; turn < 2; ++turn) {
    exchange.empty(Space());
    put.outbox = exchange.outbox();
    Kokkos::parallel_for("put_down", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, p * 21000), put);
    const std::vector<Block> leaving = exchange.close(Space());
    for (int r = 0; r < p; ++r) EXPECT_EQ(leaving[r].size, room[r]) << "to rank " << r;
    exchange.start(Space());
    exchange.wait();
    const auto inbox = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), exchange.inbox());
    for (int r = 0; r < p; ++r) {
      const Block& block = exchange.arriving()[r];
      ASSERT_EQ(block.size, room[world.rank()]) << "from rank " << r;
      std::vector<std::uint64_t> items(inbox.data() + block.offset, inbox.data() + block.offset + block.size);
      std::sort(items.begin(), items.end());
      for (std::int64_t k = 0; k < block.size; ++k) {
        const auto number = static_cast<std::uint64_t>(k * p + world.rank());
        ASSERT_EQ(items[k], static_cast<std::uint64_t>(r) << 32 | number) << "from rank " << r;
      }
    }
  }
}

}  // namespace
}  // namespace dromos
