// SPDX-License-Identifier: BSD-3-Clause
// Which rank gets which edge of a graph whose vertices are separated by degree (Pan, Pearce and Owens 2018, Section
// III).
//
// Vertices of more than TH neighbors are delegates, which every rank knows; all others are normal, and have an owner.
// An edge follows its normal end, the source where both are normal, and the end of lower degree where none is. So an
// edge and its reverse meet on one rank unless both ends are normal, and the neighbors of a hub are spread over all
// ranks:
//
//   TH = 2; degrees 0: 1, 1: 2, 2: 3, 3: 4     1 -> 0, 1 -> 2 and 3 -> 1 follow 1    3 -> 2 follows 2
//
// Pure functions of what is known of the two ends. Edges between delegates may be dealt out by another rule instead,
// since every rank knows both ends: on a grid (distributed/by_grid/edges_on_grid.hpp), or each arc to the owner of its
// source. A delegate that looks back then looks on one rank alone, along its whole row, of which the likeliest ends
// come first; where edges follow the lower end every rank looks for it, and all but one among its lesser neighbors.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/partition_1d.hpp>

namespace dromos {

/// What the edge distributor has to know of an end of an edge.
template <class Vertex>
struct EdgeEnd {
  Vertex vertex;  ///< global id
  Offset degree;  ///< of neighbors, out-neighbors where the graph is directed
};

/// Has the vertex more than `threshold` neighbors?
KOKKOS_FORCEINLINE_FUNCTION bool is_delegate(Offset degree, Offset threshold) { return degree > threshold; }

/// The end of edge from -> to whose owner gets it: Algorithm 1 of the paper.
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION Vertex end_to_follow(EdgeEnd<Vertex> from, EdgeEnd<Vertex> to, Offset threshold) {
  if (!is_delegate(from.degree, threshold)) return from.vertex;
  if (!is_delegate(to.degree, threshold)) return to.vertex;
  if (from.degree != to.degree) return from.degree < to.degree ? from.vertex : to.vertex;
  return from.vertex < to.vertex ? from.vertex : to.vertex;
}

/// Which rank has an edge between delegates of an undirected graph.
enum class DelegateEdges {
  follow_lower_end,  ///< both arcs on one rank: the paper's rule, and what algorithms on parts of a graph need
  follow_source      ///< each arc on its source's: fastest for searches
};

/// Edges between delegates go to the owner of the end that they follow.
struct FollowsAnEnd {
  /// The rank of an undirected edge has one of its arcs, from the graph by vertices, and makes the other one of it.
  static constexpr bool finds_undirected_edges = true;

  Offset threshold;
  Partition1d partition;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION int rank_of(const EdgeEnd<Vertex>& from, const EdgeEnd<Vertex>& to) const {
    return partition.place(end_to_follow(from, to, threshold)).rank;
  }
};

/// A GPU (or a process that stands for one) in a machine of nodes with several each.
struct MachinePlace {
  int node;
  int device;
};

/// The owner of a vertex where there are num_nodes nodes of devices_per_node: P(v) and G(v) of the paper, which deal
/// vertices out to nodes first. With rank = node + num_nodes * device it is rank v mod p (graph/partition_1d.hpp).
///
///   2 nodes of 2 devices     vertices 0 1 2 3 4     nodes 0 1 0 1 0     devices 0 0 1 1 0
template <class Vertex>
KOKKOS_FORCEINLINE_FUNCTION MachinePlace place_in_machine(Vertex v, int num_nodes, int devices_per_node) {
  return {static_cast<int>(v % num_nodes), static_cast<int>(v / num_nodes % devices_per_node)};
}

/// The rank that stands for a place, in the order in which rank v mod p owns vertex v.
constexpr int rank_of_place(MachinePlace place, int num_nodes) { return place.node + num_nodes * place.device; }

}  // namespace dromos
