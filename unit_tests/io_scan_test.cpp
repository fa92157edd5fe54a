// SPDX-License-Identifier: BSD-3-Clause
// Counting lines and words of texts of every length at which sums of bytes begin anew.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/scan.hpp"

namespace io_scan_test {

std::uint64_t lines_one_by_one(std::string_view text) {
  std::uint64_t lines = 0;
  bool in_line = false;
  for (const char c : text) {
    lines += in_line ? 0 : 1;
    in_line = c != '\n';
  }
  return lines;
}

std::uint64_t words_one_by_one(std::string_view text) {
  std::uint64_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    words += c > ' ' && !in_word ? 1 : 0;
    in_word = c > ' ';
  }
  return words;
}

TEST(Scan, CountsLinesAndWordsOfAnyLength) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < 200; ++size) sizes.push_back(size);
  for (const std::size_t rounds : {1, 2, 254, 255, 256, 511}) {
    for (const int more : {-1, 0, 1, 2}) sizes.push_back(64 * rounds + static_cast<std::size_t>(more));
  }
  std::mt19937 random(1);
  for (const std::size_t size : sizes) {
    for (const std::string_view letters : {"\n 1", "\n", "a", "a ", "12\t\r\n\x80"}) {
      SCOPED_TRACE(std::to_string(size) + " of '" + std::string(letters) + "'");
      std::string text(size, ' ');
      std::size_t i = 0;
      for (char& c : text) c = letters.size() == 2 ? letters[i++ % 2] : letters[random() % letters.size()];
      EXPECT_EQ(dromos::io::count_lines(text), lines_one_by_one(text));
      EXPECT_EQ(dromos::io::count_words(text), words_one_by_one(text));
    }
  }
}

}  // namespace io_scan_test
