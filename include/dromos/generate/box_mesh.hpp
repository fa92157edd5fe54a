// SPDX-License-Identifier: BSD-3-Clause
// A mesh of boxes, side x side x side, with moved centers and twisted faces: what a sweep over a mesh in some direction
// sees of it (algorithms/scc_batch.hpp).
//
// The normal of a face is the line between the two centers, changed by up to `twist` in each component. Without a twist
// every sweep graph follows the centers and has no cycle; the more faces are twisted, the more cycles there are.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <random>
#include <vector>

namespace dromos {

struct BoxMeshOptions {
  int side = 10;
  /// How far centers are moved in each direction, in sides of a box; below 0.5.
  double move = 0.3;
  double twist = 0;
  std::uint64_t seed = 1;
};

/// The cells as vertices, each face as an edge in both directions.
struct BoxMesh {
  CsrGraph<std::int32_t, Kokkos::HostSpace> graph;
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> normal;  ///< by edge, from its first cell
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> center;  ///< by cell
};

/// Serial, on the host; memory beside the result: about 100 bytes a face.
inline BoxMesh box_mesh(const BoxMeshOptions& options) {
  const std::int32_t side = options.side, n = side * side * side;
  std::mt19937_64 random(options.seed);
  const auto within = [&](double most) { return most * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1); };
  BoxMesh mesh;
  mesh.center = decltype(mesh.center)("dromos::box_mesh::center", static_cast<std::size_t>(n));
  for (std::int32_t v = 0; v < n; ++v) {
    const std::int32_t place[3] = {v / (side * side), v / side % side, v % side};
    for (int k = 0; k < 3; ++k) mesh.center(v, k) = place[k] + within(options.move);
  }
  struct Face {
    std::int32_t to;
    std::array<double, 3> normal;
  };
  std::vector<std::vector<Face>> rows(static_cast<std::size_t>(n));
  const auto join = [&](std::int32_t u, std::int32_t v) {
    Face there{v, {}}, back{u, {}};
    for (int k = 0; k < 3; ++k) {
      const double across = mesh.center(v, k) - mesh.center(u, k) + within(options.twist);
      there.normal[static_cast<std::size_t>(k)] = across;
      back.normal[static_cast<std::size_t>(k)] = -across;
    }
    rows[static_cast<std::size_t>(u)].push_back(there);
    rows[static_cast<std::size_t>(v)].push_back(back);
  };
  std::size_t num_edges = 0;
  for (std::int32_t v = 0; v < n; ++v) {
    if (v / (side * side) + 1 < side) join(v, v + side * side);
    if (v / side % side + 1 < side) join(v, v + side);
    if (v % side + 1 < side) join(v, v + 1);
  }
  for (const auto& row : rows) num_edges += row.size();
  mesh.graph.directed = false;
  mesh.graph.row_map =
      Kokkos::View<Offset*, Kokkos::HostSpace>("dromos::graph::row_map", static_cast<std::size_t>(n) + 1);
  mesh.graph.entries = Kokkos::View<std::int32_t*, Kokkos::HostSpace>("dromos::graph::entries", num_edges);
  mesh.normal = decltype(mesh.normal)("dromos::box_mesh::normal", num_edges);
  Offset e = 0;
  for (std::int32_t u = 0; u < n; ++u) {
    for (const Face& face : rows[static_cast<std::size_t>(u)]) {
      mesh.graph.entries(e) = face.to;
      for (int k = 0; k < 3; ++k) mesh.normal(e, k) = face.normal[static_cast<std::size_t>(k)];
      ++e;
    }
    mesh.graph.row_map(u + 1) = e;
  }
  return mesh;
}

}  // namespace dromos
