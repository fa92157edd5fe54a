// SPDX-License-Identifier: BSD-3-Clause
// What a pass over the rows of a graph finds, at the speed at which memory delivers them: are all targets vertices, do
// rows ascend, are there self loops and duplicates, and is every arc there in both directions?
#pragma once

#include <cstdint>
#include <dromos/core/types.hpp>
#include <mutex>
#include <type_traits>
#include <vector>

namespace dromos::io {

struct RowFindings {
  bool outside = false;   ///< a target that is no vertex
  bool descents = false;  ///< a target below the one before it in its row
  bool self_loops = false;
  bool repeated = false;        ///< a target again right behind itself in its row
  std::uint64_t asymmetry = 0;  ///< as asymmetry_of(), of all arcs

  void add(const RowFindings& other) {
    outside |= other.outside;
    descents |= other.descents;
    self_loops |= other.self_loops;
    repeated |= other.repeated;
    asymmetry += other.asymmetry;
  }
};

/// Whether this processor has vectors of 256 bits that code for all processors of its kind does not use.
bool has_wider_vectors();

/// Looks at entries[begin] .. entries[end - 1], which belong to row `first_row` and those behind it; `row_map` and
/// `entries` as in CsrGraph, on the host. Of a row that begins before `begin`, nothing is compared with what is there.
template <class Vertex>
RowFindings look_at_rows(const Offset* row_map, const Vertex* entries, std::int64_t num_vertices,
                         std::int64_t first_row, std::int64_t begin, std::int64_t end,
                         bool wider_vectors = has_wider_vectors());

extern template RowFindings look_at_rows(const Offset*, const std::int32_t*, std::int64_t, std::int64_t, std::int64_t,
                                         std::int64_t, bool);
extern template RowFindings look_at_rows(const Offset*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t,
                                         std::int64_t, bool);

/// The findings of all rows of a graph, of which threads look at pieces, each as soon as it is in memory.
template <class Vertex>
class RowInspector {
 public:
  /// As in CsrGraph, on the host; `entries` may arrive later.
  RowInspector(const Offset* row_map, const Vertex* entries, std::int64_t num_vertices)
      : row_map_(row_map), entries_(entries), num_vertices_(num_vertices) {}

  /// Arcs begin .. end - 1 are in memory; what they have to themselves. By several threads at once.
  RowFindings look(std::int64_t begin, std::int64_t end);

  /// When all are: what they have together, with the pairs of arcs of which look() saw one each.
  RowFindings finish();

 private:
  /// The row of an arc.
  std::int64_t row_of(std::int64_t arc) const;

  const Offset* row_map_;
  const Vertex* entries_;
  std::int64_t num_vertices_;
  std::mutex mutex_;
  RowFindings found_;
  std::vector<std::int64_t> begins_;
};

extern template class RowInspector<std::int32_t>;
extern template class RowInspector<std::int64_t>;

/// Is every arc there in both directions? The sum of asymmetry_of() over all arcs u -> v modulo 2^64 tells: every
/// vertex has two numbers, first and second, and an arc counts first(u) second(v) - second(u) first(v). It and its
/// reverse cancel each other, and without a reverse the sum is 0 by accident only, once in 2^64. First is the vertex
/// itself, second the square of its number scattered over 32 bits: few instructions, which processors have for vectors.
/// The constants keep vertex 0 from counting little.
namespace asymmetry {
inline constexpr std::uint64_t first_constant = 0xd1342543de82ef95, second_constant = 0x9e3779b97f4a7c15;

/// first(v), less its constant.
template <class Vertex>
std::uint64_t first(Vertex v) {
  return static_cast<std::make_unsigned_t<Vertex>>(v);
}
/// second(v), less its constant. Without the square, small ids in arithmetic progression cancel each other.
template <class Vertex>
std::uint64_t second(Vertex v) {
  std::uint32_t scattered = 0;
  if constexpr (sizeof(Vertex) == sizeof(std::uint32_t)) {
    scattered = static_cast<std::uint32_t>(v) * 0x9e3779b1U;
    scattered ^= scattered >> 15;
  } else {
    const std::uint64_t multiple = static_cast<std::uint64_t>(v) * first_constant;
    scattered = static_cast<std::uint32_t>(multiple ^ (multiple >> 32));
  }
  return static_cast<std::uint64_t>(scattered) * scattered;
}
}  // namespace asymmetry

/// Of `count` arcs from u; of first() and second() of their targets the sums.
template <class Vertex>
std::uint64_t asymmetry_of(Vertex u, std::uint64_t count, std::uint64_t first, std::uint64_t second) {
  using namespace asymmetry;
  return (asymmetry::first(u) + first_constant) * (second + count * second_constant) -
         (asymmetry::second(u) + second_constant) * (first + count * first_constant);
}
template <class Vertex>
std::uint64_t asymmetry_of(Vertex u, Vertex v) {
  return asymmetry_of(u, 1, asymmetry::first(v), asymmetry::second(v));
}

}  // namespace dromos::io
