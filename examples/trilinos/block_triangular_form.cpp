// SPDX-License-Identifier: BSD-3-Clause
// The block triangular form of a sparse matrix, and a linear system solved by it.
//
//   mpirun -n 2 block_triangular_form MATRIX.mtx [PARAMETERS.xml]
//
// Nothing is left of the diagonal blocks, so that the system is solved block by block, from the last one up, and only
// the square blocks are factored (Duff and Reid 1978): here by dense elimination, on the first rank. A matrix that is
// rectangular or structurally singular has no such solution for every right side; what is said of it then is which part
// has too many columns, and which too many rows (Dulmage and Mendelsohn 1958). Zeros on the diagonal do not matter.
//
// What is computed is checked: nothing is left of a block, every square block has entries all along its diagonal, the
// permuted matrix is the same operator, and the solution has a small residual in the matrix as it was given.
#include <MatrixMarket_Tpetra.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <algorithm>
#include <cmath>
#include <dromos/core/error.hpp>
#include <dromos/interop/tpetra_orders.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Vector = Tpetra::Vector<double>;
using Local = Matrix::local_ordinal_type;
using Global = Matrix::global_ordinal_type;
using Form = dromos::tpetra::BlockForm<Matrix>;
using Teuchos::RCP;
using Teuchos::rcp;

/// Calls f(column, value) for each entry of a row of this rank, by new global indices.
template <class F>
void for_each_entry(const Matrix& matrix, Local row, const F& f) {
  Matrix::local_inds_host_view_type columns;
  Matrix::values_host_view_type values;
  matrix.getLocalRowView(row, columns, values);
  for (std::size_t k = 0; k < columns.extent(0); ++k) f(matrix.getColMap()->getGlobalElement(columns(k)), values(k));
}

/// Throws on the rank that has a row with an entry left of its block, or a square block with a zero on its diagonal.
void check_blocks(const Matrix& matrix, const Form& form) {
  const auto& rows = *matrix.getRowMap();
  for (Local i = 0; i < static_cast<Local>(dromos::tpetra::num_local_elements(rows)); ++i) {
    const Global row = rows.getGlobalElement(i);
    const auto behind = std::upper_bound(form.row_begin.begin(), form.row_begin.end() - 1, row);
    const auto block = behind - form.row_begin.begin() - 1;
    const Global diagonal = form.column_begin[block] + row - form.row_begin[block];
    bool has_diagonal = block == 0 || block + 1 == form.num_blocks();
    for_each_entry(matrix, i, [&](Global column, double) {
      has_diagonal = has_diagonal || column == diagonal;
      if (column >= form.column_begin[block]) return;
      throw dromos::Error("row " + std::to_string(row) + " has an entry in a column left of its block");
    });
    if (!has_diagonal) throw dromos::Error("row " + std::to_string(row) + " has a zero on the diagonal of its block");
  }
}

/// A vector without a pattern.
void fill(Vector& x) {
  const auto& map = *x.getMap();
  for (Local i = 0; i < static_cast<Local>(dromos::tpetra::num_local_elements(map)); ++i) {
    x.replaceLocalValue(i, 1.0 + static_cast<double>(map.getGlobalElement(i) * 5 % 7));
  }
}

/// Throws unless the permuted matrix times the permuted x is the permuted product.
void check_operator(const Matrix& matrix, const Matrix& permuted, const Form& form) {
  Vector x(matrix.getDomainMap()), y(matrix.getRangeMap()), new_y(permuted.getRangeMap());
  fill(x);
  matrix.apply(x, y);
  permuted.apply(*dromos::tpetra::to_new_places(x, form.columns), new_y);
  const double size = y.normInf();
  y.update(-1.0, *dromos::tpetra::to_old_places(new_y, form.rows), 1.0);
  if (!(y.normInf() <= 1e-12 * size)) throw dromos::Error("the permuted matrix gives another product");
}

/// One square block of the system, solved by elimination with the largest pivot of each column; b becomes x.
void solve_block(std::vector<std::vector<double>> a, double* b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    if (a[pivot][k] == 0) throw dromos::Error("a block is singular by its values, whatever its pattern is");
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

/// Everything on the first rank: a map of the same indices.
RCP<const Map> on_first_rank(const RCP<const Map>& map) {
  const std::size_t own = map->getComm()->getRank() == 0 ? map->getGlobalNumElements() : 0;
  return rcp(new Map(map->getGlobalNumElements(), own, map->getIndexBase(), map->getComm()));
}

/// Solves the permuted system block by block, from the last one up, on the first rank; the solution is on its map.
RCP<Vector> solve_by_blocks(const RCP<const Matrix>& permuted, const Vector& right_side, const Form& form) {
  const auto rows = on_first_rank(permuted->getRowMap());
  const Tpetra::Import<Local, Global> import(permuted->getRowMap(), rows);
  const auto matrix = Tpetra::importAndFillCompleteCrsMatrix<Matrix>(permuted, import, rows, rows);
  const auto x = rcp(new Vector(rows));
  x->doImport(right_side, import, Tpetra::INSERT);
  const auto solution = rcp(new Vector(permuted->getDomainMap()));
  if (rows->getComm()->getRank() == 0) {
    const auto values = x->getDataNonConst();
    const Global base = rows->getIndexBase();
    for (std::int64_t block = form.num_blocks() - 2; block > 0; --block) {
      const Global begin = form.row_begin[block], end = form.row_begin[block + 1];
      std::vector<std::vector<double>> dense(end - begin, std::vector<double>(end - begin, 0.0));
      for (Global row = begin; row < end; ++row) {
        // What is right of the block is known already.
        for_each_entry(*matrix, static_cast<Local>(row - base), [&](Global column, double value) {
          if (column < end) dense[row - begin][column - begin] = value;
          if (column >= end) values[row - base] -= value * values[column - base];
        });
      }
      solve_block(dense, &values[begin - base]);
    }
  }
  solution->doExport(*x, Tpetra::Export<Local, Global>(rows, permuted->getDomainMap()), Tpetra::INSERT);
  return solution;
}

/// The solution for a right side with a known one, judged in the matrix as it was given.
double residual_by_blocks(const Matrix& matrix, const RCP<const Matrix>& permuted, const Form& form) {
  Vector known(matrix.getDomainMap()), b(matrix.getRangeMap()), product(matrix.getRangeMap());
  fill(known);
  matrix.apply(known, b);
  const auto new_x = solve_by_blocks(permuted, *dromos::tpetra::to_new_places(b, form.rows), form);
  matrix.apply(*dromos::tpetra::to_old_places(*new_x, form.columns), product);
  product.update(1.0, b, -1.0);
  return product.norm2() / b.norm2();
}

void print_part(const char* name, std::int64_t num_rows, std::int64_t num_columns) {
  std::cout << "  " << name << ": " << num_rows << " x " << num_columns << "\n";
}

void print(const Matrix& matrix, const Form& form) {
  const auto& s = form.statistics;
  std::cout << matrix.getGlobalNumRows() << " x " << matrix.getDomainMap()->getGlobalNumElements() << ", "
            << matrix.getGlobalNumEntries() << " entries: structural rank " << s.num_matched << "\n";
  print_part("under-determined part", s.num_under_rows, s.num_under_columns);
  print_part("square part", s.num_square_rows, s.num_square_rows);
  print_part("over-determined part", s.num_over_rows, s.num_over_columns);
  std::cout << "  " << s.num_square_blocks << " square blocks on " << s.num_levels << " levels, the largest of size "
            << s.largest_square_block << "\n";
}

/// The original rows and columns of each block, from 1 on; of small matrices.
void print_blocks(const Form& form) {
  const auto rows = on_first_rank(form.rows.places), columns = on_first_rank(form.columns.places);
  const auto old_indices = [](const auto& ordering, const RCP<const Map>& first) {
    Tpetra::Vector<Global> old(ordering.places), all(first);
    for (Local i = 0; i < static_cast<Local>(dromos::tpetra::num_local_elements(*ordering.order)); ++i) {
      old.replaceLocalValue(i, ordering.order->getGlobalElement(i));
    }
    all.doImport(old, Tpetra::Import<Local, Global>(ordering.places, first), Tpetra::INSERT);
    const auto values = all.getData();
    return std::vector<Global>(values.begin(), values.end());
  };
  const auto old_rows = old_indices(form.rows, rows), old_columns = old_indices(form.columns, columns);
  if (rows->getComm()->getRank() != 0) return;
  const Global base = rows->getIndexBase();
  const auto list = [&](const char* what, const std::vector<Global>& old, Global begin, Global end) {
    std::cout << what;
    std::vector<Global> sorted(old.begin() + (begin - base), old.begin() + (end - base));
    std::sort(sorted.begin(), sorted.end());
    for (const Global index : sorted) std::cout << " " << index - base + 1;
  };
  for (std::int64_t b = 0; b < form.num_blocks(); ++b) {
    if (form.row_begin[b] == form.row_begin[b + 1] && form.column_begin[b] == form.column_begin[b + 1]) continue;
    std::cout << (b == 0 ? "under-determined" : b + 1 == form.num_blocks() ? "over-determined" : "square") << ": ";
    list("rows", old_rows, form.row_begin[b], form.row_begin[b + 1]);
    list(", columns", old_columns, form.column_begin[b], form.column_begin[b + 1]);
    std::cout << "\n";
  }
}

void run(int argc, char** argv) {
  if (argc < 2 || argc > 3) throw dromos::ArgumentError("usage: block_triangular_form MATRIX.mtx [PARAMETERS.xml]");
  const auto comm = Tpetra::getDefaultComm();
  const RCP<const Matrix> matrix = Tpetra::MatrixMarket::Reader<Matrix>::readSparseFile(argv[1], comm);
  const auto list = argc == 3 ? dromos::teuchos::read_parameter_file(argv[2]) : Teuchos::ParameterList();
  const Form form = dromos::tpetra::block_triangular_form(*matrix, list);
  const RCP<const Matrix> triangular = dromos::tpetra::reindexed(*matrix, form.rows, form.columns);
  check_blocks(*triangular, form);
  check_operator(*matrix, *triangular, form);

  const bool is_first = comm->getRank() == 0;
  if (is_first) print(*matrix, form);
  if (matrix->getGlobalNumRows() <= 40) print_blocks(form);
  if (is_first) {
    std::cout << form.rows.how << "\nchecked: nothing is left of the diagonal blocks, and the product is the same\n";
  }
  if (!form.is_structurally_nonsingular()) {
    if (is_first) {
      std::cout << "not solved: "
                << (form.matching.num_rows == form.matching.num_columns ? "the matrix is structurally singular"
                                                                        : "the matrix is not square")
                << std::endl;
    }
    return;
  }
  const double residual = residual_by_blocks(*matrix, triangular, form);
  if (!(residual <= 1e-10)) throw dromos::Error("the residual of the solution is " + std::to_string(residual));
  if (is_first) std::cout << "solved block by block: the residual is below 1e-10 of the right side" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard trilinos(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "block_triangular_form: error: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
