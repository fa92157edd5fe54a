// SPDX-License-Identifier: BSD-3-Clause
// The strong components of 16 graphs over one set of vertices, by one thread.
//
//   backward edges   u -> v to a potential that is not larger, in all graphs at once
//   lead back        those from which a path below the potential of u comes back to u: few, as short paths tell
//   mark             what these reach below their ceilings
//   search           Tarjan's algorithm among the marked, graph by graph
//
// A backward edge is one in few of the graphs, so that what comes after the first step is done for each of them alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/downwind_faces.hpp>
#include <dromos/algorithms/scc_serial.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

namespace dromos::scc_detail {

/// What groups of graphs had: as SccBatchStatistics.
struct BatchCounts {
  std::int64_t num_marked = 0, num_components = 0, num_cyclic = 0;
};

/// The memory in which one thread works on one group of graphs after the other.
template <class Vertex>
class BatchGroup {
 public:
  using Graph = CsrView<Vertex, Kokkos::HostSpace>;

  explicit BatchGroup(const Graph& graph)
      : graph_(graph),
        n_(graph.num_vertices()),
        potential_(static_cast<std::size_t>(n_) * scc_batch_lanes),
        is_marked_(static_cast<std::size_t>(n_), 0) {
    const auto n = static_cast<std::size_t>(n_);
    for (auto* ids : {&serial_.lowest, &serial_.path, &serial_.own, &serial_.waiting}) {
      detail::ensure_size(*ids, n, "dromos::scc_batch::serial");
    }
    detail::ensure_size(serial_.next_edge, n, "dromos::scc_batch::serial");
  }

  /// Labels of graphs first .. first + count - 1.
  template <class Parts, class Labels>
  void decompose(std::int64_t first, int count, const Parts& parts, const Labels& component) {
    find_backward_edges(first, count, parts);
    for (int lane = 0; lane < count; ++lane) {
      for (Vertex v = 0; v < n_; ++v) component(first + lane, v) = v;
      counts.num_components += n_;
      if (backward_[lane].empty()) continue;
      mark(first + lane, lane, parts);
      label_marked(first + lane, parts, component);
    }
  }

  BatchCounts counts;  ///< of all groups that were worked on

 private:
  /// Edges that may tell whether a backward edge closes a cycle.
  static constexpr int most_looks = 200;

  struct BackwardEdge {
    float ceiling;  ///< the potential of its tail
    Vertex head;
  };

  template <class Parts>
  void find_backward_edges(std::int64_t first, int count, const Parts& parts) {
    const typename Parts::Group group(parts, first, count);
    for (auto& edges : backward_) edges.clear();
    for (Vertex v = 0; v < n_; ++v) {
      float* const values = &potential(v, 0);
      group.potentials(v, values);
      for (int i = 0; i < scc_batch_lanes; ++i) values[i] = values[i] == values[i] ? values[i] : 0;  // in an order
    }
    for (Vertex u = 0; u < n_; ++u) {
      const float* const from = &potential(u, 0);
      for (Offset e = graph_.begin(u); e < graph_.end(u); ++e) {
        const Vertex v = graph_.neighbor(e);
        if (!group.may_have(u, v, e) || u == v) continue;
        const float* const to = &potential(v, 0);
        // An int a lane, as wide as a float, is what vector instructions make of comparisons.
        int is_backward[scc_batch_lanes];
        int any = 0;
        for (int i = 0; i < scc_batch_lanes; ++i) is_backward[i] = !(from[i] < to[i]);
        for (int i = 0; i < scc_batch_lanes; ++i) any |= is_backward[i];
        if (any == 0) continue;
        unsigned backward = group.present(u, v, e, is_backward);
        for (; backward != 0; backward &= backward - 1) {
          const int i = count_trailing_zeros(static_cast<std::uint32_t>(backward));
          if (leads_back(first + i, i, u, v, parts)) backward_[i].push_back({from[i], v});
        }
      }
    }
  }

  /// Does an edge from `tail` to `head` close a cycle whose other vertices are not above its tail? Asked at once, while
  /// what is around it is in the cache; for most the answer is no, after one edge or two. Where it takes long to tell,
  /// the answer is that it may.
  template <class Parts>
  bool leads_back(std::int64_t graph, int lane, Vertex tail, Vertex head, const Parts& parts) {
    int looks = most_looks;
    return leads_to(graph, lane, tail, potential(tail, lane), head, parts, looks);
  }

  /// `looks`: at so many edges, at most, which is how deep the recursion goes, too.
  template <class Parts>
  bool leads_to(std::int64_t graph, int lane, Vertex tail, float ceiling, Vertex v, const Parts& parts, int& looks) {
    if (v == tail) return true;
    for (Offset e = graph_.begin(v); e < graph_.end(v); ++e) {
      const Vertex w = graph_.neighbor(e);
      if (--looks < 0) return true;
      if (w == v || potential(w, lane) > ceiling || !parts(graph, v, w, e)) continue;
      if (leads_to(graph, lane, tail, ceiling, w, parts, looks)) return true;
    }
    return false;
  }

  /// marked_: what the heads of backward edges reach without going above the potentials of their tails. The highest
  /// tails begin, so that nobody has to be looked at again under a higher ceiling: a backward edge met on the way has
  /// its tail below the ceiling.
  template <class Parts>
  void mark(std::int64_t graph, int lane, const Parts& parts) {
    std::vector<BackwardEdge>& edges = backward_[lane];
    std::sort(edges.begin(), edges.end(),
              [](const BackwardEdge& a, const BackwardEdge& b) { return a.ceiling > b.ceiling; });
    for (const auto& [ceiling, head] : edges) {
      if (is_marked_[at(head)] != 0) continue;
      is_marked_[at(head)] = 1;
      std::size_t next = marked_.size();
      for (marked_.push_back(head); next < marked_.size(); ++next) {
        const Vertex u = marked_[next];
        for (Offset e = graph_.begin(u); e < graph_.end(u); ++e) {
          const Vertex v = graph_.neighbor(e);
          if (is_marked_[at(v)] != 0 || potential(v, lane) > ceiling || !parts(graph, u, v, e)) continue;
          is_marked_[at(v)] = 1;
          marked_.push_back(v);
        }
      }
    }
  }

  template <class Parts, class Labels>
  void label_marked(std::int64_t graph, const Parts& parts, const Labels& component) {
    const auto num_marked = static_cast<std::int64_t>(marked_.size());
    std::int64_t num_components = 0;
    tarjan(
        graph_, marked_.data(), num_marked,
        [&](Vertex u, Offset e, Vertex v) { return is_marked_[at(v)] != 0 && parts(graph, u, v, e); },
        [&](Vertex v, Vertex label) {
          component(graph, v) = label;
          num_components += v == label;
        },
        serial_);
    counts.num_marked += num_marked;
    counts.num_components -= num_marked - num_components;
    counts.num_cyclic += num_components < num_marked;
    for (const Vertex v : marked_) is_marked_[at(v)] = 0;
    marked_.clear();
  }

  static std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }
  float& potential(Vertex v, int lane) { return potential_[at(v) * scc_batch_lanes + static_cast<std::size_t>(lane)]; }

  const Graph graph_;
  const Vertex n_;
  std::vector<float> potential_;  // by vertex and lane
  std::vector<char> is_marked_;   // by vertex
  std::vector<BackwardEdge> backward_[scc_batch_lanes];
  std::vector<Vertex> marked_;
  SerialSccScratch<Vertex> serial_;
};

}  // namespace dromos::scc_detail
