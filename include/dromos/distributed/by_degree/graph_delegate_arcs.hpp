// SPDX-License-Identifier: BSD-3-Clause
// From a graph separated by degree (distributed/by_degree/graph_delegate.hpp) back to a list of arcs between global
// ids: what results are judged against where nobody has the edges that it was built of.
//
//   10 vertices, 3 ranks, delegates 4 and 6       on rank 1, which owns 1 4 7
//     nn  row 0: block id 32 + 1                  1 -> 5: local 1 of the next rank
//     nd  row 2: 0                                7 -> 4
//     dn  row 1: 2                                6 -> 7
//     dd  row 0: 1                                4 -> 6
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_vertices/graph_1d_arcs.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos {

namespace detail {

/// The global id of an own vertex, from its local number.
template <class Vertex>
struct GlobalOfOwn {
  Partition1d partition;
  int rank;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(std::int64_t local) const {
    return static_cast<Vertex>(partition.global_id(rank, local));
  }
};

/// Of a target of nn, whose block id counts ranks from this one on.
template <class Vertex>
struct GlobalOfBlockId {
  Partition1d partition;
  BlockIds<Vertex> ids;
  int rank;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(Vertex id) const {
    const int owner = (rank + ids.rank(id)) % ids.num_ranks();
    return static_cast<Vertex>(partition.global_id(owner, ids.local(id)));
  }
};

/// Of a delegate, from its number.
template <class Vertex, class Memory>
struct GlobalOfDelegate {
  Kokkos::View<const Vertex*, Memory> global;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(std::int64_t number) const { return global(number); }
};

template <class Target, class Vertex, class Memory, class SourceOf, class TargetOf>
struct PutArcs {
  SubgraphView<Target, Memory> part;
  SourceOf source_of;
  TargetOf target_of;
  Offset first;
  Kokkos::View<Vertex*, Memory> source, target;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const Target u = static_cast<Target>(row);
    for (Offset e = part.begin(u); e < part.end(u); ++e) {
      source(first + e) = source_of(row);
      target(first + e) = target_of(part.neighbor(e));
    }
  }
};

/// Puts the arcs of one part at `first` and behind it.
template <class Space, class Target, class Vertex, class Memory, class SourceOf, class TargetOf>
void put_arcs(const Space& space, const SubgraphView<Target, Memory>& part, const SourceOf& source_of,
              const TargetOf& target_of, Offset first, const EdgeList<Vertex, Memory>& arcs) {
  for_range(
      "dromos::graph_delegate::arcs", space, part.num_vertices(),
      PutArcs<Target, Vertex, Memory, SourceOf, TargetOf>{part, source_of, target_of, first, arcs.source, arcs.target});
  fence(space, "dromos::graph_delegate::arcs");
}

}  // namespace detail

/// The arcs of this rank's four parts, nn, nd, dn, dd, or of its rows where there are no parts. Undirected edges are
/// there in both directions, on all ranks together. Memory: two ids an arc.
template <class Space, class Vertex, class Memory>
EdgeList<Vertex, Memory> arcs_of(const Space& space, const GraphDelegate<Vertex, Memory>& graph) {
  if (graph.by_vertices) return arcs_of(space, *graph.by_vertices);
  const auto nn = graph.normal.normal_view();
  const auto nd = graph.normal.delegate_view();
  const auto dn = graph.delegate.normal_view();
  const auto dd = graph.delegate.delegate_view();
  const detail::GlobalOfOwn<Vertex> own{graph.partition, graph.rank};
  const detail::GlobalOfBlockId<Vertex> neighbor{graph.partition, graph.ids, graph.rank};
  const detail::GlobalOfDelegate<Vertex, Memory> delegate{graph.delegate_global};
  const Offset behind_nn = nn.num_edges();
  const Offset behind_nd = behind_nn + nd.num_edges();
  const Offset behind_dn = behind_nd + dn.num_edges();
  EdgeList<Vertex, Memory> arcs(static_cast<Vertex>(graph.partition.num_vertices()), behind_dn + dd.num_edges());
  detail::put_arcs(space, nn, own, neighbor, 0, arcs);
  detail::put_arcs(space, nd, own, delegate, behind_nn, arcs);
  detail::put_arcs(space, dn, delegate, own, behind_nd, arcs);
  detail::put_arcs(space, dd, delegate, delegate, behind_dn, arcs);
  return arcs;
}

}  // namespace dromos
