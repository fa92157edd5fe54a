// SPDX-License-Identifier: BSD-3-Clause
// What a build without HDF5 says of HDF5 files.
#include "hdf5_reader.hpp"

#include <dromos/core/error.hpp>
#include <dromos/io/results.hpp>

namespace dromos {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw ArgumentError(path + ": this Dromos was built without HDF5; build it with -D Dromos_ENABLE_HDF5=ON, or convert "
                             "the file to text where there is one with it");
}

}  // namespace

namespace io {

template <class Vertex>
GraphFile<Vertex> read_hdf5(const std::string& path, const ReadOptions&) {
  refuse(path);
}

template <class Vertex>
void write_hdf5(const std::string& path, const EdgeList<Vertex, Kokkos::HostSpace>&, const VertexNames&, bool,
                const WriteOptions&) {
  refuse(path);
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
  refuse(path);
}

template void write_rows(const std::string&, const CsrGraph<std::int32_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);
template void write_rows(const std::string&, const CsrGraph<std::int64_t, Kokkos::HostSpace>&, const VertexNames&,
                         const WriteOptions&);

void write_results(const std::string& path, const ResultTable&, const WriteOptions&) { refuse(path); }

ResultTable read_results(const std::string& path, const std::vector<std::string>&, const std::vector<std::string>&) {
  refuse(path);
}

}  // namespace dromos
