// SPDX-License-Identifier: BSD-3-Clause
// The graph zoo, spread over ranks: each rank takes its slice of the edges, and keeps the whole graph on the host to
// judge by.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/graph/build_csr.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace dromos::test {

/// All ranks wait for each other at every level, several times, which is slow where they outnumber the cores; and on
/// GPUs each level is some ten kernels. So tests do less on more than two ranks, and on GPUs.
inline bool levels_are_cheap(const Communicator& communicator) { return sweeps_begin_fast && communicator.size() <= 2; }

/// The zoo; where levels are not cheap, deep graphs are less deep.
inline std::vector<ZooGraph> distributed_zoo(const Communicator& communicator) {
  return graph_zoo(levels_are_cheap(communicator) ? 700 : 40);
}

/// How many random graphs a test tries; DROMOS_TEST_RANDOM_GRAPHS in the environment asks for more, or fewer.
inline std::uint64_t num_random_graphs(const Communicator& communicator) {
  if (const char* const asked = std::getenv("DROMOS_TEST_RANDOM_GRAPHS")) return std::stoull(asked);
  return levels_are_cheap(communicator) ? 150 : 40;
}

/// The first vertex, the last and one in between.
inline std::vector<std::int64_t> zoo_roots(const ZooGraph& zoo) {
  std::vector<std::int64_t> roots = {0};
  if (zoo.num_vertices > 1) roots.push_back(zoo.num_vertices - 1);
  if (zoo.num_vertices > 10) roots.push_back(zoo.num_vertices / 3);
  return roots;
}

/// All of them; where levels are not cheap, one in its turn (on CPUs of a tiny graph all).
inline std::vector<std::int64_t> zoo_roots(const Communicator& communicator, const ZooGraph& zoo, std::uint64_t turn) {
  const auto roots = zoo_roots(zoo);
  if (levels_are_cheap(communicator) || (sweeps_begin_fast && zoo.num_vertices < 100)) return roots;
  return {roots[turn % roots.size()]};
}

/// Has this test failed on any rank? Then all may leave it, and none waits for another. Collective.
inline bool failed_anywhere(const Communicator& communicator) {
  return max<std::int32_t>(communicator, ::testing::Test::HasFailure() ? 1 : 0) != 0;
}

/// This rank's slice of a zoo graph's edges.
template <class Vertex>
EdgeList<Vertex, Memory> zoo_slice(const Communicator& communicator, const ZooGraph& zoo) {
  const auto [first, last] = slice_of(static_cast<Offset>(zoo.edges.size()), communicator.rank(), communicator.size());
  std::vector<std::pair<Vertex, Vertex>> part;
  for (Offset i = first; i < last; ++i) {
    part.emplace_back(static_cast<Vertex>(zoo.edges[i].first), static_cast<Vertex>(zoo.edges[i].second));
  }
  return make_edge_list<Vertex>(static_cast<Vertex>(zoo.num_vertices), part);
}

/// Options that make of a zoo graph what it says it is.
inline BuildOptions zoo_build(const ZooGraph& zoo) {
  BuildOptions build;
  build.symmetrize = !zoo.directed;
  build.drop_self_loops = build.remove_duplicates = true;
  return build;
}

/// The whole graph, built on one node.
template <class Vertex>
CsrGraph<Vertex, Memory> zoo_graph(const ZooGraph& zoo) {
  return build_csr(Space(), zoo.template edge_list<Vertex>(), zoo_build(zoo));
}

}  // namespace dromos::test
