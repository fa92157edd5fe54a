// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/row_findings.hpp"

#include <algorithm>
#include <cstring>

// Compiled for what every processor of the kind has, and once more for vectors of 256 bits, which most have: 1.6 to 3.2
// times as fast, and 1.3 to 8 times where the loops were plain ones, except on very short rows of 64-bit ids (0.75).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX2__)
#define DROMOS_HAS_WIDER_VECTORS
#endif
#if defined(__GNUC__)
#define DROMOS_INLINE_HERE [[gnu::always_inline]] inline
#else
#define DROMOS_INLINE_HERE inline
#endif

namespace dromos::io {
namespace {

/// Rows below that many arcs are looked at together: each alone costs more to begin and to end than its arcs do.
constexpr std::int64_t long_row = 16;

// Masks as wide as ids: bool would keep loops from vectors.
template <class Vertex>
using Mask = std::make_unsigned_t<Vertex>;

template <class Vertex>
DROMOS_INLINE_HERE Mask<Vertex> mask_of(bool condition) {
  return condition ? ~Mask<Vertex>(0) : Mask<Vertex>(0);
}

/// Has the highest bit where v is not in 0 .. num_vertices - 1.
template <class Vertex>
DROMOS_INLINE_HERE Mask<Vertex> outside(Vertex v, Vertex last) {
  return static_cast<Mask<Vertex>>(v) | (static_cast<Mask<Vertex>>(last) - static_cast<Mask<Vertex>>(v));
}

template <class Vertex>
DROMOS_INLINE_HERE bool highest_bit(Mask<Vertex> mask) {
  return (mask >> (8 * sizeof(Vertex) - 1)) != 0;
}

/// What a row that does not strictly ascend has; rare, and not fast.
template <class Vertex>
void look_again(const Vertex* row, std::int64_t size, Vertex last, RowFindings& found) {
  found.outside |= highest_bit<Vertex>(outside(row[0], last));
  for (std::int64_t i = 1; i < size; ++i) {
    found.descents |= row[i] < row[i - 1];
    found.repeated |= row[i] == row[i - 1];
    found.outside |= highest_bit<Vertex>(outside(row[i], last));
  }
}

/// One row. Where it ascends, its ends tell whether all targets are vertices.
template <class Vertex>
DROMOS_INLINE_HERE void look_at_row(Vertex u, const Vertex* row, std::int64_t size, Vertex last, RowFindings& found) {
  Mask<Vertex> ascending = ~Mask<Vertex>(0), self_loops = mask_of<Vertex>(row[0] == u);
  std::uint64_t first = asymmetry::first(row[0]), second = asymmetry::second(row[0]);
  for (std::int64_t i = 1; i < size; ++i) {
    ascending &= mask_of<Vertex>(row[i] > row[i - 1]);
    self_loops |= mask_of<Vertex>(row[i] == u);
    first += asymmetry::first(row[i]);
    second += asymmetry::second(row[i]);
  }
  found.self_loops |= self_loops != 0;
  found.asymmetry += asymmetry_of(u, static_cast<std::uint64_t>(size), first, second);
  if (ascending == 0) return look_again(row, size, last, found);
  found.outside |= highest_bit<Vertex>(outside(row[0], last) | outside(row[size - 1], last));
}

/// Arcs of many rows, each with its source.
template <class Vertex>
class ArcBuffer {
 public:
  DROMOS_INLINE_HERE bool is_full() const { return size_ >= capacity; }

  /// A row below long_row arcs. So many are copied whatever its size where `all_readable`, which spares a branch that
  /// nobody foresees; what is too many is overwritten by the next row.
  DROMOS_INLINE_HERE void add(Vertex u, const Vertex* row, std::int64_t size, bool all_readable) {
    if (all_readable) {
      std::memcpy(target_ + size_, row, long_row * sizeof(Vertex));
    } else {
      std::memcpy(target_ + size_, row, static_cast<std::size_t>(size) * sizeof(Vertex));
    }
    for (std::int64_t i = 0; i < long_row; ++i) source_[size_ + i] = u;
    size_ += size;
  }

  /// Looks at all and forgets them.
  DROMOS_INLINE_HERE void look(Vertex last, RowFindings& found) {
    if (size_ == 0) return;
    Mask<Vertex> descents = 0, repeated = 0, self_loops = 0, out = 0;
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < size_; ++i) {
      self_loops |= mask_of<Vertex>(target_[i] == source_[i]);
      out |= outside(target_[i], last);
      sum += asymmetry_of(source_[i], target_[i]);
    }
    for (std::int64_t i = 1; i < size_; ++i) {
      const Mask<Vertex> same_row = mask_of<Vertex>(source_[i] == source_[i - 1]);
      descents |= same_row & mask_of<Vertex>(target_[i] < target_[i - 1]);
      repeated |= same_row & mask_of<Vertex>(target_[i] == target_[i - 1]);
    }
    found.descents |= descents != 0;
    found.repeated |= repeated != 0;
    found.self_loops |= self_loops != 0;
    found.outside |= highest_bit<Vertex>(out);
    found.asymmetry += sum;
    size_ = 0;
  }

 private:
  static constexpr std::int64_t capacity = 1024;
  std::int64_t size_ = 0;
  Vertex source_[capacity + long_row], target_[capacity + long_row];
};

template <class Vertex>
DROMOS_INLINE_HERE RowFindings look_at_all(const Offset* row_map, const Vertex* entries, std::int64_t num_vertices,
                                           std::int64_t first_row, std::int64_t begin, std::int64_t end) {
  RowFindings found;
  ArcBuffer<Vertex> short_rows;
  const Vertex last = static_cast<Vertex>(num_vertices - 1);
  std::int64_t u = first_row;
  for (std::int64_t e = begin; e < end; ++u) {
    const std::int64_t row_end = std::min<std::int64_t>(end, row_map[u + 1]), size = row_end - e;
    if (size >= long_row) {
      look_at_row(static_cast<Vertex>(u), entries + e, size, last, found);
    } else {
      short_rows.add(static_cast<Vertex>(u), entries + e, size, e + long_row <= end);
      if (short_rows.is_full()) short_rows.look(last, found);
    }
    e = row_end;
  }
  short_rows.look(last, found);
  return found;
}

#ifdef DROMOS_HAS_WIDER_VECTORS
template <class Vertex>
[[gnu::target("avx2")]] RowFindings look_with_wider_vectors(const Offset* row_map, const Vertex* entries,
                                                            std::int64_t num_vertices, std::int64_t first_row,
                                                            std::int64_t begin, std::int64_t end) {
  return look_at_all(row_map, entries, num_vertices, first_row, begin, end);
}
#endif

}  // namespace

bool has_wider_vectors() {
#ifdef DROMOS_HAS_WIDER_VECTORS
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

template <class Vertex>
RowFindings look_at_rows(const Offset* row_map, const Vertex* entries, std::int64_t num_vertices,
                         std::int64_t first_row, std::int64_t begin, std::int64_t end,
                         [[maybe_unused]] bool wider_vectors) {
#ifdef DROMOS_HAS_WIDER_VECTORS
  if (wider_vectors) return look_with_wider_vectors(row_map, entries, num_vertices, first_row, begin, end);
#endif
  return look_at_all(row_map, entries, num_vertices, first_row, begin, end);
}

template RowFindings look_at_rows(const Offset*, const std::int32_t*, std::int64_t, std::int64_t, std::int64_t,
                                  std::int64_t, bool);
template RowFindings look_at_rows(const Offset*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t,
                                  std::int64_t, bool);

template <class Vertex>
std::int64_t RowInspector<Vertex>::row_of(std::int64_t arc) const {
  return std::upper_bound(row_map_, row_map_ + num_vertices_ + 1, arc) - row_map_ - 1;
}

template <class Vertex>
RowFindings RowInspector<Vertex>::look(std::int64_t begin, std::int64_t end) {
  const RowFindings found = look_at_rows(row_map_, entries_, num_vertices_, row_of(begin), begin, end);
  const std::lock_guard<std::mutex> lock(mutex_);
  found_.add(found);
  begins_.push_back(begin);
  return found;
}

template <class Vertex>
RowFindings RowInspector<Vertex>::finish() {
  for (const std::int64_t e : begins_) {
    if (row_map_[row_of(e)] == e) continue;  // a row begins there
    found_.descents |= entries_[e] < entries_[e - 1];
    found_.repeated |= entries_[e] == entries_[e - 1];
  }
  begins_.clear();
  return found_;
}

template class RowInspector<std::int32_t>;
template class RowInspector<std::int64_t>;

}  // namespace dromos::io
