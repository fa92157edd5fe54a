// SPDX-License-Identifier: BSD-3-Clause
// Normal vertices on their way to their owners, and the question back who found them (Pan et al. 2018, Section V-B).
//
// A level ends with send(): what the sweep over nn posted travels, 4 bytes a vertex
// (distributed/by_degree/vertex_delivery.hpp). The receiver claims what is new and notes as parent which of all the
// vertices it ever received it was:
//
//   parent(v) = -2 - i      v was number i that this rank received in this search
//
// At the end resolve() replaces these notes: by a delegate one level up, where the vertex has one, without a word to
// anybody; otherwise the sender is asked. Few are left to ask for, because a vertex between the hubs of a scale-free
// graph mostly has a delegate parent, too: that is what the paper predicts of the cost of building the tree.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
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
#include <limits>
#include <optional>
#include <vector>

namespace dromos::detail {

template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex note_received(std::int64_t number) {
  return static_cast<Vertex>(-2 - number);
}
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION bool is_note(Vertex parent) {
  return parent < no_vertex<Vertex>;
}
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t received_number(Vertex parent) {
  return -2 - static_cast<std::int64_t>(parent);
}

/// Claims what was received as numbers first_number .. of this search, and enqueues what is new.
template <class Space, class Vertex, class Memory, class Sink>
DROMOS_OF_EACH_SOURCE void claim_received(const Space& space, const NormalResults<Vertex, Memory>& results,
                                          const Sink& sink, const Kokkos::View<std::uint32_t*, Memory>& received,
                                          std::int64_t size, std::int64_t first_number) {
  if (size == 0) return;
  Kokkos::parallel_for(
      "dromos::bfs_delegate::claim_received",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size), KOKKOS_LAMBDA(const std::int64_t i) {
        const auto v = static_cast<LocalVertex>(received(i));
        if (!results.visited.set(v)) return;
        results.write(v, note_received<Vertex>(first_number + i));
        sink.enqueue(v);
      });
}

/// For each own vertex with a note that has a visited delegate one level up: that delegate is its parent. Returns how
/// many notes are left.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE std::int64_t take_delegate_parents(const Space& space,
                                                         const SubgraphView<LocalVertex, Memory>& nd,
                                                         const Kokkos::View<const Vertex*, Memory>& delegate_global,
                                                         const Kokkos::View<const Level*, Memory>& delegate_level,
                                                         const Kokkos::View<Vertex*, Memory>& parent,
                                                         const Kokkos::View<Level*, Memory>& level) {
  std::int64_t num_left = 0;
  Kokkos::parallel_reduce(
      "dromos::bfs_delegate::take_delegate_parents",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0,
                                                                  static_cast<std::int64_t>(parent.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& left) {
        if (!is_note(parent(i))) return;
        const auto v = static_cast<LocalVertex>(i);
        for (Offset e = nd.begin(v); e < nd.end(v); ++e) {
          const LocalVertex delegate = nd.neighbor(e);
          if (delegate_level(delegate) == level(i) - 1) {
            parent(i) = delegate_global(delegate);
            return;
          }
        }
        ++left;
      },
      num_left);
  return num_left;
}

/// A question: whose child is the vertex that you sent me as number `number`?
struct ParentQuestion {
  std::uint32_t number;  // in the asked rank's region for the asker
  std::uint32_t vertex;  // the asker's local number, for itself
};

/// The notes, sorted by the rank to ask. Item i is own vertex i.
template <class Vertex, class Memory>
struct QuestionsByRank {
  Kokkos::View<const Vertex*, Memory> parent;
  // Of each block received, in order: number of its first vertex; its sender, and how many that one had sent before.
  Kokkos::View<const std::int64_t*, Memory> first_number;
  Kokkos::View<const std::int64_t*, Memory> sent_before;
  Kokkos::View<const std::int32_t*, Memory> sender;

  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(parent.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    if (!is_note(parent.data()[i])) return;
    const std::int64_t number = received_number(parent.data()[i]);
    std::int64_t low = 0;  // the last block whose first number is not above
    for (std::int64_t high = static_cast<std::int64_t>(first_number.extent(0)); high - low > 1;) {
      const std::int64_t middle = low + (high - low) / 2;
      if (first_number.data()[middle] <= number) {
        low = middle;
      } else {
        high = middle;
      }
    }
    f(sender.data()[low],
      ParentQuestion{static_cast<std::uint32_t>(sent_before.data()[low] + number - first_number.data()[low]),
                     static_cast<std::uint32_t>(i)});
  }
};

/// answers(i) = the vertex that number questions(i) of the region was found from.
template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE void answer_questions(const Space& space, const Kokkos::View<ParentQuestion*, Memory>& questions,
                                            Block block, std::int64_t region,
                                            const Kokkos::View<std::uint32_t*, Memory>& from,
                                            const Kokkos::View<std::uint32_t*, Memory>& answers) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::answer",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, block.offset, block.offset + block.size),
      KOKKOS_LAMBDA(const std::int64_t i) { answers(i) = from(region + questions(i).number); });
}

template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void take_answers(const Space& space, const Kokkos::View<ParentQuestion*, Memory>& questions,
                                        Block block, int rank, const Partition1d& partition,
                                        const Kokkos::View<std::uint32_t*, Memory>& answers,
                                        const Kokkos::View<Vertex*, Memory>& parent) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::take_answers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, block.offset, block.offset + block.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        parent(questions(i).vertex) = static_cast<Vertex>(partition.global_id(rank, answers(i)));
      });
}

template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE void posts_to_keys(const Space& space, const NormalOutbox<Memory>& outbox, Block block,
                                         const Kokkos::View<std::uint64_t*, Memory>& keys) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::post_keys",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, block.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        keys(i) = pack_pair(outbox.vertex(block.offset + i), outbox.from(block.offset + i));
      });
}

template <class Space, class Memory>
DROMOS_OF_EACH_SOURCE void keys_to_posts(const Space& space, const Kokkos::View<std::uint64_t*, Memory>& keys,
                                         std::int64_t size, const NormalOutbox<Memory>& outbox, std::int64_t offset) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::key_posts", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        outbox.vertex(offset + i) = vertex_of_pair(keys(i));
        outbox.from(offset + i) = parent_of_pair(keys(i));
      });
}

/// Sorts the posts of a block by vertex and keeps the first of each; returns how many are left.
template <class Space, class Memory>
std::int64_t unique_posts(const Space& space, const NormalOutbox<Memory>& outbox, Block block) {
  SortBuffers<std::uint64_t, Memory> keys{
      uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::keys", block.size),
      uninitialized<std::uint64_t, Memory>("dromos::bfs_delegate::keys", block.size)};
  SortBuffers<char, Memory> nothing;
  posts_to_keys(space, outbox, block, keys.current);
  sort_by_key(space, keys, nothing, 64);
  const std::int64_t num_kept = keep_first_of_each(space, keys.current, 32, keys.spare);
  keys_to_posts(space, keys.spare, num_kept, outbox, block.offset);
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
    const std::int64_t room = total_size(regions_);
    outbox_ = {uninitialized<std::uint32_t, Memory>("dromos::bfs_delegate::outbox", room),
               uninitialized<std::uint32_t, Memory>("dromos::bfs_delegate::outbox_from", room), cursors_.cursors()};
  }

  const NormalOutbox<Memory>& outbox() const { return outbox_; }
  /// The most that a search can send from this rank.
  std::int64_t room() const { return total_size(regions_); }

  /// What delivering through nodes cost so far.
  CommCount cost() const { return delivery_.cost(); }
  bool goes_through_nodes() const { return delivery_.goes_through_nodes(); }

  /// Vertices that came from other ranks in this search.
  std::int64_t num_received() const { return num_received_; }

  /// Before a search.
  void start(const Space& space) {
    sent_ = regions_;
    for (Block& block : sent_) block.size = 0;
    cursors_.put_behind(space, sent_);
    num_received_ = 0;
    first_number_.clear();
    sent_before_.clear();
    sender_.clear();
    received_from_.assign(static_cast<std::size_t>(communicator_.size()), 0);
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
    delivery_.start(space, outbox_.vertex, leaving);
    return total_size(leaving);
  }

  /// Waits for what the others sent, and claims it.
  template <class Sink>
  void receive(const Space& space, const NormalResults<Vertex, Memory>& results, const Sink& sink) {
    delivery_.wait();
    const std::vector<Block>& arrived = delivery_.arriving();
    const std::int64_t size = total_size(arrived);
    if (num_received_ + size > std::int64_t(std::numeric_limits<Vertex>::max()) - 2) {
      throw Error("one rank received more vertices in a search than ids of this width can number; use 64-bit ids");
    }
    claim_received(space, results, sink, delivery_.inbox(), size, num_received_);
    std::vector<int> senders;  // in the order in which their blocks lie
    for (int r = 0; r < communicator_.size(); ++r) {
      if (arrived[r].size > 0) senders.push_back(r);
    }
    std::sort(senders.begin(), senders.end(), [&](int r, int s) { return arrived[r].offset < arrived[s].offset; });
    for (const int r : senders) {
      first_number_.push_back(num_received_ + arrived[r].offset);
      sent_before_.push_back(received_from_[r]);
      sender_.push_back(r);
      received_from_[r] += arrived[r].size;
    }
    num_received_ += size;
  }

  /// Replaces the notes that are left by parents. Returns how many vertices were asked for. Collective.
  std::int64_t resolve(const Space& space, const Partition1d& partition, const Kokkos::View<Vertex*, Memory>& parent) {
    const int p = communicator_.size();
    const auto questions = sort_by_rank<ParentQuestion>(
        space, p,
        QuestionsByRank<Vertex, Memory>{parent, to_memory(first_number_), to_memory(sent_before_), to_memory(sender_)});
    std::vector<std::int64_t> counts;
    for (const Block& block : questions.blocks) counts.push_back(block.size);
    const auto asked = consecutive_blocks(exchange_counts(communicator_, counts));
    const auto to_answer = uninitialized<ParentQuestion, Memory>("dromos::bfs_delegate::questions", total_size(asked));
    alltoallv(communicator_, space, questions.items, questions.blocks, to_answer, asked);
    const auto given = uninitialized<std::uint32_t, Memory>("dromos::bfs_delegate::given", total_size(asked));
    for (int r = 0; r < p; ++r) {
      const int away = (r - communicator_.rank() + p) % p;
      answer_questions(space, to_answer, asked[r], regions_[away].offset, outbox_.from, given);
    }
    const auto answers =
        uninitialized<std::uint32_t, Memory>("dromos::bfs_delegate::answers", total_size(questions.blocks));
    alltoallv(communicator_, space, given, asked, answers, questions.blocks);
    for (int r = 0; r < p; ++r)
      take_answers(space, questions.items, questions.blocks[r], r, partition, answers, parent);
    fence(space, "dromos::bfs_delegate::resolve");
    return total_size(questions.blocks);
  }

 private:
  template <class T>
  static Kokkos::View<const T*, Memory> to_memory(const std::vector<T>& values) {
    const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(values.data(),
                                                                                                  values.size());
    const auto copy =
        uninitialized<T, Memory>("dromos::bfs_delegate::blocks", static_cast<std::int64_t>(values.size()));
    Kokkos::deep_copy(copy, host);
    return copy;
  }

  const Communicator& communicator_;
  bool uniquify_;
  RankCursorsOwner<Space> cursors_;
  VertexDelivery<Space> delivery_;
  std::vector<Block> regions_;
  NormalOutbox<Memory> outbox_;
  std::vector<Block> sent_;  // by rank counted from this one: what was sent last
  // Of what was received in this search.
  std::int64_t num_received_ = 0;
  std::vector<std::int64_t> first_number_, sent_before_, received_from_;
  std::vector<std::int32_t> sender_;
};

}  // namespace dromos::detail
