// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dromos::driver {

/// 1497134 -> "1,497,134"
std::string with_separators(std::int64_t value);

/// "1 edge", "1,497,134 edges"
std::string counted(std::int64_t value, const std::string& singular, const std::string& plural);

/// Three significant digits with an SI prefix: 213456789 -> "213 M", 0.5 -> "0.500", 12 -> "12.0".
std::string si_number(double value);

/// "12.3 us", "4.56 ms", "1.23 s"
std::string duration(double seconds);

/// Characters of the two, but for values that nobody measures.
constexpr std::size_t longest_si_number = 6, longest_duration = 7;

/// "940 B", "1.93 MB", in powers of 1000
std::string byte_count(std::int64_t bytes);

}  // namespace dromos::driver
