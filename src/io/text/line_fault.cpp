// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/line_fault.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace dromos::io {

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    if (c >= ' ' && c != 127) {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

std::string counted(long long count, const char* singular, const char* plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

}  // namespace dromos::io
