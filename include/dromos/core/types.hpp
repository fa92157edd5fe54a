// SPDX-License-Identifier: BSD-3-Clause
// The integer types of a graph, and the two values that mean "none".
//
// Vertex ids are signed, so that one value, -1, can say "no vertex" in results (the Graph500 convention for a vertex
// that a search did not reach) in every width. 32-bit ids serve graphs of up to 2^31 - 1 vertices, which is every
// graph that fits one GPU; 64-bit ids are the second instantiation. Edge offsets are always 64-bit.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace dromos {

/// Position of an edge in the adjacency array, and any count of edges.
using Offset = std::int64_t;

/// Distance from a root in edges.
using Level = std::int32_t;

/// The default vertex id.
using DefaultVertex = std::int32_t;

/// Parent of a vertex that was not reached.
template <class Vertex>
inline constexpr Vertex no_vertex = Vertex(-1);

/// Level of a vertex that was not reached.
inline constexpr Level no_level = Level(-1);

/// True for the vertex id types that Dromos is instantiated with.
template <class Vertex>
inline constexpr bool is_vertex_type = std::is_same_v<Vertex, std::int32_t> || std::is_same_v<Vertex, std::int64_t>;

/// The largest number of vertices that ids of type Vertex can number.
template <class Vertex>
inline constexpr std::int64_t max_num_vertices = std::numeric_limits<Vertex>::max();

}  // namespace dromos
