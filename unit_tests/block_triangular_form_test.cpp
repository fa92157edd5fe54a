// SPDX-License-Identifier: BSD-3-Clause
// Block triangular forms with every strategy and both widths of ids: of random matrices, rectangular and structurally
// singular ones among them, the very blocks that a serial algorithm finds, in its order; the rules hold, and reject
// other forms.
#include <dromos/algorithms/block_triangular_form.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/validate/block_rules.hpp>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bipartite_patterns.hpp"
#include "graph_zoo.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::BlockTriangularForm;
using dromos::BlockTriangularStatistics;
using dromos::Strategy;
using dromos::test::Memory;
using dromos::test::Pattern;
using dromos::test::Space;
using dromos::test::to_vector;
using dromos::test::to_view;

/// The blocks as sets of rows and columns, in their order.
using Block = std::pair<std::set<std::int64_t>, std::set<std::int64_t>>;

/// By the definition, cubic: one matching, paths as a fixed point, components by the closure of the square part, and
/// blocks placed one by one, each as soon as all that come before it by an entry are.
std::vector<Block> blocks_by_definition(const Pattern& pattern) {
  const std::vector<std::int64_t> row_of = dromos::test::serial_matching(pattern);
  const auto m = static_cast<std::size_t>(pattern.num_rows), n = static_cast<std::size_t>(pattern.num_columns);
  std::vector<std::int64_t> column_of(m, -1);
  for (std::size_t j = 0; j < n; ++j) {
    if (row_of[j] != -1) column_of[static_cast<std::size_t>(row_of[j])] = static_cast<std::int64_t>(j);
  }
  std::vector<char> row_part(m, 's'), column_part(n, 's');
  for (std::size_t i = 0; i < m; ++i) {
    if (column_of[i] == -1) row_part[i] = 'o';
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (row_of[j] == -1) column_part[j] = 'u';
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [i, j] : pattern.entries) {
      char& row = row_part[static_cast<std::size_t>(i)];
      char& column = column_part[static_cast<std::size_t>(j)];
      if (column == 'u' && row != 'u') {
        row = column_part[static_cast<std::size_t>(column_of[static_cast<std::size_t>(i)])] = 'u';
        changed = true;
      }
      if (row == 'o' && column != 'o') {
        column = row_part[static_cast<std::size_t>(row_of[static_cast<std::size_t>(j)])] = 'o';
        changed = true;
      }
    }
  }
  Block under, over;
  std::vector<std::size_t> square;
  for (std::size_t i = 0; i < m; ++i) {
    if (row_part[i] == 'u') under.first.insert(static_cast<std::int64_t>(i));
    if (row_part[i] == 'o') over.first.insert(static_cast<std::int64_t>(i));
    if (row_part[i] == 's') square.push_back(i);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (column_part[j] == 'u') under.second.insert(static_cast<std::int64_t>(j));
    if (column_part[j] == 'o') over.second.insert(static_cast<std::int64_t>(j));
  }

  std::vector<std::vector<bool>> reaches(m, std::vector<bool>(m, false));
  for (std::size_t i = 0; i < m; ++i) reaches[i][i] = true;
  for (const auto& [i, j] : pattern.entries) {
    const auto u = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
    if (row_part[u] == 's' && column_part[column] == 's') reaches[u][static_cast<std::size_t>(row_of[column])] = true;
  }
  for (const std::size_t k : square) {
    for (const std::size_t i : square) {
      for (const std::size_t j : square) {
        if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
      }
    }
  }
  // The level of a row: the longest chain of other components that reach it.
  std::vector<std::int64_t> level(m, 0);
  for (std::size_t round = 0; round < square.size(); ++round) {
    for (const std::size_t i : square) {
      for (const std::size_t j : square) {
        if (reaches[i][j]) level[j] = std::max(level[j], level[i] + (reaches[j][i] ? 0 : 1));
      }
    }
  }
  std::vector<Block> blocks = {under};
  std::stable_sort(square.begin(), square.end(), [&](std::size_t a, std::size_t b) { return level[a] < level[b]; });
  std::vector<bool> placed(m, false);
  for (const std::size_t i : square) {
    if (placed[i]) continue;
    blocks.emplace_back();
    for (const std::size_t j : square) {
      if (!reaches[i][j] || !reaches[j][i]) continue;
      placed[j] = true;
      blocks.back().first.insert(static_cast<std::int64_t>(j));
      blocks.back().second.insert(column_of[j]);
    }
  }
  blocks.push_back(over);
  return blocks;
}

template <class Vertex>
std::vector<Block> blocks_of(const BlockTriangularForm<Vertex, Memory>& form) {
  const auto row_order = to_vector(form.row_order), column_order = to_vector(form.column_order);
  const auto row_begin = to_vector(form.row_begin), column_begin = to_vector(form.column_begin);
  std::vector<Block> blocks(static_cast<std::size_t>(form.num_blocks()));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    blocks[b].first.insert(row_order.begin() + row_begin[b], row_order.begin() + row_begin[b + 1]);
    blocks[b].second.insert(column_order.begin() + column_begin[b], column_order.begin() + column_begin[b + 1]);
  }
  return blocks;
}

template <class Vertex>
class BlockTriangularTest : public ::testing::Test {
 protected:
  void expect_right(const Pattern& pattern, const std::vector<Strategy>& strategies, bool by_definition) {
    const auto matrix = pattern.build<Vertex>();
    for (const Strategy& strategy : strategies) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      const BlockTriangularStatistics found = dromos::block_triangular_form(Space(), matrix, form_, {strategy});
      const auto proof = dromos::validate_block_triangular_form(matrix, form_);
      ASSERT_TRUE(proof.holds) << proof.message;
      if (by_definition) {
        ASSERT_EQ(blocks_of(form_), blocks_by_definition(pattern));
      }
      expect_told(pattern, found);
      expect_entries_in_place(pattern);
    }
  }

  /// The numbers told are those of the form.
  void expect_told(const Pattern& pattern, const BlockTriangularStatistics& found) {
    const std::vector<Block> blocks = blocks_of(form_);
    EXPECT_EQ(found.num_square_blocks + 2, std::int64_t(blocks.size()));
    EXPECT_EQ(found.num_under_rows, std::int64_t(blocks.front().first.size()));
    EXPECT_EQ(found.num_under_columns, std::int64_t(blocks.front().second.size()));
    EXPECT_EQ(found.num_over_rows, std::int64_t(blocks.back().first.size()));
    EXPECT_EQ(found.num_over_columns, std::int64_t(blocks.back().second.size()));
    EXPECT_EQ(found.num_square_rows, pattern.num_rows - found.num_under_rows - found.num_over_rows);
    EXPECT_EQ(found.num_matched, found.num_under_rows + found.num_square_rows + found.num_over_columns);
    std::size_t largest = 0;
    for (std::size_t b = 1; b + 1 < blocks.size(); ++b) largest = std::max(largest, blocks[b].first.size());
    EXPECT_EQ(found.largest_square_block, std::int64_t(largest));
    EXPECT_EQ(found.num_levels > 0, found.num_square_blocks > 0);
  }

  /// The permuted matrix, entry by entry: none left of its row's block, and none missing on the diagonal.
  void expect_entries_in_place(const Pattern& pattern) {
    const auto row_begin = to_vector(form_.row_begin), column_begin = to_vector(form_.column_begin);
    const auto place = [](const std::vector<Vertex>& order) {
      std::vector<Vertex> places(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) places[static_cast<std::size_t>(order[i])] = Vertex(i);
      return places;
    };
    const auto row_place = place(to_vector(form_.row_order)), column_place = place(to_vector(form_.column_order));
    const auto block_at = [](const std::vector<Vertex>& begin, Vertex at) {
      return std::upper_bound(begin.begin(), begin.end(), at) - begin.begin() - 1;
    };
    const std::size_t last = row_begin.size() - 2;
    std::vector<bool> on_diagonal(static_cast<std::size_t>(pattern.num_rows), false);
    for (const auto& [i, j] : pattern.entries) {
      const Vertex row = row_place[static_cast<std::size_t>(i)], column = column_place[static_cast<std::size_t>(j)];
      ASSERT_LE(block_at(row_begin, row), block_at(column_begin, column)) << i << " " << j;
      if (column - row == column_begin[1] - row_begin[1]) on_diagonal[static_cast<std::size_t>(row)] = true;
    }
    for (Vertex row = row_begin[1]; row < row_begin[last]; ++row) EXPECT_TRUE(on_diagonal[std::size_t(row)]) << row;
  }

  BlockTriangularForm<Vertex, Memory> form_;
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(BlockTriangularTest, VertexTypes, );

TYPED_TEST(BlockTriangularTest, IsRightOnTheZoo) {
  for (const auto& zoo : dromos::test::graph_zoo(300)) {
    SCOPED_TRACE(zoo.name);
    Pattern pattern{zoo.num_vertices, zoo.num_vertices, zoo.edges};
    this->expect_right(pattern, dromos::all_strategies(), false);
    // The whole of a graph's blocks are its strong components where nothing on the diagonal is missing.
    for (std::int64_t v = 0; v < zoo.num_vertices; ++v) pattern.entries.emplace_back(v, v);
    this->expect_right(pattern, {Strategy{}}, zoo.num_vertices <= 50);
  }
}

TYPED_TEST(BlockTriangularTest, IsRightOnRandomMatrices) {
  const auto tunings = dromos::test::all_tunings();
  for (std::uint64_t seed = 0; seed < dromos::test::num_random_graphs(500); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    this->expect_right(dromos::test::random_pattern(seed),
                       {tunings[seed % tunings.size()], dromos::all_strategies()[seed % 4]}, true);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(BlockTriangularTest, HasAllParts) {
  // As drawn in the header.
  const Pattern drawn{
      6, 6, {{0, 0}, {0, 1}, {0, 5}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}, {4, 5}, {5, 5}}};
  this->expect_right(drawn, dromos::all_strategies(), true);
  const std::vector<Block> expected = {{{0}, {0, 1}}, {{1}, {2}}, {{2, 3}, {3, 4}}, {{4, 5}, {5}}};
  EXPECT_EQ(blocks_of(this->form_), expected);
}

TYPED_TEST(BlockTriangularTest, AcceptsWhatIsEmpty) {
  for (const Pattern& pattern : {Pattern{}, Pattern{0, 3, {}}, Pattern{3, 0, {}}, Pattern{2, 3, {}}}) {
    this->expect_right(pattern, {Strategy{}}, true);
  }
}

TYPED_TEST(BlockTriangularTest, RulesRejectOtherForms) {
  const auto matrix =
      Pattern{4, 5, {{0, 0}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {2, 2}, {2, 4}, {3, 4}}}.build<TypeParam>();
  const auto judge = [&](const std::vector<TypeParam>& rows, const std::vector<TypeParam>& columns,
                         const std::vector<TypeParam>& row_begin, const std::vector<TypeParam>& column_begin) {
    BlockTriangularForm<TypeParam, Memory> form;
    form.row_order = to_view(rows);
    form.column_order = to_view(columns);
    form.row_begin = to_view(row_begin);
    form.column_begin = to_view(column_begin);
    return dromos::validate_block_triangular_form(matrix, form).message;
  };
  EXPECT_EQ(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 3, 4, 4}, {0, 2, 4, 5, 5}), "");
  const auto expect_message = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message << " lacks " << part;
  };
  expect_message(judge({0, 1, 1, 3}, {0, 1, 2, 3, 4}, {0, 1, 3, 4, 4}, {0, 2, 4, 5, 5}), "no permutation of 4 rows");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 3, 4, 4}, {0, 2, 4, 5, 5}), "no permutation of 5 columns");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 3, 4, 4}, {0, 2, 3, 5, 5}), "2 rows and 1 columns");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 3, 4}, {0, 2, 4, 5, 5}), "beginnings");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 3, 4, 4}, {0, 2, 4, 5, 4}), "begin at 0 and end");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 4}, {0, 2, 3, 4, 5, 5}), "left of its block");
  expect_message(judge({0, 3, 1, 2}, {0, 1, 4, 2, 3}, {0, 1, 2, 4, 4}, {0, 2, 3, 5, 5}), "left of its block");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 4, 2, 3}, {0, 1, 4, 4}, {0, 2, 5, 5}), "diagonal has a zero");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 1, 4, 4}, {0, 2, 5, 5}), "block 1 can be taken apart");
  expect_message(judge({0, 1, 2, 3}, {0, 1, 2, 3, 4}, {0, 4, 4}, {0, 5, 5}), "block 0 can be taken apart");
}

}  // namespace
