// SPDX-License-Identifier: BSD-3-Clause
// Ranks in the order in which rank v mod p owns vertex v means that vertices are dealt out to nodes first, and then to
// the devices of a node: P(v) and G(v) of Pan et al. 2018 (distributed/by_degree/edge_distributor.hpp).
//
//   2 nodes of 3 ranks, as a launcher numbers them     0 1 2 | 3 4 5
//   in this order they are numbers                     0 2 4 | 1 3 5
#pragma once

#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <optional>
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

/// Nodes of equally many ranks, numbered as above: rank n + num_nodes * g is number g of node n.
struct NodeGrid {
  int num_nodes;
  int ranks_per_node;
};

/// The nodes of a communicator in that order; nothing where they are not equally large, or the order is another one.
/// Collective.
///
/// \param ranks_per_node  0: as the machine has it; k: pretend that nodes have k ranks
inline std::optional<NodeGrid> find_node_grid(const Communicator& communicator, int ranks_per_node) {
  const int p = communicator.size();
  if (ranks_per_node > 0) {
    if (p % ranks_per_node != 0) return std::nullopt;
    return NodeGrid{p / ranks_per_node, ranks_per_node};
  }
  const Communicator node = communicator.split_by_node();
  const int num_nodes = (p + node.size() - 1) / node.size();
  const std::int64_t first = min<std::int64_t>(node, communicator.rank());
  const bool fits =
      p % node.size() == 0 && communicator.rank() == rank_of_place({static_cast<int>(first), node.rank()}, num_nodes);
  const std::int32_t smallest = min<std::int32_t>(communicator, fits ? node.size() : 0);
  const std::int32_t largest = max<std::int32_t>(communicator, node.size());
  if (smallest != largest) return std::nullopt;
  return NodeGrid{num_nodes, node.size()};
}

}  // namespace dromos
