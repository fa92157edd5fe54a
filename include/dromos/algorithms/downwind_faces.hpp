// SPDX-License-Identifier: BSD-3-Clause
// The sweep graphs of a mesh, for what is done to many graphs over one set of vertices at once (scc_batch.hpp,
// topological_levels_batch.hpp): which edges each has, asked one by one or of 16 graphs at a time in the lanes of
// vector instructions.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>

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
      std::fill_n(has_graph_, count, 1);
      for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < count; ++i) {
          lanes_[k][i] = faces.direction(first + i, k);
          rounded_[k][i] = static_cast<float>(lanes_[k][i]);
          longest_ = dromos::max(longest_, std::abs(rounded_[k][i]));
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
      const float x = static_cast<float>(faces_.center(v, 0)), y = static_cast<float>(faces_.center(v, 1)),
                  z = static_cast<float>(faces_.center(v, 2));
      float own[scc_batch_lanes];  // of which a compiler knows that nothing else lies there
      for (int i = 0; i < scc_batch_lanes; ++i) own[i] = x * rounded_[0][i] + y * rounded_[1][i] + z * rounded_[2][i];
      std::memcpy(values, own, sizeof(own));
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
      unsigned bits = 0;
      if (is_certain(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), is_among, bits)) return bits;
      bits = 0;
      for (int i = 0; i < scc_batch_lanes; ++i) {
        const double across = x * lanes_[0][i] + y * lanes_[1][i] + z * lanes_[2][i];
        bits |= static_cast<unsigned>(across > 0 && is_among[i] != 0) << i;
      }
      return bits;
    }

   private:
    /// The same with numbers half as wide, and no branch; false where one of them is so near to 0 that it may be wrong.
    /// A millionth of the largest product is more than they are wrong by.
    bool is_certain(float x, float y, float z, const int (&is_among)[scc_batch_lanes], unsigned& bits) const {
      static constexpr int bit[scc_batch_lanes] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                   256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
      const float wrong_by = 1e-6f * longest_ * (std::abs(x) + std::abs(y) + std::abs(z)) + 1e-37f;
      int found = 0, near = 0;
      for (int i = 0; i < scc_batch_lanes; ++i) {
        const float across = x * rounded_[0][i] + y * rounded_[1][i] + z * rounded_[2][i];
        near |= (std::abs(across) > wrong_by ? 0 : 1) & is_among[i] & has_graph_[i];
        found |= (across > 0 ? bit[i] : 0) & -is_among[i];
      }
      bits = static_cast<unsigned>(found);
      return near == 0;
    }

    const DownwindFaces& faces_;
    double lanes_[3][scc_batch_lanes] = {};
    float rounded_[3][scc_batch_lanes] = {};
    int has_graph_[scc_batch_lanes] = {};
    float longest_ = 0;  ///< component of a direction
    double mean_[3] = {0, 0, 0};
    double square_radius_ = 0;  ///< around the mean, of a ball with all directions
  };
};

}  // namespace dromos
