// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/dist/write_slice.hpp>

#include "../io/hdf5_layout.hpp"
#include "hdf5_shared_output.hpp"

namespace dromos {
namespace {

namespace layout = io::hdf5_layout;

/// A file whose datasets are arrays of the device, the parts of the ranks one behind the other.
class SliceOutput {
 public:
  SliceOutput(const Communicator& communicator, const std::string& path, SlabAccess access)
      : communicator_(communicator), file_(communicator, path, access) {}

  detail::SharedOutput& file() { return file_; }

  template <class View>
  void dataset(const std::string& name, const View& own, const io::Hdf5About& about) {
    const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own);
    const std::int64_t count = static_cast<std::int64_t>(values.extent(0));
    const auto blocks = consecutive_blocks(gather_counts(communicator_, count));
    file_.dataset(name, total_size(blocks), blocks[static_cast<std::size_t>(communicator_.rank())].offset,
                  values.data(), count, about);
  }

 private:
  const Communicator& communicator_;
  detail::SharedOutput file_;
};

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
  SliceOutput output(communicator, path, options.access);
  const std::string group = layout::edge_list;
  output.file().group(group);
  output.file().attribute(group, layout::num_vertices, num_vertices);
  output.file().attribute(group, layout::directed, std::int64_t(options.directed));
  output.file().attribute(group, layout::listed_both_ways, std::int64_t(!options.directed && options.listed_both_ways));
  output.file().names(group, num_vertices, names);
  output.dataset(group + "/source", slice.source, io::about_sources);
  output.dataset(group + "/target", slice.target, io::about_targets);
  if (weighted) output.dataset(group + "/weight", slice.weight, io::about_weights);
  output.file().commit();
}

template <class Vertex>
void write_rows(const Communicator& communicator, const std::string& path, const RowBlock<Vertex>& block,
                const VertexNames& names, SlabAccess access) {
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

  SliceOutput output(communicator, path, access);
  const std::string group = layout::csr;
  output.file().group(group);
  output.file().attribute(group, layout::directed, std::int64_t(block.rows.directed));
  output.file().names(group, num_vertices, names);
  output.dataset(group + "/row_map", row_map, io::about_row_map);
  output.dataset(group + "/entries", block.rows.entries, io::about_targets);
  if (weighted) output.dataset(group + "/weights", block.rows.weights, io::about_weights);
  output.file().commit();
}

template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int32_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int64_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int32_t>&, const VertexNames&,
                         SlabAccess);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int64_t>&, const VertexNames&,
                         SlabAccess);

}  // namespace dromos
