// SPDX-License-Identifier: BSD-3-Clause
// From the options that name a graph to a matrix: its pattern as a bipartite graph in the memory of the device, and
// what its rows and columns are called.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/maximum_matching.hpp>
#include <string>

#include "driver/graphs/load_graph.hpp"

namespace dromos::driver {

/// The rows of a matrix, or its columns, as things that have names.
template <class Vertex>
class MatrixSide : public NamedGraph<Vertex> {
 public:
  MatrixSide() = default;
  MatrixSide(const VertexNames& names, std::int64_t size, const std::string& source) {
    this->names_ = names;
    this->summary_.num_vertices = size;
    this->summary_.source = source;
  }

  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const override { return {}; }
};

/// Of Matrix Market, with as many rows and columns as there are; of everything else, the adjacency matrix of the graph.
/// The entries of a matrix of which one half is stored, and of undirected graphs, are those of both halves.
template <class Vertex>
class LoadedMatrix : public NamedGraph<Vertex> {
 public:
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;

  /// Throws InputError, ArgumentError, std::bad_alloc.
  explicit LoadedMatrix(const GraphOptions& options);

  /// What it would need, and the command with it (LoadedGraph::needs()).
  static MemoryNeeds needs(const GraphOptions& options);

  const BipartiteGraph<Vertex, Memory>& pattern() const { return pattern_; }
  const MatrixSide<Vertex>& rows() const { return rows_; }
  const MatrixSide<Vertex>& columns() const { return columns_; }

  /// Row and column of every entry, as they are numbered inside.
  EdgeList<Vertex, Kokkos::HostSpace> entries() const;

  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const override { return {}; }

 private:
  BipartiteGraph<Vertex, Memory> pattern_;
  MatrixSide<Vertex> rows_, columns_;
};

}  // namespace dromos::driver
