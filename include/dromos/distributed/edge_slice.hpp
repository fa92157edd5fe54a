// SPDX-License-Identifier: BSD-3-Clause
// A graph's edge list, spread over ranks: each holds the edges first .. last - 1 of one list, whatever their ends. Edge
// i of a generator is a pure function of i (generate/generate_edges.hpp), so that every number of ranks makes the same
// list, the one that a single process makes.
#pragma once

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/graph/edge_list.hpp>

namespace dromos {

/// This rank's slice of a generator's edges. num_vertices is that of the whole graph. Collective.
template <class Vertex, class Space, class Generator>
EdgeList<Vertex, typename Space::memory_space> generate_slice(const Communicator& communicator, const Space& space,
                                                              const Generator& generator) {
  const auto [first, last] = slice_of(generator.num_edges(), communicator.rank(), communicator.size());
  return on_all_ranks(
      communicator, [&, first = first, last = last] { return generate_edges<Vertex>(space, generator, first, last); });
}

}  // namespace dromos
