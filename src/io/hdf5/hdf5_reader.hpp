// SPDX-License-Identifier: BSD-3-Clause
// read_graph() and write_graph() of HDF5 files. In a build without HDF5 all of these throw (hdf5_absent.cpp).
#pragma once

#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <string>

namespace dromos::io {

/// Does a regular file of this name begin as HDF5 files do? False where there is none.
bool begins_as_hdf5(const std::string& path);

/// Leaves `format` of the result to read_graph().
template <class Vertex>
GraphFile<Vertex> read_hdf5(const std::string& path, const ReadOptions& options);

template <class Vertex>
void write_hdf5(const std::string& path, const EdgeList<Vertex, Kokkos::HostSpace>& edges, const VertexNames& names,
                bool directed, const WriteOptions& options);

}  // namespace dromos::io
