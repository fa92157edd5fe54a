// SPDX-License-Identifier: BSD-3-Clause
// Matrices that tests of matchings and block triangular forms share: random ones, rectangular and structurally singular
// among them, and the serial matching that everything is compared with.
#pragma once

#include <cstdint>
#include <dromos/algorithms/maximum_matching.hpp>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {

struct Pattern {
  std::int64_t num_rows = 0, num_columns = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> entries;

  template <class Vertex>
  BipartiteGraph<Vertex, Memory> build() const {
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (const auto& [i, j] : entries) pairs.emplace_back(Vertex(i), Vertex(j));
    return bipartite_graph(Space(), Vertex(num_rows), Vertex(num_columns), make_edge_list<Vertex>(0, pairs));
  }
};

inline Pattern random_pattern(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % bound); };
  Pattern pattern;
  pattern.num_rows = 1 + below(60);
  pattern.num_columns = below(2) == 0 ? pattern.num_rows : 1 + below(60);
  const std::int64_t num_entries = below(1 + 4 * pattern.num_rows);
  const bool hubs = below(3) == 0;  // few columns for many rows: structurally singular
  for (std::int64_t i = 0; i < num_entries; ++i) {
    pattern.entries.emplace_back(below(pattern.num_rows), hubs && below(4) != 0 ? 0 : below(pattern.num_columns));
  }
  return pattern;
}

/// By column, the row it is matched with or -1: row by row, each by a depth-first search for a path that augments. No
/// start, no phases, no trees.
inline std::vector<std::int64_t> serial_matching(const Pattern& pattern) {
  std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(pattern.num_rows));
  for (const auto& [i, j] : pattern.entries) rows[static_cast<std::size_t>(i)].push_back(j);
  std::vector<std::int64_t> row_of(static_cast<std::size_t>(pattern.num_columns), -1);
  std::vector<bool> seen;
  const std::function<bool(std::int64_t)> place = [&](std::int64_t i) {
    for (const std::int64_t j : rows[static_cast<std::size_t>(i)]) {
      const auto column = static_cast<std::size_t>(j);
      if (seen[column]) continue;
      seen[column] = true;
      if (row_of[column] == -1 || place(row_of[column])) {
        row_of[column] = i;
        return true;
      }
    }
    return false;
  };
  for (std::int64_t i = 0; i < pattern.num_rows; ++i) {
    seen.assign(row_of.size(), false);
    place(i);
  }
  return row_of;
}

}  // namespace dromos::test
