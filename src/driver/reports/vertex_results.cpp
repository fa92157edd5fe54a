// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/vertex_results.hpp"

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/base/output_file.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/reports/places.hpp"
#include "driver/reports/vertex_lines.hpp"
#include "io/text/text_file.hpp"

namespace dromos::driver {
namespace {

/// Values in the file's own order.
template <class Vertex, class Value>
Kokkos::View<Value*, Kokkos::HostSpace> in_file_order(const NamedGraph<Vertex>& graph,
                                                      const Kokkos::View<const Value*, Kokkos::HostSpace>& values) {
  const Kokkos::View<Value*, Kokkos::HostSpace> in_file("dromos::driver::values", values.extent(0));
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    in_file(i) = values(graph.in_file_order(static_cast<Vertex>(i)));
  }
  return in_file;
}

template <class Value>
ResultColumn column_of(const ResultHead& head, const Kokkos::View<Value*, Kokkos::HostSpace>& values) {
  return {head.column, head.unit, head.description, ResultValues<Value>(values)};
}

template <class Vertex>
void write_columns(const std::string& path, const NamedGraph<Vertex>& graph, const ResultHead& head,
                   std::vector<ResultColumn> columns) {
  ResultTable table = result_table(graph, head.algorithm);
  table.numbers = head.numbers;
  table.columns = std::move(columns);
  write_results(path, table);
}

/// A dense Matrix Market vector: value_of(vertex) in the file's own order.
template <class Vertex, class ValueOf>
void write_vector(const std::string& path, const NamedGraph<Vertex>& graph, const ValueOf& value_of) {
  constexpr std::size_t piece = std::size_t(1) << 20;  // bytes kept before they are written
  using Value = std::decay_t<decltype(value_of(Vertex(0)))>;
  const std::int64_t n = graph.summary().num_vertices;
  ReplacedFile file(path);
  const std::string head = vector_head<Value>(n);
  fmt::memory_buffer lines;
  lines.append(head.data(), head.data() + head.size());
  for (std::int64_t i = 0; i < n; ++i) {
    append_value(lines, WrittenValue<Value>(value_of(graph.in_file_order(static_cast<Vertex>(i)))));
    if (lines.size() < piece) continue;
    file.write(lines.data(), lines.size());
    lines.clear();
  }
  file.write(lines.data(), lines.size());
  file.commit();
}

}  // namespace

void check_result_file(const std::string& option, const std::string& path) {
  check_writable(option, path);
  if (names_hdf5(path)) require_hdf5(path);
  if (io::compression_of_name(path) == io::Compression::none) return;
  const std::string end = std::filesystem::path(path).extension().string();
  throw ArgumentError(fmt::format("{} {}: results are not compressed; leave out '{}' and compress the file afterwards",
                                  option, path, end));
}

template <class Vertex>
ResultTable result_table(const NamedGraph<Vertex>& graph, const std::string& algorithm) {
  ResultTable table;
  table.num_vertices = graph.summary().num_vertices;
  table.names = graph.names_in_file_order();
  table.texts = {{"algorithm", algorithm}, {"graph", graph.summary().source}};
  return table;
}

template <class Vertex, class Value>
void write_host_values(const std::string& path, const NamedGraph<Vertex>& graph,
                       const Kokkos::View<const Value*, Kokkos::HostSpace>& values, const ResultHead& head) {
  if (names_matrix_market(path)) {
    return write_vector(path, graph, [&](Vertex v) { return values(v); });
  }
  if (!names_hdf5(path)) {
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      append_value_line(lines, graph.name(v), values(v), head.none);
    });
  }
  write_columns(path, graph, head, {column_of(head, in_file_order(graph, values))});
}

template <class Vertex>
void write_host_pairs(const std::string& path, const NamedGraph<Vertex>& graph,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& values,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& others, const ResultHead& head,
                      const ResultHead& other_head) {
  if (names_matrix_market(path)) {
    return write_vector(path, graph, [&](Vertex v) { return values(v); });
  }
  if (!names_hdf5(path)) {
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      append_line(lines, graph.name(v), std::int64_t(values(v)), std::int64_t(others(v)));
    });
  }
  write_columns(path, graph, head,
                {column_of(head, in_file_order(graph, values)), column_of(other_head, in_file_order(graph, others))});
}

template <class Vertex, class Value>
void write_host_tree(const std::string& path, const NamedGraph<Vertex>& graph,
                     const Kokkos::View<const Value*, Kokkos::HostSpace>& values,
                     const Kokkos::View<const Vertex*, Kokkos::HostSpace>& parents, const ResultHead& head,
                     const ResultHead& parent_head) {
  if (names_matrix_market(path)) {
    return write_vector(path, graph, [&](Vertex v) { return values(v); });
  }
  if (!names_hdf5(path)) {
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      const Vertex parent = parents(v);
      const std::int64_t before = parent == no_vertex<Vertex> ? -1 : graph.name(parent);
      append_tree_line(lines, graph.name(v), values(v), before, head.none);
    });
  }
  const Kokkos::View<Vertex*, Kokkos::HostSpace> in_file("dromos::driver::parents", parents.extent(0));
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    const Vertex parent = parents(graph.in_file_order(static_cast<Vertex>(i)));
    in_file(i) = parent == no_vertex<Vertex> ? parent : graph.place_in_file(parent);
  }
  write_columns(path, graph, head, {column_of(head, in_file_order(graph, values)), column_of(parent_head, in_file)});
}

template <class Vertex>
void write_host_labels(const std::string& path, const NamedGraph<Vertex>& graph,
                       const Kokkos::View<const Vertex*, Kokkos::HostSpace>& labels, bool by_first,
                       const ResultHead& head) {
  std::vector<Vertex> first(labels.extent(0), no_vertex<Vertex>);
  // The vertex that the class of v is called by; v in the order of the file.
  const auto label_of = [&](Vertex v) {
    Vertex& representative = first[static_cast<std::size_t>(labels(v))];
    if (representative == no_vertex<Vertex>) representative = by_first ? v : labels(v);
    return representative;
  };
  if (names_matrix_market(path)) {
    return write_vector(path, graph, [&](Vertex v) { return graph.name(label_of(v)); });
  }
  if (!names_hdf5(path)) {
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      append_line(lines, graph.name(v), graph.name(label_of(v)));
    });
  }
  const Kokkos::View<Vertex*, Kokkos::HostSpace> in_file("dromos::driver::labels", labels.extent(0));
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    in_file(i) = graph.place_in_file(label_of(graph.in_file_order(static_cast<Vertex>(i))));
  }
  write_columns(path, graph, head, {column_of(head, in_file)});
}

template <class Vertex>
void write_host_order(const std::string& path, const NamedGraph<Vertex>& graph,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& labels, const std::string& algorithm) {
  const auto n = static_cast<std::int64_t>(labels.extent(0));
  std::vector<std::int64_t> size(labels.extent(0), 0);
  std::vector<Vertex> classes;  // in the order of their first vertices
  for (std::int64_t i = 0; i < n; ++i) {
    const Vertex label = labels(graph.in_file_order(static_cast<Vertex>(i)));
    if (size[static_cast<std::size_t>(label)]++ == 0) classes.push_back(label);
  }
  std::stable_sort(classes.begin(), classes.end(), [&](Vertex a, Vertex b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  std::vector<std::int64_t>& number = size;  // of each class in that order: sizes are not needed any more
  std::int64_t num_classes = 0;
  for (const Vertex label : classes) number[static_cast<std::size_t>(label)] = num_classes++;
  std::vector<std::int64_t> group(labels.extent(0));
  for (std::int64_t v = 0; v < n; ++v) group[static_cast<std::size_t>(v)] = number[static_cast<std::size_t>(labels(v))];
  const auto place = places_by_group(graph, group, num_classes);
  write_host_values<Vertex, Vertex>(path, graph, place,
                                    {algorithm, "place", "1", "by components, the largest first, from 0", {}});
}

#define DROMOS_INSTANTIATE_RESULTS(VERTEX)                                                                         \
  template void write_host_pairs(                                                                                  \
      const std::string&, const NamedGraph<VERTEX>&, const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&,        \
      const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const ResultHead&, const ResultHead&);                \
  template void write_host_tree(                                                                                   \
      const std::string&, const NamedGraph<VERTEX>&, const Kokkos::View<const float*, Kokkos::HostSpace>&,         \
      const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const ResultHead&, const ResultHead&);                \
  template void write_host_tree(                                                                                   \
      const std::string&, const NamedGraph<VERTEX>&, const Kokkos::View<const double*, Kokkos::HostSpace>&,        \
      const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const ResultHead&, const ResultHead&);                \
  template void write_host_tree(                                                                                   \
      const std::string&, const NamedGraph<VERTEX>&, const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&,  \
      const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const ResultHead&, const ResultHead&);                \
  template void write_host_order(const std::string&, const NamedGraph<VERTEX>&,                                    \
                                 const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const std::string&);       \
  template ResultTable result_table(const NamedGraph<VERTEX>&, const std::string&);                                \
  template void write_host_labels(const std::string&, const NamedGraph<VERTEX>&,                                   \
                                  const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, bool, const ResultHead&); \
  template void write_host_values(const std::string&, const NamedGraph<VERTEX>&,                                   \
                                  const Kokkos::View<const VERTEX*, Kokkos::HostSpace>&, const ResultHead&);       \
  template void write_host_values(const std::string&, const NamedGraph<VERTEX>&,                                   \
                                  const Kokkos::View<const float*, Kokkos::HostSpace>&, const ResultHead&);        \
  template void write_host_values(const std::string&, const NamedGraph<VERTEX>&,                                   \
                                  const Kokkos::View<const double*, Kokkos::HostSpace>&, const ResultHead&);
DROMOS_INSTANTIATE_RESULTS(std::int32_t)
DROMOS_INSTANTIATE_RESULTS(std::int64_t)
template void write_host_values(const std::string&, const NamedGraph<std::int32_t>&,
                                const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&, const ResultHead&);
#undef DROMOS_INSTANTIATE_RESULTS

}  // namespace dromos::driver
