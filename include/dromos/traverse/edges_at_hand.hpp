// SPDX-License-Identifier: BSD-3-Clause
// A small work set in the scratch memory of a GPU's team, an edge a thread, so that nobody has to search for the vertex
// whose edge it has: where the edges of one begin in the collapsed loop, its number is noted, and where a warp begins,
// that of the vertex in whose edges it does.
//
//   vertices of degree 3 6 2    edges           0 1 2 3 4 5 6 7 | 8 9 10     warps of 8
//                               vertices begin  0 . . 1 . . . . | . 2 .
//                               warps begin in  0               | 1
//
// A thread reads both, and one vote of its warp tells which of the vertices that begin there is the last before it.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>

namespace dromos::detail {

/// How many vertices and edges joined, in a word that scratch memory adds to in one step. Of edges 2,047 a vertex at
/// most; whoever has more says so (EdgesAtHand::large).
struct JoinedSize {
  static constexpr int edge_bits = 20;
  static constexpr Offset most_of_vertex = 2047;
  static constexpr int most_vertices = 512;
  static_assert(most_vertices * most_of_vertex < 1 << edge_bits && most_vertices < 1 << (32 - edge_bits));

  unsigned word;

  static KOKKOS_FORCEINLINE_FUNCTION JoinedSize of_vertex(Offset degree) {
    return {1u << edge_bits | static_cast<unsigned>(dromos::min<Offset>(degree, most_of_vertex))};
  }
  KOKKOS_FORCEINLINE_FUNCTION int vertices() const { return static_cast<int>(word >> edge_bits); }
  KOKKOS_FORCEINLINE_FUNCTION int edges() const { return static_cast<int>(word & ((1u << edge_bits) - 1)); }
};

template <class Vertex, int max_vertices, int max_edges>
struct EdgesAtHand {
  static constexpr std::uint16_t nothing = 0xffff;
  static constexpr int num_windows = max_edges / warp_width;
  static_assert(max_vertices < nothing && max_edges <= JoinedSize::most_vertices && max_edges % warp_width == 0);

  Vertex* vertex;      ///< by number
  Offset* edge_shift;  ///< edge j of the collapsed loop lies at j + edge_shift
  int* prefix;         ///< the first edge; not used where there are too many edges for it
  int* large;          ///< not 0: some vertex has more edges than are counted
  std::uint16_t* begins;
  std::uint16_t* window_begins;

  static constexpr std::size_t bytes() {
    return max_vertices * (sizeof(Vertex) + sizeof(Offset) + sizeof(int)) +
           (max_edges + num_windows) * sizeof(std::uint16_t) + sizeof(int) + 6 * 8;
  }

  /// A collective of the team; what begins where is only valid after a barrier.
  template <class Member>
  static KOKKOS_FUNCTION EdgesAtHand take(const Member& team) {
    EdgesAtHand hand;
    hand.vertex = team_array<Vertex>(team, max_vertices);
    hand.edge_shift = team_array<Offset>(team, max_vertices);
    hand.prefix = team_array<int>(team, max_vertices);
    hand.large = team_array<int>(team, 1);
    hand.begins = team_array<std::uint16_t>(team, max_edges);
    hand.window_begins = team_array<std::uint16_t>(team, num_windows);
    hand.forget(team);
    return hand;
  }

  /// Nothing begins anywhere. Likewise.
  template <class Member>
  KOKKOS_FUNCTION void forget(const Member& team) const {
    for (int j = team.team_rank(); j < max_edges; j += team.team_size()) begins[j] = nothing;
    if (team.team_rank() == 0) *large = 0;
  }

  /// In the next work set, whose size grows in `size`, for a vertex of that degree: which number it is, and where its
  /// edges begin.
  KOKKOS_FORCEINLINE_FUNCTION JoinedSize take_place(unsigned* size, Offset degree) const {
    if (degree > JoinedSize::most_of_vertex) *large = 1;
    return {Kokkos::atomic_fetch_add(size, JoinedSize::of_vertex(degree).word)};
  }

  /// Vertex number k, whose row begins there, has edges [first, first + degree) of the collapsed loop.
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, Vertex v, Offset row, Offset first, Offset degree) const {
    vertex[k] = v;
    edge_shift[k] = row - first;
    prefix[k] = static_cast<int>(first);
    if (degree > 0 && first + degree <= max_edges) {
      note_begin(k, static_cast<int>(first), static_cast<int>(first + degree));
    }
  }

  /// Vertex number k has edges [begin, end), of which there are some.
  KOKKOS_FORCEINLINE_FUNCTION void note_begin(int k, int begin, int end) const {
    begins[begin] = static_cast<std::uint16_t>(k);
    for (int w = (begin + warp_width - 1) / warp_width; w * warp_width < end; ++w) {
      window_begins[w] = static_cast<std::uint16_t>(k);
    }
  }

  /// The number of the vertex that has edge j, of so many; nothing begins there any more. A collective of a warp, whose
  /// lanes ask for edges that follow each other, of which the first is there.
  KOKKOS_FORCEINLINE_FUNCTION int vertex_of(int j, int num_edges, int lane) const {
    const int here = j < num_edges ? begins[j] : nothing;
    const int before = window_begins[j / warp_width];
    const std::uint32_t up_to_here = ballot(whole_warp, here != nothing) & (whole_warp >> (warp_width - 1 - lane));
    const int last = warp_broadcast(here, up_to_here == 0 ? 0 : highest_bit(up_to_here));
    if (here != nothing) begins[j] = nothing;
    return up_to_here == 0 ? before : last;
  }
};

}  // namespace dromos::detail
