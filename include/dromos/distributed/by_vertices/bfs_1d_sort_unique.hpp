// SPDX-License-Identifier: BSD-3-Clause
// All neighbors of the frontier in one array, sorted and made unique before anything is sent: Mastrostefano 2013,
// Section 4.3. His steps, and what they are here:
//
//   A  degrees of the frontier, prefix sum        Frontier::ensure_prefix_sums()
//   B  one thread a neighbor, by binary search    the sweep of ManhattanGlobal, whose operator writes neighbor number i
//                                                 of the frontier to place i
//   C  sort and unique, parents as payload        vertex and parent in one 64-bit key, sort_by_key(), one scan
//   D  exchange, and enqueue what is new          the key's vertex is a block id, so that sorted is sorted by owner
//
//   frontier 0 1 with neighbors 9 4 | 4 7    keys 9|0 4|0 4|1 7|1    sorted 4|0 4|1 7|1 9|0    unique 4|0 7|1 9|0
//
// Memory of a rank: 16 bytes for each edge of its largest frontier, up to all of its edges.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_state.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>
#include <vector>

namespace dromos::detail {

/// The operator: writes each neighbor, with the vertex that it was found from, to its place in the array of all.
template <class Vertex, class Memory>
struct ListNeighbors {
  BlockIds<Vertex> ids;
  Kokkos::View<Offset*, Memory> shift;  // by local number: where its neighbors go, less where its edges begin
  Kokkos::View<std::uint64_t*, Memory> keys;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const std::uint32_t from = ids.local(u);
    keys.data()[shift.data()[from] + e] = static_cast<std::uint64_t>(v) << ids.bits() | from;
    return false;
  }
};

template <class Vertex, class Memory>
struct SetShifts {
  QueueWork<Vertex, Memory> work;
  LocalRows<Vertex, Memory> rows;
  BlockIds<Vertex> ids;
  Kokkos::View<Offset*, Memory> shift;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex u = work.vertex(i);
    shift(ids.local(u)) = work.prefix_sums(i) - rows.begin(u);
  }
};

/// Where the neighbors of each vertex of the frontier go.
template <class Space, class Vertex, class Memory>
void set_shifts(const Space& space, const QueueWork<Vertex, Memory>& work, const LocalRows<Vertex, Memory>& rows,
                const BlockIds<Vertex>& ids, const Kokkos::View<Offset*, Memory>& shift) {
  for_range("dromos::bfs_1d::shifts", space, work.size(), SetShifts<Vertex, Memory>{work, rows, ids, shift});
}

template <class Memory>
struct FindFirstOfOwner {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  std::int64_t size;
  int shift;
  Kokkos::View<std::int64_t*, Memory> begin;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    std::int64_t low = 0;
    for (std::int64_t high = size; low < high;) {
      const std::int64_t middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(keys(middle) >> shift) < r) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    begin(r) = low;
  }
};

/// begin(r) = the first of `size` sorted keys whose vertex rank r owns, or a later rank; begin(num_ranks) = size.
template <class Space, class Vertex, class Memory>
void find_owners(const Space& space, const Kokkos::View<std::uint64_t*, Memory>& keys, std::int64_t size,
                 const BlockIds<Vertex>& ids, const Kokkos::View<std::int64_t*, Memory>& begin) {
  for_range("dromos::bfs_1d::owners", space, begin.extent(0),
            FindFirstOfOwner<Memory>{keys, size, 2 * ids.bits(), begin});
}

template <class Vertex, class Memory>
struct KeyToPair {
  Kokkos::View<std::uint64_t*, Memory> keys;
  BlockIds<Vertex> ids;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::uint64_t mask = (std::uint64_t(1) << ids.bits()) - 1;
    keys(i) =
        pack_pair(static_cast<std::uint32_t>(keys(i) >> ids.bits() & mask), static_cast<std::uint32_t>(keys(i) & mask));
  }
};

/// Keys become what goes over the wire.
template <class Space, class Vertex, class Memory>
void keys_to_pairs(const Space& space, const Kokkos::View<std::uint64_t*, Memory>& keys, std::int64_t size,
                   const BlockIds<Vertex>& ids) {
  for_range("dromos::bfs_1d::pairs", space, size, KeyToPair<Vertex, Memory>{keys, ids});
}

template <class Space, class Vertex>
class SortUniqueExpansion : public Bfs1dExpansion<Space, Vertex> {
 public:
  using Memory = typename Space::memory_space;
  using State = Bfs1dState<Space, Vertex>;
  using Words = Kokkos::View<std::uint64_t*, Memory>;

  explicit SortUniqueExpansion(const State& state)
      : shift_("dromos::bfs_1d::shift", state.graph.num_local()),
        begin_("dromos::bfs_1d::begin", state.communicator.size() + 1) {
    const auto& ids = state.graph.ids;
    num_bits_ = 2 * ids.bits();
    while ((std::int64_t(1) << (num_bits_ - 2 * ids.bits())) < ids.num_ranks()) ++num_bits_;
    if (num_bits_ > 64) {
      throw ArgumentError("sort-unique: vertex and parent take " + std::to_string(num_bits_) +
                          " bits here, and a key has 64; use relabelled-bitmask, or more ranks");
    }
  }

  void start(State&) override {}

  void expand(State& state, Bfs1dLevel& level) override {
    const Space& space = state.space;
    const auto& ids = state.graph.ids;
    const int num_ranks = state.communicator.size();
    const Offset num_neighbors = state.frontier.num_edges();
    SortBuffers<std::uint64_t, Memory> keys{piece(keys_, num_neighbors), piece(spare_, num_neighbors)};

    if (num_neighbors > 0) {
      state.frontier.ensure_prefix_sums(space, state.view);
      set_shifts(space, state.frontier.work(), state.view, ids, shift_);
      sweep(space, state.view, state.frontier.work(), NoSink{},
            ListNeighbors<Vertex, Memory>{ids, shift_, keys.current}, ManhattanGlobal{});
    }
    SortBuffers<char, Memory> nothing;
    sort_by_key(space, keys, nothing, num_bits_);
    const std::int64_t num_kept = keep_first_of_each(space, keys.current, ids.bits(), keys.spare);
    find_owners(space, keys.spare, num_kept, ids, begin_);
    keys_to_pairs(space, keys.spare, num_kept, ids);
    const auto begin = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), begin_);
    std::vector<std::int64_t> counts;
    for (int r = 0; r < num_ranks; ++r) counts.push_back(begin(r + 1) - begin(r));

    // Blocks that this rank keeps are read where they are.
    const Block own{begin(state.graph.rank), counts[state.graph.rank]};
    counts[state.graph.rank] = 0;
    std::vector<Block> leaving;
    for (int r = 0; r < num_ranks; ++r) leaving.push_back({begin(r), counts[r]});
    const auto arriving = consecutive_blocks(exchange_counts(state.communicator, counts));
    const Words inbox = piece(inbox_, total_size(arriving));
    Request request = start_alltoallv(state.communicator, space, keys.spare, leaving, inbox, arriving);

    const auto claim = state.claim();
    const auto sink = state.next.open(space, state.view, true);
    const auto enqueue = [&](const Words& words, const Block& block, int rank, ArrivalNote note) {
      enqueue_claimed(space, sink, ClaimReceived<Vertex, Memory>{claim},
                      ArrivedWords{words.data() + block.offset, block.size, rank, 1, num_ranks}, note);
    };
    constexpr ArrivalNote note_own = note_sent;  // which nothing else counts here
    enqueue(keys.spare, own, state.graph.rank, note_own);
    request.wait();
    for (int r = 0; r < num_ranks; ++r) enqueue(inbox, arriving[r], r, note_enqueued);
    state.next.collect(space);
    level.enqueued_local = state.next.note(note_own);
    level.enqueued_received = state.next.note(note_enqueued);
    level.local_vertices = own.size;
    level.sent = total_size(leaving);
    level.received = total_size(arriving);
  }

 private:
  /// The first `size` elements of an array that grows when it has to.
  static Words piece(Words& words, std::int64_t size) {
    if (static_cast<std::int64_t>(words.extent(0)) < size) {
      words = Words();
      words = uninitialized<std::uint64_t, Memory>("dromos::bfs_1d::neighbors", size + size / 4);
    }
    return Kokkos::subview(words, Kokkos::make_pair(std::int64_t(0), size));
  }

  Kokkos::View<Offset*, Memory> shift_;
  Kokkos::View<std::int64_t*, Memory> begin_;
  Words keys_, spare_, inbox_;
  int num_bits_ = 0;
};

}  // namespace dromos::detail
