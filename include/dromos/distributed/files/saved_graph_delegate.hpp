// SPDX-License-Identifier: BSD-3-Clause
// A graph separated by degree (distributed/by_degree/graph_delegate.hpp) in an HDF5 file: what every rank has of it,
// one behind the other, so that as many ranks have it again without sorting, counting or sending anything. Other
// numbers of ranks, and one process, read it as the list of edges that it is, with read_graph(). doc/hdf5.md describes
// the file.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/files/slab_access.hpp>
#include <dromos/io/vertex_names.hpp>
#include <optional>
#include <string>

namespace dromos {

/// Of the default device.
template <class Vertex>
using SavedGraphDelegate = GraphDelegate<Vertex, Kokkos::DefaultExecutionSpace::memory_space>;

/// Writes a file that appears whole or not at all. Collective; throws Error on every rank where it cannot be written,
/// and ArgumentError where vertices are not dealt out one by one or edges between delegates do not follow the lower
/// end.
///
/// \param names  what the vertices are called, the same on every rank, for who reads the file as edges
/// (io/read_graph.hpp)
template <class Vertex>
void save_graph(const Communicator& communicator, const std::string& path, const SavedGraphDelegate<Vertex>& graph,
                const VertexNames& names = VertexNames());

/// What a file says of its separated graph.
struct SavedSeparation {
  std::int64_t num_vertices = 0;
  bool directed = false;
  int num_ranks = 1;     ///< that saved it, and can load it
  Offset threshold = 0;  ///< vertices of more neighbors are delegates
};

/// Nothing where the file has no separated graph, or is no HDF5 file. Looks at it on this rank alone.
/// Throws InputError for a file that cannot be opened.
std::optional<SavedSeparation> find_separation(const std::string& path);

template <class Vertex>
struct LoadedGraphDelegate {
  SavedGraphDelegate<Vertex> graph;
  VertexNames names;            ///< of all vertices, on every rank (a table has 8 bytes a vertex)
  std::int64_t bytes_read = 0;  ///< by this rank
};

/// The graph as it was saved; each rank reads its own part. Collective.
/// Throws ArgumentError on every rank where another number of ranks saved it, and for what read_graph() throws
/// InputError for: rows that do not fit together, vertices that do not exist, an arc of an undirected graph without its
/// reverse. Cost: reading, and two passes over the rows.
template <class Vertex>
LoadedGraphDelegate<Vertex> load_graph_delegate(const Communicator& communicator, const std::string& path,
                                                SlabAccess access = SlabAccess::automatic);

extern template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int32_t>&,
                                const VertexNames&);
extern template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int64_t>&,
                                const VertexNames&);
extern template LoadedGraphDelegate<std::int32_t> load_graph_delegate(const Communicator&, const std::string&,
                                                                      SlabAccess);
extern template LoadedGraphDelegate<std::int64_t> load_graph_delegate(const Communicator&, const std::string&,
                                                                      SlabAccess);

}  // namespace dromos
