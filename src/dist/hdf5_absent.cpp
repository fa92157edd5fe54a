// SPDX-License-Identifier: BSD-3-Clause
// What a build without HDF5 says of HDF5 files.
#include <dromos/core/error.hpp>
#include <dromos/dist/read_slice.hpp>
#include <dromos/dist/saved_graph_delegate.hpp>
#include <dromos/dist/slice_results.hpp>

namespace dromos {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw ArgumentError(path + ": this Dromos was built without HDF5; build it with -D Dromos_ENABLE_HDF5=ON");
}

}  // namespace

bool has_slices(const std::string&) { return false; }
std::optional<SavedSeparation> find_separation(const std::string&) { return std::nullopt; }

template <class Vertex>
SliceOfFile<Vertex> read_slice(const Communicator&, const std::string& path, const SliceReadOptions&) {
  refuse(path);
}

template <class Vertex>
void save_graph(const Communicator&, const std::string& path, const SavedGraphDelegate<Vertex>&, SlabAccess,
                const VertexNames&) {
  refuse(path);
}

template <class Vertex>
LoadedGraphDelegate<Vertex> load_graph_delegate(const Communicator&, const std::string& path, SlabAccess) {
  refuse(path);
}

void write_results(const Communicator&, const std::string& path, const ResultTable&, SlabAccess) { refuse(path); }

template SliceOfFile<std::int32_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
template SliceOfFile<std::int64_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int32_t>&, SlabAccess,
                         const VertexNames&);
template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int64_t>&, SlabAccess,
                         const VertexNames&);
template LoadedGraphDelegate<std::int32_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);
template LoadedGraphDelegate<std::int64_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);

}  // namespace dromos
