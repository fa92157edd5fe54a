// SPDX-License-Identifier: BSD-3-Clause
// A text cut into pieces of whole lines, and work on the pieces in parallel.
//
// Piece i nominally starts at byte i * chunk_bytes, and really after the first line feed at or after the byte before:
// a border that falls on the start of a line stays, any other moves on to the next line. So every line is in exactly
// one piece, and a line longer than a piece leaves pieces empty. Each byte is looked at once at most for that, also in
// a file of one line, such as the neighbors of a hub.
//
//   "1 2\n30 40\n5 6\n", 4 bytes a piece:   "1 2\n" | "30 40\n" | "5 6\n" | ""
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/text/parallel_pieces.hpp"
#include "io/text/scan.hpp"

namespace dromos::io {

class TextChunks {
 public:
  TextChunks(std::string_view text, std::int64_t chunk_bytes);

  std::string_view text() const { return text_; }
  std::int64_t size() const { return static_cast<std::int64_t>(borders_.size()) - 1; }
  std::string_view operator[](std::int64_t i) const {
    const char* const begin = borders_[static_cast<std::size_t>(i)];
    return {begin, static_cast<std::size_t>(borders_[static_cast<std::size_t>(i + 1)] - begin)};
  }

 private:
  std::string_view text_;
  std::vector<const char*> borders_;
};

/// Replaces counts by the sums of those before each, with the total as one element more.
inline std::vector<std::int64_t> offsets_of(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> offsets(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) offsets[i + 1] = offsets[i] + counts[i];
  return offsets;
}

inline TextChunks::TextChunks(std::string_view text, std::int64_t chunk_bytes) : text_(text) {
  const std::size_t piece = static_cast<std::size_t>(std::max<std::int64_t>(1, chunk_bytes));
  const std::size_t count = text.size() / piece + (text.size() % piece != 0);
  borders_.assign(count + 1, text.data() + text.size());
  borders_.front() = text.data();
  if (count <= 1) return;
  // Each thread finds the first line that begins in its piece; where none does, the border is that of the next piece.
  parallel_for_each("dromos::read_graph::borders", size() - 1, [&](const std::int64_t i) {
    const std::size_t begin = static_cast<std::size_t>(i + 1) * piece;
    const std::string_view before = text.substr(begin - 1, piece);
    const std::size_t feed = before.find('\n');
    borders_[static_cast<std::size_t>(i + 1)] = feed == before.npos ? nullptr : before.data() + feed + 1;
  });
  for (std::size_t i = count; i-- > 1;) {
    if (borders_[i] == nullptr) borders_[i] = borders_[i + 1];
  }
}

}  // namespace dromos::io
