// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/run_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace dromos::driver {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Sum of squared distances from the mean.
double spread_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

/// The value below which this share of the sorted sample lies.
double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void add_quartiles(nlohmann::ordered_json& fields, const std::string& prefix, const std::string& name,
                   const SampleStatistics& sample) {
  fields[prefix + "_min_" + name] = sample.min;
  fields[prefix + "_firstquartile_" + name] = sample.firstquartile;
  fields[prefix + "_median_" + name] = sample.median;
  fields[prefix + "_thirdquartile_" + name] = sample.thirdquartile;
  fields[prefix + "_max_" + name] = sample.max;
}

}  // namespace

SampleStatistics::SampleStatistics(std::vector<double> values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  min = values.front();
  firstquartile = quantile(values, 0.25);
  median = quantile(values, 0.5);
  thirdquartile = quantile(values, 0.75);
  max = values.back();
  mean = mean_of(values);
  if (n > 1) stddev = std::sqrt(spread_of(values, mean) / (n - 1));
  if (min <= 0) return;
  std::vector<double> inverse;
  for (const double value : values) inverse.push_back(1 / value);
  const double mean_inverse = mean_of(inverse);
  harmonic_mean = 1 / mean_inverse;
  if (n > 1) {
    harmonic_stddev =
        harmonic_mean * harmonic_mean * std::sqrt(spread_of(inverse, mean_inverse) / (n - 1)) / std::sqrt(n);
  }
}

void add_sample(nlohmann::ordered_json& fields, const std::string& prefix, const std::string& name,
                const std::vector<double>& values) {
  const SampleStatistics sample(values);
  add_quartiles(fields, prefix, name, sample);
  fields[prefix + "_mean_" + name] = sample.mean;
  fields[prefix + "_stddev_" + name] = sample.stddev;
}

void add_rates(nlohmann::ordered_json& fields, const std::string& prefix, const std::string& name,
               const std::vector<double>& values) {
  const SampleStatistics sample(values);
  add_quartiles(fields, prefix, name, sample);
  fields[prefix + "_harmonic_mean_" + name] = sample.harmonic_mean;
  fields[prefix + "_harmonic_stddev_" + name] = sample.harmonic_stddev;
}

}  // namespace dromos::driver
