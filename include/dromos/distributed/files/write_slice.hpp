// SPDX-License-Identifier: BSD-3-Clause
// A graph as one HDF5 file (doc/hdf5.md), written by all ranks at once: each writes its own part, and the file is the
// one that a single process writes. The counterpart of distributed/files/read_slice.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_vertices/row_block.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/io/vertex_names.hpp>
#include <string>

namespace dromos {

struct SliceWriteOptions {
  bool directed = false;
  /// The edges of an undirected list are in it in both directions.
  bool listed_both_ways = false;
};

/// Writes the edges of rank 0, then those of rank 1, ..., as a list. The file appears whole or not at all. Collective.
///
/// \param slice  any part of the edges, in the memory of the device; num_vertices is that of the whole graph; with
/// weights
///               on all ranks that have edges, or on none
/// \param names  of all vertices, the same on every rank
/// Throws, on every rank: ArgumentError where the ranks have different numbers of vertices, for weights of some edges
/// only, for names that are too few and in a build without HDF5; Error where the file cannot be written, or is
/// not what was written when it is read back. Cost: writing, and one read of what was written.
template <class Vertex>
void write_slice(const Communicator& communicator, const std::string& path, const EdgeList<Vertex>& slice,
                 const VertexNames& names = VertexNames(), const SliceWriteOptions& options = {});

/// Writes a graph by rows; whether it is directed, its rows say. Otherwise as above.
template <class Vertex>
void write_rows(const Communicator& communicator, const std::string& path, const RowBlock<Vertex>& block,
                const VertexNames& names = VertexNames());

extern template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int32_t>&,
                                 const VertexNames&, const SliceWriteOptions&);
extern template void write_slice(const Communicator&, const std::string&, const EdgeList<std::int64_t>&,
                                 const VertexNames&, const SliceWriteOptions&);
extern template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int32_t>&,
                                const VertexNames&);
extern template void write_rows(const Communicator&, const std::string&, const RowBlock<std::int64_t>&,
                                const VertexNames&);

}  // namespace dromos
