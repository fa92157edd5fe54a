// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of many graphs over one set of vertices, in one call: of the sweep graphs of a mesh,
// say, one for each of a thousand directions, in which a face between two cells is an edge downwind.
//
// Every graph is a part of a given one, and a predicate says which edges it has. It also gives each vertex a potential:
// any number, but the more edges lead to a larger one, the better. In a sweep it is how far downwind a cell lies. Every
// cycle has an edge backward, to a potential that is not larger, and a graph without one is done: one pass over the
// edges, of 16 graphs at a time in the lanes of vector instructions, tells for all.
//
//   potentials 1 2 3 4, edges 0 -> 1 -> 3, 2 -> 1     backward: 2 -> 1, with ceiling 3; 1 is below it, 3 is not: no
//   cycle
//
// Where there are backward edges, a cycle stays below its largest potential. So from the head of each, whatever is not
// above the potential of its tail is marked, on and on, and strong components are sought, serially, among the marked
// vertices alone: few, where an edge leads backward by less than the next one leads forward.
//
// Threads take groups of 16 graphs. On the host: on a GPU, scc() of each graph.
//
// Source: cycles of sweep graphs: W. McLendon III, B. Hendrickson, S. J. Plimpton, L. Rauchwerger, "Finding strongly
// connected components in distributed graphs", JPDC 2005. Bounding a search by an order that is nearly topological: D.
// J. Pearce, P. H. J. Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", ACM JEA 2007.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dromos/algorithms/scc_serial.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

/// Graphs that are gone through together.
constexpr int scc_batch_lanes = 16;

/// Which edges each graph has, where edges are faces between the cells of a mesh and graphs are directions: those that
/// the direction crosses from the first cell to the second. Potentials are how far the cells lie in the direction.
struct DownwindFaces {
  /// By edge (u, v) of the mesh: the normal of the face, which points from u to v; on the edge (v, u) its opposite.
  Kokkos::View<const double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> normal;
  /// By vertex: a point in the cell, such as its center of mass. Decides over the time, not over the answer.
  Kokkos::View<const double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> center;
  /// By graph: its direction. The time is shortest where neighbors in number are alike: sort them.
  Kokkos::View<const double* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> direction;

  template <class Vertex>
  bool operator()(std::int64_t graph, Vertex, Vertex, Offset e) const {
    return normal(e, 0) * direction(graph, 0) + normal(e, 1) * direction(graph, 1) +
               normal(e, 2) * direction(graph, 2) >
           0;
  }

  /// Some graphs that are neighbors in number, as lanes of vector instructions. Lanes without a graph have none of the
  /// edges.
  class Group {
   public:
    Group(const DownwindFaces& faces, std::int64_t first, int count) : faces_(faces) {
      for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < count; ++i) {
          lanes_[k][i] = faces.direction(first + i, k);
          mean_[k] += lanes_[k][i] / count;
        }
      }
      double largest = 0;
      for (int i = 0; i < count; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) square += (lanes_[k][i] - mean_[k]) * (lanes_[k][i] - mean_[k]);
        largest = dromos::max(largest, square);
      }
      // A little more than the radius, for what is rounded below.
      const double size = mean_[0] * mean_[0] + mean_[1] * mean_[1] + mean_[2] * mean_[2] + largest;
      square_radius_ = largest * (1 + 1e-6) + size * 1e-20;
    }

    template <class Vertex>
    void potentials(Vertex v, float* values) const {
      const double x = faces_.center(v, 0), y = faces_.center(v, 1), z = faces_.center(v, 2);
      for (int i = 0; i < scc_batch_lanes; ++i) {
        values[i] = static_cast<float>(x * lanes_[0][i] + y * lanes_[1][i] + z * lanes_[2][i]);
      }
    }

    /// False where certainly no graph has the edge: the mean of the directions is so far from downwind that none of
    /// those around it is.
    template <class Vertex>
    bool may_have(Vertex, Vertex, Offset e) const {
      const double x = faces_.normal(e, 0), y = faces_.normal(e, 1), z = faces_.normal(e, 2);
      const double across = x * mean_[0] + y * mean_[1] + z * mean_[2];
      return across >= 0 || across * across <= square_radius_ * (x * x + y * y + z * z);
    }

    /// Bit i: is_among[i] is 1, and graph i of the group has the edge.
    template <class Vertex>
    unsigned present(Vertex, Vertex, Offset e, const int (&is_among)[scc_batch_lanes]) const {
      const double x = faces_.normal(e, 0), y = faces_.normal(e, 1), z = faces_.normal(e, 2);
      double across[scc_batch_lanes];
      for (int i = 0; i < scc_batch_lanes; ++i) across[i] = x * lanes_[0][i] + y * lanes_[1][i] + z * lanes_[2][i];
      // Mostly there is none. That is what the signs of all lanes tell at once; bits are gathered one by one.
      std::uint64_t sign[scc_batch_lanes], any = 0;
      std::memcpy(sign, across, sizeof(sign));
      for (int i = 0; i < scc_batch_lanes; ++i) any |= (~sign[i] >> 63) & static_cast<std::uint64_t>(is_among[i]);
      if (any == 0) return 0;
      unsigned bits = 0;
      for (int i = 0; i < scc_batch_lanes; ++i) bits |= static_cast<unsigned>(across[i] > 0 && is_among[i] != 0) << i;
      return bits;
    }

   private:
    const DownwindFaces& faces_;
    double lanes_[3][scc_batch_lanes] = {};
    double mean_[3] = {0, 0, 0};
    double square_radius_ = 0;  ///< around the mean, of a ball with all directions
  };
};

struct SccBatchStatistics {
  std::int64_t num_marked = 0;      ///< vertices that the serial algorithm looked at, of all graphs
  std::int64_t num_components = 0;  ///< of all graphs
  std::int64_t num_cyclic = 0;      ///< graphs with a component of two vertices or more
  double seconds = 0;
};

namespace scc_detail {

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
      statistics.num_components += n_;
      if (backward_[lane].empty()) continue;
      mark(first + lane, lane, parts);
      label_marked(first + lane, parts, component);
    }
  }

  SccBatchStatistics statistics;  ///< of all groups that were worked on

 private:
  struct BackwardEdge {
    float ceiling;  ///< the potential of its tail
    Vertex head;
  };

  template <class Parts>
  void find_backward_edges(std::int64_t first, int count, const Parts& parts) {
    const typename Parts::Group group(parts, first, count);
    for (auto& edges : backward_) edges.clear();
    for (Vertex v = 0; v < n_; ++v) group.potentials(v, &potential(v, 0));
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
        for (int i = 0; backward != 0; ++i, backward /= 2) {
          if (backward % 2 != 0 && leads_below(first + i, i, v, from[i], parts)) backward_[i].push_back({from[i], v});
        }
      }
    }
  }

  /// Can a cycle below this ceiling lead over v? Asked at once, while what is around v is in the cache; for most the
  /// answer is no.
  template <class Parts>
  bool leads_below(std::int64_t graph, int lane, Vertex v, float ceiling, const Parts& parts) {
    for (Offset e = graph_.begin(v); e < graph_.end(v); ++e) {
      const Vertex w = graph_.neighbor(e);
      if (w != v && !(potential(w, lane) > ceiling) && parts(graph, v, w, e)) return true;
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
    statistics.num_marked += num_marked;
    statistics.num_components -= num_marked - num_components;
    statistics.num_cyclic += num_components < num_marked;
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

}  // namespace scc_detail

/// Finds the strongly connected components of many graphs over one set of vertices.
///
/// \param space       execution space instance of the host
/// \param graph       has every edge that one of the graphs has; of a mesh, both directions of each face
/// \param num_graphs  their number
/// \param parts       which edges each graph has, and the potentials of vertices, as DownwindFaces gives them; called
/// on
///                    the host by several threads
/// \param component   out: num_graphs x num_vertices, by graph and vertex the smallest vertex of its component. Rows
///                    should lie together (LayoutRight)
/// \throws ArgumentError where `component` is not of that size
///
/// Cost: one pass over the edges for 16 graphs, the labels, and the serial algorithm on what is marked: next to nothing
/// where potentials are good, and everything where they are not. Memory of the call: for each thread about 90 bytes a
/// vertex.
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
  std::vector<scc_detail::BatchGroup<Vertex>> workers;
  workers.reserve(static_cast<std::size_t>(numbers.size()));
  for (int i = 0; i < static_cast<int>(numbers.size()); ++i) workers.emplace_back(view);
  Kokkos::parallel_for("dromos::scc_batch::groups",
                       Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>(
                           space, 0, num_groups, Kokkos::ChunkSize(1)),
                       [&](const std::int64_t group) {
                         const auto number = numbers.acquire();
                         const std::int64_t first = group * scc_batch_lanes;
                         const auto count =
                             static_cast<int>(dromos::min<std::int64_t>(scc_batch_lanes, num_graphs - first));
                         workers[static_cast<std::size_t>(number)].decompose(first, count, parts, component);
                         numbers.release(number);
                       });
  fence(space, "dromos::scc_batch::groups");
  for (const auto& worker : workers) {
    statistics.num_marked += worker.statistics.num_marked;
    statistics.num_components += worker.statistics.num_components;
    statistics.num_cyclic += worker.statistics.num_cyclic;
  }
  statistics.seconds = timer.seconds();
  return statistics;
}

}  // namespace dromos
