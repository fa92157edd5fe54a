// SPDX-License-Identifier: BSD-3-Clause
// A graph distributed by arcs over a grid of ranks (distributed/by_grid/partition_2d.hpp): each rank has the arcs from
// its column to its row, by source for the search and by target for the predecessors afterwards (Fu et al. 2014: CSR
// and CSC).
//
// An arc travels once, as 8 bytes, and both forms are built of it by the builders of the node level. Both are on one
// rank whatever the width of global ids: ids of a row or a column have 32 bits.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/distributed/by_grid/partition_2d.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/arcs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>
#include <vector>

namespace dromos {

template <class Memory>
struct Graph2d {
  using LocalId = Partition2d::LocalId;

  Partition2d partition;
  int rank = 0;
  /// Row u, an in id, has the targets of u in this rank's row of the grid, as out ids.
  CsrGraph<LocalId, Memory> out_edges;
  /// Row v, an out id, has the sources of v in this rank's column, as in ids.
  CsrGraph<LocalId, Memory> in_edges;
  /// Arcs of the whole graph that leave each vertex that this rank owns.
  Kokkos::View<Offset*, Memory> degree;
  bool directed = false;
  Offset num_arcs = 0;  ///< of all ranks

  int row() const { return partition.grid().row(rank); }
  int column() const { return partition.grid().column(rank); }
  std::int64_t num_local() const { return partition.num_local(rank); }
};

namespace detail {

/// An arc on its way to the rank that stores it.
struct GridArc {
  std::uint32_t in;   // source, in the column of the receiver
  std::uint32_t out;  // target, in its row
};

/// Each edge of a slice as one arc or two, to the ranks where source's column and target's row cross.
template <class Vertex, class Memory>
struct ArcsToGrid {
  Kokkos::View<const Vertex*, Memory> source, target;
  Partition2d partition;
  bool symmetrize, drop_self_loops;

  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(source.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    arcs_of_edge(partition, source(i), target(i), symmetrize, drop_self_loops, [&](const Place& from, const Place& to) {
      const ProcessGrid& grid = partition.grid();
      f(grid.rank(grid.row(to.rank), grid.column(from.rank)),
        GridArc{static_cast<std::uint32_t>(partition.in_id(from)), static_cast<std::uint32_t>(partition.out_id(to))});
    });
  }
};

/// What arrived, as arcs of rows (graph/arcs.hpp).
template <class Memory>
struct ArrivedGridArcs {
  Kokkos::View<const GridArc*, Memory> arrived;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(arrived.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const GridArc arc = arrived(i);
    f(static_cast<Partition2d::LocalId>(arc.in), static_cast<Partition2d::LocalId>(arc.out), i);
  }
};

/// Rows that lead into another range of numbers than their own.
template <class Space, class Memory, class Arcs>
void build_rectangle(const Space& space, std::int64_t num_rows, [[maybe_unused]] std::int64_t num_targets,
                     const Arcs& arcs, RowOptions options, CsrGraph<Partition2d::LocalId, Memory>& graph) {
  const Kokkos::View<const float*, Memory> no_weights;
  if constexpr (host_accessible<Memory>) {
    build_rows(space, num_rows, arcs, no_weights, options, graph);
  } else {
    // The builder for GPUs keeps sources and targets in as many bits: the rows beyond ours are empty.
    build_rows(space, dromos::max(num_rows, num_targets), arcs, no_weights, options, graph);
    const auto row_map = uninitialized<Offset, Memory>("dromos::graph::row_map", num_rows + 1);
    Kokkos::deep_copy(space, row_map, Kokkos::subview(graph.row_map, Kokkos::make_pair(std::int64_t(0), num_rows + 1)));
    graph.row_map = row_map;
  }
  fence(space, "dromos::build_graph_2d");
}

template <class Memory>
struct SumGathered {
  Kokkos::View<const Offset*, Memory> gathered;
  int num_rows;
  std::int64_t num_local;
  Kokkos::View<Offset*, Memory> degree;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    Offset sum = 0;
    for (int i = 0; i < num_rows; ++i) sum += gathered(i * num_local + v);
    degree(v) = sum;
  }
};

/// graph.degree: each rank counts the arcs of its column's vertices, and their owners, ranks of that column, add them
/// up. Collective.
template <class Space, class Memory>
void add_up_degrees(const GridCommunicators& communicators, const Space& space, Graph2d<Memory>& graph) {
  const Communicator& column = communicators.column;
  const std::int64_t block = graph.partition.block();
  const std::int64_t num_local = graph.num_local();
  const int num_rows = column.size();
  const auto counted = uninitialized<Offset, Memory>("dromos::graph_2d::counted", graph.partition.num_in());
  const auto gathered = uninitialized<Offset, Memory>("dromos::graph_2d::gathered", num_rows * num_local);
  write_degrees("dromos::graph_2d::count", space, graph.out_edges.view(), counted);
  std::vector<Block> leaving, arriving;
  for (int i = 0; i < num_rows; ++i) {
    leaving.push_back({i * block, graph.partition.num_local(communicators.grid.rank(i, graph.column()))});
    arriving.push_back({i * num_local, num_local});
  }
  alltoallv(column, space, counted, leaving, gathered, arriving);
  const auto degree = uninitialized<Offset, Memory>("dromos::graph_2d::degree", num_local);
  for_range("dromos::graph_2d::degree", space, num_local, SumGathered<Memory>{gathered, num_rows, num_local, degree});
  fence(space, "dromos::graph_2d::degree");
  graph.degree = degree;
}

}  // namespace detail

/// Builds the distributed graph of an edge list that is spread over the ranks in any way. Collective.
///
/// \param edges    this rank's part of the list; num_vertices is that of the whole graph, the same on every rank
/// \param options  as for build_csr(). Weights are not carried.
/// \throws ArgumentError on every rank when an endpoint is outside the graph, or a row or column of the grid has too
/// many
///         vertices
/// Memory: 4 bytes an arc for each of the two forms, and 8 bytes for each vertex of the row, of the column, and of
/// its own.
template <class Space, class Vertex, class Memory>
Graph2d<Memory> build_graph_2d(const GridCommunicators& communicators, const Space& space,
                               const EdgeList<Vertex, Memory>& edges, const BuildOptions& options = {}) {
  const ScopedRegion region("dromos::build_graph_2d");
  const Communicator& world = communicators.world;
  Graph2d<Memory> graph;
  on_all_ranks(world, [&] {
    graph.partition = Partition2d(edges.num_vertices, communicators.grid);
    const Offset num_bad = detail::count_bad_edges(space, edges);
    if (num_bad > 0) {
      throw ArgumentError("the edge list has " + std::to_string(num_bad) + (num_bad == 1 ? " edge" : " edges") +
                          " with an endpoint outside [0, " + std::to_string(edges.num_vertices) +
                          "); num_vertices must exceed every vertex id");
    }
  });
  graph.rank = world.rank();
  graph.directed = !options.symmetrize;
  const std::int64_t num_in = graph.partition.num_in();
  const std::int64_t num_out = graph.partition.num_out();
  {
    const auto shipment =
        ship<detail::GridArc>(world, space,
                              detail::ArcsToGrid<Vertex, Memory>{edges.source, edges.target, graph.partition,
                                                                 options.symmetrize, options.drop_self_loops});
    on_all_ranks(world, [&] {
      const Kokkos::View<const detail::GridArc*, Memory> arrived = shipment.items;
      detail::build_rectangle(space, num_in, num_out, detail::ArrivedGridArcs<Memory>{arrived},
                              {options.sort_adjacencies || options.remove_duplicates, options.remove_duplicates},
                              graph.out_edges);
    });
  }
  on_all_ranks(world, [&] {
    if (world.size() == 1 && !graph.directed) {
      graph.in_edges = graph.out_edges;  // in ids and out ids are the same there
    } else {
      detail::build_rectangle(space, num_out, num_in,
                              detail::ReversedArcs<Partition2d::LocalId, Memory>{graph.out_edges.view()}, {},
                              graph.in_edges);
    }
  });
  detail::add_up_degrees(communicators, space, graph);
  graph.num_arcs = sum<std::int64_t>(world, graph.out_edges.num_edges());
  return graph;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template Graph2d<Kokkos::DefaultExecutionSpace::memory_space> build_graph_2d(
    const GridCommunicators&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BuildOptions&);
extern template Graph2d<Kokkos::DefaultExecutionSpace::memory_space> build_graph_2d(
    const GridCommunicators&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BuildOptions&);

}  // namespace dromos
