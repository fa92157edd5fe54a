// SPDX-License-Identifier: BSD-3-Clause
// A backward sweep that a GPU begins without the host: enqueued behind another one before anybody knows what that
// finds, it does nothing unless a search goes on backward with it. What the host does between two sweeps takes 10 us,
// and the sweeps of a search of four million vertices 8 to 50 each.
//
//   kernels   all: finds 900,000, go on | list: finds 20,000, do not | (list: nothing to do)
//   host      waits for ... 900,000, enqueues the next but one, waits for ... 20,000, chooses what is next
//
// The rule is the host's (traverse/direction_rule.hpp), and the host goes by what the device says.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/direction_rule.hpp>

namespace dromos::detail {

/// Whether the sweep behind this one is to run, and what both of them know. Lies on the device, since Kokkos launches
/// kernels of up to 512 bytes faster.
struct SweepAhead {
  DirectionRule rule{};
  DirectionWork work{};  ///< before this sweep
  /// Of so few found the next sweep is not one of these.
  std::int64_t most_fused_vertices = 0;
  Offset most_fused_edges = 0;
  bool counts_left = false;      ///< the edges counted are those of the vertices left
  std::int64_t num_looking = 0;  ///< how many the next one looks for; none: it does nothing

  /// By one thread. Counters: vertices found, edges, vertices left; the next one becomes whether the next sweep runs.
  KOKKOS_FUNCTION void decide(std::uint64_t* counts) {
    const auto num_found = static_cast<std::int64_t>(atomic_load(&counts[0]));
    const auto num_counted = static_cast<Offset>(atomic_load(&counts[1]));
    const auto num_left = static_cast<std::int64_t>(atomic_load(&counts[2]));
    work.frontier_edges = counts_left ? work.unvisited_edges - num_counted : num_counted;
    work.unvisited_edges -= work.frontier_edges;
    work.num_unvisited -= num_found;
    const bool fused = num_found <= most_fused_vertices && work.frontier_edges <= most_fused_edges;
    const bool goes_on = num_found > 0 && num_left > 0 && !fused && !rule.would_turn(work);
    num_looking = goes_on ? num_left : 0;
    counts[3] = goes_on ? 1 : 0;
  }
};

/// One thread behind a sweep: tells the host what it found, after it was decided what comes next.
struct DecideAndPublish {
  CountsPublisher counts;
  SweepAhead ahead;
  SweepAhead* on_device;

  KOKKOS_FUNCTION void operator()(int) const {
    *on_device = ahead;
    on_device->decide(counts.publish.device);
    counts.publish(0);
  }
};

}  // namespace dromos::detail
