// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/number_format.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dromos::driver {
namespace {

std::string three_digits(double value) {
  const double size = std::fabs(value);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

}  // namespace

std::string with_separators(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::int64_t first = value < 0 ? 1 : 0;
  for (std::int64_t at = static_cast<std::int64_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string counted(std::int64_t value, const std::string& singular, const std::string& plural) {
  return with_separators(value) + " " + (value == 1 ? singular : plural);
}

std::string si_number(double value) {
  static constexpr const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
  int prefix = 0;
  while (std::fabs(value) >= 999.5 && prefix < 5) {
    value /= 1000;
    ++prefix;
  }
  return three_digits(value) + prefixes[prefix];
}

std::string duration(double seconds) {
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds) + " s";
}

std::string byte_count(std::int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  return si_number(static_cast<double>(bytes)) + "B";
}

}  // namespace dromos::driver
