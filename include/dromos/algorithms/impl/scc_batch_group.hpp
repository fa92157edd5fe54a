// SPDX-License-Identifier: BSD-3-Clause
// The strong components of 16 graphs over one set of vertices, by one thread.
//
//   backward edges   u -> v to a potential that is not larger, in all graphs at once (DownwindFaces::Group)
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
#include <dromos/algorithms/impl/scc_serial.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <limits>
#include <vector>

namespace dromos::scc_detail {

/// What groups of graphs had: as SccBatchStatistics.
struct BatchCounts {
  std::int64_t num_marked = 0, num_components = 0, num_cyclic = 0;
};

/// The memory in which one thread works on one group of graphs after the other.
template <class Vertex, class Parts>
class BatchGroup {
 public:
  using Graph = CsrView<Vertex, Kokkos::HostSpace>;
  using Edges = typename Parts::template Edges<Vertex>;
  using Group = typename Parts::template Group<Vertex>;

  BatchGroup(const Graph& graph, const Parts& parts, const Edges& edges)
      : graph_(graph),
        parts_(parts),
        edges_(edges),
        n_(graph.num_vertices()),
        is_marked_(static_cast<std::size_t>(n_), 0) {
    const auto n = static_cast<std::size_t>(n_);
    for (auto* ids : {&serial_.lowest, &serial_.path, &serial_.own, &serial_.waiting}) {
      detail::ensure_size(*ids, n, "dromos::scc_batch::serial");
    }
    detail::ensure_size(serial_.next_edge, n, "dromos::scc_batch::serial");
  }

  /// Labels of graphs first .. first + count - 1.
  template <class Labels>
  void decompose(std::int64_t first, int count, const Labels& component) {
    const Group group(edges_, first, count);
    for (auto& edges : backward_) edges.clear();
    group.for_each_backward([&](Vertex u, Vertex v, int i, float potential) {
      // What is not a number is above everything.
      const float ceiling = potential == potential ? potential : std::numeric_limits<float>::infinity();
      if (leads_back(group, first + i, i, u, ceiling, v)) backward_[i].push_back({ceiling, v});
    });
    for (int i = 0; i < count; ++i) {
      for (Vertex v = 0; v < n_; ++v) component(first + i, v) = v;
      counts.num_components += n_;
      if (backward_[i].empty()) continue;
      mark(group, first + i, i);
      label_marked(first + i, component);
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

  /// Does an edge from `tail` to `head` close a cycle whose other vertices are not above its tail? Asked at once, while
  /// what is around it is in the cache; for most the answer is no, after one edge or two. Where it takes long to tell,
  /// the answer is that it may.
  bool leads_back(const Group& group, std::int64_t graph, int i, Vertex tail, float ceiling, Vertex head) const {
    int looks = most_looks;
    return leads_to(group, graph, i, tail, ceiling, head, looks);
  }

  /// `looks`: at so many edges, at most, which is how deep the recursion goes, too.
  bool leads_to(const Group& group, std::int64_t graph, int i, Vertex tail, float ceiling, Vertex v, int& looks) const {
    if (v == tail) return true;
    for (Offset e = graph_.begin(v); e < graph_.end(v); ++e) {
      const Vertex w = graph_.neighbor(e);
      if (--looks < 0) return true;
      // Both are asked: each alone would be guessed wrong, both together are seldom true.
      const bool is_low = !(group.potential(w, i) > ceiling);
      if ((static_cast<int>(is_low) & static_cast<int>(parts_(graph, v, w, e))) == 0 || w == v) continue;
      if (leads_to(group, graph, i, tail, ceiling, w, looks)) return true;
    }
    return false;
  }

  /// marked_: what the heads of backward edges reach without going above the potentials of their tails. The highest
  /// tails begin, so that nobody has to be looked at again under a higher ceiling: a backward edge met on the way has
  /// its tail below the ceiling.
  void mark(const Group& group, std::int64_t graph, int i) {
    std::vector<BackwardEdge>& edges = backward_[i];
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
          if (is_marked_[at(v)] != 0 || !parts_(graph, u, v, e) || group.potential(v, i) > ceiling) continue;
          is_marked_[at(v)] = 1;
          marked_.push_back(v);
        }
      }
    }
  }

  template <class Labels>
  void label_marked(std::int64_t graph, const Labels& component) {
    const auto num_marked = static_cast<std::int64_t>(marked_.size());
    std::int64_t num_components = 0;
    tarjan(
        graph_, marked_.data(), num_marked,
        [&](Vertex u, Offset e, Vertex v) { return is_marked_[at(v)] != 0 && parts_(graph, u, v, e); },
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

  const Graph graph_;
  const Parts& parts_;
  const Edges& edges_;
  const Vertex n_;
  std::vector<char> is_marked_;  // by vertex
  std::vector<BackwardEdge> backward_[scc_batch_lanes];
  std::vector<Vertex> marked_;
  SerialSccScratch<Vertex> serial_;
};

}  // namespace dromos::scc_detail
