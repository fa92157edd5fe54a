// SPDX-License-Identifier: BSD-3-Clause
// The block triangular form of a sparse matrix: an order of its rows and columns in which nothing is below the diagonal
// blocks, and no block can be taken apart further. A linear system in that form is solved block by block, from the last
// one up, and only the diagonal blocks need to be factored (Duff and Reid 1978).
//
//   mpirun -n 2 block_triangular_form MATRIX.mtx [PARAMETERS.xml]
//
// The diagonal blocks are the strongly connected components of the matrix' graph, which Dromos finds; a topological
// order of what connects them orders them. The matrix must have no zero on its diagonal, as after a maximum matching.
// The parameters, XML or YAML, are those of dromos::SccOptions.
//
// What is computed is checked: the permuted matrix is built, has no entry below its blocks, and times the permuted x is
// the permuted product of the given matrix and x.
#include <Kokkos_Core.hpp>
#include <MatrixMarket_Tpetra.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <algorithm>
#include <cmath>
#include <dromos/algorithms/scc.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/interop/tpetra.hpp>
#include <dromos/teuchos/options.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <functional>
#include <iostream>
#include <queue>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Vector = Tpetra::Vector<double>;
using Local = Matrix::local_ordinal_type;
using Global = Matrix::global_ordinal_type;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Teuchos::RCP;
using Teuchos::rcp;

/// The whole matrix on the first rank; the others get one without rows.
RCP<const Matrix> gather(const RCP<const Matrix>& matrix) {
  const Map& rows = *matrix->getRowMap();
  const std::size_t all = rows.getComm()->getRank() == 0 ? rows.getGlobalNumElements() : 0;
  const auto first = rcp(new Map(rows.getGlobalNumElements(), all, rows.getIndexBase(), rows.getComm()));
  const Tpetra::Import<Local, Global> import(matrix->getRowMap(), first);
  return Tpetra::importAndFillCompleteCrsMatrix<Matrix>(matrix, import, first, first);
}

struct BlockOrder {
  std::vector<Local> row;          ///< by position: which row of the matrix comes there
  std::vector<Local> position;     ///< by row: where it comes
  std::vector<Local> block_begin;  ///< position of the first row of each block, and the number of rows
};

/// Calls f(column) for each entry of a row.
template <class F>
void for_each_column(const Matrix& matrix, Local row, const F& f) {
  Matrix::local_inds_host_view_type columns;
  Matrix::values_host_view_type values;
  matrix.getLocalRowView(row, columns, values);
  for (std::size_t k = 0; k < columns.extent(0); ++k) f(columns(k));
}

/// Puts the components in an order in which no entry leads from a later one to an earlier one (Kahn 1962); of those
/// that could be next, the one of the smallest row.
BlockOrder order_blocks(const Matrix& matrix, const std::vector<Local>& component) {
  const Local n = static_cast<Local>(component.size());
  std::vector<std::vector<Local>> members(n);
  std::vector<Local> num_before(n, 0);  // entries into a component that come from components without a place
  for (Local u = 0; u < n; ++u) {
    members[component[u]].push_back(u);
    for_each_column(matrix, u, [&](Local v) { num_before[component[v]] += component[u] != component[v]; });
  }
  std::priority_queue<Local, std::vector<Local>, std::greater<Local>> ready;
  for (Local u = 0; u < n; ++u) {
    if (component[u] == u && num_before[u] == 0) ready.push(u);
  }
  BlockOrder order;
  order.position.resize(n);
  while (!ready.empty()) {
    const Local block = ready.top();
    ready.pop();
    order.block_begin.push_back(static_cast<Local>(order.row.size()));
    for (const Local u : members[block]) {
      order.position[u] = static_cast<Local>(order.row.size());
      order.row.push_back(u);
    }
    for (const Local u : members[block]) {
      for_each_column(matrix, u, [&](Local v) {
        if (component[v] != block && --num_before[component[v]] == 0) ready.push(component[v]);
      });
    }
  }
  order.block_begin.push_back(static_cast<Local>(order.row.size()));
  return order;
}

BlockOrder block_triangular_form(const Matrix& matrix, const dromos::SccOptions& options) {
  const Space space;
  const auto borrowed = dromos::local_graph_view(matrix);
  dromos::SccScratch<Local, Memory> scratch(borrowed.graph, dromos::transpose(space, borrowed.graph));
  dromos::SccResult<Local, Memory> result;
  dromos::scc(space, scratch, result, options);
  const auto component = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.component);
  return order_blocks(matrix, std::vector<Local>(component.data(), component.data() + component.extent(0)));
}

/// The matrix with its rows and columns in that order.
RCP<const Matrix> permuted(const Matrix& matrix, const BlockOrder& order) {
  const std::size_t n = order.row.size();
  const auto map = rcp(new Map(n, 0, rcp(new Teuchos::SerialComm<int>())));
  const auto result = rcp(new Matrix(map, matrix.getNodeMaxNumRowEntries()));
  for (std::size_t i = 0; i < n; ++i) {
    Matrix::local_inds_host_view_type columns;
    Matrix::values_host_view_type values;
    matrix.getLocalRowView(order.row[i], columns, values);
    std::vector<Global> positions;
    for (std::size_t k = 0; k < columns.extent(0); ++k) positions.push_back(order.position[columns(k)]);
    result->insertGlobalValues(static_cast<Global>(i), static_cast<Local>(positions.size()), values.data(),
                               positions.data());
  }
  result->fillComplete();
  return result;
}

/// Throws unless the matrix has nothing below its diagonal blocks.
void check_blocks(const Matrix& matrix, const BlockOrder& order) {
  const auto& begin = order.block_begin;
  if (begin.back() != static_cast<Local>(matrix.getNodeNumRows())) {
    throw dromos::Error("the blocks have " + std::to_string(begin.back()) + " rows in all, and the matrix " +
                        std::to_string(matrix.getNodeNumRows()));
  }
  for (std::size_t block = 0; block + 1 < begin.size(); ++block) {
    for (Local i = begin[block]; i < begin[block + 1]; ++i) {
      for_each_column(matrix, i, [&](Local j) {
        if (matrix.getColMap()->getGlobalElement(j) >= begin[block]) return;
        throw dromos::Error("row " + std::to_string(i) + " has an entry in a column left of its block");
      });
    }
  }
}

/// Throws unless the permuted matrix times the permuted x is the permuted product.
void check_product(const Matrix& matrix, const Matrix& permuted_matrix, const BlockOrder& order) {
  const auto serial = rcp(new Map(order.row.size(), 0, rcp(new Teuchos::SerialComm<int>())));
  Vector x(serial), y(serial);
  for (std::size_t i = 0; i < order.row.size(); ++i) x.replaceLocalValue(static_cast<Local>(i), 1.0 + order.row[i] % 7);
  permuted_matrix.apply(x, y);
  const auto product = y.getData();
  for (std::size_t i = 0; i < order.row.size(); ++i) {
    Matrix::local_inds_host_view_type columns;
    Matrix::values_host_view_type values;
    matrix.getLocalRowView(order.row[i], columns, values);
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < columns.extent(0); ++k) {
      sum += values(k) * (1.0 + columns(k) % 7);
      size += std::abs(values(k)) * (1.0 + columns(k) % 7);
    }
    if (!(std::abs(sum - product[i]) <= 1e-12 * size)) {
      throw dromos::Error("row " + std::to_string(order.row[i]) + " gives another product after the permutation");
    }
  }
}

void print(const Matrix& matrix, const BlockOrder& order) {
  const auto& begin = order.block_begin;
  std::vector<std::size_t> count(order.row.size() + 1, 0);  // of blocks, by size
  for (std::size_t block = 0; block + 1 < begin.size(); ++block) ++count[begin[block + 1] - begin[block]];
  std::cout << matrix.getNodeNumRows() << " rows, " << matrix.getNodeNumEntries() << " entries: " << begin.size() - 1
            << " diagonal blocks\n";
  for (std::size_t size = count.size(); size-- > 1;) {
    if (count[size] > 0)
      std::cout << "  " << count[size] << (count[size] == 1 ? " block" : " blocks") << " of size " << size << "\n";
  }
  if (order.row.size() > 40) return;
  for (std::size_t block = 0; block + 1 < begin.size(); ++block) {
    std::cout << "block " << block + 1 << ": rows";
    for (Local i = begin[block]; i < begin[block + 1]; ++i) std::cout << " " << order.row[i] + 1;
    std::cout << "\n";
  }
}

void run(int argc, char** argv) {
  if (argc < 2 || argc > 3) throw dromos::ArgumentError("usage: block_triangular_form MATRIX.mtx [PARAMETERS.xml]");
  dromos::SccOptions options;
  if (argc == 3)
    options = dromos::teuchos::read_options<dromos::SccOptions>(dromos::teuchos::read_parameter_file(argv[2]));
  const auto comm = Tpetra::getDefaultComm();
  const auto matrix = gather(Tpetra::MatrixMarket::Reader<Matrix>::readSparseFile(argv[1], comm));
  if (comm->getRank() != 0) return;
  const BlockOrder order = block_triangular_form(*matrix, options);
  const auto triangular = permuted(*matrix, order);
  check_blocks(*triangular, order);
  check_product(*matrix, *triangular, order);
  print(*triangular, order);
  std::cout << "checked: nothing below the diagonal blocks, and the product is the same\n";
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
