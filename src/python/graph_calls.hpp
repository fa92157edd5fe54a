// SPDX-License-Identifier: BSD-3-Clause
// The calls of the module on arrays that belong to others: graphs are read where NumPy has them, results are written
// where NumPy wants them. Nothing here knows Python; everything runs on Kokkos' thread (python/kokkos_thread.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/io/read_graph.hpp>
#include <string>
#include <vector>

namespace dromos::python {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// The rows of a graph in somebody else's memory, which is only read.
template <class Vertex>
struct BorrowedRows {
  const Offset* row_map = nullptr;  ///< num_vertices + 1 of them
  std::int64_t num_vertices = 0;
  const Vertex* entries = nullptr;
  Offset num_entries = 0;
  const float* weights = nullptr;  ///< none: an unweighted graph
  bool directed = true;

  CsrGraph<Vertex, Memory> graph() const;
};

/// Throws ArgumentError unless the arrays are those of a graph. Cost: one pass over them.
template <class Vertex>
void check_arrays(const BorrowedRows<Vertex>& rows);

/// Are all edges there in both directions, with the same weight, each once, the neighbors of every vertex ascending?
/// Then the rows are those of an undirected graph as they lie. Cost: a binary search for each entry.
template <class Vertex>
bool is_undirected(const BorrowedRows<Vertex>& rows);

/// The graph without directions: every edge both ways, once, the lightest of several. New arrays.
template <class Vertex>
CsrGraph<Vertex, Memory> forget_directions(const BorrowedRows<Vertex>& rows);

/// Levels and parents from each root, one row of num_vertices after the other; either may be null.
template <class Vertex>
void search(const BorrowedRows<Vertex>& rows, const std::vector<std::int64_t>& roots, Level* level, Vertex* parent);

/// Distances, infinity where a root does not reach, and parents, which may be null.
template <class Vertex>
void find_distances(const BorrowedRows<Vertex>& rows, const std::vector<std::int64_t>& roots, double* distance,
                    Vertex* parent);

/// Labels from 0 on, in the order of the smallest vertex of each component; returns how many there are.
template <class Vertex>
std::int64_t label_components(const BorrowedRows<Vertex>& rows, bool strong, Vertex* label);

/// \param start  as PageRankScratch::start, in somebody else's memory; null: walks start anywhere
template <class Vertex>
PageRankStatistics rank_vertices(const BorrowedRows<Vertex>& rows, const PageRankOptions& options, const double* start,
                                 double* rank);

template <class Vertex>
void find_core_numbers(const BorrowedRows<Vertex>& rows, Vertex* core);

/// The vertex at each place. A directed graph counts as A + A^T; where its rows ascend, only what A^T has more is made.
template <class Vertex>
void order_by_rcm(const BorrowedRows<Vertex>& rows, Vertex* order);

/// How to read a file, and what becomes of its edges.
struct FileRequest {
  std::string path;
  ReadOptions read;
  int directed = -1;  ///< 0, 1, or as the file says
  bool keep_self_loops = false, keep_duplicates = false;
};

template <class Vertex>
struct FileGraph {
  CsrGraph<Vertex, Memory> graph;
  VertexNames names;
  std::vector<std::string> words;
};

/// Throws what dromos::read_graph() throws, and ArgumentError for directions where the file says that there are none.
template <class Vertex>
FileGraph<Vertex> read_file_graph(const FileRequest& request);

}  // namespace dromos::python
