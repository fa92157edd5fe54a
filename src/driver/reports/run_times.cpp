// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/run_times.hpp"

#include <fmt/format.h>

#include "driver/base/number_format.hpp"
#include "driver/reports/run_statistics.hpp"

namespace dromos::driver {

std::string times_text(const std::vector<double>& seconds) {
  const SampleStatistics sample(seconds);
  if (seconds.size() < 2) return duration(sample.median);
  return fmt::format("{} (median of {}, {} to {})", duration(sample.median), seconds.size(), duration(sample.min),
                     duration(sample.max));
}

}  // namespace dromos::driver
