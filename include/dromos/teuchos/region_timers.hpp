// SPDX-License-Identifier: BSD-3-Clause
// The regions of Dromos as timers of Teuchos::TimeMonitor, beside those of the application.
//
//   {
//     const teuchos::RegionTimers timers;     // from here on, every region is a timer of its name
//     bfs(space, graph, root, scratch, result);
//   }
//   Teuchos::TimeMonitor::summarize(comm.ptr());   // "dromos::bfs", over all ranks
//
// The regions are those that Kokkos Tools see ("dromos::bfs", "dromos::build_graph_1d", and whatever the application
// pushes itself), so that both name the same things. A tool that is loaded keeps being told. Where the application has
// set a Teuchos::StackedTimer, regions nest in it.
#pragma once

#include <string>

namespace dromos::teuchos {

/// Turns regions into timers for as long as it lives. One at a time, made and destroyed outside of regions, regions
/// pushed by one thread.
class RegionTimers {
 public:
  /// \param prefix  only regions whose names start with this become timers
  /// \throws ArgumentError where there is one already
  ///
  /// Cost: two fences a region, so that each is charged for its own kernels.
  explicit RegionTimers(const std::string& prefix = "dromos::");
  ~RegionTimers();
  RegionTimers(const RegionTimers&) = delete;
  RegionTimers& operator=(const RegionTimers&) = delete;
};

}  // namespace dromos::teuchos
