// SPDX-License-Identifier: BSD-3-Clause
// What a build without HDF5 says of HDF5 files.
#include <dromos/distributed/files/read_slice.hpp>
#include <dromos/distributed/files/saved_graph_delegate.hpp>
#include <dromos/distributed/files/slice_results.hpp>
#include <dromos/distributed/files/write_slice.hpp>

#include "io/hdf5/hdf5_absent.hpp"

namespace dromos {

bool has_slices(const std::string&) { return false; }
std::optional<SavedSeparation> find_separation(const std::string&) { return std::nullopt; }

template <class Vertex>
SliceOfFile<Vertex> read_slice(const Communicator&, const std::string& path, const SliceReadOptions&) {
  io::refuse_hdf5(path);
}

template <class Vertex>
void save_graph(const Communicator&, const std::string& path, const SavedGraphDelegate<Vertex>&, const VertexNames&) {
  io::refuse_hdf5(path);
}

template <class Vertex>
LoadedGraphDelegate<Vertex> load_graph_delegate(const Communicator&, const std::string& path, SlabAccess) {
  io::refuse_hdf5(path);
}

void write_results(const Communicator&, const std::string& path, const ResultTable&) { io::refuse_hdf5(path); }

template <class Vertex>
void write_slice(const Communicator&, const std::string& path, const EdgeList<Vertex>&, const VertexNames&,
                 const SliceWriteOptions&) {
  io::refuse_hdf5(path);
}

template <class Vertex>
void write_rows(const Communicator&, const std::string& path, const RowBlock<Vertex>&, const VertexNames&) {
  io::refuse_hdf5(path);
}

template SliceOfFile<std::int32_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
template SliceOfFile<std::int64_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int32_t>&,
                         const VertexNames&);
template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int64_t>&,
                         const VertexNames&);
template LoadedGraphDelegate<std::int32_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);
template LoadedGraphDelegate<std::int64_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);

template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int32_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int64_t>&, const VertexNames&,
                          const SliceWriteOptions&);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int32_t>&, const VertexNames&);
template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int64_t>&, const VertexNames&);

}  // namespace dromos
