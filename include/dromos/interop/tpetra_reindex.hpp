// SPDX-License-Identifier: BSD-3-Clause
// Orders of rows or columns as Tpetra has them, and matrices and vectors in such an order.
//
//   const auto found = dromos::tpetra::rcm(matrix);                          // interop/tpetra_orders.hpp
//   const auto a = reindexed(matrix, found.ordering, found.ordering);
//   const auto b = to_new_places(*right_side, found.ordering);
//   ... a x = b ...
//   const auto solution = to_old_places(*x, found.ordering);
//
//   two ranks, rows 10 20 | 30 40, in the order 30 10 40 20
//   order     30 10 | 40 20      a map of the old indices, place after place
//   places     0  1 |  2  3      the new indices: each rank has as many places as it had indices
//   place      1  3 |  0  2      by old index: its place
//
// New indices are contiguous and begin at the index base of the old ones.
#pragma once

#include <Teuchos_ArrayRCP.hpp>
#include <Teuchos_ArrayView.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/interop/tpetra_gathered.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <string>
#include <vector>

namespace dromos::tpetra {

/// An order of the global indices of a map.
template <class LocalIndex, class GlobalIndex, class Node>
struct Ordering {
  using Map = Tpetra::Map<LocalIndex, GlobalIndex, Node>;

  Teuchos::RCP<const Map> order;   ///< the old global indices, place after place
  Teuchos::RCP<const Map> places;  ///< the new ones, contiguous, on the same ranks as those of `order`
  /// By old index, on the map that was given: its new index.
  Teuchos::RCP<const Tpetra::Vector<GlobalIndex, LocalIndex, GlobalIndex, Node>> place;
  std::string how;  ///< where the order was found, for people to read
};

/// The ordering of a Tpetra::CrsMatrix or Tpetra::CrsGraph.
template <class Matrix>
using OrderingOf = Ordering<LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>;

namespace detail {

/// The two maps of an ordering; `own` are the old indices of this rank's places. Collective.
template <class LocalIndex, class GlobalIndex, class Node>
void make_maps(const Tpetra::Map<LocalIndex, GlobalIndex, Node>& map, const HostArray<GlobalIndex>& own,
               Ordering<LocalIndex, GlobalIndex, Node>& ordering) {
  using Map = Tpetra::Map<LocalIndex, GlobalIndex, Node>;
  const auto num_all = map.getGlobalNumElements();
  const auto num_own = static_cast<typename Teuchos::ArrayView<const GlobalIndex>::size_type>(own.extent(0));
  ordering.order = Teuchos::rcp(
      new Map(num_all, Teuchos::ArrayView<const GlobalIndex>(own.data(), num_own), map.getIndexBase(), map.getComm()));
  ordering.places = Teuchos::rcp(new Map(num_all, own.extent(0), map.getIndexBase(), map.getComm()));
}

/// The ordering of numbered indices. Collective.
///
/// \param by_place  on the first rank: numbers, place after place
template <class Map>
auto make_ordering(const Communicator& communicator, const NumberedIndices<Map>& indices,
                   const std::vector<std::int32_t>& by_place, const std::string& how) {
  using Global = typename Map::global_ordinal_type;
  Ordering<typename Map::local_ordinal_type, Global, typename Map::node_type> ordering;
  const HostArray<Global> order("dromos::tpetra::order", by_place.size());
  std::vector<Global> place(by_place.size());
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    order(i) = indices.index(by_place[i]);
    place[static_cast<std::size_t>(by_place[i])] = indices.map()->getIndexBase() + static_cast<Global>(i);
  }
  make_maps(*indices.map(), indices.deal_out_in_order(communicator, order), ordering);
  ordering.place = indices.deal_out(communicator, place);
  ordering.how = how;
  return ordering;
}

template <class MultiVector>
struct EmptyLike {
  template <class Map>
  static Teuchos::RCP<MultiVector> make(const Teuchos::RCP<const Map>& map, const MultiVector& like) {
    return Teuchos::rcp(new MultiVector(map, like.getNumVectors()));
  }
};
template <class... Parameters>
struct EmptyLike<Tpetra::Vector<Parameters...>> {
  template <class Map, class Vector>
  static Teuchos::RCP<Vector> make(const Teuchos::RCP<const Map>& map, const Vector&) {
    return Teuchos::rcp(new Vector(map));
  }
};

/// Throws ArgumentError unless what is to be ordered lies on the map that the ordering was made of. Collective.
template <class Map>
void check_same_map(const Map& found, const Map& expected, const char* what) {
  if (found.isSameAs(expected)) return;
  throw ArgumentError(std::string(what) + " of " + std::to_string(found.getGlobalNumElements()) +
                      " elements, and the ordering of " + std::to_string(expected.getGlobalNumElements()) +
                      ", are not on the same map");
}

}  // namespace detail

/// A vector in a new order: element i of the result is the old one of order's element i, with its new index.
/// Collective.
///
/// \param vector    Tpetra::Vector or Tpetra::MultiVector on the map that the ordering was made of
/// \param ordering  of that map
/// \returns on ordering.places
/// \throws ArgumentError on every rank where the vector is on another map
/// Cost: a Tpetra::Import, made for this call, and one exchange of the values. Who orders many vectors makes an Import
/// of ordering.order once.
template <class MultiVector, class LocalIndex, class GlobalIndex, class Node>
Teuchos::RCP<MultiVector> to_new_places(const MultiVector& vector,
                                        const Ordering<LocalIndex, GlobalIndex, Node>& ordering) {
  detail::check_same_map(*vector.getMap(), *ordering.place->getMap(), "a vector");
  const auto result = detail::EmptyLike<MultiVector>::make(ordering.order, vector);
  result->doImport(vector, Tpetra::Import<LocalIndex, GlobalIndex, Node>(vector.getMap(), ordering.order),
                   Tpetra::INSERT);
  result->replaceMap(ordering.places);
  return result;
}

/// The way back from to_new_places(). Collective.
///
/// \param vector  on ordering.places
/// \returns on the map that the ordering was made of
/// \throws ArgumentError on every rank where the vector is on another map
/// Cost: as to_new_places(), and a copy of the vector.
template <class MultiVector, class LocalIndex, class GlobalIndex, class Node>
Teuchos::RCP<MultiVector> to_old_places(const MultiVector& vector,
                                        const Ordering<LocalIndex, GlobalIndex, Node>& ordering) {
  detail::check_same_map(*vector.getMap(), *ordering.places, "a vector");
  MultiVector by_order(vector, Teuchos::Copy);
  by_order.replaceMap(ordering.order);
  const auto result = detail::EmptyLike<MultiVector>::make(ordering.place->getMap(), vector);
  result->doImport(by_order, Tpetra::Import<LocalIndex, GlobalIndex, Node>(ordering.order, ordering.place->getMap()),
                   Tpetra::INSERT);
  return result;
}

namespace detail {

/// Throws ArgumentError unless the orderings are those of a matrix or graph that can be reindexed. Collective.
template <class Matrix>
void check_reindexable(const Matrix& matrix, const OrderingOf<Matrix>& rows, const OrderingOf<Matrix>& columns) {
  if (!matrix.isFillComplete()) {
    throw ArgumentError("reindexed: the matrix is not fill-complete; call fillComplete() first");
  }
  check_same_map(*matrix.getRangeMap(), *rows.place->getMap(), "reindexed: rows");
  check_same_map(*matrix.getDomainMap(), *columns.place->getMap(), "reindexed: columns");
  if (!is_one_to_one(*matrix.getRowMap())) {
    throw ArgumentError("reindexed: rows of the matrix are on several ranks; export it to a one-to-one row map first");
  }
}

/// What a matrix or graph is to become whose rows are in their new order already, with old column indices.
template <class Matrix>
class NewRows {
 public:
  using Local = LocalIndexOf<Matrix>;
  using Global = GlobalIndexOf<Matrix>;

  /// Collective.
  NewRows(const Matrix& moved, const OrderingOf<Matrix>& columns) : new_column_(moved.getColMap()) {
    new_column_.doImport(*columns.place,
                         Tpetra::Import<Local, Global, NodeOf<Matrix>>(columns.place->getMap(), moved.getColMap()),
                         Tpetra::INSERT);
    new_index_ = new_column_.getData();
    const auto num_rows = static_cast<Local>(num_local_elements(*moved.getRowMap()));
    for (Local i = 0; i < num_rows; ++i) lengths_.push_back(moved.getNumEntriesInLocalRow(i));
  }

  Local num_rows() const { return static_cast<Local>(lengths_.size()); }
  Teuchos::ArrayView<const std::size_t> lengths() const { return {lengths_.data(), num_rows()}; }
  /// The new indices of a row's columns.
  template <class Columns>
  const std::vector<Global>& indices(const Columns& old_columns) {
    indices_.clear();
    for (std::size_t k = 0; k < old_columns.extent(0); ++k) indices_.push_back(new_index_[old_columns(k)]);
    return indices_;
  }

 private:
  IndexVectorOf<Matrix> new_column_;
  Teuchos::ArrayRCP<const Global> new_index_;  ///< of it
  std::vector<std::size_t> lengths_;
  std::vector<Global> indices_;
};

}  // namespace detail

/// The matrix with its rows and columns in another order: entry (i, j) becomes entry (place of i, place of j), and
/// keeps its value. Collective.
///
/// \param matrix   fill-complete, square or not; no row is on two ranks
/// \param rows     of its range map
/// \param columns  of its domain map; may be the same as `rows`
/// \returns fill-complete, on rows.places, with domain map columns.places and range map rows.places
/// \throws ArgumentError on every rank for a matrix that is not so, and for orderings of other maps
/// Cost: every row travels once to the rank of its place; about twice the memory of the matrix in between. On the host.
template <class Scalar, class LocalIndex, class GlobalIndex, class Node>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar, LocalIndex, GlobalIndex, Node>> reindexed(
    const Tpetra::CrsMatrix<Scalar, LocalIndex, GlobalIndex, Node>& matrix,
    const Ordering<LocalIndex, GlobalIndex, Node>& rows, const Ordering<LocalIndex, GlobalIndex, Node>& columns) {
  using Matrix = Tpetra::CrsMatrix<Scalar, LocalIndex, GlobalIndex, Node>;
  const ScopedRegion region("dromos::tpetra::reindexed");
  detail::check_reindexable(matrix, rows, columns);
  const Teuchos::RCP<const Matrix> moved = Tpetra::importAndFillCompleteCrsMatrix<Matrix>(
      Teuchos::rcpFromRef(matrix), Tpetra::Import<LocalIndex, GlobalIndex, Node>(matrix.getRowMap(), rows.order),
      matrix.getDomainMap(), rows.order);
  detail::NewRows<Matrix> new_rows(*moved, columns);
  const auto result = Teuchos::rcp(new Matrix(rows.places, new_rows.lengths()));
  for (LocalIndex i = 0; i < new_rows.num_rows(); ++i) {
    typename Matrix::local_inds_host_view_type old_columns;
    typename Matrix::values_host_view_type values;
    moved->getLocalRowView(i, old_columns, values);
    const auto& indices = new_rows.indices(old_columns);
    result->insertGlobalValues(rows.places->getGlobalElement(i), static_cast<LocalIndex>(indices.size()),
                               reinterpret_cast<const Scalar*>(values.data()), indices.data());
  }
  result->fillComplete(columns.places, rows.places);
  return result;
}

/// The same of a graph. Collective.
template <class LocalIndex, class GlobalIndex, class Node>
Teuchos::RCP<Tpetra::CrsGraph<LocalIndex, GlobalIndex, Node>> reindexed(
    const Tpetra::CrsGraph<LocalIndex, GlobalIndex, Node>& graph, const Ordering<LocalIndex, GlobalIndex, Node>& rows,
    const Ordering<LocalIndex, GlobalIndex, Node>& columns) {
  using Graph = Tpetra::CrsGraph<LocalIndex, GlobalIndex, Node>;
  const ScopedRegion region("dromos::tpetra::reindexed");
  detail::check_reindexable(graph, rows, columns);
  const Teuchos::RCP<const Graph> moved = Tpetra::importAndFillCompleteCrsGraph<Graph>(
      Teuchos::rcpFromRef(graph), Tpetra::Import<LocalIndex, GlobalIndex, Node>(graph.getRowMap(), rows.order),
      graph.getDomainMap(), rows.order);
  detail::NewRows<Graph> new_rows(*moved, columns);
  const auto result = Teuchos::rcp(new Graph(rows.places, new_rows.lengths()));
  for (LocalIndex i = 0; i < new_rows.num_rows(); ++i) {
    typename Graph::local_inds_host_view_type old_columns;
    moved->getLocalRowView(i, old_columns);
    const auto& indices = new_rows.indices(old_columns);
    result->insertGlobalIndices(rows.places->getGlobalElement(i), static_cast<LocalIndex>(indices.size()),
                                indices.data());
  }
  result->fillComplete(columns.places, rows.places);
  return result;
}

/// The matrix with one order for both its rows and its columns: of a graph.
template <class Matrix>
auto reindexed(const Matrix& matrix, const OrderingOf<Matrix>& both) {
  return reindexed(matrix, both, both);
}

}  // namespace dromos::tpetra
