// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/vertex_results.hpp"

#include <type_traits>

#include "driver/base/output_file.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/reports/vertex_lines.hpp"

namespace dromos::driver {
namespace {

template <class Vertex, class Value>
void write_column(const std::string& path, const NamedGraph<Vertex>& graph,
                  const Kokkos::View<Value*, Kokkos::HostSpace>& values, const ResultHead& head) {
  ResultTable table = result_table(graph, head.algorithm);
  table.numbers = head.numbers;
  table.columns = {{head.column, head.unit, head.description, ResultValues<Value>(values)}};
  write_results(path, table);
}

}  // namespace

void check_result_file(const std::string& option, const std::string& path) {
  check_writable(option, path);
  if (names_hdf5(path)) require_hdf5(path);
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
  if (!names_hdf5(path)) {
    using Number = std::conditional_t<std::is_integral_v<Value>, std::int64_t, Value>;
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      append_line(lines, graph.name(v), Number(values(v)));
    });
  }
  const Kokkos::View<Value*, Kokkos::HostSpace> in_file("dromos::driver::values", values.extent(0));
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    in_file(i) = values(graph.in_file_order(static_cast<Vertex>(i)));
  }
  write_column(path, graph, in_file, head);
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
  if (!names_hdf5(path)) {
    return write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
      append_line(lines, graph.name(v), graph.name(label_of(v)));
    });
  }
  const Kokkos::View<Vertex*, Kokkos::HostSpace> in_file("dromos::driver::labels", labels.extent(0));
  for (std::int64_t i = 0; i < graph.summary().num_vertices; ++i) {
    in_file(i) = graph.place_in_file(label_of(graph.in_file_order(static_cast<Vertex>(i))));
  }
  write_column(path, graph, in_file, head);
}

#define DROMOS_INSTANTIATE_RESULTS(VERTEX)                                                                         \
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
#undef DROMOS_INSTANTIATE_RESULTS

}  // namespace dromos::driver
