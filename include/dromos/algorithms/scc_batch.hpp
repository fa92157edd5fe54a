// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of many graphs over one set of vertices, in one call: of the sweep graphs of a mesh,
// say, one for each of a thousand directions, in which a face between two cells is an edge downwind.
//
// Every graph is a part of a given one, and a predicate says which edges it has. It also gives each vertex a potential:
// any number, but the more edges lead to a larger one, the better. In a sweep it is how far downwind a cell lies. Every
// cycle has an edge backward, to a potential that is not larger, and a graph without one is done. Which edges may lead
// backward at all is told of 16 graphs at a time by vector instructions, from few numbers an edge (downwind_faces.hpp).
//
//   potentials 1 2 3 4, edges 0 -> 1 -> 3, 2 -> 1
//   backward: 2 -> 1, with ceiling 3; 1 is below it, 3 is not: no cycle
//
// Where there are backward edges, a cycle stays below its largest potential, which is that of the tail of one. For most
// of them a short look along paths below the potential of the tail tells that none comes back to it. From the head of
// each of the others, whatever is not above the potential of its tail is marked, on and on, and strong components are
// sought, serially, among the marked vertices alone: few more than lie on cycles, where an edge leads backward by less
// than the next one leads forward (impl/scc_batch_group.hpp).
//
// Threads take groups of 16 graphs. On the host: on a GPU, scc() of each graph.
//
// Source: cycles of sweep graphs: W. McLendon III, B. Hendrickson, S. J. Plimpton, L. Rauchwerger, "Finding strongly
// connected components in distributed graphs", JPDC 2005. Bounding a search by an order that is nearly topological: D.
// J. Pearce, P. H. J. Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", ACM JEA 2007.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/downwind_faces.hpp>
#include <dromos/algorithms/impl/scc_batch_group.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

struct SccBatchStatistics {
  std::int64_t num_marked = 0;      ///< vertices that the serial algorithm looked at, of all graphs
  std::int64_t num_components = 0;  ///< of all graphs
  std::int64_t num_cyclic = 0;      ///< graphs with a component of two vertices or more
  double seconds = 0;
};

/// Finds the strongly connected components of many graphs over one set of vertices.
///
/// \param space       execution space instance of the host
/// \param graph       has every edge that one of the graphs has; of a mesh, both directions of each face
/// \param num_graphs  their number
/// \param parts       which edges each graph has, and which of them lead backward, as DownwindFaces tells; called on
/// the
///                    host by several threads
/// \param component   out: num_graphs x num_vertices, by graph and vertex the smallest vertex of its component. Rows
///                    should lie together (LayoutRight)
/// \throws ArgumentError where `component` is not of that size
///
/// Cost: one pass over the edges for 16 graphs, the labels, and the serial algorithm on what is marked: next to nothing
/// where potentials are good, and everything where they are not. Memory of the call: for each thread about 25 bytes a
/// vertex, and what parts need, of DownwindFaces 40 bytes a face.
template <class Space, class Vertex, class Parts, class Labels>
SccBatchStatistics scc_batch(const Space& space, const CsrGraph<Vertex, Kokkos::HostSpace>& graph,
                             std::int64_t num_graphs, const Parts& parts, const Labels& component) {
  static_assert(host_accessible<typename Space::memory_space>, "batches are decomposed on the host; scc() is for GPUs");
  static_assert(std::is_same_v<typename Labels::non_const_value_type, Vertex>, "labels are vertices");
  const ScopedRegion region("dromos::scc_batch");
  const auto view = graph.view();
  if (num_graphs < 0 || static_cast<std::int64_t>(component.extent(0)) != num_graphs ||
      static_cast<std::int64_t>(component.extent(1)) != view.num_vertices()) {
    throw ArgumentError("scc_batch: labels of " + std::to_string(component.extent(0)) + " x " +
                        std::to_string(component.extent(1)) + " for " + std::to_string(num_graphs) + " graphs of " +
                        std::to_string(view.num_vertices()) + " vertices");
  }
  SccBatchStatistics statistics;
  if (num_graphs == 0 || view.num_vertices() == 0) return statistics;
  const Kokkos::Timer timer;
  const std::int64_t num_groups = (num_graphs + scc_batch_lanes - 1) / scc_batch_lanes;
  const ThreadNumbers<Space> numbers;
  const typename Parts::template Edges<Vertex> edges(space, view, parts);
  std::vector<scc_detail::BatchGroup<Vertex, Parts>> workers;
  workers.reserve(static_cast<std::size_t>(numbers.size()));
  for (int i = 0; i < static_cast<int>(numbers.size()); ++i) workers.emplace_back(view, parts, edges);
  deal_out("dromos::scc_batch::groups", space, num_groups, [&](const std::int64_t group) {
    const auto number = numbers.acquire();
    const std::int64_t first = group * scc_batch_lanes;
    const auto count = static_cast<int>(dromos::min<std::int64_t>(scc_batch_lanes, num_graphs - first));
    workers[static_cast<std::size_t>(number)].decompose(first, count, component);
    numbers.release(number);
  });
  fence(space, "dromos::scc_batch::groups");
  for (const auto& worker : workers) {
    statistics.num_marked += worker.counts.num_marked;
    statistics.num_components += worker.counts.num_components;
    statistics.num_cyclic += worker.counts.num_cyclic;
  }
  statistics.seconds = timer.seconds();
  return statistics;
}

}  // namespace dromos
