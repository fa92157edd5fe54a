// SPDX-License-Identifier: BSD-3-Clause
// What all benchmarks share: the record of where a figure was measured, medians, roots, and the result file.
//
// A result file is one JSON object: {"benchmark", "environment": {...}, "options": {...}, "rows": [...]}.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dromos::perf {

using Json = nlohmann::ordered_json;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

/// Minimum, median and maximum of a figure, as a benchmark states it.
inline Json spread(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"min", *least}, {"median", median(values)}, {"max", *most}, {"runs", values.size()}};
}

/// What a figure was measured on: the GPU's name, or the CPU's.
std::string device_name();

/// Where a figure was measured: this build, and the device it runs on.
Json environment();

/// The frame of a result file.
inline Json result_frame(const std::string& benchmark, const Json& options) {
  Json frame;
  frame["benchmark"] = benchmark;
  frame["environment"] = environment();
  frame["options"] = options;
  frame["rows"] = Json::array();
  return frame;
}

/// Writes the result file under a temporary name and renames it, so that no half file stays.
void write_result(const std::string& path, const Json& result);

}  // namespace dromos::perf
