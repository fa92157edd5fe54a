// SPDX-License-Identifier: BSD-3-Clause
// /separated, a graph separated by degree as the ranks of a program have it
// (distributed/files/saved_graph_delegate.hpp), read by one process as the edges that it is. doc/hdf5.md describes the
// group; vertices are numbered there in four ways:
//
//   10 vertices, 3 ranks, delegates 4 and 6       of rank 1, in the rows of ...
//     own vertices 1 4 7 by local number 0 1 2    nn: block ids that count ranks from this one on, 32 to a block:
//     vertex 5 delegates 4 6 by number 0 1                     is local 1 of the next rank, 32 + 1
//                                                 nd, dd: numbers of delegates       dn: local numbers
#pragma once

#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/partition_1d.hpp>

#include "io/hdf5/hdf5_input.hpp"

namespace dromos::io {

/// The attributes of the group.
struct SeparatedHead {
  Partition1d partition;
  bool directed = true;
  Offset threshold = 0;
};

/// Throws InputError for attributes that are absent, and for more vertices than so many ranks can number.
SeparatedHead read_separated_head(const Hdf5Input& file);

template <class Vertex>
struct SeparatedEdges {
  EdgeList<Vertex, Kokkos::HostSpace> edges;  ///< all arcs
  bool directed = true;                       ///< false: every edge is there in both directions
};

/// Throws InputError where the sum of asymmetry_of() (hdf5_graphs.hpp) over the arcs of an undirected graph is not 0.
void check_separated_symmetry(const Hdf5Input& file, std::uint64_t asymmetry);

/// Throws InputError for what does not fit together. Memory: the edges, and the part of one rank.
template <class Vertex>
SeparatedEdges<Vertex> read_separated(const Hdf5Input& file);

}  // namespace dromos::io
