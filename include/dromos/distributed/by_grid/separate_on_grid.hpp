// SPDX-License-Identifier: BSD-3-Clause
// A graph whose edges are dealt out to a grid of ranks (distributed/by_grid/edges_on_grid.hpp), for those who work on
// vertices that every rank knows: separated by degree with threshold 0, so that every vertex with edges is a delegate
// and all edges are of the kind dd.
//
// Memory: each rank has some 1/p of the edges, at 4 bytes an arc, and of every vertex that has edges 8 bytes of rows,
// its number, and a value of whatever is asked of it; while it is built, 12 bytes for each arc that leaves or arrives.
// So it pays for few ranks and many edges a vertex; where that is not so, other partitions have less on each rank.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_grid/edges_on_grid.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>

namespace dromos {

/// Deals out the edges of a graph that is distributed by vertices. Collective.
///
/// \param by_vertices  may go afterwards; with its weights, where it has some
/// \param grid         of as many ranks as the communicator has
/// \param arcs         of a directed graph: of the first of two as_they_are, of the other one turned
/// \param other        the other one of the two, so that both have the same delegates by the same numbers
/// \throws ArgumentError on every rank where the grid is of another number of ranks; where 2^31 vertices have edges, or
///         a rank gets 2^32 of these
template <class Space, class Vertex, class Memory>
GraphDelegate<Vertex, Memory> separate_on_grid(const Communicator& communicator, const Space& space,
                                               const Graph1d<Vertex, Memory>& by_vertices, const ProcessGrid& grid,
                                               ArcsOnGrid arcs, const Graph1d<Vertex, Memory>* other = nullptr) {
  const ScopedRegion region("dromos::separate_on_grid");
  on_all_ranks(communicator, [&] { ProcessGrid(communicator.size(), grid.rows(), grid.columns()); });
  constexpr Offset every_vertex_with_edges = 0;
  return detail::separate(communicator, space, by_vertices, every_vertex_with_edges,
                          CrossesOnGrid{grid, by_vertices.partition, arcs}, other);
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template GraphDelegate<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> separate_on_grid(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const Graph1d<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ProcessGrid&, ArcsOnGrid,
    const Graph1d<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>*);
extern template GraphDelegate<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> separate_on_grid(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const Graph1d<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const ProcessGrid&, ArcsOnGrid,
    const Graph1d<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>*);

}  // namespace dromos
