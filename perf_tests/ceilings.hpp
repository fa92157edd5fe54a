// SPDX-License-Identifier: BSD-3-Clause
// How fast can this device move data at all? Reading and copying in order, single 4-byte words read from anywhere in
// tables of several sizes, the same with atomics, and a launch with its wait. A time of an algorithm means something
// beside what its least work (LeastWork) takes at these speeds.
//
// Addresses are computed, not read: position i of a run goes to mix(i) in the table, so that nothing but the table is
// in the caches, and no read waits for another.
#pragma once

#include <string>
#include <vector>

#include "benchmark.hpp"
#include "benchmark_driver.hpp"

namespace dromos::perf {

/// Random accesses a second to a table of so many bytes.
struct TableSpeed {
  double table_bytes = 0;
  double per_second = 0;
};

struct Ceilings {
  double read_bytes_per_second = 0;
  double copy_bytes_per_second = 0;                      ///< bytes read plus bytes written
  std::vector<TableSpeed> random_reads, random_atomics;  ///< tables ascending
  double launch_seconds = 0;                             ///< a kernel that does nothing, and the wait for it
  double answer_seconds = 0;                             ///< a kernel with a 4-byte answer that the host waits for

  Json to_json() const;
  static Ceilings from_json(const Json& json);

  /// The least time that so much work takes: reading in order, then random reads at the speed of the largest table
  /// measured that is not larger.
  double seconds_for(const LeastWork& work) const;
};

/// Measures, each figure the best of several; takes seconds. `most_bytes`: of the largest table.
Ceilings measure_ceilings(double most_bytes);

/// Those of a result file of bench_ceilings. Throws Error for anything else.
Ceilings read_ceilings(const std::string& path);

}  // namespace dromos::perf
