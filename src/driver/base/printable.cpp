// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/printable.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace dromos::driver {

std::string printable(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    // U+0080 to U+009F in UTF-8 are control characters as well.
    const bool wide_control = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (byte < ' ' || byte == 127 || wide_control) {
      shown += fmt::format("\\x{:02x}", byte);
      if (wide_control) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      shown += text[i];
    }
  }
  return shown;
}

}  // namespace dromos::driver
