// SPDX-License-Identifier: BSD-3-Clause
// How much of a frontier's work lies in one part of the edges of a graph separated by degree, and how it is counted.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>

namespace dromos::detail {

/// What a frontier could do in a part of the edges.
struct PartWork {
  std::int64_t sources = 0;  ///< its vertices that have edges there
  Offset edges = 0;          ///< FV

  /// Both in one number, so that they grow together: a part has less than 2^32 edges on a rank, and fewer than 2^31
  /// rows.
  static constexpr int edge_bits = 33;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t packed() const {
    return static_cast<std::uint64_t>(edges) | static_cast<std::uint64_t>(sources) << edge_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t pack(Offset edges_of_vertex) {
    return PartWork{edges_of_vertex != 0, edges_of_vertex}.packed();
  }
  KOKKOS_FORCEINLINE_FUNCTION static PartWork unpack(std::uint64_t sum) {
    return {static_cast<std::int64_t>(sum >> edge_bits),
            static_cast<Offset>(sum & ((std::uint64_t(1) << edge_bits) - 1))};
  }
};

/// What is counted of normal vertices that are found, or of delegates: their number, and both kinds of work, packed.
enum FoundCount { count_found, work_to_normal, work_to_delegate, num_found_counts };

}  // namespace dromos::detail
