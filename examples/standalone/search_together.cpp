// SPDX-License-Identifier: BSD-3-Clause
// Every rank brings its share of the edges of a cycle, and all of them search it together: mpirun -n 3 search_together.
// The farthest vertex is 50 edges away. Exit code 0 if so.
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/edge_slice.hpp>

namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// Edges first to last - 1 of the cycle 0 1 2 ... num_vertices - 1 0.
dromos::EdgeList<int> part_of_cycle(int num_vertices, int first, int last) {
  const dromos::EdgeList<int> edges(num_vertices, last - first);
  Kokkos::parallel_for(
      "standalone::part_of_cycle", Kokkos::RangePolicy<Space>(first, last), KOKKOS_LAMBDA(const int v) {
        edges.source(v - first) = v;
        edges.target(v - first) = (v + 1) % num_vertices;
      });
  return edges;
}

int search(const dromos::Communicator& world) {
  const int num_vertices = 100;
  const auto [first, last] = dromos::slice_of(num_vertices, world.rank(), world.size());
  dromos::DistributedInput<int> input;
  input.slice = part_of_cycle(num_vertices, static_cast<int>(first), static_cast<int>(last));
  input.build.symmetrize = true;
  const auto search = dromos::make_distributed_search("relabelled-bitmask", world, Space(), input);
  search->search(0);
  const dromos::DistributedStatistics statistics = search->statistics();
  if (world.rank() == 0) {
    std::printf("%d ranks reached %lld vertices, depth %lld\n", world.size(),
                static_cast<long long>(statistics.num_reached), static_cast<long long>(statistics.depth));
  }
  return statistics.num_reached == 100 && statistics.depth == 50 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const dromos::MpiSession mpi;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return search(dromos::Communicator(MPI_COMM_WORLD));
}
