// SPDX-License-Identifier: BSD-3-Clause
// Binary files of edges (io/formats/binary_edges.hpp), for write_graph(), which has checked that they can hold the
// graph.
#pragma once

#include <dromos/graph/edge_list.hpp>
#include <dromos/io/vertex_names.hpp>

#include "io/text/text_output.hpp"

namespace dromos::io {

/// Vertices are numbered as they are. Memory: the arcs, and as much again while undirected ones are sorted.
template <class Vertex>
void write_gapbs(TextOutput& file, const EdgeList<Vertex, Kokkos::HostSpace>& edges, bool directed);

/// Vertices are called by their names. Throws ArgumentError where a packed edge cannot hold one of them.
template <class Vertex>
void write_graph500(TextOutput& file, const EdgeList<Vertex, Kokkos::HostSpace>& edges, const VertexNames& names,
                    bool packed);

}  // namespace dromos::io
