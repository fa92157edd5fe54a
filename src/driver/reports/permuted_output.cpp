// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/permuted_output.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/io/permute_matrix.hpp>
#include <dromos/io/write_graph.hpp>

#include "driver/base/progress.hpp"
#include "driver/graphs/output_format.hpp"

namespace dromos::driver {

template <class Vertex>
void write_permuted(const std::string& path, const NamedGraph<Vertex>& input,
                    const EdgeList<Vertex, Kokkos::HostSpace>& entries, bool directed, const Places<Vertex>& places) {
  using HostIds = Kokkos::View<Vertex*, Kokkos::HostSpace>;
  const Progress progress("writing " + path);
  const GraphSummary& summary = input.summary();
  const GraphFormat format = choose_output_format("", path);
  if (format == GraphFormat::matrix_market && summary.format == format_name(GraphFormat::matrix_market)) {
    const auto in_file = [&](const auto& place) {
      const HostIds by_file("dromos::driver::places", place.extent(0));
      for (std::size_t i = 0; i < place.extent(0); ++i) by_file(i) = place(input.in_file_order(static_cast<Vertex>(i)));
      return Kokkos::View<const Vertex*, Kokkos::HostSpace>(by_file);
    };
    return write_permuted_matrix<Vertex>(summary.source, path, in_file(places.row), in_file(places.column));
  }
  if (places.row.extent(0) != places.column.extent(0)) {
    throw ArgumentError(
        fmt::format("--apply: {} has {} rows and {} columns, which only Matrix Market has; give a name "
                    "that ends in .mtx",
                    summary.source, places.row.extent(0), places.column.extent(0)));
  }
  EdgeList<Vertex, Kokkos::HostSpace> permuted(entries.num_vertices, entries.num_edges());
  for (Offset e = 0; e < entries.num_edges(); ++e) {
    permuted.source(e) = places.row(entries.source(e));
    permuted.target(e) = places.column(entries.target(e));
  }
  WriteOptions options;
  options.listed_both_ways = !directed;
  write_graph(path, format, permuted, VertexNames::consecutive(entries.num_vertices, 1), directed, options);
}

template void write_permuted(const std::string&, const NamedGraph<std::int32_t>&,
                             const EdgeList<std::int32_t, Kokkos::HostSpace>&, bool, const Places<std::int32_t>&);
template void write_permuted(const std::string&, const NamedGraph<std::int64_t>&,
                             const EdgeList<std::int64_t, Kokkos::HostSpace>&, bool, const Places<std::int64_t>&);

}  // namespace dromos::driver
