// SPDX-License-Identifier: BSD-3-Clause
// The smallest parts of reading text: blanks, line ends, digits and numbers. Everything takes the position and the end
// of what may be read, and returns the new position.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace dromos::io {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) ++p;
  return p;
}

/// Past blanks with at most one comma among them.
inline const char* skip_separator(const char* p, const char* end, bool comma) {
  p = skip_blanks(p, end);
  if (comma && p < end && *p == ',') p = skip_blanks(p + 1, end);
  return p;
}

/// Past the next line feed.
inline const char* skip_line(const char* p, const char* end) {
  const void* const feed = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return feed ? static_cast<const char*>(feed) + 1 : end;
}

/// Past a line end here (LF, CR LF, or the end of the text), or nullptr if the line goes on.
inline const char* skip_line_end(const char* p, const char* end) {
  if (p < end && *p == '\r') ++p;
  if (p == end) return p;
  return *p == '\n' ? p + 1 : nullptr;
}

/// The value of eight digits, the first in the lowest byte, each as a number 0 to 9: neighbors are combined to numbers
/// of two, four and eight digits, all pairs by one multiplication.
inline std::uint64_t combine_eight_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8);
  constexpr std::uint64_t mask = 0x000000FF000000FF;
  return (((digits & mask) * 0x000F424000000064) + (((digits >> 16) & mask) * 0x0000271000000001)) >> 32;
}

/// Reads digits; the value saturates at 2^64 - 1. Returns `p` itself where there is no digit. `end` is where the digits
/// end at the latest, `readable_end` where the memory does: eight bytes are looked at together where there are so many.
inline const char* parse_digits(const char* p, const char* end, const char* readable_end, std::uint64_t& value) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (readable_end - p >= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof(word));
    word ^= 0x3030303030303030;  // digits become 0 to 9
    // The high bit of each byte above 9. A carry spoils only bytes after the first such one, and that is all we ask
    // for.
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    if (others != 0) {
      const int num_digits = __builtin_ctzll(others) / 8;
      if (num_digits == 0) return p;
      // Zeros come in as leading digits.
      value = combine_eight_digits(word << (8 * (8 - num_digits)));
      return p + num_digits;
    }
  }
#endif
  value = 0;
  for (; p < end && is_digit(*p); ++p) {
    const std::uint64_t digit = static_cast<std::uint64_t>(*p - '0');
    constexpr std::uint64_t most = ~std::uint64_t(0);
    value = value > (most - digit) / 10 ? most : value * 10 + digit;
  }
  return p;
}

/// Reads a number such as 3, -2.5 or 1e6 (a plus sign too); returns nullptr where there is none or it exceeds a double.
/// Numbers too small for a double are 0.
inline const char* parse_number(const char* p, const char* end, double& value) {
  if (p < end && *p == '+' && p + 1 < end && p[1] != '-') ++p;
  const auto [after, error] = std::from_chars(p, end, value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: a number below 1 has a negative exponent or starts with 0.
    for (const char* q = p; q < after; ++q) {
      if (*q == 'e' || *q == 'E') return q + 1 < after && q[1] == '-' ? (value = 0, after) : nullptr;
    }
    return nullptr;
  }
  return error == std::errc() ? after : nullptr;
}

/// How many of the positions 0 .. size - 1 hold. Compilers add up 16 and more of them by one instruction, since sums
/// are kept in bytes as long as these hold them; std::count() went through a text at a sixth of that speed.
template <class Holds>
std::uint64_t count_positions(std::size_t size, const Holds& holds) {
  constexpr std::size_t lanes = 64, most_rounds = 255;
  std::uint64_t count = 0;
  std::size_t i = 0;
  while (size - i >= lanes) {
    std::uint8_t of_lane[lanes] = {};
    const std::size_t rounds = std::min(most_rounds, (size - i) / lanes);
    for (std::size_t round = 0; round < rounds; ++round, i += lanes) {
      for (std::size_t k = 0; k < lanes; ++k) of_lane[k] = static_cast<std::uint8_t>(of_lane[k] + holds(i + k));
    }
    for (const std::uint8_t lane : of_lane) count += lane;
  }
  for (; i < size; ++i) count += holds(i);
  return count;
}

/// Lines of a text whose last line may lack its line feed.
inline std::uint64_t count_lines(std::string_view text) {
  const char* const p = text.data();
  const auto is_feed = [p](std::size_t i) { return static_cast<std::uint8_t>(p[i] == '\n'); };
  return count_positions(text.size(), is_feed) + (!text.empty() && text.back() != '\n');
}

/// Words between white space.
inline std::uint64_t count_words(std::string_view text) {
  if (text.empty()) return 0;
  const char* const p = text.data();
  const auto begins_behind = [p](std::size_t i) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(p[i] <= ' ') & static_cast<unsigned>(p[i + 1] > ' '));
  };
  return count_positions(text.size() - 1, begins_behind) + (text[0] > ' ');
}

/// The line that holds `where`, without its line end.
inline std::string_view line_at(std::string_view text, const char* where) {
  const std::size_t position = static_cast<std::size_t>(where - text.data());
  const std::size_t before = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// The words of a line between blanks, and between commas where these separate.
inline std::vector<std::string_view> split_words(std::string_view line, bool comma = false) {
  std::vector<std::string_view> words;
  const char* p = line.data();
  const char* const end = p + line.size();
  for (p = skip_blanks(p, end); p < end; p = skip_separator(p, end, comma)) {
    const char* const begin = p;
    while (p < end && !is_blank(*p) && !(comma && *p == ',')) ++p;
    words.emplace_back(begin, static_cast<std::size_t>(p - begin));
  }
  return words;
}

}  // namespace dromos::io
