// SPDX-License-Identifier: BSD-3-Clause
// Is this the block triangular form of a matrix? Four rules, one function each, serial and on the host:
//
//   1  both orders are permutations, and the blocks follow each other without a gap and have the right shapes
//   2  no entry is left of the block of its row
//   3  the diagonal has no zero, from the first row down to the last that can have one
//   4  no block can be taken apart: a square one is strongly connected, and from the free columns of the
//      under-determined part all of it can be reached, as from the free rows of the over-determined one
//
// By 2 and 3 the matching on the diagonal is maximum, and by 4 the parts are those of Dulmage and Mendelsohn, of which
// a matrix has only one set.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/block_triangular_form.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

namespace dromos {

/// A form and the pattern it is of, on the host, with the places of rows and columns.
template <class Vertex>
struct BlocksToJudge {
  CsrGraph<Vertex, Kokkos::HostSpace> graph;
  Vertex num_rows = 0, num_columns = 0;
  std::vector<Vertex> row_order, column_order, row_begin, column_begin;
  std::vector<Vertex> row_place, column_place;  ///< made by rule 1

  Vertex num_free_columns() const { return column_begin[1] - row_begin[1]; }
  std::size_t num_blocks() const { return row_begin.size() - 1; }

  /// Calls f(place of the column) for each entry of the row at `place`, or f(place of the row) of a column's.
  template <class F>
  void for_each_column(Vertex place, const F& f) const {
    const Vertex u = row_order[static_cast<std::size_t>(place)];
    for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
      f(column_place[static_cast<std::size_t>(graph.entries(e) - num_rows)]);
    }
  }
  template <class F>
  void for_each_row(Vertex place, const F& f) const {
    const Vertex v = num_rows + column_order[static_cast<std::size_t>(place)];
    for (Offset e = graph.row_map(v); e < graph.row_map(v + 1); ++e) {
      f(row_place[static_cast<std::size_t>(graph.entries(e))]);
    }
  }
};

namespace detail {

/// The inverse of an order of `size` things; empty where it is none.
template <class Vertex>
std::vector<Vertex> places_of(const std::vector<Vertex>& order, std::int64_t size) {
  if (static_cast<std::int64_t>(order.size()) != size) return {};
  std::vector<Vertex> place(order.size(), no_vertex<Vertex>);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vertex v = order[i];
    if (v < 0 || v >= size || place[static_cast<std::size_t>(v)] != no_vertex<Vertex>) return {};
    place[static_cast<std::size_t>(v)] = static_cast<Vertex>(i);
  }
  return place;
}

}  // namespace detail

/// Rule 1.
template <class Vertex>
RuleResult blocks_have_right_shapes(BlocksToJudge<Vertex>& judged) {
  judged.row_place = detail::places_of(judged.row_order, judged.num_rows);
  judged.column_place = detail::places_of(judged.column_order, judged.num_columns);
  if (static_cast<std::int64_t>(judged.row_place.size()) != judged.num_rows) {
    return {false, "the order of the rows is no permutation of " + std::to_string(judged.num_rows) + " rows"};
  }
  if (static_cast<std::int64_t>(judged.column_place.size()) != judged.num_columns) {
    return {false, "the order of the columns is no permutation of " + std::to_string(judged.num_columns) + " columns"};
  }
  const auto& rows = judged.row_begin;
  const auto& columns = judged.column_begin;
  if (rows.size() < 3 || columns.size() != rows.size()) {
    return {false, "there are beginnings of " + std::to_string(rows.size()) + " blocks by rows and of " +
                       std::to_string(columns.size()) + " by columns; there must be as many, and 3 or more"};
  }
  if (rows.front() != 0 || columns.front() != 0 || rows.back() != judged.num_rows ||
      columns.back() != judged.num_columns) {
    return {false, "the blocks do not begin at 0 and end behind the last row and column"};
  }
  const std::size_t last = judged.num_blocks() - 1;
  for (std::size_t b = 0; b <= last; ++b) {
    const Vertex height = rows[b + 1] - rows[b], width = columns[b + 1] - columns[b];
    const bool empty = height == 0 && width == 0;
    const bool right = b == 0      ? empty || (height >= 0 && width > height)
                       : b == last ? empty || (width >= 0 && height > width)
                                   : height == width && height > 0;
    if (!right) {
      return {false, "block " + std::to_string(b) + " of " + std::to_string(last + 1) + " has " +
                         std::to_string(height) + " rows and " + std::to_string(width) + " columns"};
    }
  }
  return {};
}

/// Rules 2 and 3, of blocks that keep rule 1.
template <class Vertex>
RuleResult blocks_are_upper_triangular(const BlocksToJudge<Vertex>& judged) {
  for (std::size_t b = 0; b < judged.num_blocks(); ++b) {
    for (Vertex i = judged.row_begin[b]; i < judged.row_begin[b + 1]; ++i) {
      Vertex least = judged.num_columns;
      judged.for_each_column(i, [&](Vertex j) { least = std::min(least, j); });
      if (least >= judged.column_begin[b]) continue;
      return {false, "the row at place " + std::to_string(i) + " has an entry in the column at place " +
                         std::to_string(least) + ", left of its block " + std::to_string(b)};
    }
  }
  return {};
}

template <class Vertex>
RuleResult diagonal_has_no_zero(const BlocksToJudge<Vertex>& judged) {
  const std::size_t last = judged.num_blocks() - 1;
  const Vertex num_matched = judged.row_begin[last] + judged.column_begin[last + 1] - judged.column_begin[last];
  for (Vertex i = 0; i < num_matched; ++i) {
    bool found = false;
    judged.for_each_column(i, [&](Vertex j) { found = found || j == i + judged.num_free_columns(); });
    if (!found) {
      return {false, "the diagonal has a zero: the row at place " + std::to_string(i) +
                         " has no entry in the column at place " + std::to_string(i + judged.num_free_columns())};
    }
  }
  return {};
}

/// Rule 4, of blocks that keep the others.
template <class Vertex>
RuleResult blocks_are_irreducible(const BlocksToJudge<Vertex>& judged) {
  const std::size_t last = judged.num_blocks() - 1;
  const Vertex num_free = judged.num_free_columns();
  std::vector<bool> seen(static_cast<std::size_t>(judged.num_rows));
  std::vector<Vertex> queue;
  // Places of rows; where a column is meant, it is that of its mate.
  const auto see = [&](std::size_t b, Vertex i) {
    if (i < judged.row_begin[b] || i >= judged.row_begin[b + 1] || seen[static_cast<std::size_t>(i)]) return;
    seen[static_cast<std::size_t>(i)] = true;
    queue.push_back(i);
  };
  const auto by_columns = [&](std::size_t b) {
    return [&, b](Vertex i) { judged.for_each_column(i, [&](Vertex j) { see(b, j - num_free); }); };
  };
  const auto by_rows = [&](std::size_t b) {
    return [&, b](Vertex i) { judged.for_each_row(i + num_free, [&](Vertex k) { see(b, k); }); };
  };
  const auto search = [&](const auto& step) {
    for (std::size_t at = 0; at < queue.size(); ++at) step(queue[at]);
    const auto size = static_cast<Vertex>(queue.size());
    queue.clear();
    return size;
  };
  const auto wrong = [](std::size_t b, const std::string& why) {
    return RuleResult{false, "block " + std::to_string(b) + " can be taken apart: " + why};
  };

  for (Vertex j = 0; j < num_free; ++j) judged.for_each_row(j, [&](Vertex i) { see(0, i); });
  if (search(by_rows(0)) != judged.row_begin[1]) return wrong(0, "no path from a free column reaches all of its rows");
  for (Vertex i = judged.row_begin[last]; i < judged.num_rows; ++i) {
    if (i + num_free >= judged.num_columns) see(last, i);
  }
  if (search(by_columns(last)) != judged.num_rows - judged.row_begin[last]) {
    return wrong(last, "no path from a free row reaches all of its columns");
  }
  for (const bool backwards : {false, true}) {
    std::fill(seen.begin(), seen.end(), false);
    for (std::size_t b = 1; b < last; ++b) {
      see(b, judged.row_begin[b]);
      const Vertex reached = backwards ? search(by_rows(b)) : search(by_columns(b));
      if (reached != judged.row_begin[b + 1] - judged.row_begin[b]) {
        return wrong(b, "its first row does not reach, or is not reached by, all others");
      }
    }
  }
  return {};
}

/// All rules; the first that does not hold speaks.
///
/// \param matrix  the pattern, in any memory space
/// \param form    to judge, in the memory of the pattern
/// Cost: a few serial passes over the entries on the host, and there the pattern once more.
template <class Vertex, class Memory>
RuleResult validate_block_triangular_form(const BipartiteGraph<Vertex, Memory>& matrix,
                                          const BlockTriangularForm<Vertex, Memory>& form) {
  const auto on_host = [](const auto& view) {
    const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<Vertex>(copy.data(), copy.data() + copy.extent(0));
  };
  BlocksToJudge<Vertex> judged;
  judged.graph = copy_to<Kokkos::HostSpace>(matrix.graph);
  judged.num_rows = matrix.num_rows;
  judged.num_columns = matrix.num_columns();
  judged.row_order = on_host(form.row_order);
  judged.column_order = on_host(form.column_order);
  judged.row_begin = on_host(form.row_begin);
  judged.column_begin = on_host(form.column_begin);
  RuleResult result = blocks_have_right_shapes(judged);
  if (result.holds) result = blocks_are_upper_triangular(judged);
  if (result.holds) result = diagonal_has_no_zero(judged);
  if (result.holds) result = blocks_are_irreducible(judged);
  return result;
}

}  // namespace dromos
