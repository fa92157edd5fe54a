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

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "scan.hpp"

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

/// Calls body(i) for i = 0 .. count - 1 in parallel on the host and returns when all are done. What a call throws
/// arrives here; of several, that of the smallest i, so that the first error of a file is the one reported.
template <class Body>
void parallel_for_each(const std::string& label, std::int64_t count, const Body& body) {
  if (count == 1) return body(0);  // small files are not worth waking threads for
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Space space;
  std::atomic<std::int64_t> first_failed(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>(space, 0, count, Kokkos::ChunkSize(1)),
      [&](const std::int64_t i) {
        // Nothing beyond a failure matters any more; everything before it does.
        if (i > first_failed.load(std::memory_order_relaxed)) return;
        try {  // because no exception may leave a parallel region
          body(i);
        } catch (...) {
          failures[static_cast<std::size_t>(i)] = std::current_exception();
          std::int64_t first = first_failed.load();
          while (i < first && !first_failed.compare_exchange_weak(first, i)) {
          }
        }
      });
  fence(space, label);
  if (first_failed.load() < count) std::rethrow_exception(failures[static_cast<std::size_t>(first_failed.load())]);
}

/// Calls body(begin, end) for pieces of 0 .. count - 1 in parallel; for loops over edges and tables.
template <class Body>
void parallel_for_ranges(const std::string& label, std::int64_t count, const Body& body) {
  constexpr std::int64_t piece = std::int64_t(1) << 16;
  parallel_for_each(label, (count + piece - 1) / piece,
                    [&](const std::int64_t i) { body(i * piece, std::min(count, (i + 1) * piece)); });
}

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
