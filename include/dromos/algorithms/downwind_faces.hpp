// SPDX-License-Identifier: BSD-3-Clause
// The sweep graphs of a mesh, for what is done to many graphs over one set of vertices at once (scc_batch.hpp,
// topological_levels_batch.hpp): which edges each has, and which of these lead backward, to a cell that does not lie
// farther downwind, asked of 16 graphs at a time in the lanes of vector instructions.
//
// A face is crossed backward in few directions only. With unit vectors n, its normal, s, the step from center to
// center, and d, the direction: n d > 0 and s d <= 0, so that |(n + s) d| <= |n - s|.
//
//   n and s alike        no direction but along the face
//   at 6 degrees         |(n + s) d| <= 0.1, which holds for one direction in 20
//
// (n + s) / 2 and |n - s| / 2 are kept of each face, and what they do not rule out is looked at more closely. The mean
// of the 16 directions, and how far they are from it, rules out most faces before.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

namespace dromos {

/// Graphs that are gone through together.
constexpr int scc_batch_lanes = 16;
/// The bit of each. Compilers make vector instructions of these more willingly than of shifts.
inline constexpr int scc_batch_bit[scc_batch_lanes] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                       256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

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
    return across(graph, e) > 0;
  }
  double across(std::int64_t graph, Offset e) const {
    return normal(e, 0) * direction(graph, 0) + normal(e, 1) * direction(graph, 1) + normal(e, 2) * direction(graph, 2);
  }

  /// What all groups share.
  template <class Vertex>
  class Edges;

  /// Some graphs that are neighbors in number.
  template <class Vertex>
  class Group;
};

/// The faces, and around which directions each may be crossed backward. Memory: 40 bytes a face (56 with 64-bit ids),
/// and 8 an edge meanwhile.
template <class Vertex>
class DownwindFaces::Edges {
 public:
  using Graph = CsrView<Vertex, Kokkos::HostSpace>;

  struct Face {
    Offset edge;
    Vertex tail, head;
    bool has_back;  ///< is there an edge from head to tail whose normal is exactly the opposite?
  };

  /// Cost: two passes over the edges, one of them serial; each edge is looked for in the row of its other end.
  template <class Space>
  Edges(const Space& space, const Graph& graph, const DownwindFaces& faces) : graph_(graph), faces_(faces) {
    using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    const auto n = static_cast<std::int64_t>(graph.num_vertices());
    std::vector<Offset> back(static_cast<std::size_t>(graph.num_edges()));
    double farthest = 0;
    Kokkos::parallel_reduce(
        "dromos::downwind_faces::back", Range(space, 0, n),
        [&](const std::int64_t i, double& most) {
          const auto u = static_cast<Vertex>(i);
          for (Offset e = graph_.begin(u); e < graph_.end(u); ++e) back[at(e)] = edge_back(u, e);
          most = dromos::max(
              most, std::abs(faces_.center(u, 0)) + std::abs(faces_.center(u, 1)) + std::abs(faces_.center(u, 2)));
        },
        Kokkos::Max<double>(farthest));
    fence(space, "dromos::downwind_faces::back");
    const auto is_paired = [&](Offset e) { return back[at(e)] >= 0 && back[at(back[at(e)])] == e; };
    face_.reserve(back.size() / 2);
    for (Vertex u = 0; u < graph_.num_vertices(); ++u) {
      for (Offset e = graph_.begin(u); e < graph_.end(u); ++e) {
        const Vertex v = graph_.neighbor(e);
        if (u < v || (u > v && !is_paired(e))) face_.push_back({e, u, v, u < v && is_paired(e)});
      }
    }
    for (auto& numbers : mean_) numbers.resize(face_.size());
    width_.resize(face_.size());
    Kokkos::parallel_for("dromos::downwind_faces::bands", Range(space, 0, static_cast<std::int64_t>(face_.size())),
                         [&](const std::int64_t i) { find_band(at(i), farthest); });
    fence(space, "dromos::downwind_faces::bands");
  }

  std::int64_t num_faces() const { return static_cast<std::int64_t>(face_.size()); }
  const Face& face(std::int64_t i) const { return face_[at(i)]; }
  const DownwindFaces& faces() const { return faces_; }
  /// Those of the edges of v.
  void prefetch_normals(Vertex v) const {
    if (graph_.degree(v) == 0) return;
    const double* const last = &faces_.normal(graph_.end(v) - 1, 2);
    for (const double* at = &faces_.normal(graph_.begin(v), 0); at < last; at += 8) prefetch(at);
    prefetch(last);
  }
  /// Component k of (n + s) / 2, by face. Not a number where there is no n or s: nothing is far from that.
  const float* mean(int k) const { return mean_[k].data(); }
  /// By face, the largest product of its mean with a direction of length 1 that crosses it backward.
  const float* width() const { return width_.data(); }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  /// The first edge the other way whose normal is the opposite, or -1.
  Offset edge_back(Vertex u, Offset e) const {
    const auto& normals = faces_.normal;
    const Vertex v = graph_.neighbor(e);
    for (Offset other = graph_.begin(v); other < graph_.end(v); ++other) {
      if (graph_.neighbor(other) == u && normals(other, 0) == -normals(e, 0) && normals(other, 1) == -normals(e, 1) &&
          normals(other, 2) == -normals(e, 2)) {
        return other;
      }
    }
    return -1;
  }

  void find_band(std::size_t i, double farthest) {
    const auto& [e, u, v, has_back] = face_[i];
    double outward[3], step[3], square_normal = 0, square_step = 0;
    for (int k = 0; k < 3; ++k) {
      outward[k] = faces_.normal(e, k);
      step[k] = faces_.center(v, k) - faces_.center(u, k);
      square_normal += outward[k] * outward[k];
      square_step += step[k] * step[k];
    }
    const double of_normal = 1 / std::sqrt(square_normal), of_step = 1 / std::sqrt(square_step);
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const double n = outward[k] * of_normal, s = step[k] * of_step;
      mean_[k][i] = static_cast<float>((n + s) / 2);
      square += (n - s) * (n - s) / 4;
    }
    // By how much products are rounded, and, in steps, potentials, is added.
    width_[i] = static_cast<float>(std::sqrt(square) + 2e-6 + 1e-6 * farthest * of_step);
  }

  const Graph graph_;
  const DownwindFaces faces_;
  std::vector<Face> face_;
  std::vector<float> mean_[3], width_;
};

/// Valid as long as its Edges.
template <class Vertex>
class DownwindFaces::Group {
 public:
  Group(const Edges<Vertex>& edges, std::int64_t first, int count) : edges_(edges), first_(first), count_(count) {
    for (int i = 0; i < scc_batch_lanes; ++i) {
      // Lanes without a graph are as the first one, so that the mean is not drawn away.
      double exact[3], square = 0;
      for (int k = 0; k < 3; ++k) {
        exact[k] = edges.faces().direction(first + (i < count ? i : 0), k);
        square += exact[k] * exact[k];
        lanes_[k][i] = static_cast<float>(exact[k]);
      }
      const double length = std::sqrt(square);
      for (int k = 0; k < 3; ++k) {
        unit_[k][i] = static_cast<float>(exact[k] / length);
        mean_[k] += unit_[k][i] / scc_batch_lanes;
      }
    }
    for (int i = 0; i < scc_batch_lanes; ++i) {
      float square = 0;
      for (int k = 0; k < 3; ++k) square += (unit_[k][i] - mean_[k]) * (unit_[k][i] - mean_[k]);
      radius_ = dromos::max(radius_, std::sqrt(square) + 1e-6f);
    }
  }

  /// How far the center of v lies downwind in the i-th graph of the group. Never inlined: it must be the same to the
  /// last bit whoever asks.
  [[gnu::noinline]] float potential(Vertex v, int i) const {
    const auto& centers = edges_.faces().center;
    return static_cast<float>(centers(v, 0)) * lanes_[0][i] + static_cast<float>(centers(v, 1)) * lanes_[1][i] +
           static_cast<float>(centers(v, 2)) * lanes_[2][i];
  }

  /// f(u, v, i, potential of u) of each edge from u to v that the i-th graph of the group has and along which the
  /// potential does not rise.
  template <class F>
  void for_each_backward(const F& f) const {
    const std::int64_t num_faces = edges_.num_faces();
    std::int64_t near[block];
    Crossing crossing[block * scc_batch_lanes];
    for (std::int64_t begin = 0; begin < num_faces; begin += block) {
      const int num_near = list_near(begin, dromos::min<std::int64_t>(begin + block, num_faces), near);
      int num_crossings = 0;
      for (int k = 0; k < num_near; ++k) {
        for (unsigned graphs = near_graphs(near[k]); graphs != 0; graphs &= graphs - 1) {
          const int i = count_trailing_zeros(static_cast<std::uint32_t>(graphs));
          num_crossings = list_backward(edges_.face(near[k]), i, crossing, num_crossings);
        }
      }
      for (int k = 0; k < num_crossings; ++k) {
        if (k + 4 < num_crossings) edges_.prefetch_normals(crossing[k + 4].head);
        f(crossing[k].tail, crossing[k].head, crossing[k].i, crossing[k].potential);
      }
    }
  }

 private:
  struct Crossing {
    Vertex tail, head;
    float potential;  ///< of the tail
    int i;
  };

  /// Faces whose means are compared with that of the directions at once.
  static constexpr int block = 128;

  /// Lists the edge through the face that the i-th graph has if it leads backward. Without a branch: half of all would
  /// be guessed wrong.
  int list_backward(const typename Edges<Vertex>::Face& face, int i, Crossing* list, int count) const {
    const double across = edges_.faces().across(first_ + i, face.edge);
    const float of_tail = potential(face.tail, i), of_head = potential(face.head, i);
    const bool is_back = across < 0;
    const float from = is_back ? of_head : of_tail, to = is_back ? of_tail : of_head;
    list[count] = {is_back ? face.head : face.tail, is_back ? face.tail : face.head, from, i};
    const bool is_there = is_back ? face.has_back : across > 0;
    return count + (static_cast<int>(is_there) & static_cast<int>(!(from < to)));
  }

  /// Faces begin .. end - 1 that may be crossed backward in some direction no farther from the mean than all are.
  int list_near(std::int64_t begin, std::int64_t end, std::int64_t* near) const {
    const float *const x = edges_.mean(0) + begin, *const y = edges_.mean(1) + begin, *const z = edges_.mean(2) + begin,
                       *const width = edges_.width() + begin;
    int is_near[block];
    const int size = static_cast<int>(end - begin);
    const auto compare = [&](int i) {
      const float product = x[i] * mean_[0] + y[i] * mean_[1] + z[i] * mean_[2];
      is_near[i] = std::abs(product) > width[i] + radius_ ? 0 : 1;
    };
    if (size == block) {
      for (int i = 0; i < block; ++i) compare(i);
    } else {
      for (int i = 0; i < size; ++i) compare(i);
    }
    int num_near = 0;
    for (int i = 0; i < size; ++i) {
      near[num_near] = begin + i;
      num_near += is_near[i];
    }
    return num_near;
  }

  unsigned near_graphs(std::int64_t face) const {
    const float x = edges_.mean(0)[face], y = edges_.mean(1)[face], z = edges_.mean(2)[face],
                width = edges_.width()[face];
    int graphs = 0;
    for (int i = 0; i < scc_batch_lanes; ++i) {
      const float product = x * unit_[0][i] + y * unit_[1][i] + z * unit_[2][i];
      graphs |= std::abs(product) > width ? 0 : scc_batch_bit[i];
    }
    return static_cast<unsigned>(graphs) & ((1u << count_) - 1);
  }

  const Edges<Vertex>& edges_;
  const std::int64_t first_;
  const int count_;
  float lanes_[3][scc_batch_lanes];  ///< directions
  float unit_[3][scc_batch_lanes];   ///< the same of length 1
  float mean_[3] = {0, 0, 0};        ///< of these
  float radius_ = 0;                 ///< how far they are from that
};

}  // namespace dromos
