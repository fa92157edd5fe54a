// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/kokkos_compat.hpp>

#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"
#include "io/hdf5/hdf5_reader.hpp"

namespace dromos {

namespace layout = io::hdf5_layout;

namespace io {

template <class Vertex>
void write_hdf5(const std::string& path, const EdgeList<Vertex, Kokkos::HostSpace>& edges, const VertexNames& names,
                bool directed, const WriteOptions& options) {
  Hdf5Output file(path, options.compression);
  const std::string group = layout::edge_list;
  file.group(group);
  file.attribute(group, layout::num_vertices, std::int64_t(edges.num_vertices));
  file.attribute(group, layout::directed, std::int64_t(directed));
  file.attribute(group, layout::listed_both_ways, std::int64_t(!directed && options.listed_both_ways));
  write_names(file, group, edges.num_vertices, names);
  file.dataset(group + "/source", edges.source.data(), edges.num_edges(), about_sources);
  file.dataset(group + "/target", edges.target.data(), edges.num_edges(), about_targets);
  if (edges.weighted()) {
    file.dataset(group + "/weight", edges.weight.data(), edges.num_edges(), about_weights);
  }
  file.commit();
}

template void write_hdf5(const std::string&, const EdgeList<std::int32_t, Kokkos::HostSpace>&, const VertexNames&, bool,
                         const WriteOptions&);
template void write_hdf5(const std::string&, const EdgeList<std::int64_t, Kokkos::HostSpace>&, const VertexNames&, bool,
                         const WriteOptions&);

}  // namespace io

template <class Vertex>
void write_rows(const std::string& path, const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const VertexNames& names,
                const WriteOptions& options) {
  const ScopedRegion region("dromos::write_rows");
  if (names.size() < graph.num_vertices()) {
    throw ArgumentError(path + ": expected names for " + std::to_string(graph.num_vertices()) + " vertices, found " +
                        std::to_string(names.size()));
  }
  io::Hdf5Output file(path, options.compression);
  const std::string group = layout::csr;
  file.group(group);
  file.attribute(group, layout::directed, std::int64_t(graph.directed));
  io::write_names(file, group, graph.num_vertices(), names);
  const Offset no_rows[] = {0};  // a graph of no vertices may have no array at all
  const bool has_rows = graph.row_map.extent(0) > 0;
  file.dataset(group + "/row_map", has_rows ? graph.row_map.data() : no_rows, std::int64_t(graph.num_vertices()) + 1,
               io::about_row_map);
  file.dataset(group + "/entries", graph.entries.data(), graph.num_edges(), io::about_targets);
  if (graph.weighted()) {
    file.dataset(group + "/weights", graph.weights.data(), graph.num_edges(), io::about_weights);
  }
  file.commit();
}

template void write_rows(const std::string&, const CsrGraph<std::int32_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);
template void write_rows(const std::string&, const CsrGraph<std::int64_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);

}  // namespace dromos
