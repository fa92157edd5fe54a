// SPDX-License-Identifier: BSD-3-Clause
// Levels of many graphs over one set of vertices, in one call: after scc_batch(), in which order a sweep over a mesh
// can go through the cells, for each of a thousand directions.
//
// Graphs may have cycles. A strong component has one level, that of its vertex in the graph of the components: the
// number of edges between components on the longest path that ends there. A component is the list of its vertices, and
// what counts the edges into it is its smallest vertex. Each edge is asked for once: those that lead out of a component
// are listed on the way, without a branch, since whether a graph has an edge is hard to guess.
//
//   edges 0 -> 1 <-> 2 -> 3, components 0 1 1 3     levels 0 1 1 2
//
// Threads take graphs, each of which is gone through serially: there are more graphs than threads. On the host: on a
// GPU, condensation() and topological_levels() of each graph.
//
// Source: as topological_levels.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

struct TopologicalBatchStatistics {
  std::int64_t most_levels = 0;  ///< of any graph
  double seconds = 0;
};

namespace detail {

/// The memory in which one thread works on one graph after the other.
template <class Vertex>
class BatchLevels {
 public:
  using Graph = CsrView<Vertex, Kokkos::HostSpace>;

  explicit BatchLevels(const Graph& graph)
      : graph_(graph),
        n_(graph.num_vertices()),
        waits_for_(static_cast<std::size_t>(n_)),
        next_of_component_(static_cast<std::size_t>(n_)),
        queue_(static_cast<std::size_t>(n_)),
        out_(static_cast<std::size_t>(graph.num_edges()) + 1),
        out_end_(static_cast<std::size_t>(n_)) {}

  /// Levels of graph i; says whether the labels were components.
  template <class Parts, class Labels, class Levels>
  void find(std::int64_t i, const Parts& parts, const Labels& component, const Levels& level) {
    if (!list_components(i, component, level)) return;
    list_edges_between(i, parts, component);
    std::int64_t tail = 0, num_components = 0;
    for (Vertex c = 0; c < n_; ++c) {
      if (component(i, c) != c) continue;
      ++num_components;
      if (waits_for_[at(c)] != 0) continue;
      level(i, c) = 0;
      queue_[at(tail++)] = c;
    }
    // Components come out of the queue by level, so that who takes the last edge away is of the largest.
    for (std::int64_t head = 0; head < tail; ++head) {
      const Vertex c = queue_[at(head)];
      const auto next_level = static_cast<Level>(level(i, c) + 1);
      most_levels = dromos::max<std::int64_t>(most_levels, next_level);
      for (Vertex u = c; u != no_vertex<Vertex>; u = next_of_component_[at(u)]) {
        for (Offset k = u == 0 ? 0 : out_end_[at(u) - 1]; k < out_end_[at(u)]; ++k) {
          const Vertex d = out_[at(k)];
          if (--waits_for_[at(d)] != 0) continue;
          level(i, d) = next_level;
          queue_[at(tail++)] = d;
        }
      }
    }
    num_bad += num_components - tail;
    for (Vertex v = 0; v < n_; ++v) level(i, v) = level(i, component(i, v));
  }

  std::int64_t most_levels = 0;
  std::int64_t num_bad = 0;  ///< labels that are no components

 private:
  template <class Id>
  static std::size_t at(Id v) {
    return static_cast<std::size_t>(v);
  }

  template <class Labels, class Levels>
  bool list_components(std::int64_t i, const Labels& component, const Levels& level) {
    const std::int64_t num_bad_before = num_bad;
    for (Vertex v = 0; v < n_; ++v) {
      const Vertex c = component(i, v);
      level(i, v) = no_level;
      waits_for_[at(v)] = 0;
      next_of_component_[at(v)] = no_vertex<Vertex>;
      if (c == v) continue;
      if (c < 0 || c > v || component(i, c) != c) {
        ++num_bad;
        continue;
      }
      next_of_component_[at(v)] = next_of_component_[at(c)];
      next_of_component_[at(c)] = v;
    }
    return num_bad == num_bad_before;
  }

  template <class Parts, class Labels>
  void list_edges_between(std::int64_t i, const Parts& parts, const Labels& component) {
    Offset num_out = 0;
    for (Vertex u = 0; u < n_; ++u) {
      const Vertex c = component(i, u);
      for (Offset e = graph_.begin(u); e < graph_.end(u); ++e) {
        const Vertex v = graph_.neighbor(e), d = component(i, v);
        const auto is_between = static_cast<unsigned>(parts(i, u, v, e)) & static_cast<unsigned>(d != c);
        out_[at(num_out)] = d;
        num_out += is_between;
        waits_for_[at(d)] += static_cast<Vertex>(is_between);
      }
      out_end_[at(u)] = num_out;
    }
  }

  const Graph graph_;
  const Vertex n_;
  std::vector<Vertex> waits_for_;          // by smallest vertex: edges from components that have no level yet
  std::vector<Vertex> next_of_component_;  // the vertices of a component, from its smallest
  std::vector<Vertex> queue_;
  std::vector<Vertex> out_;      // the components that edges between components lead to, by tail
  std::vector<Offset> out_end_;  // by vertex: where its own of them end; they begin where those before end
};

}  // namespace detail

/// Finds the levels of many graphs over one set of vertices.
///
/// \param space       execution space instance of the host
/// \param graph       has every edge that one of the graphs has
/// \param num_graphs  their number
/// \param parts       which edges each graph has: parts(i, u, v, e), as of scc_batch()
/// \param component   num_graphs x num_vertices, by graph and vertex the smallest vertex of its strong component, as
///                    scc_batch() finds it; fewer edges lead into one than ids can count
/// \param level       out: num_graphs x num_vertices Levels. Rows should lie together (LayoutRight)
/// \throws ArgumentError where the sizes do not fit, and where labels are not the smallest vertices of strong
///         components; levels are then not all there
///
/// Cost: all edges once for each graph, and those that it has once more, serially. Memory of the call: for each thread
/// an id an edge, and 8 bytes and 3 ids a vertex.
template <class Space, class Vertex, class Parts, class Labels, class Levels>
TopologicalBatchStatistics topological_levels_batch(const Space& space,
                                                    const CsrGraph<Vertex, Kokkos::HostSpace>& graph,
                                                    std::int64_t num_graphs, const Parts& parts,
                                                    const Labels& component, const Levels& level) {
  static_assert(host_accessible<typename Space::memory_space>,
                "batches are worked on on the host; topological_levels() is for GPUs");
  static_assert(std::is_same_v<typename Labels::non_const_value_type, Vertex>, "labels are vertices");
  static_assert(std::is_same_v<typename Levels::value_type, Level>, "levels are dromos::Level");
  const ScopedRegion region("dromos::topological_levels_batch");
  const auto view = graph.view();
  const auto check_size = [&](const char* what, std::size_t rows, std::size_t columns) {
    if (num_graphs >= 0 && static_cast<std::int64_t>(rows) == num_graphs &&
        static_cast<std::int64_t>(columns) == view.num_vertices()) {
      return;
    }
    throw ArgumentError("topological_levels_batch: " + std::string(what) + " of " + std::to_string(rows) + " x " +
                        std::to_string(columns) + " for " + std::to_string(num_graphs) + " graphs of " +
                        std::to_string(view.num_vertices()) + " vertices");
  };
  check_size("components", component.extent(0), component.extent(1));
  check_size("levels", level.extent(0), level.extent(1));
  TopologicalBatchStatistics statistics;
  if (num_graphs == 0 || view.num_vertices() == 0) return statistics;
  const Kokkos::Timer timer;
  const ThreadNumbers<Space> numbers;
  std::vector<detail::BatchLevels<Vertex>> workers;
  workers.reserve(static_cast<std::size_t>(numbers.size()));
  for (int i = 0; i < static_cast<int>(numbers.size()); ++i) workers.emplace_back(view);
  deal_out("dromos::topological_levels_batch::graphs", space, num_graphs, [&](const std::int64_t i) {
    const auto number = numbers.acquire();
    workers[static_cast<std::size_t>(number)].find(i, parts, component, level);
    numbers.release(number);
  });
  fence(space, "dromos::topological_levels_batch::graphs");
  std::int64_t num_bad = 0;
  for (const auto& worker : workers) {
    num_bad += worker.num_bad;
    statistics.most_levels = dromos::max(statistics.most_levels, worker.most_levels);
  }
  if (num_bad > 0) {
    throw ArgumentError("topological_levels_batch: " + std::to_string(num_bad) +
                        " labels are not the smallest vertices of strong components; give what scc_batch() found");
  }
  statistics.seconds = timer.seconds();
  return statistics;
}

}  // namespace dromos
