// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of a distributed graph as an ordinary graph: rows of local numbers, on which every algorithm of
// algorithms/ runs, with a halo (distributed/parts/halo.hpp) that settles what ranks know of each other's vertices.
//
//   [0, num_own)                   own vertices, as the partition numbers them on this rank
//   then num_delegates             delegates, alike on every rank: vertices of many edges, of which each rank has some
//   then the copies                vertices of others that an own edge points at, by owner; they have no rows
//
//   3 ranks, 9 vertices, no delegates; rank 0 owns 0 3 6 with edges 0-1 0-5 3-1 6-8
//   local      0 1 2   3 | 4 5        rows   0: 3 4    1: 3    2: 5
//   vertex     0 3 6   1 | 5 8
//
// A graph distributed by vertices has no delegates; one separated by degree has: rows of own vertices begin with them,
// those of most edges first, so that who looks at a few edges looks at the most useful ones, and rows of delegates with
// three own vertices, then delegates. Own vertices that are
// delegates keep their local number, without a row: results lie there in the end (Halo::to_owners()).
//
// Of a graph on a grid of ranks every vertex that has edges is a delegate, and all edges are between delegates.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/transport.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_grid/separate_on_grid.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace dromos {

/// Global: the type of vertex numbers in the whole graph.
template <class Global, class Memory>
struct GraphPart {
  Partition1d partition;
  int rank = 0;
  Offset num_arcs = 0;  ///< of all ranks
  std::int64_t num_own = 0;
  std::int64_t num_delegates = 0;
  std::int64_t num_copies = 0;

  /// Rows of all local numbers; those of copies are empty. Of an undirected graph both are the same.
  CsrGraph<LocalVertex, Memory> out_edges, in_edges;
  Kokkos::View<Global*, Memory> numbers;  ///< of every local number, in the whole graph
  Bitmap<Memory> counted;                 ///< vertices that are counted on this rank: each on one
  Kokkos::View<Offset*, Memory> delegate_degree, delegate_in_degree;  ///< edges on all ranks, by delegate

  /// By rank: which copies it owns; which own vertices it has copies of, as pieces of lent_vertices.
  std::vector<Block> copies, lent;
  Kokkos::View<LocalVertex*, Memory> lent_vertices;
  Kokkos::View<LocalVertex*, Memory> number_at_owner;  ///< of each copy
  /// Own vertices that are delegates, and which: pairs in two arrays.
  Kokkos::View<LocalVertex*, Memory> delegated, delegated_as;

  std::int64_t num_vertices() const { return partition.num_vertices(); }
  std::int64_t num_rows() const { return num_own + num_delegates; }
  std::int64_t num_local() const { return num_own + num_delegates + num_copies; }
  bool directed() const { return out_edges.directed; }
};

/// The part of a graph that is distributed by vertices, with its weights. Collective.
///
/// \param out_edges  given up as soon as its rows are translated, as in_edges: handed over by std::exchange(graph, {})
/// it
///                   is gone then (a Kokkos::View that was moved from may keep what it had)
/// \param in_edges   the graph turned round, on the same partition; none where the graph is undirected
/// \throws ArgumentError on every rank where the two are not one graph's, or a directed graph comes without in_edges;
///         where a rank would have more than 2^31 - 1 local numbers
/// Memory: 4 bytes an arc, 8 and a vertex number for each vertex and copy; a bit of every vertex of the graph while it
/// is built.
template <class Vertex>
GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space> part_by_vertices(
    const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
    Graph1d<Vertex, Kokkos::DefaultExecutionSpace::memory_space> out_edges,
    std::optional<Graph1d<std::common_type_t<Vertex>, Kokkos::DefaultExecutionSpace::memory_space>> in_edges = {});

/// The part of a graph that is separated by degree, or on a grid, with its weights. Collective.
///
/// \param graph   given up as soon as its rows are translated, as turned (see part_by_vertices())
/// \param turned  the graph turned round, separated with the same delegates; none where the graph is undirected
/// \throws ArgumentError on every rank where the two are not one graph's, or a directed graph comes without `turned`;
///         where edges between delegates follow their source, of several ranks; where a rank would have more than 2^31
///         - 1 local numbers
template <class Vertex>
GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space> part_by_degree(
    const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
    GraphDelegate<Vertex, Kokkos::DefaultExecutionSpace::memory_space> graph,
    std::optional<GraphDelegate<std::common_type_t<Vertex>, Kokkos::DefaultExecutionSpace::memory_space>> turned = {});

/// The same of a graph that is distributed by vertices: separates it, and with it the graph turned round. Collective.
///
/// \param graph   given up as soon as it is separated, as turned (see part_by_vertices())
/// \param turned  the graph turned round, on the same partition; none where the graph is undirected
template <class Vertex, class Memory>
GraphPart<Vertex, Memory> part_by_degree(const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
                                         Graph1d<Vertex, Memory> graph, Offset threshold = suggested_threshold,
                                         std::optional<Graph1d<std::common_type_t<Vertex>, Memory>> turned = {}) {
  constexpr DelegateEdges edges = DelegateEdges::follow_lower_end;
  auto separated =
      separate_by_degree(communicator, space, graph, threshold, edges, turned.has_value() ? &*turned : nullptr);
  std::optional<GraphDelegate<Vertex, Memory>> back;
  if (turned.has_value()) {
    back = separate_by_degree(communicator, space, *turned, separated.separation.threshold, edges, &graph);
  }
  graph = {};
  turned.reset();
  return part_by_degree(communicator, space, std::exchange(separated, {}), std::exchange(back, std::nullopt));
}

/// The part of a graph whose edges are dealt out to a grid of ranks (distributed/by_grid/edges_on_grid.hpp).
/// Collective.
///
/// \param graph   distributed by vertices; given up as soon as its edges are dealt out, as turned
/// \param grid    of as many ranks as the communicator has: ProcessGrid(num_ranks) is the nearest to a square
/// \param turned  the graph turned round, on the same partition; none where the graph is undirected
/// \throws ArgumentError on every rank as part_by_degree() and separate_on_grid()
/// Memory: beside 1/p of the edges, every rank has all vertices that have edges (separate_on_grid()), and algorithms a
/// value of each.
template <class Vertex, class Memory>
GraphPart<Vertex, Memory> part_on_grid(const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
                                       Graph1d<Vertex, Memory> graph, const ProcessGrid& grid,
                                       std::optional<Graph1d<std::common_type_t<Vertex>, Memory>> turned = {}) {
  const ArcsOnGrid arcs = graph.directed ? ArcsOnGrid::as_they_are : ArcsOnGrid::of_undirected_edges;
  auto dealt_out = separate_on_grid(communicator, space, graph, grid, arcs, turned.has_value() ? &*turned : nullptr);
  std::optional<GraphDelegate<Vertex, Memory>> back;
  if (turned.has_value()) back = separate_on_grid(communicator, space, *turned, grid, ArcsOnGrid::turned, &graph);
  graph = {};
  turned.reset();
  return part_by_degree(communicator, space, std::exchange(dealt_out, {}), std::exchange(back, std::nullopt));
}

/// The local number of a vertex of the whole graph, where this rank has (some of) its row; no_vertex on the others.
/// Throws ArgumentError for a vertex outside of the graph.
template <class Vertex>
LocalVertex local_number(const Kokkos::DefaultExecutionSpace& space,
                         const GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space>& part, Vertex v);

}  // namespace dromos
