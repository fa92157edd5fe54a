// SPDX-License-Identifier: BSD-3-Clause
// From an edge list to a file in any of the formats that read_graph() reads.
//
// The file appears whole or not at all: it is written under a temporary name beside its own and renamed at the end. A
// name that ends in .gz, .xz, .bz2 or .zst gives a compressed file.
//
//   format         edges written                                             vertices are called
//   edge_list      as listed                                                 by their names; without edges: not at all
//   matrix_market  directed: as listed; undirected: each once, lower half    1 .. n
//   metis          undirected only; each in both directions, sorted          1 .. n
//   dimacs, smat   directed: as listed; undirected: each in both directions  1 .. n (DIMACS), 0 .. n - 1 (SMAT)
//   csv, adjacency_list   as listed                                         by their names
//   gapbs          directed: as listed; undirected: each in both directions  0 .. n - 1
//   graph500       as listed, undirected only                                by their names; without edges: not at all
//   graphml        directed: as listed; undirected: each once               by their names
//   hdf5           as listed                                                 by their names
//
// "Each once" makes {u, v}, however often and in whichever direction it is listed, one edge, with the weight that is
// listed first: these formats cannot tell an edge that is listed both ways from two edges.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/io/graph_format.hpp>
#include <dromos/io/vertex_names.hpp>
#include <string>

namespace dromos {

struct WriteOptions {
  /// Of HDF5: 0 none, 1 to 9 deflate, from fast to small. A compressed file is read by one thread, several times
  /// slower.
  int compression = 0;
  /// The edges of an undirected list are in it in both directions; HDF5 keeps this, and counts of duplicates need it.
  bool listed_both_ways = false;
};

/// Writes `edges`, with their weights if they have any (DIMACS and SMAT need one and get 1 otherwise), to `path`.
/// Throws ArgumentError for what the format cannot hold (directed edges or fractional weights in METIS, negative or
/// fractional weights in DIMACS, weights in adjacency lists, directed edges or weights in Graph500's files, the format
/// `automatic`, compression of a text), and Error where the file cannot be written; nothing is left
/// behind then.
template <class Vertex>
void write_graph(const std::string& path, GraphFormat format, const EdgeList<Vertex, Kokkos::HostSpace>& edges,
                 const VertexNames& names, bool directed, const WriteOptions& options = {});

extern template void write_graph(const std::string&, GraphFormat, const EdgeList<std::int32_t, Kokkos::HostSpace>&,
                                 const VertexNames&, bool, const WriteOptions&);
extern template void write_graph(const std::string&, GraphFormat, const EdgeList<std::int64_t, Kokkos::HostSpace>&,
                                 const VertexNames&, bool, const WriteOptions&);

/// Writes a graph by rows to an HDF5 file, which needs no building when it is read. Throws as write_graph(), and
/// ArgumentError in a build without HDF5.
template <class Vertex>
void write_rows(const std::string& path, const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const VertexNames& names,
                const WriteOptions& options = {});

extern template void write_rows(const std::string&, const CsrGraph<std::int32_t, Kokkos::HostSpace>&,
                                const VertexNames&, const WriteOptions&);
extern template void write_rows(const std::string&, const CsrGraph<std::int64_t, Kokkos::HostSpace>&,
                                const VertexNames&, const WriteOptions&);

}  // namespace dromos
