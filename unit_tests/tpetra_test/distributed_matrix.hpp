// SPDX-License-Identifier: BSD-3-Clause
// Matrices that the tests of the Tpetra functions share: random entries on random maps, whose global indices have gaps
// and an index base other than 0, with ranks that have no rows. The same matrix is made on one rank, and all entries of
// a distributed matrix are brought to every rank, so that everything is judged on the host, by sets of entries.
#pragma once

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../bipartite_patterns.hpp"

namespace dromos::test {

using Matrix = Tpetra::CrsMatrix<double>;
using Map = Matrix::map_type;
using Global = Matrix::global_ordinal_type;
using Local = Matrix::local_ordinal_type;
using Teuchos::RCP;
using Teuchos::rcp;

/// The value of each entry, by global indices.
using Entries = std::map<std::pair<Global, Global>, double>;

struct MatrixCase {
  std::string name;
  Global index_base = 0;
  std::vector<Global> rows, columns;  ///< global indices
  std::vector<int> row_owner, column_owner;
  Entries entries;

  bool is_square() const { return rows == columns; }

  RCP<Map> make_map(const RCP<const Teuchos::Comm<int>>& comm, const std::vector<Global>& indices,
                    const std::vector<int>& owner) const {
    std::vector<Global> own;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (owner[i] % comm->getSize() == comm->getRank()) own.push_back(indices[i]);
    }
    // Not in ascending order.
    std::shuffle(own.begin(), own.end(), std::mt19937_64(own.size()));
    return rcp(new Map(indices.size(), Teuchos::ArrayView<const Global>(own.data(), own.size()), index_base, comm));
  }

  RCP<Matrix> build(const RCP<const Teuchos::Comm<int>>& comm) const {
    const auto row_map = make_map(comm, rows, row_owner);
    const auto column_map = is_square() ? row_map : make_map(comm, columns, column_owner);
    const auto matrix = rcp(new Matrix(row_map, rows.size() + columns.size()));
    for (const auto& [place, value] : entries) {
      if (!row_map->isNodeGlobalElement(place.first)) continue;
      matrix->insertGlobalValues(place.first, 1, &value, &place.second);
    }
    matrix->fillComplete(column_map, row_map);
    return matrix;
  }
};

/// Indices that ascend with random gaps.
inline std::vector<Global> random_indices(std::mt19937_64& random, std::int64_t count, Global base, bool gaps) {
  std::vector<Global> indices;
  Global next = base;
  for (std::int64_t i = 0; i < count; ++i) {
    if (gaps) next += static_cast<Global>(random() % 5);
    indices.push_back(next++);
  }
  return indices;
}

/// Random by seed; of ranks up to 3 some have nothing now and then.
inline MatrixCase random_case(std::uint64_t seed, bool square) {
  const Pattern pattern = random_pattern(seed);
  std::mt19937_64 random(seed + 1000);
  MatrixCase result;
  result.name = "random matrix " + std::to_string(seed);
  result.index_base = static_cast<Global>(random() % 3);
  const bool gaps = random() % 2 == 0;
  const std::int64_t num_columns = square ? pattern.num_rows : pattern.num_columns;
  result.rows = random_indices(random, pattern.num_rows, result.index_base, gaps);
  result.columns = square ? result.rows : random_indices(random, num_columns, result.index_base, gaps);
  const std::uint64_t num_owners = 1 + random() % 3;
  const auto owner = [&] { return static_cast<int>(random() % num_owners); };
  for (std::size_t i = 0; i < result.rows.size(); ++i) result.row_owner.push_back(owner());
  for (std::size_t i = 0; i < result.columns.size(); ++i) result.column_owner.push_back(owner());
  for (const auto& [i, j] : pattern.entries) {
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j % num_columns);
    result.entries[{result.rows[row], result.columns[column]}] = 1.0 + static_cast<double>(random() % 1000);
  }
  return result;
}

/// All entries of a matrix, on every rank. Collective.
inline Entries all_entries(const Communicator& world, const Matrix& matrix) {
  struct Entry {
    Global row, column;
    double value;
  };
  std::vector<Entry> own;
  const auto rows = tpetra::local_elements(*matrix.getRowMap());
  for (Local i = 0; i < static_cast<Local>(rows.size()); ++i) {
    Matrix::local_inds_host_view_type columns;
    Matrix::values_host_view_type values;
    matrix.getLocalRowView(i, columns, values);
    for (std::size_t k = 0; k < columns.extent(0); ++k) {
      own.push_back({rows[i], matrix.getColMap()->getGlobalElement(columns(k)), values(k)});
    }
  }
  Entries entries;
  for (const Entry& entry : gather_values(world, own)) entries[{entry.row, entry.column}] = entry.value;
  return entries;
}

/// The values of a vector by global index, on every rank. Collective.
template <class Vector>
auto all_values(const Communicator& world, const Vector& vector) {
  using Scalar = typename Vector::scalar_type;
  struct Element {
    Global index;
    Scalar value;
  };
  std::vector<Element> own;
  const auto values = vector.getData();
  const auto indices = tpetra::local_elements(*vector.getMap());
  for (Local i = 0; i < static_cast<Local>(indices.size()); ++i) own.push_back({indices[i], values[i]});
  std::map<Global, Scalar> all;
  for (const Element& element : gather_values(world, own)) all[element.index] = element.value;
  return all;
}

/// The indices of a map, one rank's behind the other's, on every rank. Collective.
inline std::vector<Global> all_indices(const Communicator& world, const Map& map) {
  const auto own = tpetra::local_elements(map);
  return gather_values(world, std::vector<Global>(own.begin(), own.end()));
}

inline RCP<const Teuchos::Comm<int>> all_ranks() { return rcp(new Teuchos::MpiComm<int>(MPI_COMM_WORLD)); }
inline RCP<const Teuchos::Comm<int>> one_rank() { return rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF)); }

}  // namespace dromos::test
