// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/format_readers.hpp"

#include <algorithm>
#include <limits>

namespace dromos::io {

std::int64_t parse_count(std::string_view word, const std::string& what) {
  const char* const end = word.data() + word.size();
  std::uint64_t count = 0;
  if (parse_digits(word.data(), end, end, count) != end || word.empty()) {
    throw LineFault{word.data(), "expected the " + what + " (a whole number), found " + quoted(word), false};
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (count > static_cast<std::uint64_t>(most)) {
    throw LineFault{word.data(),
                    "expected a " + what + " of at most " + std::to_string(most) + ", found " + quoted(word), false};
  }
  return static_cast<std::int64_t>(count);
}

}  // namespace dromos::io
