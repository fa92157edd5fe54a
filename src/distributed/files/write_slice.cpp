// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/files/write_slice.hpp>

#include "distributed/files/hdf5_shared_output.hpp"
#include "io/hdf5/hdf5_layout.hpp"

namespace dromos {
namespace {

namespace layout = io::hdf5_layout;

void check(const Communicator& communicator, const std::string& path, std::int64_t num_vertices,
           const VertexNames& names) {
  const std::int64_t most = max(communicator, num_vertices);
  on_all_ranks(communicator, [&] {
    if (num_vertices != most) {
      throw ArgumentError(path + ": one rank's part is of a graph of " + std::to_string(num_vertices) +
                          " vertices, another's of one of " + std::to_string(most) +
                          "; every part says how many vertices the whole graph has");
    }
    if (names.size() < num_vertices) {
      throw ArgumentError(path + ": expected names for " + std::to_string(num_vertices) + " vertices, found " +
                          std::to_string(names.size()));
    }
  });
}

}  // namespace

template <class Vertex>
void write_slice(const Communicator& communicator, const std::string& path, const EdgeList<Vertex>& slice,
                 const VertexNames& names, const SliceWriteOptions& options) {
  const ScopedRegion region("dromos::write_slice");
  const std::int64_t num_vertices = slice.num_vertices;
  check(communicator, path, num_vertices, names);
  on_all_ranks(communicator, [&] { detail::check_edges(Kokkos::DefaultExecutionSpace(), slice); });
  const bool weighted = detail::agree_on_weights(communicator, slice.num_edges(), slice.weighted());
  detail::SharedOutput file(communicator, path);
  const std::string group = layout::edge_list;
  file.group(group);
  file.attribute(group, layout::num_vertices, num_vertices);
  file.attribute(group, layout::directed, std::int64_t(options.directed));
  file.attribute(group, layout::listed_both_ways, std::int64_t(!options.directed && options.listed_both_ways));
  file.names(group, num_vertices, names);
  file.parts(group + "/source", slice.source, io::about_sources);
  file.parts(group + "/target", slice.target, io::about_targets);
  if (weighted) file.parts(group + "/weight", slice.weight, io::about_weights);
  file.commit();
}

template <class Vertex>
void write_rows(const Communicator& communicator, const std::string& path, const RowBlock<Vertex>& block,
                const VertexNames& names) {
  const ScopedRegion region("dromos::write_rows");
  const std::int64_t num_vertices = block.partition.num_vertices();
  check(communicator, path, num_vertices, names);
  const bool weighted = detail::agree_on_weights(communicator, block.rows.num_edges(), block.rows.weighted());

  // Offsets of the whole; the end of the last row is the last rank's to write.
  const auto offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), block.rows.row_map);
  const std::int64_t num_own = block.partition.num_local(communicator.rank());
  const auto arcs = consecutive_blocks(gather_counts(communicator, block.rows.num_edges()));
  const bool is_last = communicator.rank() == communicator.size() - 1;
  const Kokkos::View<Offset*, Kokkos::HostSpace> row_map("dromos::write_rows::row_map", num_own + (is_last ? 1 : 0));
  const Offset before = arcs[static_cast<std::size_t>(communicator.rank())].offset;
  for (std::int64_t row = 0; row < num_own; ++row) row_map(row) = before + offsets(row);
  if (is_last) row_map(num_own) = total_size(arcs);

  detail::SharedOutput file(communicator, path);
  const std::string group = layout::csr;
  file.group(group);
  file.attribute(group, layout::directed, std::int64_t(block.rows.directed));
  file.names(group, num_vertices, names);
  file.parts(group + "/row_map", row_map, io::about_row_map);
  file.parts(group + "/entries", block.rows.entries, io::about_targets);
  if (weighted) file.parts(group + "/weights", block.rows.weights, io::about_weights);
  file.commit();
}

template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int32_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int64_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int32_t>&, const VertexNames&);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int64_t>&, const VertexNames&);

}  // namespace dromos
