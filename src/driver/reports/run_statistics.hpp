// SPDX-License-Identifier: BSD-3-Clause
// The statistics that Graph500 asks of repeated searches: seven numbers for times and counts, and for rates a harmonic
// mean in place of the arithmetic one, since a rate is work over time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dromos::driver {

/// Minimum, quartiles, maximum, mean and standard deviation of a sample.
struct SampleStatistics {
  double min = 0, firstquartile = 0, median = 0, thirdquartile = 0, max = 0;
  double mean = 0, stddev = 0;                    ///< of the sample, n - 1 in the denominator
  double harmonic_mean = 0, harmonic_stddev = 0;  ///< the standard error of the harmonic mean (Norris 1940)

  /// Quartiles interpolate between neighbors. An empty sample gives zeros; of one value the deviations are 0.
  explicit SampleStatistics(std::vector<double> values);
};

/// Appends "PREFIX_min_NAME" and its six siblings.
void add_sample(nlohmann::ordered_json& fields, const std::string& prefix, const std::string& name,
                const std::vector<double>& values);

/// The same for rates: "PREFIX_harmonic_mean_NAME" and "PREFIX_harmonic_stddev_NAME" instead of mean and deviation.
void add_rates(nlohmann::ordered_json& fields, const std::string& prefix, const std::string& name,
               const std::vector<double>& values);

}  // namespace dromos::driver
