// SPDX-License-Identifier: BSD-3-Clause
// Normal vertices on their way to their owners (Pan et al. 2018, Section V-B).
//
// A level ends with send(): what the sweep over nn posted travels (distributed/by_degree/vertex_delivery.hpp), each
// vertex with the one that it was found from, 8 bytes. The receiver claims what is new.
//
// The paper sends 4 bytes a vertex and has parents found out at the end, by a pass over all vertices and a question for
// those without a delegate one level up. Few normal edges cross ranks, so that the pass costs more than the bytes: 0.9
// of 3.2 ms (two H200s, Kronecker 24).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_degree/delegate_visits.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/normal_outbox.hpp>
#include <dromos/distributed/by_degree/vertex_delivery.hpp>
#include <dromos/distributed/moving/count_by_rank.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/moving/vertex_pairs.hpp>
#include <dromos/traverse/frontier.hpp>
#include <optional>
#include <vector>

namespace dromos::detail {

/// Claims what rank `sender` found, and enqueues what is new.
template <class Space, class Vertex, class Memory, class Sink>
DROMOS_OF_EACH_SOURCE void claim_received(const Space& space, const NormalResults<Vertex, Memory>& results,
                                          const Sink& sink, const Kokkos::View<std::uint64_t*, Memory>& received,
                                          Block block, int sender, const Partition1d& partition) {
  if (block.size == 0) return;
  Kokkos::parallel_for(
      "dromos::bfs_delegate::claim_received",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, block.offset, block.offset + block.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const std::uint64_t pair = received(i);
        const auto v = static_cast<LocalVertex>(vertex_of_pair(pair));
        if (!results.visited.set(v)) return;
        results.write(v, static_cast<Vertex>(partition.global_id(sender, parent_of_pair(pair))));
        sink.enqueue(v);
      });
}

/// Sorts the posts of a block by vertex and keeps the first of each; returns how many are left.
template <class Space, class Memory>
std::int64_t unique_posts(const Space& space, const NormalOutbox<Memory>& outbox, Block block) {
  SortBuffers<std::uint64_t, Memory> keys{
      uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::keys", block.size),
      uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::keys", block.size)};
  SortBuffers<char, Memory> nothing;
  const Kokkos::View<std::uint64_t*, Memory> posts =
      Kokkos::subview(outbox.pairs, Kokkos::make_pair(block.offset, block.offset + block.size));
  Kokkos::deep_copy(space, keys.current, posts);
  sort_by_key(space, keys, nothing, 64);
  const std::int64_t num_kept = keep_first_of_each(space, keys.current, 32, posts);
  return num_kept;
}

template <class Space, class Vertex>
class NormalExchange {
 public:
  using Memory = typename Space::memory_space;

  /// \param nodes  deliver through these (distributed/by_degree/vertex_delivery.hpp)
  NormalExchange(const Communicator& communicator, const Space& space, const GraphDelegate<Vertex, Memory>& graph,
                 bool uniquify, std::optional<NodeGrid> nodes)
      : communicator_(communicator),
        uniquify_(uniquify),
        cursors_("dromos::bfs_delegate::cursor", static_cast<std::size_t>(communicator.size())),
        delivery_(communicator, nodes) {
    auto sizes = count_by_rank(space, graph.normal.to_normal, graph.ids);  // ranks counted from this one on
    sizes[0] = 0;                                                          // own vertices are not sent
    regions_ = consecutive_blocks(sizes);
    outbox_ = {uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::outbox", room()), cursors_.cursors()};
  }

  const NormalOutbox<Memory>& outbox() const { return outbox_; }
  /// The most that a search can send from this rank.
  std::int64_t room() const { return total_size(regions_); }

  /// What delivering through nodes cost so far.
  CommCount cost() const { return delivery_.cost(); }
  bool goes_through_nodes() const { return delivery_.goes_through_nodes(); }

  /// Before a search.
  void start(const Space& space) {
    sent_ = regions_;
    for (Block& block : sent_) block.size = 0;
    cursors_.put_behind(space, sent_);
  }

  /// Sends what was posted since the last time; returns how many vertices.
  std::int64_t send(const Space& space) {
    const int p = communicator_.size();
    sent_ = cursors_.written_behind(space, sent_);
    std::vector<Block> leaving(static_cast<std::size_t>(p));
    bool changed = false;
    for (int away = 0; away < p; ++away) {
      Block& block = sent_[away];
      if (uniquify_ && block.size > 1) {
        const std::int64_t before = block.size;
        block.size = unique_posts(space, outbox_, block);
        changed = changed || block.size != before;
      }
      leaving[(communicator_.rank() + away) % p] = block;
    }
    if (changed) cursors_.put_behind(space, sent_);
    delivery_.start(space, outbox_.pairs, leaving);
    return total_size(leaving);
  }

  /// Waits for what the others sent, and claims it.
  template <class Sink>
  void receive(const Space& space, const NormalResults<Vertex, Memory>& results, const Sink& sink,
               const Partition1d& partition) {
    delivery_.wait();
    for (int r = 0; r < communicator_.size(); ++r) {
      claim_received(space, results, sink, delivery_.inbox(), delivery_.arriving()[r], r, partition);
    }
  }

 private:
  const Communicator& communicator_;
  bool uniquify_;
  RankCursorsOwner<Space> cursors_;
  VertexDelivery<Space> delivery_;
  std::vector<Block> regions_;
  NormalOutbox<Memory> outbox_;
  std::vector<Block> sent_;  // by rank counted from this one: what was sent last
};

}  // namespace dromos::detail
