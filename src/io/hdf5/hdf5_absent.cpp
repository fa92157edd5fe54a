// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_absent.hpp"

#include <dromos/core/error.hpp>
#include <dromos/io/results.hpp>

#include "io/hdf5/hdf5_reader.hpp"

namespace dromos {
namespace io {

void refuse_hdf5(const std::string& path) {
  throw ArgumentError(path +
                      ": this Dromos was built without HDF5; build it with -D Dromos_ENABLE_HDF5=ON, or take a file "
                      "of text instead");
}

template <class Vertex>
GraphFile<Vertex> read_hdf5(const std::string& path, const ReadOptions&) {
  refuse_hdf5(path);
}

template <class Vertex>
void write_hdf5(const std::string& path, const EdgeList<Vertex, Kokkos::HostSpace>&, const VertexNames&, bool,
                const WriteOptions&) {
  refuse_hdf5(path);
}

template GraphFile<std::int32_t> read_hdf5(const std::string&, const ReadOptions&);
template GraphFile<std::int64_t> read_hdf5(const std::string&, const ReadOptions&);
template void write_hdf5(const std::string&, const EdgeList<std::int32_t, Kokkos::HostSpace>&, const VertexNames&, bool,
                         const WriteOptions&);
template void write_hdf5(const std::string&, const EdgeList<std::int64_t, Kokkos::HostSpace>&, const VertexNames&, bool,
                         const WriteOptions&);

}  // namespace io

template <class Vertex>
void write_rows(const std::string& path, const CsrGraph<Vertex, Kokkos::HostSpace>&, const VertexNames&,
                const WriteOptions&) {
  io::refuse_hdf5(path);
}

template void write_rows(const std::string&, const CsrGraph<std::int32_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);
template void write_rows(const std::string&, const CsrGraph<std::int64_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);

void write_results(const std::string& path, const ResultTable&, const WriteOptions&) { io::refuse_hdf5(path); }

ResultTable read_results(const std::string& path, const std::vector<std::string>&, const std::vector<std::string>&) {
  io::refuse_hdf5(path);
}

}  // namespace dromos
