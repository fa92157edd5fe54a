// SPDX-License-Identifier: BSD-3-Clause
// The rows of a part that wait for other ranks: those of vertices that other ranks know, since who has an edge to a
// copy, or from one, is a copy there. Where they are few, as in meshes, roads and crawls that are dealt out in blocks,
// all other rows can be gone over while copies get their values.
//
//   0 - 1 - 2 - 3 | 4 - 5 - 6 - 7, two ranks      rank 0 goes over 0 1 2 meanwhile, and then over 3
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/traverse/compact.hpp>

namespace dromos::detail {

template <class Memory>
struct WaitingRows {
  /// Where more of a rank's vertices wait than one in so many, going over two kinds of rows costs more than it saves.
  static constexpr std::int64_t worth_one_in = 8;

  Bitmap<Memory> waits;
  Kokkos::View<LocalVertex*, Memory> list;  ///< the same, ascending

  template <class Global>
  static bool are_few(const GraphPart<Global, Memory>& part) {
    return part.num_copies > 0 &&
           worth_one_in * static_cast<std::int64_t>(part.lent_vertices.extent(0)) <= part.num_own;
  }

  WaitingRows() = default;
  template <class Space, class Global>
  WaitingRows(const Space& space, const GraphPart<Global, Memory>& part)
      : waits(part.num_local(), "dromos::halo::waits") {
    const auto num_lent = static_cast<std::int64_t>(part.lent_vertices.extent(0));
    mark_listed("dromos::halo::mark_waiting", space, part.lent_vertices, num_lent, waits);
    const Kokkos::View<LocalVertex*, Memory> all(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::halo::waiting"), static_cast<std::size_t>(num_lent));
    const auto size = compact_words(space, waits.words(), {}, LocalVertex(0), all);
    list = Kokkos::subview(all, Kokkos::make_pair(std::int64_t(0), size));  // a vertex may be lent to several ranks
  }
};

}  // namespace dromos::detail
