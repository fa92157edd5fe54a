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
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/by_degree/delegate_visits.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/normal_outbox.hpp>
#include <dromos/distributed/by_degree/vertex_delivery.hpp>
#include <dromos/distributed/moving/count_by_rank.hpp>
#include <dromos/distributed/moving/enqueue_claimed.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/moving/streamed_words.hpp>
#include <dromos/distributed/moving/vertex_pairs.hpp>
#include <dromos/traverse/frontier.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace dromos::detail {

/// For enqueue_claimed(): what another rank found.
template <class Vertex, class Results>
struct ClaimPosted {
  Results results;
  Partition1d partition;

  KOKKOS_FORCEINLINE_FUNCTION LocalVertex operator()(int rank, std::uint64_t pair) const {
    const auto v = static_cast<LocalVertex>(vertex_of_pair(pair));
    if (!results.visited.set(v)) return no_vertex<LocalVertex>;
    results.write(v, static_cast<Vertex>(partition.global_id(rank, parent_of_pair(pair))));
    return v;
  }
};

template <class Space, class Vertex>
class NormalExchange {
 public:
  using Memory = typename Space::memory_space;

  /// \param uniquify  a vertex is sent once in a search: a bit for each vertex of the graph
  /// \param nodes     deliver through these (distributed/by_degree/vertex_delivery.hpp)
  NormalExchange(const Communicator& communicator, const Space& space, const GraphDelegate<Vertex, Memory>& graph,
                 bool uniquify, std::optional<NodeGrid> nodes)
      : communicator_(communicator),
        cursors_("dromos::bfs_delegate::cursor", static_cast<std::size_t>(communicator.size())),
        gathered_(communicator.size()),
        delivery_(communicator, nodes),
        streamed_(communicator, std::numeric_limits<std::int64_t>::max()) {  // a vertex may come several times
    auto sizes = count_by_rank(space, graph.normal.to_normal, graph.ids);    // ranks counted from this one on
    sizes[0] = 0;                                                            // own vertices are not sent
    regions_ = consecutive_blocks(sizes);
    pairs_ = uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::outbox", room());
    outbox_.pairs = gathered_.outbox(pairs_.data(), cursors_.cursors());
    if (uniquify) outbox_.posted = Bitmap<Memory>(graph.ids.size(), "dromos::bfs_delegate::posted");
  }

  const NormalOutbox<Memory>& outbox() const { return outbox_; }
  /// The most that a search can send from this rank.
  std::int64_t room() const { return total_size(regions_); }

  /// What delivering through nodes cost so far.
  CommCount cost() const { return delivery_.cost(); }
  bool goes_through_nodes() const { return delivery_.goes_through_nodes(); }

  /// Before a search.
  void start(const Space& space) {
    if (outbox_.posted.size() != 0) fill(space, outbox_.posted.words(), typename Bitmap<Memory>::Word(0));
    if (nothing_sent_) return;
    sent_ = regions_;
    for (Block& block : sent_) block.size = 0;
    cursors_.put_behind(space, sent_);
    nothing_sent_ = true;
  }

  /// Sends what was posted since the last time; returns how many vertices, or -1: the kernels know, and receive()
  /// tells.
  ///
  /// \param most  what is posted for one rank at most, the same on every rank
  std::int64_t send(const Space& space, std::int64_t most) {
    const int p = communicator_.size();
    most_streamed_ = !goes_through_nodes() && streamed_.take(most) ? most : -1;
    if (most_streamed_ >= 0) return -1;  // and the cursors are as before afterwards
    nothing_sent_ = false;
    gathered_.put_down(space, outbox_.pairs);
    sent_ = cursors_.written_behind(space, sent_);
    std::vector<Block> leaving(static_cast<std::size_t>(p));
    for (int away = 0; away < p; ++away) leaving[(communicator_.rank() + away) % p] = sent_[away];
    delivery_.start(space, pairs_, leaving);
    return total_size(leaving);
  }

  /// Enqueues that what the others sent is claimed; waits for it, unless the kernels do. sink.notes() say how much was
  /// sent and received, where send() did not.
  ///
  /// \param results  visited, and write(vertex, parent)
  template <class Results, class Sink>
  void receive(const Space& space, const Results& results, const Sink& sink, const Partition1d& partition) {
    const int p = communicator_.size();
    const ClaimPosted<Vertex, Results> claim{results, partition};
    if (most_streamed_ >= 0) {
      streamed_.travel(space, pairs_.data(), cursors_.cursors(), sent_, true, most_streamed_, sink.notes() + note_sent);
      enqueue_claimed(space, sink, claim, streamed_.arrived());
      return;
    }
    delivery_.wait();
    for (int r = 0; r < p; ++r) {
      const Block& block = delivery_.arriving()[r];
      enqueue_claimed(space, sink, claim, ArrivedWords{delivery_.inbox().data() + block.offset, block.size, r, 1, p});
    }
  }

  void count_streamed(std::int64_t num_sent, std::int64_t num_received) const {
    streamed_.count(num_sent, num_received);
  }

 private:
  const Communicator& communicator_;
  RankCursorsOwner<Space> cursors_;
  GatheredItems<Space, std::uint64_t> gathered_;
  VertexDelivery<Space> delivery_;
  StreamedWords<Space> streamed_;
  std::int64_t most_streamed_ = -1;
  std::vector<Block> regions_;
  Kokkos::View<std::uint64_t*, Memory> pairs_;
  NormalOutbox<Memory> outbox_;
  std::vector<Block> sent_;    // by rank counted from this one: what was sent last
  bool nothing_sent_ = false;  // the cursors are where the regions begin
};

}  // namespace dromos::detail
