// SPDX-License-Identifier: BSD-3-Clause
// Are the subdomains of a partition connected? Of a grid whose lines are dealt out to the ranks, and of a partition in
// quadrants of which one reaches into the opposite corner.
//
//   mpirun -n 2 parts [SIDE]            (an even side of the grid, 64 where none is given)
//
//   rank 0  . . . . . .      quadrants  0 0 0 1 1 1
//   rank 1  . . . . . .                 0 0 0 1 1 1
//   rank 0  . . . . . .                 0 0 0 1 1 1
//   rank 1  . . . . . .                 2 2 2 3 3 3
//   rank 0  . . . . . .                 2 2 2 3 3 3
//   rank 1  . . . . . .                 2 2 2 3 3 0      the last corner is of part 0
//
// Both answers are known, and compared with what Dromos says: lines that are not next to each other have no entry
// between them, and a corner is as far from part 0 as can be.
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <dromos/core/error.hpp>
#include <dromos/interop/tpetra_parts.hpp>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Global = Matrix::global_ordinal_type;
using Teuchos::RCP;
using Teuchos::rcp;

/// The five-point matrix of a square grid; line y is on rank y mod the number of ranks.
RCP<const Matrix> grid_matrix(Global side, const RCP<const Teuchos::Comm<int>>& comm) {
  std::vector<Global> own;
  for (Global y = comm->getRank(); y < side; y += comm->getSize()) {
    for (Global x = 0; x < side; ++x) own.push_back(y * side + x);
  }
  const auto map = rcp(new Map(side * side, Teuchos::ArrayView<const Global>(own.data(), own.size()), 0, comm));
  const auto matrix = rcp(new Matrix(map, 5));
  for (const Global row : own) {
    const Global x = row % side, y = row / side;
    std::vector<Global> columns = {row};
    if (x > 0) columns.push_back(row - 1);
    if (x + 1 < side) columns.push_back(row + 1);
    if (y > 0) columns.push_back(row - side);
    if (y + 1 < side) columns.push_back(row + side);
    std::vector<double> values(columns.size(), -1.0);
    values[0] = 4.0;
    matrix->insertGlobalValues(row, static_cast<int>(columns.size()), values.data(), columns.data());
  }
  matrix->fillComplete();
  return matrix;
}

/// Throws unless a part is as it has to be.
void check(const dromos::PartPieces& found, std::int64_t num_vertices, std::int64_t num_pieces, std::int64_t largest) {
  if (found.num_vertices == num_vertices && found.num_pieces == num_pieces && found.largest == largest) return;
  throw dromos::Error("part " + std::to_string(found.part) + " has " + std::to_string(found.num_pieces) +
                      " pieces, and must have " + std::to_string(num_pieces));
}

void run(int argc, char** argv) {
  const Global side = argc > 1 ? std::stoll(argv[1]) : 64;
  if (side < 4 || side % 2 != 0) throw dromos::ArgumentError("usage: parts [SIDE], an even number from 4 on");
  const auto comm = Tpetra::getDefaultComm();
  const auto matrix = grid_matrix(side, comm);

  const auto of_ranks = dromos::tpetra::components_of_parts(*matrix);
  for (const auto& each : of_ranks.parts) {
    const std::int64_t num_lines = (side + comm->getSize() - 1 - each.part) / comm->getSize();
    const bool alone = comm->getSize() == 1;
    check(each, num_lines * side, alone ? 1 : num_lines, alone ? side * side : num_lines > 0 ? side : 0);
  }

  Tpetra::Vector<int> quadrant(matrix->getRowMap());
  for (const Global row : dromos::tpetra::local_elements(*matrix->getRowMap())) {
    const Global x = row % side, y = row / side;
    const bool is_corner = row + 1 == side * side;
    quadrant.replaceGlobalValue(row, is_corner ? 0 : (x < side / 2 ? 0 : 1) + (y < side / 2 ? 0 : 2));
  }
  const auto of_quadrants = dromos::tpetra::components_of_parts(*matrix, quadrant);
  const std::int64_t quarter = side * side / 4;
  if (of_quadrants.parts.size() != 4) throw dromos::Error("there must be four quadrants");
  check(of_quadrants.parts[0], quarter + 1, 2, quarter);
  check(of_quadrants.parts[1], quarter, 1, quarter);
  check(of_quadrants.parts[2], quarter, 1, quarter);
  check(of_quadrants.parts[3], quarter - 1, 1, quarter - 1);

  if (comm->getRank() != 0) return;
  std::cout << "rows of ranks: " << of_ranks.message() << "\n  " << of_ranks.how
            << "\nquadrants: " << of_quadrants.message() << "\n  " << of_quadrants.how
            << "\nchecked: both are as the grid was divided" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard trilinos(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "parts: error: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
