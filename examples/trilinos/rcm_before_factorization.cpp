// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee before an incomplete factorization: conjugate gradients, preconditioned by Ifpack2's RILUK
// without fill, need more iterations the less an order says about neighbors (Duff and Meurant 1989). On several ranks
// each factors the block of its own rows, so that it also matters which rows they are.
//
//   mpirun -n 2 rcm_before_factorization [SIDE]         (of a square grid, 120 where none is given)
//
//   natural          line by line of the grid, as many points on each rank
//   shuffled inside  the same points on each rank, in random order there
//   rcm, local       what rcm() of those makes of each rank's rows, which stay there
//   shuffled         in random order, and so dealt out to the ranks
//   rcm              what rcm() of those gives: an order of all, and new places on the ranks
//
// Checked: every solve ends with a small residual of the matrix that was solved, solutions taken back to the shuffled
// rows are the same, and both orders of rcm() need fewer iterations than what they were made of.
#include <Kokkos_Core.hpp>  // first: the headers of Ifpack2 13.2 leave it to others

#include <Ifpack2_RILUK.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <dromos/core/error.hpp>
#include <dromos/interop/tpetra_orders.hpp>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Vector = Tpetra::Vector<double>;
using Global = Matrix::global_ordinal_type;
using Preconditioner = Ifpack2::RILUK<Tpetra::RowMatrix<double>>;
using Teuchos::RCP;
using Teuchos::rcp;

/// Rows in blocks, as many on each rank.
RCP<const Map> row_map(Global num_rows, const RCP<const Teuchos::Comm<int>>& comm) {
  const Global size = comm->getSize();
  const bool has_one_more = comm->getRank() < num_rows % size;
  return rcp(new Map(num_rows, static_cast<std::size_t>(num_rows / size + (has_one_more ? 1 : 0)), 0, comm));
}

/// The five-point matrix of a square grid with Dirichlet boundary; point p is row number[p].
RCP<const Matrix> grid_matrix(Global side, const std::vector<Global>& number, const RCP<const Map>& map) {
  const auto matrix = rcp(new Matrix(map, 5));
  for (Global p = 0; p < side * side; ++p) {
    const Global row = number[p];
    if (!map->isNodeGlobalElement(row)) continue;
    const Global x = p % side, y = p / side;
    std::vector<Global> columns = {row};
    if (x > 0) columns.push_back(number[p - 1]);
    if (x + 1 < side) columns.push_back(number[p + 1]);
    if (y > 0) columns.push_back(number[p - side]);
    if (y + 1 < side) columns.push_back(number[p + side]);
    std::vector<double> values(columns.size(), -1.0);
    values[0] = 4.0;
    matrix->insertGlobalValues(row, static_cast<int>(columns.size()), values.data(), columns.data());
  }
  matrix->fillComplete();
  return matrix;
}

struct Solve {
  RCP<Vector> x;
  int num_iterations = 0;
};

/// Conjugate gradients with an incomplete factorization of each rank's rows (Hestenes and Stiefel 1952).
Solve solve(const RCP<const Matrix>& matrix, const Vector& b) {
  Preconditioner preconditioner(matrix);
  Teuchos::ParameterList list;
  list.set("fact: iluk level-of-fill", 0);
  preconditioner.setParameters(list);
  preconditioner.initialize();
  preconditioner.compute();
  Solve result{rcp(new Vector(matrix->getDomainMap()))};
  Vector r(b, Teuchos::Copy), z(b.getMap()), p(b.getMap()), q(b.getMap());
  const double size = b.norm2();
  double rho = 0;
  while (r.norm2() > 1e-10 * size) {
    if (++result.num_iterations > 10000) throw dromos::Error("10,000 iterations do not suffice");
    preconditioner.apply(r, z);
    const double before = rho;
    rho = r.dot(z);
    p.update(1.0, z, result.num_iterations == 1 ? 0.0 : rho / before);
    matrix->apply(p, q);
    const double alpha = rho / p.dot(q);
    result.x->update(alpha, p, 1.0);
    r.update(-alpha, q, 1.0);
  }
  matrix->apply(*result.x, q);
  q.update(1.0, b, -1.0);
  if (!(q.norm2() <= 1e-9 * size)) throw dromos::Error("the solution has a residual of " + std::to_string(q.norm2()));
  return result;
}

/// Throws unless two solutions are the same but for what iterations leave.
void check_same(const Vector& a, const Vector& b) {
  Vector difference(a, Teuchos::Copy);
  difference.update(-1.0, b, 1.0);
  if (!(difference.norm2() <= 1e-6 * b.norm2())) throw dromos::Error("two orders give different solutions");
}

/// A matrix as it is and in the order of rcm().
struct Comparison {
  dromos::tpetra::Reordering<Matrix> found;
  int before = 0, after = 0;  ///< iterations
};

Comparison compare(const RCP<const Matrix>& matrix, dromos::tpetra::Where where) {
  Comparison result{dromos::tpetra::rcm(*matrix, {}, where)};
  const auto& ordering = result.found.ordering;
  Vector b(matrix->getRangeMap());
  b.putScalar(1.0);
  const Solve as_it_is = solve(matrix, b);
  const RCP<const Matrix> reindexed = dromos::tpetra::reindexed(*matrix, ordering);
  const Solve ordered = solve(reindexed, *dromos::tpetra::to_new_places(b, ordering));
  check_same(*dromos::tpetra::to_old_places(*ordered.x, ordering), *as_it_is.x);
  result.before = as_it_is.num_iterations;
  result.after = ordered.num_iterations;
  if (result.after >= result.before) throw dromos::Error("the order of rcm() does not help");
  return result;
}

void run(int argc, char** argv) {
  const Global side = argc > 1 ? std::stoll(argv[1]) : 120;
  if (side < 8) throw dromos::ArgumentError("usage: rcm_before_factorization [SIDE], from 8 on");
  const auto map = row_map(side * side, Tpetra::getDefaultComm());
  const int num_ranks = map->getComm()->getSize();
  std::vector<Global> number(side * side);
  std::iota(number.begin(), number.end(), Global(0));
  Vector b(map);
  b.putScalar(1.0);
  const int natural = solve(grid_matrix(side, number, map), b).num_iterations;

  std::mt19937_64 random(1);
  for (Global rank = 0, begin = 0; rank < num_ranks; ++rank) {
    const Global end = begin + side * side / num_ranks + (rank < side * side % num_ranks ? 1 : 0);
    std::shuffle(number.begin() + begin, number.begin() + end, random);
    begin = end;
  }
  const Comparison inside = compare(grid_matrix(side, number, map), dromos::tpetra::Where::local);
  std::shuffle(number.begin(), number.end(), random);
  const Comparison all = compare(grid_matrix(side, number, map), dromos::tpetra::Where::gathered);

  if (map->getComm()->getRank() != 0) return;
  const auto line = [](const char* name, std::int64_t bandwidth, std::int64_t profile, int num_iterations) {
    std::cout << std::left << std::setw(18) << name << std::right << std::setw(10) << bandwidth << std::setw(12)
              << profile << std::setw(12) << num_iterations << "\n";
  };
  std::cout << side << " x " << side << " grid, ILU(0) of each rank's rows, ranks: " << num_ranks
            << "\norder              bandwidth     profile  iterations\n";
  line("natural", side, (side - 1) + side * side * (side - 1), natural);
  line("shuffled inside *", inside.found.bandwidth_before, inside.found.profile_before, inside.before);
  line("rcm, local *", inside.found.bandwidth_after, inside.found.profile_after, inside.after);
  line("shuffled", all.found.bandwidth_before, all.found.profile_before, all.before);
  line("rcm", all.found.bandwidth_after, all.found.profile_after, all.after);
  std::cout << "* bandwidth and profile of the ranks' own blocks\n"
            << inside.found.ordering.how << "\n"
            << all.found.ordering.how << "\nchecked: residuals are small, and orders give the same solution"
            << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard trilinos(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "rcm_before_factorization: error: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
