// SPDX-License-Identifier: BSD-3-Clause
// A maximum matching of a bipartite graph: as many edges as possible of which no two share an end. Of the pattern of a
// matrix, the rows and columns that can be paired so that the diagonal has no zero.
//
//   rows a b c, columns x y; a-x b-x b-y c-y     a-x b-y, and c stays without a mate
//
// Start, after Karp and Sipser: a vertex with one free neighbor left is matched with it, which no maximum matching
// regrets; its neighbor then is one free neighbor less for others. What that leaves is matched greedily.
//
// Then phases, after Hopcroft and Karp: from all free rows at once, a search alternates between edges to unseen columns
// and the matched edges back to rows. Every column belongs to the tree that saw it first. A tree that finds a free
// column stops growing; trees have no vertex in common, so that their augmenting paths are all turned round at once. A
// phase in which no tree finds one proves the matching maximum (Berge).
//
// Which of several maximum matchings it is depends on races; their number of edges does not.
//
// Source: R. M. Karp, M. Sipser, "Maximum matching in sparse random graphs", FOCS 1981; J. E. Hopcroft, R. M. Karp, "An
// n^(5/2) algorithm for maximum matchings in bipartite graphs", 1973; A. Azad, A. Buluc, A. Pothen, "Computing maximum
// cardinality matchings in parallel on bipartite graphs via tree-grafting", IEEE TPDS 2017 (one tree of each free
// vertex).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/chosen_vertices.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <string>
#include <type_traits>

namespace dromos {

/// Rows are vertices 0 .. num_rows - 1, column j is vertex num_rows + j; every edge joins a row and a column, and is
/// stored in both directions.
template <class Vertex, class Memory>
struct BipartiteGraph {
  CsrGraph<Vertex, Memory> graph;
  Vertex num_rows = 0;

  Vertex num_columns() const { return graph.num_vertices() - num_rows; }
};

namespace detail {

/// Both arcs of each entry of a matrix: `entries` is a source of arcs (graph/arcs.hpp) from rows to columns.
template <class Arcs, class Vertex>
struct BipartiteArcs {
  Arcs entries;
  Vertex num_rows;

  KOKKOS_FUNCTION Offset size() const { return entries.size(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const Vertex first_column = num_rows;
    entries.arcs(i, [&f, first_column](Vertex row, Vertex column, Offset w) {
      f(row, first_column + column, w);
      f(first_column + column, row, w);
    });
  }
};

template <class Vertex>
void check_bipartite_size(Vertex num_rows, Vertex num_columns) {
  if (num_rows < 0 || num_columns < 0 ||
      std::int64_t(num_rows) > max_num_vertices<Vertex> - std::int64_t(num_columns)) {
    throw ArgumentError("a matrix of " + std::to_string(num_rows) + " rows and " + std::to_string(num_columns) +
                        " columns has no graph with ids of this width");
  }
}

/// The bipartite graph of a source of entries, all of which are inside the matrix. Throws ArgumentError when the sizes
/// do not fit the ids.
template <class Memory, class Space, class Vertex, class Arcs>
BipartiteGraph<Vertex, Memory> build_bipartite(const Space& space, Vertex num_rows, Vertex num_columns,
                                               const Arcs& entries) {
  check_bipartite_size(num_rows, num_columns);
  BipartiteGraph<Vertex, Memory> bipartite;
  bipartite.num_rows = num_rows;
  bipartite.graph.directed = false;
  RowOptions options;
  options.remove_duplicates = true;
  build_rows(space, std::int64_t(num_rows) + num_columns, BipartiteArcs<Arcs, Vertex>{entries, num_rows},
             Kokkos::View<const float*, Memory>(), options, bipartite.graph);
  fence(space, "dromos::bipartite_graph");
  return bipartite;
}

template <class Vertex, class Memory>
struct CountOutsideMatrix {
  Kokkos::View<const Vertex*, Memory> row, column;
  Vertex num_rows, num_columns;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& bad) const {
    bad += row(i) < 0 || row(i) >= num_rows || column(i) < 0 || column(i) >= num_columns;
  }
};

}  // namespace detail

/// The bipartite graph of the entries of a matrix: edge i of the list is the entry in row source(i), column target(i).
///
/// \param entries  num_vertices is not looked at; entries that are listed again count once
/// \throws ArgumentError when an entry is outside the matrix, or the sizes do not fit the ids
template <class Space, class Vertex, class Memory>
BipartiteGraph<Vertex, Memory> bipartite_graph(const Space& space, Vertex num_rows, Vertex num_columns,
                                               const EdgeList<Vertex, Memory>& entries) {
  detail::check_bipartite_size(num_rows, num_columns);
  const auto row = entries.source;
  const auto column = entries.target;
  Offset num_bad = 0;
  reduce_range("dromos::bipartite_graph::check", space, entries.num_edges(),
               detail::CountOutsideMatrix<Vertex, Memory>{row, column, num_rows, num_columns}, num_bad);
  if (num_bad > 0) {
    throw ArgumentError(std::to_string(num_bad) + " entries are outside the matrix of " + std::to_string(num_rows) +
                        " rows and " + std::to_string(num_columns) + " columns, both numbered from 0");
  }
  return detail::build_bipartite<Memory>(space, num_rows, num_columns,
                                         detail::EdgeListArcs<Vertex, Memory>{row, column, false, false});
}

struct MatchingOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Karp-Sipser and greedy before the phases; without it the phases find everything.
  bool start = true;
};

struct MatchingStatistics {
  std::int64_t num_matched = 0;  ///< edges: the structural rank of the matrix
  std::int64_t num_started = 0;  ///< of them, before the first phase
  std::int64_t num_phases = 0;
  double seconds = 0;
};

namespace detail {

/// One sweep takes, the next one loses, in turn.
///
/// Takes: u has one free neighbor at most: it is v, and u takes it. A neighbor for which u is the only one as well
/// takes u at the same time; then both write the same pair. Loses: u has been taken: v has one free neighbor less, and
/// is next when it has one left.
template <class Vertex, class Memory>
struct TakeOnlyNeighbor {
  Kokkos::View<Vertex*, Memory> mate;
  Kokkos::View<Offset*, Memory> num_free;
  bool takes = true;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return !takes || atomic_load(&mate.data()[v]) == no_vertex<Vertex>;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (!takes) return atomic_fetch_add(&num_free.data()[v], Offset(-1)) == 2 && mate.data()[v] == no_vertex<Vertex>;
    return Kokkos::atomic_compare_exchange(&mate.data()[v], Vertex(no_vertex<Vertex>), u) == Vertex(no_vertex<Vertex>);
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const {
    if (takes) atomic_store(&mate.data()[u], v);
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { takes = !takes; }
};

/// A free row takes a free column. Who finds, with the column in hand, that another thread has found the row a mate,
/// gives it back.
template <class Vertex, class Memory>
struct TakeFreeColumn {
  Kokkos::View<Vertex*, Memory> mate;
  Vertex num_rows;
  KOKKOS_FORCEINLINE_FUNCTION bool is_free(Vertex v) const { return atomic_load(&mate.data()[v]) == no_vertex<Vertex>; }
  KOKKOS_FORCEINLINE_FUNCTION bool begin(Vertex u) const { return u < num_rows && is_free(u); }
  KOKKOS_FORCEINLINE_FUNCTION bool done(Vertex u) const { return !is_free(u); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (!is_free(v) || !is_free(u)) return false;
    if (Kokkos::atomic_compare_exchange(&mate.data()[v], Vertex(no_vertex<Vertex>), u) != Vertex(no_vertex<Vertex>))
      return false;
    if (Kokkos::atomic_compare_exchange(&mate.data()[u], Vertex(no_vertex<Vertex>), v) != Vertex(no_vertex<Vertex>)) {
      atomic_store(&mate.data()[v], no_vertex<Vertex>);
    }
    return false;
  }
};

/// One step of all trees: an unseen column joins the tree of u, and if it has a mate, that goes on from there.
template <class Vertex, class Memory>
struct GrowTrees {
  Kokkos::View<const Vertex*, Memory> mate;
  Kokkos::View<Vertex*, Memory> parent;  ///< by column: the row that saw it
  Kokkos::View<Vertex*, Memory> root;    ///< by row: of its tree
  Kokkos::View<Vertex*, Memory> leaf;    ///< by root: a free column. Several of a tree write it: any will do

  KOKKOS_FORCEINLINE_FUNCTION bool begin(Vertex u) const {
    return atomic_load(&leaf.data()[root.data()[u]]) == no_vertex<Vertex>;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return atomic_load(&parent.data()[v]) == no_vertex<Vertex>;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (Kokkos::atomic_compare_exchange(&parent.data()[v], Vertex(no_vertex<Vertex>), u) != Vertex(no_vertex<Vertex>))
      return false;
    if (mate.data()[v] != no_vertex<Vertex>) return true;
    atomic_store(&leaf.data()[root.data()[u]], v);
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vertex joining(Vertex, Vertex v) const { return mate.data()[v]; }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const { root.data()[mate.data()[v]] = root.data()[u]; }
};

template <class Vertex, class Memory>
struct HasOneFreeNeighbor {
  Kokkos::View<const Offset*, Memory> num_free;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return num_free(v) == 1; }
};

template <class Vertex, class Memory>
struct IsFreeRow {
  Kokkos::View<const Vertex*, Memory> mate;
  Vertex num_rows;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return v < num_rows && mate(v) == no_vertex<Vertex>; }
};

/// A matching that may be extended, from vertices with one free neighbor and then greedily.
template <class Space, class Vertex, class Memory>
void start_matching(const Space& space, const BipartiteGraph<Vertex, Memory>& bipartite,
                    const Kokkos::View<Vertex*, Memory>& mate, Frontier<Vertex, Memory>& frontier,
                    Frontier<Vertex, Memory>& next, SweepFusion<Memory>& fusion, const Strategy& strategy) {
  const auto graph = bipartite.graph.view();
  const std::int64_t n = graph.num_vertices();
  const Kokkos::View<Offset*, Memory> num_free("dromos::matching::num_free", static_cast<std::size_t>(n));
  write_degrees("dromos::matching::degrees", space, graph, num_free);
  start_with(space, graph, frontier, HasOneFreeNeighbor<Vertex, Memory>{num_free});
  TakeOnlyNeighbor<Vertex, Memory> take{mate, num_free};
  until_empty(space, graph, frontier, next, take, strategy, &fusion);
  traverse_all(space, graph, TakeFreeColumn<Vertex, Memory>{mate, bipartite.num_rows}, strategy);
}

template <class Vertex, class Memory>
struct AugmentPath {
  Kokkos::View<Vertex*, Memory> mate;
  Kokkos::View<const Vertex*, Memory> parent, leaf;
  KOKKOS_FUNCTION void operator()(std::int64_t root, std::int64_t& sum) const {
    Vertex column = leaf(root);
    if (column == no_vertex<Vertex>) return;
    ++sum;
    while (column != no_vertex<Vertex>) {
      const Vertex row = parent(column);
      const Vertex before = mate(row);  // none at the root, where the path ends
      mate(row) = column;
      mate(column) = row;
      column = before;
    }
  }
};

/// Turns the path of every tree that has one round; returns how many had.
template <class Space, class Vertex, class Memory>
std::int64_t augment(const Space& space, Vertex num_rows, const Kokkos::View<Vertex*, Memory>& mate,
                     const Kokkos::View<Vertex*, Memory>& parent, const Kokkos::View<Vertex*, Memory>& leaf) {
  std::int64_t num_paths = 0;
  reduce_range("dromos::matching::augment", space, num_rows, AugmentPath<Vertex, Memory>{mate, parent, leaf},
               num_paths);
  return num_paths;
}

template <class Space, class Vertex, class Memory>
std::int64_t count_matched(const Space& space, Vertex num_rows, const Kokkos::View<Vertex*, Memory>& mate) {
  return num_rows - count_equal("dromos::matching::count", space, mate, num_rows, no_vertex<Vertex>);
}

template <class Vertex, class Memory>
struct StartTrees {
  Kokkos::View<const Vertex*, Memory> queue;
  Kokkos::View<Vertex*, Memory> root;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { root(queue(i)) = queue(i); }
};

}  // namespace detail

/// Finds a maximum matching.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    see BipartiteGraph; not checked for edges inside one of its sides
/// \param mate     out: by vertex of the graph, the vertex it is matched with or no_vertex; sized on first use
/// \param options  strategy, start
/// \throws ArgumentError when the graph is directed or has fewer vertices than rows
///
/// Cost: every edge about three times for the start, and at most once in each phase, of which there are few dozens
/// mostly. Memory of the call: about 7 ids a vertex.
template <class Space, class Vertex, class Memory>
MatchingStatistics maximum_matching(const Space& space, const BipartiteGraph<Vertex, Memory>& graph,
                                    Kokkos::View<Vertex*, Memory>& mate, const MatchingOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::maximum_matching");
  const std::int64_t n = graph.graph.num_vertices();
  if (graph.num_rows < 0 || graph.num_rows > n) {
    throw ArgumentError("maximum_matching: " + std::to_string(graph.num_rows) + " rows in a graph of " +
                        std::to_string(n) + " vertices");
  }
  if (graph.graph.directed && n > 0) {
    throw ArgumentError("maximum_matching: the graph is directed; make it by bipartite_graph()");
  }
  detail::ensure_size(mate, static_cast<std::size_t>(n), "dromos::matching::mate");
  MatchingStatistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::maximum_matching::start");

  const Kokkos::Timer timer;
  const auto view = graph.graph.view();
  const Offset num_edges = graph.graph.num_edges();
  Frontier<Vertex, Memory> frontier(n, num_edges), next(n, num_edges);
  fill(space, mate, no_vertex<Vertex>);
  SweepFusion<Memory> fusion;
  if (options.start) detail::start_matching(space, graph, mate, frontier, next, fusion, options.strategy);
  statistics.num_started = statistics.num_matched = detail::count_matched(space, graph.num_rows, mate);
  Kokkos::View<Vertex*, Memory> parent, root, leaf;
  for (auto* ids : {&parent, &root, &leaf}) {
    detail::ensure_size(*ids, static_cast<std::size_t>(n), "dromos::matching::trees");
  }
  for (std::int64_t num_paths = 1; num_paths > 0; ++statistics.num_phases) {
    const ScopedRegion phase("dromos::maximum_matching::phase");
    fill(space, parent, no_vertex<Vertex>);
    fill(space, leaf, no_vertex<Vertex>);
    detail::start_with(space, view, frontier, detail::IsFreeRow<Vertex, Memory>{mate, graph.num_rows});
    for_range("dromos::matching::roots", space, frontier.num_vertices(),
              detail::StartTrees<Vertex, Memory>{frontier.queue(), root});
    detail::GrowTrees<Vertex, Memory> grow{mate, parent, root, leaf};
    until_empty(space, view, frontier, next, grow, options.strategy, &fusion);
    num_paths = detail::augment(space, graph.num_rows, mate, parent, leaf);
    statistics.num_matched += num_paths;
  }
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/maximum_matching.cpp.
extern template MatchingStatistics maximum_matching(
    const Kokkos::DefaultExecutionSpace&,
    const BipartiteGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const MatchingOptions&);
extern template MatchingStatistics maximum_matching(
    const Kokkos::DefaultExecutionSpace&,
    const BipartiteGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const MatchingOptions&);

}  // namespace dromos
