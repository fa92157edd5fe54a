// SPDX-License-Identifier: BSD-3-Clause
// A set of edges without which a graph has no cycle, as small as a heuristic makes it: where transport sweeps, or
// whoever else has to follow the edges, cut the cycles. The smallest such set is NP-hard to find.
//
// Only edges inside strongly connected components can be on a cycle. The vertices of all components are put in order
// from both ends, and the edges that lead back are the set:
//
//   choose    vertices that lose least at the front: more edges out of them than into them, and the most of all their
//             neighbors. Edges into them lead back
//   sources   whoever has no edge into it any more comes next at the front, sinks next at the back: nothing is lost
//
//   0 -> 1 -> 2 -> 0, 0 -> 2     0 is chosen: front 0 1 2; 2 -> 0 leads back
//
// Differences of degrees count by their powers of two, and among equal ones random bits decide, so that in each round a
// large part of the best vertices is chosen, none beside another. Who chooses one vertex at a time, the best of all,
// cuts fewer edges (impl/feedback_serial.hpp): so rounds are for what would take one thread long, and the rest is
// finished on the host.
//
// Since no chosen vertex has more edges into it than out of it, and those of a round do not touch each other, at most
// half of the edges inside components are in the set. Nothing depends on races: the set is that of graph and options.
//
// Source: P. Eades, X. Lin, W. F. Smyth, "A fast and effective heuristic for the feedback arc set problem", IPL 1993
// (one vertex of largest difference at a time); W. Hasenplaugh, T. Kaler, T. B. Schardl, C. E. Leiserson, "Ordering
// heuristics for parallel graph coloring", SPAA 2014 (powers of two and random bits, for few rounds).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/chosen_vertices.hpp>
#include <dromos/algorithms/impl/feedback_serial.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

struct FeedbackOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Of the random bits that decide between vertices of about the same difference.
  std::uint64_t seed = 1;
  /// Vertices on cycles that one host thread orders, better than rounds would: on a random graph of 3 edges a
  /// vertex it cuts a quarter less. It takes about 0.5 us an edge. 0: rounds to the end.
  std::int64_t serial_cutoff = std::int64_t(1) << 20;
};

struct FeedbackStatistics {
  std::int64_t num_edges = 0;   ///< in the set
  Offset num_inside = 0;        ///< edges inside components, self loops left out: what could be on a cycle
  std::int64_t num_rounds = 0;  ///< of choosing many vertices at once
  double seconds = 0;
};

namespace detail {

/// Item u is row u: its edges to other vertices of its component.
template <class Vertex, class Memory>
struct InsideArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> component;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex v = graph.neighbor(e);
    if (u != v && component(u) == component(v)) f(u, v, e);
  }
};

/// Item u is row u: its edges that are not marked.
template <class Vertex, class Memory>
struct UnmarkedArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Bitmap<Memory> marked;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    if (!marked.test(e)) f(u, graph.neighbor(e), e);
  }
};

/// Of two neighbors without a place, the one of the smaller key is not chosen. Keys differ.
template <class Vertex, class Memory>
struct BeatNeighbors {
  Kokkos::View<const Vertex*, Memory> place;
  Kokkos::View<const std::uint64_t*, Memory> key;
  Bitmap<Memory> beaten;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (place.data()[v] == no_vertex<Vertex>) beaten.set(key.data()[u] < key.data()[v] ? u : v);
    return false;
  }
};

/// u has its place: v has one edge less from that side, and with the last one gone it gets the next place there. Who
/// takes the last edge is one alone, and vertices that have their place elsewhere are left alone.
template <class Vertex, class Memory>
struct TakeEdges {
  Kokkos::View<Vertex*, Memory> place;
  Kokkos::View<Vertex*, Memory> count;
  Vertex next_place;
  Vertex step;  ///< 1 at the front, -1 at the back

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    return atomic_fetch_add(&count.data()[v], Vertex(-1)) == 1 && place.data()[v] == no_vertex<Vertex>;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex, Vertex v) const { place.data()[v] = next_place; }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { next_place += step; }
};

template <class Vertex, class Memory>
struct MarkBackward {
  Kokkos::View<const Vertex*, Memory> component, place;
  Bitmap<Memory> marked;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    if (u == v || (component.data()[u] == component.data()[v] && place.data()[u] > place.data()[v])) marked.set(e);
    return false;
  }
};

template <class Vertex, class Memory>
struct HasEdgesInside {
  CsrView<Vertex, Memory> inside;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return inside.degree(v) > 0; }
};

template <class Vertex, class Memory>
struct HasNoPlace {
  Kokkos::View<const Vertex*, Memory> place;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return place(v) == no_vertex<Vertex>; }
};

template <class Vertex, class Memory>
struct IsUnbeaten {
  Kokkos::View<const std::uint64_t*, Memory> key;
  Bitmap<Memory> beaten;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return key(v) >> 57 != 0 && !beaten.test(v); }
};

template <class Vertex, class Memory>
struct WriteBothDegrees {
  CsrView<Vertex, Memory> inside, reversed;
  Kokkos::View<Vertex*, Memory> num_in, num_out;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    num_out(v) = static_cast<Vertex>(inside.degree(static_cast<Vertex>(v)));
    num_in(v) = static_cast<Vertex>(reversed.degree(static_cast<Vertex>(v)));
  }
};

template <class Vertex, class Memory>
struct WriteFeedbackKeys {
  Kokkos::View<const Vertex*, Memory> list, num_in, num_out;
  std::uint64_t seed, mask;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = list(i);
    std::uint64_t power = 0;
    if (num_out(v) >= num_in(v)) {
      for (Vertex rest = num_out(v) - num_in(v) + 1; rest > 0; rest /= 2) ++power;
    }
    const std::uint64_t id = static_cast<std::uint64_t>(v);
    key(v) = power << 57 | (((random_bits(seed, id) >> 7) & ~mask) | id);
  }
};

/// Puts the vertices of all components in order; memory of one call.
template <class Space, class Vertex, class Memory>
class FeedbackOrder {
 public:
  using Ids = Kokkos::View<Vertex*, Memory>;

  /// \param inside  the edges inside components alone, and turned round
  FeedbackOrder(const Space& space, const CsrGraph<Vertex, Memory>& inside, const CsrGraph<Vertex, Memory>& reversed,
                const FeedbackOptions& options)
      : space_(space),
        inside_graph_(inside),
        reversed_graph_(reversed),
        inside_(inside.view()),
        reversed_(reversed.view()),
        options_(options),
        left_(inside.num_vertices(), inside.num_edges()),
        chosen_(inside.num_vertices(), inside.num_edges()),
        frontier_(inside.num_vertices(), inside.num_edges()),
        next_(inside.num_vertices(), inside.num_edges()),
        beaten_(inside.num_vertices(), "dromos::feedback::beaten") {
    const auto n = static_cast<std::size_t>(inside.num_vertices());
    for (Ids* const ids : {&place_, &num_in_, &num_out_}) ensure_size(*ids, n, "dromos::feedback::order");
    ensure_size(key_, n, "dromos::feedback::key");
  }

  /// By vertex: an edge inside a component leads back where this is greater at its source. no_vertex outside.
  const Ids& place() const { return place_; }

  /// Returns the number of rounds.
  std::int64_t find() {
    begin();
    Vertex front = 0, back = std::numeric_limits<Vertex>::max();
    std::int64_t num_rounds = 0;
    for (; left_.num_vertices() > options_.serial_cutoff; ++num_rounds) {
      choose(front);
      TakeEdges<Vertex, Memory> sources{place_, num_in_, static_cast<Vertex>(front + 1), 1};
      TakeEdges<Vertex, Memory> sinks{place_, num_out_, back, -1};
      peel(inside_, sources);
      peel(reversed_, sinks);
      front = sources.next_place;
      back = sinks.next_place;
      keep_chosen(space_, inside_, left_, frontier_, HasNoPlace<Vertex, Memory>{place_});
      std::swap(left_, frontier_);
    }
    if (!left_.empty()) finish_serially(front, back);
    return num_rounds;
  }

  void finish_serially(Vertex front, Vertex back) {
    fence(space_, "dromos::feedback::serial");
    const auto place = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), place_);
    const auto list = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), left_.queue());
    SerialFeedbackOrder<Vertex>(copy_to<Kokkos::HostSpace>(inside_graph_), copy_to<Kokkos::HostSpace>(reversed_graph_),
                                place)
        .order(list.data(), left_.num_vertices(), front, back);
    Kokkos::deep_copy(place_, place);
  }

  /// left_: everybody in a component of several vertices, with all its edges.
  void begin() {
    fill(space_, place_, no_vertex<Vertex>);
    for_range("dromos::feedback::degrees", space_, inside_.num_vertices(),
              WriteBothDegrees<Vertex, Memory>{inside_, reversed_, num_in_, num_out_});
    start_with(space_, inside_, left_, HasEdgesInside<Vertex, Memory>{inside_});
  }

  /// chosen_: those of left_ that no neighbor beats; they get the next place at the front. One at least: differences
  /// add up to 0, so that the largest is not below it, and of the largest keys one is the largest.
  void choose(Vertex front) {
    const std::uint64_t seed = options_.seed;
    std::uint64_t ids = 1;
    while (ids < static_cast<std::uint64_t>(inside_.num_vertices())) ids = 2 * ids;
    const std::uint64_t mask = ids - 1;
    clear(space_, beaten_);
    for_range("dromos::feedback::keys", space_, left_.num_vertices(),
              WriteFeedbackKeys<Vertex, Memory>{left_.queue(), num_in_, num_out_, seed, mask, key_});
    sweep_frontier(
        space_, inside_, left_, [](bool) { return NoSink{}; }, BeatNeighbors<Vertex, Memory>{place_, key_, beaten_},
        options_.strategy);
    keep_chosen(space_, inside_, left_, chosen_, IsUnbeaten<Vertex, Memory>{key_, beaten_});
    store_listed("dromos::feedback::place", space_, chosen_.queue(), chosen_.num_vertices(), place_, front);
  }

  /// The chosen vertices, and then whoever lost its last edge, take their edges away.
  void peel(const CsrView<Vertex, Memory>& along, TakeEdges<Vertex, Memory>& take) {
    chosen_.set_counts(chosen_.num_vertices());  // what it knew was about the other direction
    traverse(space_, along, chosen_, frontier_, take, options_.strategy);
    begin_next_sweep(take);
    until_empty(space_, along, frontier_, next_, take, options_.strategy, &fusion_);
  }

 private:
  const Space space_;
  const CsrGraph<Vertex, Memory> inside_graph_, reversed_graph_;
  const CsrView<Vertex, Memory> inside_, reversed_;
  const FeedbackOptions options_;
  Frontier<Vertex, Memory> left_, chosen_, frontier_, next_;
  SweepFusion<Memory> fusion_;
  Bitmap<Memory> beaten_;
  Ids place_, num_in_, num_out_;
  Kokkos::View<std::uint64_t*, Memory> key_;
};

template <class Memory>
struct CountBits {
  BitmapWords<Memory> words;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum) const { sum += population_count(words(w)); }
};

/// The members of a set, ascending. Waits.
template <class Space, class Memory>
std::int64_t list_members(const Space& space, const Bitmap<Memory>& set, Kokkos::View<Offset*, Memory>& list) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const auto words = set.words();
  const auto num_words = static_cast<std::int64_t>(words.extent(0));
  std::int64_t count = 0;
  reduce_range("dromos::feedback::count", space, num_words, CountBits<Memory>{words}, count);
  ensure_size(list, static_cast<std::size_t>(count), "dromos::feedback::edges");
  Kokkos::parallel_scan("dromos::feedback::list", Range(space, 0, num_words),
                        WriteDifference<Offset, Memory>{words, {}, true, 0, list});
  fence(space, "dromos::feedback::list");
  return count;
}

}  // namespace detail

/// Finds a set of edges without which the graph has no cycle.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    directed, with or without self loops, which are in the set, and parallel edges. Of an undirected one
///                 a direction of each edge is
/// \param edges    out: positions of the edges in the adjacency array, ascending; resized
/// \param options  strategy, seed
///
/// Cost: strongly connected components; then, over the edges inside them, the serial finish, about 0.5 us an edge,
/// or where they are too many for it a pass over what is left for each round: 5 rounds on a random graph of 2^20
/// vertices, 800 on a Kronecker graph of scale 18, whose degrees differ much. Memory of the call: the graph's
/// transpose, what is inside components twice, and about 12 ids a vertex. Waits.
template <class Space, class Vertex, class Memory>
FeedbackStatistics feedback_edges(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                  Kokkos::View<Offset*, Memory>& edges, const FeedbackOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::feedback_edges");
  const Kokkos::Timer timer;
  FeedbackStatistics statistics;
  const std::int64_t n = graph.num_vertices();
  SccResult<Vertex, Memory> components;
  {
    SccScratch<Vertex, Memory> scratch(graph, transpose(space, graph));
    SccOptions scc_options;
    scc_options.strategy = options.strategy;
    scc(space, scratch, components, scc_options);
  }
  CsrGraph<Vertex, Memory> inside;
  detail::build_rows(space, n, detail::InsideArcs<Vertex, Memory>{graph.view(), components.component},
                     Kokkos::View<const float*, Memory>(), {}, inside);
  statistics.num_inside = inside.num_edges();
  detail::FeedbackOrder<Space, Vertex, Memory> order(space, inside, transpose(space, inside), options);
  statistics.num_rounds = order.find();
  const Bitmap<Memory> marked(graph.num_edges(), "dromos::feedback::marked");
  traverse_all(space, graph.view(), detail::MarkBackward<Vertex, Memory>{components.component, order.place(), marked},
               options.strategy);
  statistics.num_edges = detail::list_members(space, marked, edges);
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/feedback_edges.cpp.
extern template FeedbackStatistics feedback_edges(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<Offset*, Kokkos::DefaultExecutionSpace::memory_space>&, const FeedbackOptions&);
extern template FeedbackStatistics feedback_edges(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<Offset*, Kokkos::DefaultExecutionSpace::memory_space>&, const FeedbackOptions&);

/// The graph without some of its edges, rows sorted; directed.
///
/// \param edges  positions in the adjacency array, as feedback_edges() gives them
/// Cost: building the graph once more.
template <class Space, class Vertex, class Memory>
CsrGraph<Vertex, Memory> without_edges(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                       const Kokkos::View<Offset*, Memory>& edges) {
  const Bitmap<Memory> marked(graph.num_edges(), "dromos::without_edges::marked");
  detail::mark_listed("dromos::without_edges::mark", space, edges, edges.extent(0), marked);
  fence(space, "dromos::without_edges::mark");
  CsrGraph<Vertex, Memory> rest;
  detail::build_rows(space, graph.num_vertices(), detail::UnmarkedArcs<Vertex, Memory>{graph.view(), marked},
                     Kokkos::View<const float*, Memory>(graph.weights), {}, rest);
  return rest;
}

}  // namespace dromos
