// SPDX-License-Identifier: BSD-3-Clause
// Builds a cycle of 10 vertices and searches it: the farthest vertex is 5 edges away. Exit code 0 if so.
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/core/build_info.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/version.hpp>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

dromos::EdgeList<int, Memory> cycle(int num_vertices) {
  const dromos::EdgeList<int, Memory> edges(num_vertices, num_vertices);
  Kokkos::parallel_for(
      "standalone::cycle", Kokkos::RangePolicy<Space>(0, num_vertices), KOKKOS_LAMBDA(const int v) {
        edges.source(v) = v;
        edges.target(v) = (v + 1) % num_vertices;
      });
  return edges;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  dromos::BuildOptions undirected;
  undirected.symmetrize = true;
  const auto graph = dromos::build_csr(Space(), cycle(10), undirected);
  dromos::BfsScratch<int, Memory> scratch(graph);
  dromos::BfsResult<int, Memory> result;
  const dromos::BfsStatistics statistics = dromos::bfs(Space(), graph, 0, scratch, result);
  std::printf("Dromos %s: reached %d vertices, depth %d\n%s", DROMOS_VERSION, static_cast<int>(statistics.num_reached),
              statistics.depth, dromos::version_text().c_str());
  return statistics.num_reached == 10 && statistics.depth == 5 ? 0 : 1;
}
