// SPDX-License-Identifier: BSD-3-Clause
// Between std::vector, in which tests state and judge things, and Views, in which the library works on them. Everything
// goes through mirrors, so that the tests mean the same where the memory is a GPU's.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos::test {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// A View with the elements of a vector.
template <class T>
Kokkos::View<T*, Memory> to_view(const std::vector<T>& values, const std::string& label = "test::values") {
  const Kokkos::View<T*, Memory> view(label, values.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(view, host);
  return view;
}

/// The first `size` elements of a View.
template <class T, class... Properties>
std::vector<std::remove_const_t<T>> to_vector(const Kokkos::View<T*, Properties...>& view, std::size_t size) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<std::remove_const_t<T>> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = host(i);
  return values;
}

template <class T, class... Properties>
std::vector<std::remove_const_t<T>> to_vector(const Kokkos::View<T*, Properties...>& view) {
  return to_vector(view, view.extent(0));
}

/// (source, target) pairs as the library's edge list.
template <class Vertex>
EdgeList<Vertex, Memory> make_edge_list(Vertex num_vertices, const std::vector<std::pair<Vertex, Vertex>>& edges) {
  std::vector<Vertex> source, target;
  for (const auto& [u, v] : edges) {
    source.push_back(u);
    target.push_back(v);
  }
  EdgeList<Vertex, Memory> list;
  list.num_vertices = num_vertices;
  list.source = to_view(source);
  list.target = to_view(target);
  return list;
}

/// A graph from its rows, written down directly: independent of build_csr().
template <class Vertex>
CsrGraph<Vertex, Memory> make_graph(const std::vector<std::vector<Vertex>>& rows, bool directed = true) {
  std::vector<Offset> row_map = {0};
  std::vector<Vertex> entries;
  for (const auto& row : rows) {
    entries.insert(entries.end(), row.begin(), row.end());
    row_map.push_back(static_cast<Offset>(entries.size()));
  }
  CsrGraph<Vertex, Memory> graph;
  graph.row_map = to_view(row_map);
  graph.entries = to_view(entries);
  graph.directed = directed;
  return graph;
}

/// The rows of a graph.
template <class Vertex>
std::vector<std::vector<Vertex>> rows_of(const CsrGraph<Vertex, Memory>& graph) {
  const std::vector<Offset> row_map = to_vector(graph.row_map);
  const std::vector<Vertex> entries = to_vector(graph.entries);
  std::vector<std::vector<Vertex>> rows(graph.num_vertices());
  for (std::size_t u = 0; u < rows.size(); ++u) {
    rows[u].assign(entries.begin() + row_map[u], entries.begin() + row_map[u + 1]);
  }
  return rows;
}

}  // namespace dromos::test
