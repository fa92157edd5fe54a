// SPDX-License-Identifier: BSD-3-Clause
// A graph by rows, of which each rank has a block of rows that follow each other: how files have it
// (distributed/files/write_slice.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos {

template <class Vertex, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
struct RowBlock {
  BlockPartition partition{0, 1};
  /// Those of vertices partition.first(rank) and behind; targets are global ids.
  CsrGraph<Vertex, Memory> rows;
};

namespace detail {

/// Numbers vertices by themselves.
struct GlobalIds {
  BlockPartition partition;
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t id(int rank, std::int64_t local) const {
    return partition.global_id(rank, local);
  }
};

}  // namespace detail

/// Builds the rows of an edge list that is spread over the ranks in any way. Collective; parameters, errors and cost
/// are those of build_graph_1d().
template <class Space, class Vertex, class Memory>
RowBlock<Vertex, Memory> build_row_block(const Communicator& communicator, const Space& space,
                                         const EdgeList<Vertex, Memory>& edges, const BuildOptions& options = {}) {
  const ScopedRegion region("dromos::build_row_block");
  RowBlock<Vertex, Memory> block;
  on_all_ranks(communicator, [&] {
    block.partition = BlockPartition(edges.num_vertices, communicator.size());
    detail::check_edges(space, edges);
  });
  block.rows = detail::ship_rows(communicator, space, edges, options, block.partition,
                                 detail::GlobalIds{block.partition}, block.partition.num_vertices());
  return block;
}

}  // namespace dromos
