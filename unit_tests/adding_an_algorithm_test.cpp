// SPDX-License-Identifier: BSD-3-Clause
// The algorithm of doc/adding-an-algorithm.md, as it stands there (documentation_test.cpp compares), on whole graphs
// and on parts of distributed ones: hops are the levels of a breadth-first search.
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/halo.hpp>
#include <dromos/traverse/sweep_marks.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

template <class Vertex, class Memory>
struct TakeHops {
  Kokkos::View<int*, Memory> hops;
  dromos::SweepMarks<Memory> marks;

  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, dromos::Offset e) const { return offer(u, v, e) && joins(v); }
  KOKKOS_FUNCTION void next_sweep() { marks.next_sweep(); }

  using Value = int;
  static constexpr bool adds = false;
  KOKKOS_FUNCTION bool offer(Vertex u, Vertex v, dromos::Offset) const { return take(v, hops(u) + 1); }
  KOKKOS_FUNCTION bool joins(Vertex v) const { return marks.claim(v); }
  KOKKOS_FUNCTION int give(Vertex v) const { return hops(v); }
  KOKKOS_FUNCTION bool take(Vertex v, int offered) const {
    return hops(v) > offered && Kokkos::atomic_fetch_min(&hops(v), offered) > offered;
  }
};

template <class Space, class Vertex, class Memory, class AnyHalo = dromos::NoHalo>
void count_hops(const Space& space, const dromos::CsrGraph<Vertex, Memory>& graph, Vertex source,
                const Kokkos::View<int*, Memory>& hops, const AnyHalo& halo = {}) {
  dromos::Frontier<Vertex, Memory> frontier(graph.num_vertices(), graph.num_edges());
  dromos::Frontier<Vertex, Memory> next(graph.num_vertices(), graph.num_edges());
  dromos::SweepFusion<Memory> fusion;
  TakeHops<Vertex, Memory> take{hops, dromos::SweepMarks<Memory>(graph.num_vertices(), "hops::marks")};
  Kokkos::deep_copy(space, hops, INT_MAX);
  if (source != dromos::no_vertex<Vertex>) {
    Kokkos::deep_copy(space, Kokkos::subview(hops, source), 0);
    frontier.assign(space, source, dromos::unknown_edges);
  }
  until_empty(space, graph.view(), frontier, next, take, dromos::Best{}, &fusion, dromos::NoWatch{}, halo);
}

template <class Vertex>
std::vector<int> count_hops_on_a_part(const dromos::Communicator& world, const dromos::Graph1d<Vertex, Memory>& graph,
                                      Vertex source) {
  const Space space;
  const auto part = part_by_degree(world, space, separate_by_degree(world, space, graph));
  const dromos::Halo<Space, Vertex> halo(world, part);
  const Kokkos::View<int*, Memory> hops("hops", part.num_local());
  count_hops(space, part.out_edges, local_number(space, part, source), hops, halo);
  halo.to_owners(space, hops);
  return to_vector(hops, part.num_own);
}

TEST(AddingAnAlgorithm, HopsAreLevelsOnWholeGraphsAndOnParts) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.directed) continue;
    const auto whole = zoo_graph<std::int32_t>(zoo);
    BfsScratch<std::int32_t, Memory> scratch(whole);
    BfsResult<std::int32_t, Memory> result;
    BfsOptions options;
    options.levels = true;
    bfs(Space(), whole, std::int32_t(0), scratch, result, options);
    std::vector<int> expected;
    for (const Level level : to_vector(result.level)) expected.push_back(level == no_level ? INT_MAX : level);

    const Kokkos::View<int*, Memory> hops("hops", zoo.num_vertices);
    count_hops(Space(), whole, std::int32_t(0), hops);
    EXPECT_EQ(to_vector(hops), expected) << zoo.name;

    const auto graph = build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo));
    const auto own = count_hops_on_a_part(world, graph, std::int32_t(0));
    for (std::size_t v = 0; v < own.size(); ++v) {
      const std::int64_t number = graph.partition.global_id(world.rank(), static_cast<std::int64_t>(v));
      EXPECT_EQ(own[v], expected[static_cast<std::size_t>(number)]) << zoo.name << ", vertex " << number;
    }
    if (failed_anywhere(world)) return;
  }
}

}  // namespace
}  // namespace dromos::test
