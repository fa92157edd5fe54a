// SPDX-License-Identifier: BSD-3-Clause
// A graph as judges see it that is spread over ranks: rows of all vertices, with the arcs of this rank's slice alone.
// What the node level's rules ask of every arc, each rank asks of its own; what is said of a vertex by all its arcs is
// added up. Any slices do, an arc being on one rank: the graph that was worked on is not looked at.
//
//   arcs 0-1 1-2 2-0, of which rank 1 has the last     rank 0 has rows 0: 1   1: 2      rank 1 has   2: 0
//
// Memory: a row map of 8 bytes a vertex on every rank.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos {

template <class Vertex>
struct SliceGraph {
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;

  const Communicator* communicator = nullptr;  ///< outlives this
  CsrGraph<Vertex, Memory> rows;               ///< of all vertices; arcs of this rank

  std::int64_t num_vertices() const { return rows.num_vertices(); }
};

/// The arcs as they are. Collective.
///
/// \param arcs  this rank's; of undirected edges both arcs, each on any rank
template <class Vertex>
SliceGraph<Vertex> slice_graph(const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
                               const EdgeList<Vertex>& arcs, bool directed) {
  BuildOptions build;
  build.symmetrize = build.drop_self_loops = build.remove_duplicates = false;
  SliceGraph<Vertex> graph;
  graph.communicator = &communicator;
  on_all_ranks(communicator, [&] { graph.rows = build_csr(space, arcs, build); });
  graph.rows.directed = directed;
  return graph;
}

}  // namespace dromos
