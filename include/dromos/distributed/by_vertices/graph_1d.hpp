// SPDX-License-Identifier: BSD-3-Clause
// A graph distributed by vertices: each rank has the rows of the vertices it owns (graph/partition_1d.hpp), their
// targets as block ids (graph/block_ids.hpp). Building it is Graph500's kernel 1.
//
// Arcs travel once, to the owner of their source, as its 32-bit local number and the target's block id; then the rows
// are built by the same builders as on one node. Source: Mastrostefano 2013, Section 4.2.2.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/moving/ship_rows.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <string>

namespace dromos {

/// The rows of one rank as a sweep sees them: every vertex, own or not, is a block id.
template <class Vertex, class Memory>
struct LocalRows {
  using vertex_type = Vertex;
  using memory_space = Memory;

  CsrView<Vertex, Memory> rows;
  Vertex first;  ///< the block id of this rank's first vertex

  KOKKOS_FUNCTION Vertex num_vertices() const { return rows.num_vertices(); }
  KOKKOS_FUNCTION Offset num_edges() const { return rows.num_edges(); }
  KOKKOS_FORCEINLINE_FUNCTION Offset begin(Vertex u) const { return rows.begin(u - first); }
  KOKKOS_FORCEINLINE_FUNCTION Offset end(Vertex u) const { return rows.end(u - first); }
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(Vertex u) const { return rows.degree(u - first); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_row(Vertex v) const { return detail::has_row(rows, v - first); }
  KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor(Offset e) const { return rows.neighbor(e); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex u) const { rows.prefetch_row(u - first); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const { rows.prefetch_edges(u - first); }
};

template <class Vertex, class Memory>
struct Graph1d {
  Partition1d partition;
  BlockIds<Vertex> ids;
  int rank = 0;
  /// num_local rows; targets are block ids.
  CsrGraph<Vertex, Memory> rows;
  bool directed = false;
  Offset num_arcs = 0;  ///< of all ranks

  std::int64_t num_local() const { return partition.num_local(rank); }
  LocalRows<Vertex, Memory> view() const { return {rows.view(), ids.first(rank)}; }
};

namespace detail {

template <class Vertex, class Memory>
struct CountBadEnds {
  Kokkos::View<Vertex*, Memory> source, target;
  Vertex n;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& bad) const {
    bad += source(i) < 0 || source(i) >= n || target(i) < 0 || target(i) >= n;
  }
};

/// How many edges have an end outside of [0, num_vertices).
template <class Space, class Vertex, class Memory>
Offset count_bad_edges(const Space& space, const EdgeList<Vertex, Memory>& edges) {
  Offset num_bad = 0;
  reduce_range("dromos::graph_1d::check", space, edges.num_edges(),
               CountBadEnds<Vertex, Memory>{edges.source, edges.target, edges.num_vertices}, num_bad);
  return num_bad;
}

/// Throws ArgumentError for edges that no graph can be built of; by each rank alone.
template <class Space, class Vertex, class Memory>
void check_edges(const Space& space, const EdgeList<Vertex, Memory>& edges) {
  const std::size_t num_weights = edges.weight.extent(0);
  if (num_weights != 0 && num_weights != edges.source.extent(0)) {
    throw ArgumentError("the edge list has " + std::to_string(edges.num_edges()) + " edges and " +
                        std::to_string(num_weights) + " weights; all need one, or none");
  }
  const Offset num_bad = count_bad_edges(space, edges);
  if (num_bad > 0) {
    throw ArgumentError("the edge list has " + std::to_string(num_bad) + (num_bad == 1 ? " edge" : " edges") +
                        " with an endpoint outside [0, " + std::to_string(edges.num_vertices) +
                        "); num_vertices must exceed every vertex id");
  }
}

}  // namespace detail

/// Builds the distributed graph of an edge list that is spread over the ranks in any way. Collective.
///
/// \param edges    this rank's part of the list; num_vertices is that of the whole graph, the same on every rank; with
///                 weights on all ranks that have edges, or on none
/// \param options  as for build_csr(); an undirected graph (symmetrize) stores each edge at both of its ends' owners.
///                 Of equal arcs with weights the lightest stays.
/// \param dealing  who owns which vertex (graph/partition_1d.hpp); choose_dealing() tells by the edges
/// \throws ArgumentError on every rank when an endpoint is outside the graph, or ids of this width do not suffice
template <class Space, class Vertex, class Memory>
Graph1d<Vertex, Memory> build_graph_1d(const Communicator& communicator, const Space& space,
                                       const EdgeList<Vertex, Memory>& edges, const BuildOptions& options = {},
                                       Dealing dealing = Dealing::cyclic) {
  const ScopedRegion region("dromos::build_graph_1d");
  Graph1d<Vertex, Memory> graph;
  on_all_ranks(communicator, [&] {
    graph.partition = Partition1d(edges.num_vertices, communicator.size(), dealing);
    graph.ids = BlockIds<Vertex>(graph.partition.max_num_local(), communicator.size());
    detail::check_edges(space, edges);
  });
  graph.rank = communicator.rank();
  graph.directed = !options.symmetrize;
  graph.rows = detail::ship_rows(communicator, space, edges, options, graph.partition, graph.ids, graph.ids.size());
  graph.num_arcs = sum<std::int64_t>(communicator, graph.rows.num_edges());
  return graph;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template Graph1d<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> build_graph_1d(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BuildOptions&, Dealing);
extern template Graph1d<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> build_graph_1d(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BuildOptions&, Dealing);

}  // namespace dromos
