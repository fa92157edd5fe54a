// SPDX-License-Identifier: BSD-3-Clause
// A graph in an HDF5 file (doc/hdf5.md), read by all ranks at once: each reads its own slice of the edges and nothing
// else of them.
//
// Of a list, rank r reads its part of source and target. Of rows, it reads its part of entries, and of row_map as much
// as says in whose rows those are, which it finds by bisection in the file:
//
//   row_map = 0 2 2 5    2 ranks    rank 0 has arcs 0 1 2: rows 0 and 2, offsets 0 .. 3
//                                   rank 1 has arcs 3 4:   row 2, offsets 2 .. 3
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/files/slab_access.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/io/vertex_names.hpp>
#include <functional>
#include <optional>
#include <string>

namespace dromos {

struct SliceReadOptions {
  /// Keep the weights of the edges, where the file has them.
  bool weights = false;
  /// A weight below 0 is an error.
  bool non_negative_weights = false;
  SlabAccess access = SlabAccess::automatic;
  /// Called on every rank with the numbers of vertices and of edges (arcs, where the file has rows) of the whole graph,
  /// and whether each edge stands for two arcs, before any array is made; may wait for other ranks. What it throws, it
  /// throws on all.
  std::function<void(std::int64_t, std::int64_t, bool)> before_reading;
};

template <class Vertex>
struct SliceOfFile {
  /// This rank's edges, in the memory of the device; num_vertices is that of the whole graph.
  EdgeList<Vertex> slice;
  /// Of all vertices, on every rank (a table has 8 bytes a vertex).
  VertexNames names;
  std::optional<bool> directed;   ///< nothing where the file does not say
  bool listed_both_ways = false;  ///< the file says that undirected edges are there in both directions
  bool is_symmetric = false;      ///< they are, which was checked: those of an undirected graph by rows
  Offset num_edges = 0;           ///< of all ranks
  std::int64_t bytes_read = 0;    ///< by this rank, of edges and offsets
};

/// Is the file for read_slice()? True as well where that will say what is wrong with an HDF5 file; false for text, and
/// for an HDF5 file with nothing but a graph separated by degree. Looks at it on this rank alone.
bool has_slices(const std::string& path);

/// Reads this rank's slice (distributed/edge_slice.hpp) of a graph. Collective.
/// Throws ArgumentError on every rank for what read_graph() throws InputError for (the message names the file), for
/// SlabAccess::collective with a serial HDF5, and in a build without HDF5.
template <class Vertex>
SliceOfFile<Vertex> read_slice(const Communicator& communicator, const std::string& path,
                               const SliceReadOptions& options = {});

extern template SliceOfFile<std::int32_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
extern template SliceOfFile<std::int64_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);

}  // namespace dromos
