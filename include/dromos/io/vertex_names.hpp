// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a file gives to its vertices, and the vertices 0 .. n - 1 that the library works on.
//
// Files number their vertices from 0, from 1, or as they like. A reader makes vertices of those numbers in an order
// preserving way and keeps the way back, so that a person speaks the file's language throughout:
//
//   the file's ids   7 12 900     vertices 0 1 2     name(1) == 12, find(900) == 2, find(8) is nothing
//
// Where the ids are consecutive the mapping is an addition and needs no memory; otherwise it is a sorted table of
// 8 bytes a vertex, which copies share.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace dromos {

class VertexNames {
 public:
  /// Every vertex is its own name, however many there are.
  VertexNames() = default;

  /// Vertex v is called v + first_name; vertices are 0 .. size - 1.
  static VertexNames consecutive(std::int64_t size, std::int64_t first_name);

  /// Vertex v is called names[v]; the names must ascend without repetition. Names that turn out to be consecutive
  /// are not kept as a table.
  static VertexNames table(std::vector<std::int64_t> names);

  /// How many vertices have a name; the largest std::int64_t for names made by the default constructor.
  std::int64_t size() const { return size_; }

  /// What the file calls this vertex, one of 0 .. size() - 1. Constant time.
  std::int64_t name(std::int64_t vertex) const {
    return table_ ? (*table_)[static_cast<std::size_t>(vertex)] : vertex + first_name_;
  }

  /// The vertex of that name, or nothing. Constant time if is_affine(), else a binary search.
  std::optional<std::int64_t> find(std::int64_t name) const;

  /// True where a name is the vertex plus first_name().
  bool is_affine() const { return table_ == nullptr; }
  /// The name of vertex 0, if there is one.
  std::int64_t first_name() const { return table_ ? table_->front() : first_name_; }

 private:
  std::int64_t size_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_name_ = 0;
  std::shared_ptr<const std::vector<std::int64_t>> table_;
};

}  // namespace dromos
