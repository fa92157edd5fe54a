// SPDX-License-Identifier: BSD-3-Clause
// Transport sweeps over a mesh of twisted boxes: in each direction a cell needs what comes out of its upwind neighbors,
// and where faces are twisted, cells may need each other. What has to be solved together are strongly connected
// components, and what can be worked on at once the levels of the graph between them.
//
//   mpirun -n 2 sweeps [SIDE [DIRECTIONS]]             (12 and 96 where none are given)
//
// The directions are dealt out to the ranks, and each rank decomposes its own in one call (scc_batch), then finds the
// levels of each (condensation, topological_levels). One direction with cycles becomes a distributed Tpetra matrix, row
// v with entries in the columns of its upwind neighbors, and is solved level by level: tpetra::condensation() gives the
// component and the level of each row. An entry leads to a higher level, so that the sweep begins at the last one;
// components of several cells are iterated.
//
// Checked: matrix and batch have the same components and levels, and the sweep leaves no residual.
#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <algorithm>
#include <cmath>
#include <dromos/algorithms/condensation.hpp>
#include <dromos/algorithms/scc_batch.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/core/error.hpp>
#include <dromos/generate/box_mesh.hpp>
#include <dromos/interop/tpetra_sets.hpp>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Vector = Tpetra::Vector<double>;
using Local = Matrix::local_ordinal_type;
using Global = Matrix::global_ordinal_type;
using HostSpace = Kokkos::DefaultHostExecutionSpace;
using Cell = std::int32_t;
using Directions = decltype(dromos::DownwindFaces::direction);
using Teuchos::RCP;
using Teuchos::rcp;

/// Directions first, first + step, ... of `all` that are spread over the sphere in a spiral.
Directions spread_directions(int all, int first, int step) {
  const int count = first < all ? (all - first - 1) / step + 1 : 0;
  const Kokkos::View<double* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> direction("directions", count);
  for (int k = 0; k < count; ++k) {
    const int i = first + k * step;
    const double z = 1 - (2 * i + 1.0) / all, angle = i * 2.399963229728653;
    direction(k, 0) = std::sqrt(1 - z * z) * std::cos(angle);
    direction(k, 1) = std::sqrt(1 - z * z) * std::sin(angle);
    direction(k, 2) = z;
  }
  return direction;
}

/// What a direction asks of a sweep.
struct Demand {
  int num_components = 0, num_levels = 0;
};

/// The edges of one direction, downwind, as a graph in the memory of the default execution space.
auto downwind_graph(const dromos::BoxMesh& mesh, const dromos::DownwindFaces& faces, int direction) {
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;
  std::vector<Cell> from, to;
  for (Cell u = 0; u < mesh.graph.num_vertices(); ++u) {
    for (dromos::Offset e = mesh.graph.row_map(u); e < mesh.graph.row_map(u + 1); ++e) {
      if (!faces(direction, u, mesh.graph.entries(e), e)) continue;
      from.push_back(u);
      to.push_back(mesh.graph.entries(e));
    }
  }
  dromos::EdgeList<Cell, Kokkos::HostSpace> edges(mesh.graph.num_vertices(), static_cast<dromos::Offset>(from.size()));
  std::copy(from.begin(), from.end(), edges.source.data());
  std::copy(to.begin(), to.end(), edges.target.data());
  return dromos::build_csr(Kokkos::DefaultExecutionSpace(), dromos::copy_to<Memory>(edges));
}

/// The components and levels of every direction, of which this rank finds its share; on every rank.
std::vector<Demand> decompose(const dromos::BoxMesh& mesh, int num_directions, const Teuchos::Comm<int>& comm) {
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  const int me = comm.getRank(), all = comm.getSize();
  const dromos::DownwindFaces faces{mesh.normal, mesh.center, spread_directions(num_directions, me, all)};
  const auto own = static_cast<int>(faces.direction.extent(0));
  const auto num_cells = static_cast<std::size_t>(mesh.graph.num_vertices());
  const Kokkos::View<Cell**, Kokkos::LayoutRight, Kokkos::HostSpace> label("labels", own, num_cells);
  dromos::scc_batch(HostSpace(), mesh.graph, own, faces, label);

  std::vector<Demand> mine(num_directions), demand(num_directions);
  for (int i = 0; i < own; ++i) {
    const Kokkos::View<Cell*, Memory> labels("labels of a direction", num_cells);
    const auto host = Kokkos::create_mirror_view(labels);
    for (std::size_t v = 0; v < num_cells; ++v) host(v) = label(i, v);
    Kokkos::deep_copy(labels, host);
    const auto condensed = dromos::condensation(Space(), downwind_graph(mesh, faces, i), labels);
    Kokkos::View<dromos::Level*, Memory> level;
    mine[me + i * all] = {static_cast<int>(condensed.num_components()),
                          static_cast<int>(dromos::topological_levels(Space(), condensed.graph, level).num_levels)};
  }
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 2 * num_directions, &mine[0].num_components, &demand[0].num_components);
  return demand;
}

/// The matrix of one direction: what comes in over upwind faces, and a little absorption.
RCP<const Matrix> upwind_matrix(const dromos::BoxMesh& mesh, int num_directions, int direction,
                                const RCP<const Teuchos::Comm<int>>& comm) {
  const dromos::DownwindFaces faces{mesh.normal, mesh.center,
                                    spread_directions(num_directions, direction, num_directions)};
  const auto map = rcp(new Map(mesh.graph.num_vertices(), 0, comm));
  const auto matrix = rcp(new Matrix(map, 7));
  for (const Global row : dromos::tpetra::local_elements(*map)) {
    const auto v = static_cast<Cell>(row);
    std::vector<Global> columns = {row};
    std::vector<double> values = {0.5};
    for (dromos::Offset e = mesh.graph.row_map(v); e < mesh.graph.row_map(v + 1); ++e) {
      double across = 0;  // of the face out of v: negative where the neighbor is upwind
      for (int k = 0; k < 3; ++k) across += mesh.normal(e, k) * faces.direction(0, k);
      if (!(across < 0)) continue;
      columns.push_back(mesh.graph.entries(e));
      values.push_back(across);
      values[0] -= across;
    }
    matrix->insertGlobalValues(row, static_cast<Local>(columns.size()), values.data(), columns.data());
  }
  matrix->fillComplete();
  return matrix;
}

/// Solves level by level, from the last one on; returns how often values were exchanged.
int sweep(const Matrix& matrix, const dromos::tpetra::RowComponents<Matrix>& found, const Vector& b, Vector& x) {
  const Tpetra::Import<Local, Global> import(matrix.getDomainMap(), matrix.getColMap());
  Vector near(matrix.getColMap());
  dromos::tpetra::IndexVectorOf<Matrix> component_near(matrix.getColMap());
  component_near.doImport(*found.component, import, Tpetra::INSERT);
  const auto component_of_column = component_near.getData(), component = found.component->getData();
  const auto level = found.level->getData();
  const auto right_side = b.getData();
  int num_exchanges = 0;
  for (Global at = found.num_levels; at-- > 0;) {
    for (double most_changed = 1; most_changed > 1e-14;) {
      near.doImport(x, import, Tpetra::INSERT);
      ++num_exchanges;
      const auto known = near.getData();
      const auto values_of_x = x.getDataNonConst();
      double changed = 0;  // of rows that need rows of their own component
      for (Local v = 0; v < static_cast<Local>(level.size()); ++v) {
        if (level[v] != at) continue;
        Matrix::local_inds_host_view_type columns;
        Matrix::values_host_view_type values;
        matrix.getLocalRowView(v, columns, values);
        double sum = right_side[v], diagonal = 0;
        bool is_alone = true;
        for (std::size_t k = 0; k < columns.extent(0); ++k) {
          if (matrix.getColMap()->getGlobalElement(columns(k)) == matrix.getRowMap()->getGlobalElement(v)) {
            diagonal = values(k);
            continue;
          }
          sum -= values(k) * known[columns(k)];
          is_alone = is_alone && component_of_column[columns(k)] != component[v];
        }
        if (!is_alone) changed = std::max(changed, std::abs(sum / diagonal - values_of_x[v]));
        values_of_x[v] = sum / diagonal;
      }
      Teuchos::reduceAll(*matrix.getComm(), Teuchos::REDUCE_MAX, changed, Teuchos::outArg(most_changed));
    }
  }
  return num_exchanges;
}

void run(int argc, char** argv) {
  const int side = argc > 1 ? std::stoi(argv[1]) : 12, num_directions = argc > 2 ? std::stoi(argv[2]) : 96;
  if (side < 2 || num_directions < 1) throw dromos::ArgumentError("usage: sweeps [SIDE [DIRECTIONS]], from 2 and 1 on");
  const auto comm = Tpetra::getDefaultComm();
  const dromos::BoxMesh mesh = dromos::box_mesh({side, 0.3, 0.2, 1});
  const auto num_cells = mesh.graph.num_vertices();
  const std::vector<Demand> demand = decompose(mesh, num_directions, *comm);
  const auto is_cyclic = [&](const Demand& each) { return each.num_components < num_cells; };
  const auto num_cyclic = std::count_if(demand.begin(), demand.end(), is_cyclic);
  const auto cyclic = std::find_if(demand.begin(), demand.end(), is_cyclic);
  const int chosen = cyclic == demand.end() ? 0 : static_cast<int>(cyclic - demand.begin());

  const auto matrix = upwind_matrix(mesh, num_directions, chosen, comm);
  const auto found = dromos::tpetra::condensation(*matrix);
  if (found.num_components != demand[chosen].num_components || found.num_levels != demand[chosen].num_levels) {
    throw dromos::Error("the matrix has " + std::to_string(found.num_components) + " components, and the batch says " +
                        std::to_string(demand[chosen].num_components));
  }
  Vector x(matrix->getDomainMap()), b(matrix->getRangeMap()), product(matrix->getRangeMap());
  b.putScalar(1.0);
  const int num_exchanges = sweep(*matrix, found, b, x);
  matrix->apply(x, product);
  product.update(1.0, b, -1.0);
  if (!(product.normInf() <= 1e-12)) {
    throw dromos::Error("the sweep leaves a residual of " + std::to_string(product.normInf()));
  }
  if (comm->getRank() != 0) return;
  const auto by_levels = [](const Demand& one, const Demand& other) { return one.num_levels < other.num_levels; };
  const auto [least, most] = std::minmax_element(demand.begin(), demand.end(), by_levels);
  std::cout << num_cells << " cells, " << num_directions << " directions: " << num_cyclic << " with cycles, "
            << least->num_levels << " to " << most->num_levels << " levels\n"
            << "direction " << chosen << ": " << found.num_components << " components, the largest of "
            << found.largest_component << " cells, on " << found.num_levels << " levels\n  " << found.how
            << "\nswept with " << num_exchanges
            << " exchanges\nchecked: matrix and batch agree, and no residual is left" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard trilinos(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "sweeps: error: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
