// SPDX-License-Identifier: BSD-3-Clause
// Ranks in the order in which rank v mod p owns vertex v means that vertices are dealt out to nodes first, and then to the
// devices of a node: P(v) and G(v) of Pan et al. 2018 (dist/edge_distributor.hpp).
//
//   2 nodes of 3 ranks, as a launcher numbers them     0 1 2 | 3 4 5
//   in this order they are numbers                     0 2 4 | 1 3 5
#pragma once

#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/dist/edge_distributor.hpp>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace dromos {

/// The same ranks in that order; in the order they had where nodes have different numbers of ranks. Collective.
inline Communicator order_by_machine(const Communicator& communicator) {
  const Communicator node = communicator.split_by_node();
  const std::int64_t first = min<std::int64_t>(node, communicator.rank());
  std::vector<std::int64_t> nodes = gather_counts(communicator, first);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const int num_nodes = static_cast<int>(nodes.size());
  const bool even = min<std::int32_t>(communicator, node.size()) == max<std::int32_t>(communicator, node.size());
  const int own_node = static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), first) - nodes.begin());
  return communicator.split(0, even ? rank_of_place({own_node, node.rank()}, num_nodes) : communicator.rank());
}

}  // namespace dromos
