// SPDX-License-Identifier: BSD-3-Clause
// Which way of dealing vertices out to ranks suits a graph, told by its edges.
//
//   neighbors have close numbers (road networks, meshes, web pages by address)   blocks: few edges leave a rank
//   numbers say nothing (Kronecker, random graphs), or hubs are together         cyclic: every rank gets its share
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <vector>

namespace dromos {

namespace detail {

/// Each piece of a sample of the edges counts for itself: sources by rank, and at last the edges that stay on one.
template <class Vertex, class Memory>
struct CountInBlocks {
  Kokkos::View<const Vertex*, Memory> source, target;
  BlockPartition partition;
  std::int64_t sample, stride, num_pieces;
  Kokkos::View<std::int64_t*, Memory> counts;

  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    const int p = partition.num_ranks();
    std::int64_t* const mine = counts.data() + piece * (p + 1);
    const std::int64_t last = sample * (piece + 1) / num_pieces;
    for (std::int64_t i = sample * piece / num_pieces; i < last; ++i) {
      const int rank = partition.place(source(i * stride)).rank;
      ++mine[rank];
      mine[p] += rank == partition.place(target(i * stride)).rank;
    }
  }
};

}  // namespace detail

/// Blocks where at most half as many edges lead from rank to rank as with vertices at random, and no rank would have
/// more than 1.5 times its share of the edges; otherwise cyclic. The same on every rank. Collective.
///
/// \param edges  as for build_graph_1d()
/// Cost: a pass over at most a million edges of each rank.
template <class Space, class Vertex, class Memory>
Dealing choose_dealing(const Communicator& communicator, const Space& space, const EdgeList<Vertex, Memory>& edges) {
  const int p = communicator.size();
  if (p == 1) return Dealing::cyclic;
  const std::int64_t stride = 1 + edges.num_edges() / (std::int64_t(1) << 20);
  const std::int64_t sample = edges.num_edges() / stride;
  const std::int64_t num_pieces = dromos::min<std::int64_t>(is_gpu<Space> ? 4096 : 64, sample / 64 + 1);
  const Kokkos::View<std::int64_t*, Memory> counts("dromos::choose_dealing", num_pieces * (p + 1));
  Kokkos::parallel_for(
      "dromos::choose_dealing", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_pieces),
      detail::CountInBlocks<Vertex, Memory>{edges.source, edges.target, BlockPartition(edges.num_vertices, p), sample,
                                            stride, num_pieces, counts});
  fence(space, "dromos::choose_dealing");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  // Of all edges, as those of the sample are dealt out; ranks have samples of different parts.
  std::vector<double> totals(static_cast<std::size_t>(p) + 1, 0);
  for (std::int64_t i = 0; i < num_pieces * (p + 1); ++i) {
    totals[static_cast<std::size_t>(i % (p + 1))] += static_cast<double>(host(i) * stride);
  }
  sum_in_place(communicator, totals.data(), p + 1);
  double all = 0, most = 0;
  for (int r = 0; r < p; ++r) {
    all += totals[static_cast<std::size_t>(r)];
    most = dromos::max(most, totals[static_cast<std::size_t>(r)]);
  }
  const double leaving = all - totals[static_cast<std::size_t>(p)];
  const double leaving_at_random = all * (p - 1) / p;
  return all > 0 && leaving <= leaving_at_random / 2 && most <= 1.5 * all / p ? Dealing::blocks : Dealing::cyclic;
}

}  // namespace dromos
