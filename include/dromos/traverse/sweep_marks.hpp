// SPDX-License-Identifier: BSD-3-Clause
// Who is in the next work set already, for operators in which a vertex may be found several times in a sweep: a number
// a vertex, that of the last sweep in which it joined. Nothing has to be cleared between sweeps, so that they can be
// fused.
//
//   sweep 7: vertex 3 has 5, joins and has 7; found again it does not join. Sweep 8: it may join again.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <string>

namespace dromos {

/// Copyable handle; the number of the sweep is the copy's own. 4 bytes a vertex.
template <class Memory>
class SweepMarks {
 public:
  SweepMarks() = default;
  SweepMarks(std::int64_t num_vertices, const std::string& label) : last_(label, num_vertices) {}

  std::int64_t size() const { return static_cast<std::int64_t>(last_.extent(0)); }

  /// True for one caller a vertex and sweep.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool claim(Vertex v) const {
    std::uint32_t* const last = &last_.data()[v];
    return atomic_load(last) != sweep_ && atomic_exchange(last, sweep_) != sweep_;
  }

  /// As claim(), while no other thread does.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool claim_alone(Vertex v) const {
    std::uint32_t& last = last_.data()[v];
    if (last == sweep_) return false;
    last = sweep_;
    return true;
  }

  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++sweep_; }

 private:
  Kokkos::View<std::uint32_t*, Memory> last_;
  std::uint32_t sweep_ = 1;  // 4,294,967,295 sweeps later a mark would be taken for a new one
};

}  // namespace dromos
