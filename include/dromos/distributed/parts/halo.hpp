// SPDX-License-Identifier: BSD-3-Clause
// What ranks settle about the vertices that several of them know, so that an algorithm of one source runs on every
// partition: traverse/no_halo.hpp says what algorithms ask, distributed/parts/graph_part.hpp how vertices are numbered.
//
//   sweep      pushes along the edges of this rank. What it changes of a copy goes to the copy's owner; what it changes
//              of a delegate goes to all ranks. They take it as if an edge had offered it, and who changed by that
//              joins where it has rows.
//   spread     values of owners to the copies, before a gather
//   unite      what ranks gathered for a delegate becomes the total on all
//
// The same of bits: spread_bits() and unite_bits().
//
// Only what changed travels (distributed/parts/changed_values.hpp).
//
// An operator for sweep() splits its edge() into three, and says what travels:
//
//   struct PropagateLargest {
//     using Value = std::int64_t;
//     static constexpr bool adds = false;                                  // true: values are parts of a sum
//     bool edge(Vertex u, Vertex v, Offset e) const { return offer(u, v, e) && joins(v); }
//     bool offer(Vertex u, Vertex v, Offset e) const;                      // true: v's value changed
//     bool joins(Vertex v) const;                                          // v, which changed, is swept next
//     Value give(Vertex v) const;                                          // what another rank is to take
//     bool take(Vertex v, Value value) const;                              // true: v's value changed
//   };
//
// Where it does not matter in which sweep a vertex joins, `static constexpr bool any_order = true` lets a rank sweep
// until its own work set is empty before it settles (traverse/until_empty.hpp). Where values travel far and most of
// them are overtaken on the way, urgency(v) says who is to go first: a rank of a CPU that has swept its edges twice
// goes on by one thread, depth-first, the most urgent first, which changes no vertex twice. Where values are distances,
// `static constexpr bool nearest_first = true`: a rank of a CPU whose sweeps stay thin goes on by one thread with a
// heap, the smallest value first, by follow_nearest(heap, graph, is_own), which follows nobody who is another rank's;
// and so does one that has swept most_edges_before_heap(threads) edges.
//
// offer_alone(u, v, e), where there is one, is offer() of a vertex that is away while no other thread sweeps.
//
// joined(u, v), where there is one, is told of those who join by what another rank gave with v for both.
//
// `static constexpr bool announces = true`: the graph is swept by rows that copies have too (that of the part turned
// round), an edge where its end is at home. What changes of a copy is nobody's business then; instead the operator
// tells announcer() of every own vertex that joins, once a run, and its copies join on the ranks that have them
// (distributed/parts/announced_vertices.hpp). Delegates are settled as ever.
//
// Where values are parts of a sum, offer() adds up what is to be given of a vertex that is_away(), and give() begins
// anew; elsewhere a copy keeps the best that was offered here, so that worse is not sent. What there is to give may
// wait for as long as it could change nothing whatever other ranks have to give: an operator with `static constexpr
// bool lets_wait = true` says by waits(v) that there is something, and by may_wait(v) that it may. It is asked when
// something is added, when something is taken, and when sweeps begin.
//
// After the synchronisation of Gluon (R. Dathathri et al., PLDI 2018) and the delegates of Pan et al. 2018.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/nearest_first.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/request.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/gathered_bits.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/distributed/parts/announced_vertices.hpp>
#include <dromos/distributed/parts/changed_values.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/label_few_arcs.hpp>
#include <dromos/distributed/parts/label_on_one_rank.hpp>
#include <dromos/distributed/parts/largest_trees.hpp>
#include <dromos/distributed/parts/merge_components.hpp>
#include <dromos/distributed/parts/part_bits.hpp>
#include <dromos/distributed/parts/part_component_summary.hpp>
#include <dromos/distributed/parts/paths_on_one_rank.hpp>
#include <dromos/distributed/parts/smallest_members.hpp>
#include <dromos/distributed/parts/unite_pieces.hpp>
#include <dromos/distributed/parts/waiting_rows.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/edge_operator.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

/// What kernels ask of the vertices of a part.
template <class Global, class Memory>
struct PartVertices {
  Kokkos::View<const Global*, Memory> numbers;
  Bitmap<Memory> counted;
  Kokkos::View<const Offset*, Memory> delegate_degree, delegate_in_degree;
  LocalVertex first_delegate, first_copy;

  /// Only of vertices with rows.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool counts(Vertex v) const {
    return counted.test(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Global number(Vertex v) const {
    return numbers.data()[v];
  }
  template <class Graph, class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(const Graph& graph, Vertex v) const {
    const Offset here = graph.degree(v);  // delegates have rows, too: asked for before it is known which counts
    return is_shared(v) ? delegate_degree.data()[v - first_delegate] : here;
  }
  template <class Graph, class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset in_degree(const Graph& in_edges, Vertex v) const {
    return is_shared(v) ? delegate_in_degree.data()[v - first_delegate] : in_edges.degree(v);
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool is_shared(Vertex v) const {
    return v >= first_delegate && v < first_copy;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool is_away(Vertex v) const {
    return v >= first_delegate;
  }
};

namespace detail {

template <class Operator, class = void>
struct HasOfferAlone : std::false_type {};
template <class Operator>
struct HasOfferAlone<Operator, std::void_t<decltype(std::declval<const Operator&>().offer_alone(
                                   LocalVertex(0), LocalVertex(0), Offset(0)))>> : std::true_type {};

/// The operator of a sweep on a part: what changes of a vertex that others know is noted.
template <class Operator, class Memory>
struct NoteAway : Operator {
  LocalVertex first_away;
  Bitmap<Memory> changed;

  NoteAway(const Operator& op, LocalVertex first, const Bitmap<Memory>& noted)
      : Operator(op), first_away(first), changed(noted) {}

  KOKKOS_FORCEINLINE_FUNCTION bool edge(LocalVertex u, LocalVertex v, Offset e) const {
    if (!this->offer(u, v, e)) return false;
    if (v < first_away) return this->joins(v);
    if (is_told(v)) changed.set(v - first_away);
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge_alone(LocalVertex u, LocalVertex v, Offset e) const {
    if (v < first_away) return dromos::edge_alone(static_cast<const Operator&>(*this), u, v, e);
    bool offered;
    if constexpr (HasOfferAlone<Operator>::value) {
      offered = this->offer_alone(u, v, e);
    } else {
      offered = this->offer(u, v, e);
    }
    if (offered && is_told(v)) changed.claim_alone(v - first_away);
    return false;
  }
  /// As the operator's own, of vertices that may be away.
  template <class Heap, class Graph>
  Followed follow_nearest(Heap& heap, const Graph& graph) const {
    return Operator::follow_nearest(heap, graph, [&](LocalVertex v) {
      if (v < first_away) return true;
      changed.set(v - first_away);
      return false;
    });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool is_told([[maybe_unused]] LocalVertex v) const {
    if constexpr (LetsWait<Operator>::value) {
      return !this->may_wait(v);
    } else {
      return true;
    }
  }
};

struct AddUpWork : NoWatch {
  SweptByRank sum;
  void swept(const WorkSetSize& work, double) {
    sum.num_vertices += work.num_vertices;
    sum.num_edges += work.num_edges;
  }
};

/// Adds up work, and ends it before a sweep beyond a number of edges.
struct LimitWork : AddUpWork {
  Offset most_edges = std::numeric_limits<Offset>::max();
  bool may_sweep(const WorkSetSize& work) const { return work.num_edges <= most_edges - sum.num_edges; }
};

/// Adds up work, and ends it after some sweeps that one thread could have made as well, or beyond a number of edges.
struct EndThinWork : AddUpWork {
  static constexpr std::int64_t few_sweeps = 64;
  static constexpr Offset few_edges = 256;  // of a sweep
  std::int64_t num_sweeps = 0;
  Offset most_edges = std::numeric_limits<Offset>::max();
  bool may_sweep(const WorkSetSize& work) const {
    if (work.num_edges > most_edges - sum.num_edges) return false;
    return num_sweeps < few_sweeps || sum.num_edges >= num_sweeps * few_edges;
  }
  std::int64_t most_sweeps() const { return few_sweeps; }
  void swept(const WorkSetSize& work, double seconds) {
    AddUpWork::swept(work, seconds);
    ++num_sweeps;
  }
};

template <class Operator, class = void>
struct NearestFirst : std::false_type {};
template <class Operator>
struct NearestFirst<Operator, std::enable_if_t<Operator::nearest_first>> : std::true_type {};

/// From the vertices of `queue` by the calling thread, the smallest value first (algorithms/impl/nearest_first.hpp).
/// Adds up what it goes through.
template <class Graph, class Operator>
void follow_the_nearest(const Graph& graph, const LocalVertex* queue, std::int64_t size, const Operator& op,
                        SweptByRank& work) {
  using Value = typename Operator::Value;
  NearestHeap<Value, LocalVertex> heap;
  for (std::int64_t i = 0; i < size; ++i) heap.emplace(op.give(queue[i]), queue[i]);
  const Followed followed = op.follow_nearest(heap, graph);
  work.num_vertices += followed.num_vertices;
  work.num_edges += followed.num_edges;
  work.num_alone += followed.num_edges;
}

template <class Operator, class = void>
struct HasUrgency : std::false_type {};
template <class Operator>
struct HasUrgency<Operator, std::void_t<decltype(std::declval<const Operator&>().urgency(LocalVertex(0)))>>
    : std::true_type {};

/// From the vertices of `queue`, which it reorders, depth-first by the calling thread; `waiting` has room for all. Adds
/// up what it goes through.
template <class Graph, class Operator>
void follow_the_most_urgent(const Graph& graph, LocalVertex* queue, std::int64_t size, LocalVertex* waiting,
                            const Operator& op, WorkSetSize& work) {
  std::sort(queue, queue + size, [&](LocalVertex a, LocalVertex b) {
    return op.urgency(a) != op.urgency(b) ? op.urgency(a) > op.urgency(b) : a < b;
  });
  for (std::int64_t i = 0; i < size; ++i) {
    std::int64_t num_waiting = 0;
    for (LocalVertex u = queue[i];; u = waiting[--num_waiting]) {
      ++work.num_vertices;
      work.num_edges += graph.degree(u);
      for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
        const LocalVertex v = graph.neighbor(e);
        if (edge_may_join(op, u, v, e) && op.edge(u, v, e)) waiting[num_waiting++] = v;
      }
      if (num_waiting == 0) break;
    }
  }
}

/// An operator that lets nothing wait any longer.
template <class Operator>
struct InAHurry : Operator {
  explicit InAHurry(const Operator& op) : Operator(op) {}
  KOKKOS_FORCEINLINE_FUNCTION bool may_wait(LocalVertex) const { return false; }
};

/// Notes delegates of which something waited that may not any longer.
template <class Operator, class Memory>
struct NoteDue {
  Operator op;
  LocalVertex first_away;
  Bitmap<Memory> changed;
  KOKKOS_FUNCTION void operator()(std::int64_t d) const {
    const auto v = static_cast<LocalVertex>(first_away + d);
    if (op.waits(v) && !op.may_wait(v)) changed.set(static_cast<LocalVertex>(d));
  }
};

/// Takes what came.
template <class Operator, class Sink, class Memory>
struct TakeSettled {
  Operator op;
  Sink sink;
  NoteDue<Operator, Memory> due;
  ArrivedValues<typename Operator::Value, Memory> arrived;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex v = arrived.vertex(i);
    const bool mine = !Operator::adds && arrived.is_mine(i);  // it has that value already
    const bool changed = mine || op.take(v, arrived.items(i).value);
    if constexpr (LetsWait<Operator>::value) {
      if (v >= due.first_away) due(v - due.first_away);
    }
    if (!changed) return;
    if (!op.joins(v)) return;
    sink.enqueue_together(v);
    if constexpr (HasJoined<Operator, LocalVertex>::value) op.joined(v, v);
  }
};

/// Copies that other ranks have announced join.
template <class Sink, class Memory>
struct TakeAnnounced {
  Sink sink;
  Kokkos::View<const LocalVertex*, Memory> joining;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { sink.enqueue_together(joining(i)); }
};

template <class Value, class Memory>
struct PackLent {
  Kokkos::View<const Value*, Memory> values;
  Kokkos::View<const LocalVertex*, Memory> lent;
  Kokkos::View<const LocalVertex*, Memory> place;  // of the value of each vertex; empty: its number
  Kokkos::View<Value*, Memory> packed;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex v = lent.data()[i];
    packed.data()[i] = values.data()[place.data() == nullptr ? v : place.data()[v]];
  }
};

/// Values of copies to their places.
template <class Value, class Memory>
struct PutCopiesInPlace {
  Kokkos::View<const Value*, Memory> arrived;
  Kokkos::View<const LocalVertex*, Memory> place;
  std::int64_t first_copy;
  Kokkos::View<Value*, Memory> values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    values.data()[place.data()[first_copy + i]] = arrived.data()[i];
  }
};

template <class Value, class Memory>
struct CopyToOwners {
  Kokkos::View<const LocalVertex*, Memory> delegated, delegated_as;
  std::int64_t first_delegate;
  Kokkos::View<Value*, Memory> values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    values(delegated(i)) = values(first_delegate + delegated_as(i));
  }
};

}  // namespace detail

/// The halo of one rank's part. Owns buffers, which are reused from call to call. All calls are collective.
template <class Space, class Global>
class Halo {
 public:
  using Memory = typename Space::memory_space;
  static constexpr bool is_whole = false;

  /// \param communicator  outlives the halo, as the part's arrays do
  Halo(const Communicator& communicator, const GraphPart<Global, Memory>& part)
      : communicator_(communicator), part_(part), changes_(communicator, part) {}

  const GraphPart<Global, Memory>& part() const { return part_; }
  const Communicator& communicator() const { return communicator_; }

  PartVertices<Global, Memory> vertices() const {
    return {part_.numbers,
            part_.counted,
            part_.delegate_degree,
            part_.delegate_in_degree,
            static_cast<LocalVertex>(part_.num_own),
            static_cast<LocalVertex>(part_.num_rows())};
  }
  template <class Graph>
  std::int64_t num_vertices(const Graph&) const {
    return part_.num_vertices();
  }
  template <class Graph>
  Offset num_arcs(const Graph&) const {
    return part_.num_arcs;
  }
  template <class Graph>
  std::int64_t num_rows(const Graph&) const {
    return part_.num_rows();
  }
  std::int64_t num_ranks() const { return communicator_.size(); }
  template <class Graph>
  std::int64_t num_settled(const Graph&) const {
    return part_.num_own;
  }
  LocalVertex local(const Space& space, Global v) const { return local_number(space, part_, v); }

  /// Of a run that begins.
  Announcer<Memory> announcer(const Space& space) const {
    if (!announced_) {
      const auto first = detail::first_copies_elsewhere(communicator_, part_);
      on_all_ranks(communicator_, [&] { announced_.emplace(space, part_, first); });
    }
    announced_->begin(space, part_);
    return announced_->announcer();
  }

  template <class T>
  void sum_in_place(T* values, int count) const {
    dromos::sum_in_place(communicator_, values, count);
  }
  template <class T>
  void min_in_place(T* values, int count) const {
    dromos::min_in_place(communicator_, values, count);
  }
  template <class T>
  T sum(T own) const {
    return dromos::sum(communicator_, own);
  }
  template <class T>
  T min(T own) const {
    return dromos::min(communicator_, own);
  }
  template <class T>
  T max(T own) const {
    return dromos::max(communicator_, own);
  }

  /// Element r is rank r's.
  template <class T>
  std::vector<T> gather_each(const T& own) const {
    return dromos::gather_each(communicator_, own);
  }
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) const {
    return gather_values(communicator_, own);
  }

  template <class F>
  void agree(const F& f) const {
    on_all_ranks(communicator_, f);
  }

  /// One sweep from `frontier` to `next`, and everything settled after it. Waits.
  template <class Graph, class Operator>
  void sweep(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& frontier,
             Frontier<LocalVertex, Memory>& next, const Operator& op, const Strategy& strategy) const {
    std::optional<QueueSink<Graph>> sink;
    sweep_frontier(
        space, graph, frontier,
        [&](bool with_prefix_sums) {
          sink = next.open(space, graph, with_prefix_sums);
          return *sink;
        },
        detail::NoteAway<Operator, Memory>(op, first_away(), changes_.changed()), strategy);
    settle(space, op, {}, [&] { return *sink; });
    next.collect(space);
  }

  /// Sweeps from `frontier` until this rank has nobody left to sweep, then everything settled: who joined by that is in
  /// `next`. Waits. \returns what all sweeps of all ranks began with
  template <class Graph, class Operator>
  SweptByRanks sweep_to_the_end(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& frontier,
                                Frontier<LocalVertex, Memory>& next, Operator& op, const Strategy& strategy,
                                SweepFusion<Memory>* fusion) const {
    detail::NoteAway<Operator, Memory> noting(op, first_away(), changes_.changed());
    if constexpr (detail::NearestFirst<Operator>::value && host_accessible<Memory>) {
      detail::EndThinWork work;
      work.most_edges = op.most_edges_before_heap(space.concurrency());
      if (!until_empty(space, graph, frontier, next, noting, strategy, fusion, work)) {
        detail::follow_the_nearest(graph, frontier.queue().data(), frontier.num_vertices(), noting, work.sum);
        begin_next_sweep(noting);
      }
      op = noting;
      return settle_into(space, graph, next, op, work.sum);
    }
    detail::LimitWork work;
    if constexpr (detail::HasUrgency<Operator>::value && host_accessible<Memory>) {
      work.most_edges = 2 * graph.num_edges();
      if (!until_empty(space, graph, frontier, next, noting, strategy, fusion, work)) {
        detail::follow_the_most_urgent(graph, frontier.queue().data(), frontier.num_vertices(), next.queue().data(),
                                       noting, work.sum);
        begin_next_sweep(noting);
      }
    } else {
      until_empty(space, graph, frontier, next, noting, strategy, fusion, work);
    }
    op = noting;
    return settle_into(space, graph, next, op, work.sum);
  }

  /// Tells what an operator let wait; who joins by that is in `next`. Waits. \returns whether anybody had anything to
  /// tell
  template <class Graph, class Operator>
  bool tell_what_waits(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& next,
                       const Operator& op) const {
    if constexpr (detail::LetsWait<Operator>::value) {
      if (part_.num_delegates == 0) return false;
      note_what_is_due(space, detail::InAHurry<Operator>(op));
      return settle_into(space, graph, next, op, {}).num_told > 0;
    }
    return false;
  }
  /// Of what an operator let wait, what may not any longer is told the next time.
  template <class Operator>
  void note_what_is_due(const Space& space, const Operator& op) const {
    if (part_.num_delegates == 0) return;
    Kokkos::parallel_for("dromos::halo::due", range(space, part_.num_delegates),
                         detail::NoteDue<Operator, Memory>{op, first_away(), changes_.changed()});
  }

  /// The same over all vertices.
  template <class Graph, class Operator>
  void sweep_all(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& next, const Operator& op,
                 const Strategy& strategy) const {
    using Noting = detail::NoteAway<Operator, Memory>;
    std::optional<QueueSink<Graph>> sink;
    use_strategy<Space>(strategy, [&](const auto& chosen) {
      sink = next.open(space, graph, std::decay_t<decltype(chosen)>::needs_prefix_sums);
      dromos::sweep(space, graph, AllVertices<Graph>{graph}, *sink, Noting(op, first_away(), changes_.changed()),
                    chosen);
    });
    settle(space, op, {}, [&] { return *sink; });
    next.collect(space);
  }

  /// \param place  where the value of each vertex lies; empty: at its number. Who orders values does so on this rank
  /// alone
  template <class Value>
  void spread(const Space& space, const Kokkos::View<Value*, Memory>& values,
              const Kokkos::View<const LocalVertex*, Memory>& place = {}) const {
    const ScopedRegion region("dromos::halo::spread");
    start_spread(space, values, place).wait();
  }

  /// The same on its way: until wait() nobody reads the copies' values, nor spreads others. Other ranks may call
  /// spread() instead.
  template <class Value>
  [[nodiscard]] Request start_spread(const Space& space, const Kokkos::View<Value*, Memory>& values,
                                     const Kokkos::View<const LocalVertex*, Memory>& place = {}) const {
    const auto packed = pack_lent(space, values, place);
    const std::int64_t longest = longest_of(part_.lent, longest_lent_);
    if (place.data() == nullptr) {
      return start_alltoallv(communicator_, space, packed, part_.lent, values, copies_among_locals(), longest);
    }
    const auto arrived = copies_arrived_.template of<Value>(part_.num_copies);
    return start_alltoallv(communicator_, space, packed, part_.lent, arrived, part_.copies, longest)
        .then([this, space, arrived, place, values] { put_in_place(space, arrived, place, values); });
  }

  /// The rows that wait for what spreads, where it is worth while to go over the others meanwhile; each rank for
  /// itself. Null: spread first. Between GPUs a spread to few is one kernel, and goes faster than two more.
  const detail::WaitingRows<Memory>* waiting_rows(const Space& space) const {
    if (!host_accessible<Memory> || !detail::WaitingRows<Memory>::are_few(part_)) return nullptr;
    if (!waiting_) waiting_.emplace(space, part_);
    return &*waiting_;
  }

  template <class Combine>
  void unite(const Space& space, const Kokkos::View<typename Combine::Value*, Memory>& totals) const {
    using Value = typename Combine::Value;
    const std::int64_t d = part_.num_delegates;
    if (d == 0) return;
    const ScopedRegion region("dromos::halo::unite");
    const Kokkos::View<Value*, Memory> own =
        Kokkos::subview(totals, Kokkos::make_pair(part_.num_own, part_.num_own + d));
    detail::unite_pieces<Combine>(communicator_, space, own, d, arrived_, own);
  }

  /// The size of the longest of these blocks on any rank; looked for once, and then `known`. Collective the first time.
  std::int64_t longest_of(const std::vector<Block>& blocks, std::int64_t& known) const {
    if (known >= 0) return known;
    std::int64_t longest = 0;
    for (const Block& block : blocks) longest = dromos::max(longest, block.size);
    return known = max(longest);
  }

  /// The host waits for neither where the transport does not make it wait.
  void spread_bits(const Space& space, const Bitmap<Memory>& bits) const {
    const ScopedRegion region("dromos::halo::spread_bits");
    using Word = typename Bitmap<Memory>::Word;
    const auto send = detail::bitmap_blocks<Memory>(part_.lent), receive = detail::bitmap_blocks<Memory>(part_.copies);
    const auto end_of = [](const std::vector<Block>& blocks) { return blocks.back().offset + blocks.back().size; };
    const auto packed = bits_sent_.template of<Word>(end_of(send));
    const auto arrived = bits_arrived_.template of<Word>(end_of(receive));
    for (std::size_t r = 0; r < send.size(); ++r) {
      const Block& lent = part_.lent[r];
      if (const auto* const places = lent_places(space, r)) {
        places->gather("dromos::halo::pack_bits", space, bits, packed.data() + send[r].offset);
        continue;
      }
      write_bits("dromos::halo::pack_bits", space, packed.data() + send[r].offset, lent.size,
                 detail::LentBit<Memory>{bits, part_.lent_vertices, lent.offset});
    }
    alltoallv(communicator_, space, packed, send, arrived, receive, longest_of(send, longest_bitmap_));
    for (std::size_t r = 0; r < receive.size(); ++r) {
      copy_bits("dromos::halo::unpack_bits", space, arrived.data() + receive[r].offset, 0, bits.words().data(),
                part_.num_rows() + part_.copies[r].offset, part_.copies[r].size);
    }
  }

  void unite_bits(const Space& space, const Bitmap<Memory>& bits) const {
    if (part_.num_delegates == 0) return;
    const ScopedRegion region("dromos::halo::unite_bits");
    if (delegate_bits_.size() == 0) delegate_bits_ = Bitmap<Memory>(part_.num_delegates, "dromos::halo::delegate_bits");
    copy_bits("dromos::halo::cut_out_bits", space, bits.words().data(), part_.num_own, delegate_bits_.words().data(), 0,
              part_.num_delegates);
    bitwise_or(communicator_, space, delegate_bits_.words());
    copy_bits("dromos::halo::put_back_bits", space, delegate_bits_.words().data(), 0, bits.words().data(),
              part_.num_own, part_.num_delegates);
  }

  std::int64_t count_listed(const Space& space, const Kokkos::View<LocalVertex*, Memory>& list,
                            std::int64_t size) const {
    if (size == 0 || part_.num_delegates == 0) return size;  // delegates alone are in several ranks' lists
    std::int64_t count = 0;
    Kokkos::parallel_reduce("dromos::halo::count_listed", range(space, size),
                            detail::CountCounted<Memory>{list, part_.counted}, count);
    return count;
  }

  std::int64_t count(const Space& space, const Bitmap<Memory>& bits) const {
    std::int64_t own = 0;
    Kokkos::parallel_reduce("dromos::halo::count",
                            range(space, static_cast<std::int64_t>(part_.counted.words().extent(0))),
                            detail::CountCountedBits<Memory>{bits.words(), part_.counted.words()}, own);
    return sum(own);
  }

  /// Of sets of vertices that are called by a member: every vertex of the list gets the number of the smallest member.
  void name_by_smallest(const Space& space, const Kokkos::View<LocalVertex*, Memory>& list, std::int64_t count,
                        const Kokkos::View<Global*, Memory>& name) const {
    detail::name_by_smallest(communicator_, space, part_, list, count, name, smallest_);
  }
  /// The labels that solve() finds on every rank, where few arcs are left (distributed/parts/label_few_arcs.hpp).
  template <class Solve>
  bool label_few_arcs(const Space& space, const CsrView<LocalVertex, Memory>& rows, const Bitmap<Memory>& active,
                      std::int64_t num_active, const Kokkos::View<Global*, Memory>& label, const Solve& solve) const {
    return detail::label_few_arcs(communicator_, space, part_, rows, active, num_active, label, few_arcs_, solve);
  }
  /// Up to so many arcs of all ranks count as few; 0: none ever do. The same on every rank, before the first algorithm.
  void set_few_arcs(std::int64_t most) { few_arcs_.most = most; }

  /// The labels that solve() finds on the first rank (distributed/parts/label_on_one_rank.hpp).
  template <class Solve>
  Offset label_on_one_rank(const Space& space, const CsrView<LocalVertex, Memory>& rows, const Bitmap<Memory>& active,
                           const Kokkos::View<LocalVertex*, Memory>& list, std::int64_t list_size,
                           const Kokkos::View<Global*, Memory>& position, const Kokkos::View<Global*, Memory>& label,
                           const Solve& solve) const {
    return detail::label_on_one_rank(*this, space, rows, active, list, list_size, position, label, labels_, solve);
  }

  /// The distances that Dijkstra's algorithm finds on the first rank (distributed/parts/paths_on_one_rank.hpp).
  template <class Rows, class Distance>
  std::optional<Offset> shorten_on_one_rank(const Space& space, const Rows& rows,
                                            const Kokkos::View<const float*, Memory>& weights,
                                            const Kokkos::View<LocalVertex*, Memory>& waiting, std::int64_t num_waiting,
                                            const Kokkos::View<Distance*, Memory>& distance) const {
    return detail::shorten_on_one_rank(*this, space, rows, weights, waiting, num_waiting, distance);
  }

  /// Values of delegates to the places of the own vertices that they are: [0, num_own) is then what a result is.
  template <class Value>
  void to_owners(const Space& space, const Kokkos::View<Value*, Memory>& values) const {
    Kokkos::parallel_for(
        "dromos::halo::to_owners", range(space, static_cast<std::int64_t>(part_.delegated.extent(0))),
        detail::CopyToOwners<Value, Memory>{part_.delegated, part_.delegated_as, part_.num_own, values});
    fence(space, "dromos::halo::to_owners");
  }

  /// `tree`, a root of this rank's forest, where the trees that the ranks name are of one component; otherwise
  /// no_vertex. (distributed/parts/largest_trees.hpp)
  LocalVertex tree_to_leave_out(const Space& space, const Kokkos::View<LocalVertex*, Memory>& parent, LocalVertex tree,
                                std::int64_t weight) const {
    return detail::agree_on_trees(communicator_, space, part_, {parent}, tree, weight);
  }
  /// label(v) = the smallest vertex number in v's component, from this rank's forest, of which tree_to_leave_out() may
  /// have said `left_out` (distributed/parts/merge_components.hpp).
  void merge_components(const Space& space, const Kokkos::View<LocalVertex*, Memory>& parent, LocalVertex left_out,
                        const Kokkos::View<Global*, Memory>& label) const {
    detail::merge_components(communicator_, space, part_, {parent}, left_out, changes_, merge_, label);
  }
  ComponentSummary summarize_components(const Space& space, const Kokkos::View<Global*, Memory>& label) const {
    return detail::summarize_part_components(communicator_, space, part_, label);
  }

 private:
  /// The own vertices that rank r has copies of, as places in a bitmap, where that is faster than one by one.
  const detail::GatheredBits<Memory>* lent_places([[maybe_unused]] const Space& space,
                                                  [[maybe_unused]] std::size_t r) const {
    if constexpr (host_accessible<Memory> && !is_gpu<Space>) {
      constexpr std::int64_t few_in_a_word = 4;
      const Block& lent = part_.lent[r];
      if (lent.size * Bitmap<Memory>::bits_per_word < few_in_a_word * part_.num_own) return nullptr;
      if (lent_places_.empty()) lent_places_.resize(part_.lent.size());
      auto& places = lent_places_[r];
      if (!places) {
        const Bitmap<Memory> own(part_.num_own, "dromos::halo::lent_places");
        const auto list = Kokkos::subview(part_.lent_vertices, Kokkos::make_pair(lent.offset, lent.offset + lent.size));
        detail::mark_listed("dromos::halo::mark_lent", space, list, lent.size, own);
        places.emplace(space, own);
      }
      return &*places;
    } else {
      return nullptr;
    }
  }
  template <class Value>
  Kokkos::View<Value*, Memory> pack_lent(const Space& space, const Kokkos::View<Value*, Memory>& values,
                                         const Kokkos::View<const LocalVertex*, Memory>& place) const {
    const auto packed = sent_.template of<Value>(static_cast<std::int64_t>(part_.lent_vertices.extent(0)));
    Kokkos::parallel_for("dromos::halo::pack", range(space, static_cast<std::int64_t>(packed.extent(0))),
                         detail::PackLent<Value, Memory>{values, part_.lent_vertices, place, packed});
    return packed;
  }
  std::vector<Block> copies_among_locals() const {
    std::vector<Block> blocks;
    for (const Block& block : part_.copies) blocks.push_back({part_.num_rows() + block.offset, block.size});
    return blocks;
  }
  template <class Value>
  void put_in_place(const Space& space, const Kokkos::View<Value*, Memory>& arrived,
                    const Kokkos::View<const LocalVertex*, Memory>& place,
                    const Kokkos::View<Value*, Memory>& values) const {
    Kokkos::parallel_for("dromos::halo::place_copies", range(space, static_cast<std::int64_t>(arrived.extent(0))),
                         detail::PutCopiesInPlace<Value, Memory>{arrived, place, part_.num_rows(), values});
  }

  static Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> range(const Space& space, std::int64_t size) {
    return {space, 0, size};
  }
  LocalVertex first_away() const { return static_cast<LocalVertex>(part_.num_own); }

  /// Settles after sweeps that left nobody to sweep; who joins by that is in `next`.
  template <class Graph, class Operator>
  SweptByRanks settle_into(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& next,
                           const Operator& op, const SweptByRank& swept) const {
    next.set_counts(0);
    const SweptByRanks all = settle(space, op, swept, [&] { return next.open(space, graph, false); });
    if (all.num_told > 0) next.collect(space);
    return all;
  }

  /// Who called collects what is in the sink next, and waits there; nobody asks for one where nobody told anything.
  ///
  /// \returns what all ranks have swept
  template <class Operator, class OpenSink>
  SweptByRanks settle(const Space& space, const Operator& op, const SweptByRank& swept, const OpenSink& open) const {
    const ScopedRegion region("dromos::halo::settle");
    SweptByRanks all{swept};
    const auto arrived = changes_.exchange(communicator_, space, part_, op, all, announced_ ? &*announced_ : nullptr);
    if (all.num_told == 0) return all;
    const auto sink = open();
    using Sink = std::decay_t<decltype(sink)>;
    if (arrived.size() > 0) {
      Kokkos::parallel_for(
          "dromos::halo::take", as_argument<Space>(range(space, arrived.size())),
          detail::TakeSettled<Operator, Sink, Memory>{op, sink, {op, first_away(), changes_.changed()}, arrived});
    }
    if constexpr (detail::Announces<Operator>::value) {
      Kokkos::parallel_for("dromos::halo::take_announced",
                           range(space, static_cast<std::int64_t>(arrived.joining.extent(0))),
                           detail::TakeAnnounced<Sink, Memory>{sink, arrived.joining});
    }
    return all;
  }

  const Communicator& communicator_;
  GraphPart<Global, Memory> part_;
  mutable detail::ChangedValues<Global, Memory> changes_;
  mutable std::optional<detail::AnnouncedVertices<Space, Global>> announced_;
  mutable detail::ReusedBuffer<Memory> sent_{"dromos::halo::sent"}, arrived_{"dromos::halo::arrived"};
  mutable detail::ReusedBuffer<Memory> copies_arrived_{"dromos::halo::copies_arrived"};
  mutable detail::MergeBuffers<Global, Memory> merge_;
  mutable detail::LabelBuffers<Memory> labels_;
  mutable detail::FewArcs<Global, Memory> few_arcs_;
  /// Of their own: kernels may still be at them when others are asked for.
  mutable detail::ReusedBuffer<Memory> bits_sent_{"dromos::halo::bits_sent"},
      bits_arrived_{"dromos::halo::bits_arrived"};
  mutable std::int64_t longest_lent_ = -1;    ///< vertices that a rank lends another; not known yet
  mutable std::int64_t longest_bitmap_ = -1;  ///< words of their bits
  mutable std::vector<std::optional<detail::GatheredBits<Memory>>> lent_places_;  ///< by rank, once asked for
  mutable Bitmap<Memory> delegate_bits_;
  mutable Kokkos::View<Global*, Memory> smallest_;
  mutable std::optional<detail::WaitingRows<Memory>> waiting_;
};

}  // namespace dromos
