// SPDX-License-Identifier: BSD-3-Clause
// How far the unknown of a row reaches: the unknowns that its equation names, those that theirs name, and so on. One
// level a step of an iterative method whose products pass information on.
//
//   mpirun -n 3 influence MATRIX.mtx ROW        (rows counted from 1)
//
// The distributed matrix becomes a distributed graph, and a search from the row finds the levels. Tpetra says whether
// they are right: what is on the first k levels is where the k-th power of the transposed pattern, applied to the unit
// vector of the row, is not zero.
#include <MatrixMarket_Tpetra.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/interop/tpetra.hpp>
#include <dromos/teuchos/communicator.hpp>
#include <dromos/teuchos/region_timers.hpp>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Vector = Tpetra::Vector<double>;
using Vertex = std::int32_t;

/// The level of each row, by products: of this rank's rows.
std::vector<int> levels_by_products(Matrix& pattern, Vertex root) {
  pattern.resumeFill();
  pattern.setAllToScalar(1.0);
  pattern.fillComplete(pattern.getDomainMap(), pattern.getRangeMap());
  Vector reached(pattern.getDomainMap()), next(pattern.getDomainMap());
  const auto base = pattern.getRowMap()->getIndexBase();
  if (pattern.getDomainMap()->isNodeGlobalElement(base + root)) reached.replaceGlobalValue(base + root, 1.0);
  std::vector<int> level(reached.getLocalLength(), -1);
  for (int k = 0;; ++k) {
    {
      const auto values = reached.getDataNonConst();
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (values[i] > 0 && level[i] < 0) level[i] = k;
        if (level[i] != k) values[i] = 0;
      }
    }
    if (reached.normInf() == 0) return level;
    pattern.apply(reached, next, Teuchos::TRANS);
    reached.assign(next);
  }
}

void run(int argc, char** argv) {
  if (argc != 3) throw dromos::ArgumentError("usage: influence MATRIX.mtx ROW");
  const auto comm = Tpetra::getDefaultComm();
  const auto matrix = Tpetra::MatrixMarket::Reader<Matrix>::readSparseFile(argv[1], comm);
  const Vertex root = std::stoi(argv[2]) - 1;

  const dromos::teuchos::RegionTimers timers;
  const dromos::Communicator ranks = dromos::teuchos::make_communicator(*comm);
  const auto graph = dromos::distributed_graph<Vertex>(ranks, *matrix);
  dromos::DistributedInput<Vertex> input;
  input.slice = dromos::global_edges<Vertex>(*matrix);
  input.directed = true;
  const auto search =
      dromos::make_distributed_search<Vertex>("relabelled-bitmask", ranks, Kokkos::DefaultExecutionSpace(), input);
  search->search(root);
  const auto result = search->replicate_result();
  const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.level);

  const std::vector<int> expected = levels_by_products(*matrix, root);
  const auto& rows = *matrix->getDomainMap();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto row = rows.getGlobalElement(static_cast<int>(i)) - rows.getIndexBase();
    if (level(row) == expected[i]) continue;
    throw dromos::Error("row " + std::to_string(row + 1) + " is on level " + std::to_string(level(row)) +
                        ", and products say " + std::to_string(expected[i]));
  }
  if (graph.num_arcs != static_cast<dromos::Offset>(matrix->getGlobalNumEntries())) {
    throw dromos::Error("the graph has " + std::to_string(graph.num_arcs) + " edges, and the matrix " +
                        std::to_string(matrix->getGlobalNumEntries()) + " entries");
  }
  const dromos::DistributedStatistics statistics = search->statistics();
  if (comm->getRank() == 0) {
    std::cout << "row " << root + 1 << " reaches " << statistics.num_reached << " of " << level.extent(0) << " rows in "
              << statistics.depth << " steps\nlevels:";
    for (const auto& each : statistics.levels) std::cout << " " << each.frontier_size;
    std::cout << "\nchecked: products say the same" << std::endl;
  }
  Teuchos::TimeMonitor::summarize(comm.ptr(), std::cout, false, true, false, Teuchos::Union, "dromos::");
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard trilinos(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "influence: error: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
