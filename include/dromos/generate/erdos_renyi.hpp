// SPDX-License-Identifier: BSD-3-Clause
// Erdos-Renyi graphs G(n, m): m edges, both endpoints of each drawn uniformly and independently. Self loops and
// duplicates occur, as rarely as chance has it; BuildOptions remove them where they are not wanted.
//   P. Erdos, A. Renyi, "On Random Graphs I", Publicationes Mathematicae 6, 1959; here with replacement.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

namespace dromos {

struct ErdosRenyiOptions {
  std::int64_t num_vertices = 1 << 16;
  Offset num_edges = 16 << 16;
  /// Equal seeds give equal graphs, on any number of threads and ranks and on any device.
  std::uint64_t seed = 1;
};

/// Edge i of an Erdos-Renyi graph as a pure function of i.
template <class Vertex>
class ErdosRenyiEdges {
 public:
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;

  /// Throws ArgumentError for a negative count, more vertices than the ids can number, or edges without vertices.
  explicit ErdosRenyiEdges(const ErdosRenyiOptions& options)
      : num_vertices_(generate_detail::checked_num_vertices<Vertex>("Erdos-Renyi graph", options.num_vertices)),
        num_edges_(options.num_edges),
        random_(options.seed) {
    if (num_edges_ < 0 || (num_edges_ > 0 && num_vertices_ == 0)) {
      throw ArgumentError("Erdos-Renyi graph: the number of edges is " + std::to_string(num_edges_) + " for " +
                          std::to_string(num_vertices_) + " vertices; expected none negative, and vertices for edges");
    }
  }

  KOKKOS_FUNCTION std::int64_t num_vertices() const { return num_vertices_; }
  KOKKOS_FUNCTION Offset num_edges() const { return num_edges_; }

  /// i: 0 .. num_edges() - 1; u and v: out, source and target.
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    const std::uint64_t n = static_cast<std::uint64_t>(num_vertices_);
    const std::uint64_t counter = 2 * static_cast<std::uint64_t>(i);
    u = static_cast<Vertex>(random_.below(n, counter));
    v = static_cast<Vertex>(random_.below(n, counter + 1));
  }

 private:
  std::int64_t num_vertices_;
  Offset num_edges_;
  CounterRandom random_;
};

/// The whole edge list, in the memory of the execution space. Throws ArgumentError for options out of range.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_erdos_renyi(const Space& space,
                                                                    const ErdosRenyiOptions& options) {
  return generate_edges<Vertex>(space, ErdosRenyiEdges<Vertex>(options));
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template EdgeList<std::int32_t> generate_erdos_renyi(const Kokkos::DefaultExecutionSpace&,
                                                            const ErdosRenyiOptions&);
extern template EdgeList<std::int64_t> generate_erdos_renyi(const Kokkos::DefaultExecutionSpace&,
                                                            const ErdosRenyiOptions&);

}  // namespace dromos
