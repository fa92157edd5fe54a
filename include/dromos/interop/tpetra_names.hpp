// SPDX-License-Identifier: BSD-3-Clause
// What Tpetra called by another name before Trilinos 13.4 (getNode... for getLocal...), and the types of a matrix or
// of its graph by one name each.
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_Vector.hpp>
#include <cstdint>
#include <type_traits>

namespace dromos {

namespace detail {

template <class... Parameters>
const Tpetra::CrsGraph<Parameters...>& pattern_of(const Tpetra::CrsGraph<Parameters...>& graph) {
  return graph;
}

template <class... Parameters>
const auto& pattern_of(const Tpetra::CrsMatrix<Parameters...>& matrix) {
  return *matrix.getCrsGraph();
}

// The newer name where there is one: int fits the first overload better than long does.
template <class Map>
auto num_local_elements(const Map& map, int) -> decltype(map.getLocalNumElements()) {
  return map.getLocalNumElements();
}
template <class Map>
auto num_local_elements(const Map& map, long) -> decltype(map.getNodeNumElements()) {
  return map.getNodeNumElements();
}
template <class Map>
auto local_elements(const Map& map, int) -> decltype(map.getLocalElementList()) {
  return map.getLocalElementList();
}
template <class Map>
auto local_elements(const Map& map, long) -> decltype(map.getNodeElementList()) {
  return map.getNodeElementList();
}

}  // namespace detail

namespace tpetra {

/// How many global indices of a map are on this rank.
template <class Map>
std::int64_t num_local_elements(const Map& map) {
  return static_cast<std::int64_t>(dromos::detail::num_local_elements(map, 0));
}

/// The global indices of a map that are on this rank, in the order of local indices.
template <class Map>
auto local_elements(const Map& map) {
  return dromos::detail::local_elements(map, 0);
}

/// Is every global index of a map on one rank? Collective. An empty map is asked nothing: Tpetra calls it replicated.
template <class Map>
bool is_one_to_one(const Map& map) {
  return map.getGlobalNumElements() == 0 || map.isOneToOne();
}

/// The types that go with a Tpetra::CrsMatrix or Tpetra::CrsGraph.
template <class Matrix>
using GraphOf = std::decay_t<decltype(dromos::detail::pattern_of(std::declval<const Matrix&>()))>;
template <class Matrix>
using LocalIndexOf = typename GraphOf<Matrix>::local_ordinal_type;
template <class Matrix>
using GlobalIndexOf = typename GraphOf<Matrix>::global_ordinal_type;
template <class Matrix>
using NodeOf = typename GraphOf<Matrix>::node_type;
template <class Matrix>
using MapOf = Tpetra::Map<LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>;
/// A global index, or another whole number, for each element of a map.
template <class Matrix>
using IndexVectorOf =
    Tpetra::Vector<GlobalIndexOf<Matrix>, LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>;

}  // namespace tpetra

}  // namespace dromos
