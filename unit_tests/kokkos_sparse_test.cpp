// SPDX-License-Identifier: BSD-3-Clause
// Matrices of Kokkos Kernels as graphs: the same arrays where that is possible, the same edges everywhere, and clear
// words for what is no graph.
#include <gtest/gtest.h>

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/interop/kokkos_sparse.hpp>
#include <optional>
#include <string>

#include "graph_zoo.hpp"
#include "view_tools.hpp"

namespace {

using namespace dromos;
using namespace dromos::test;

using Device = Kokkos::Device<Space, Memory>;
template <class Ordinal, class Size>
using Matrix = KokkosSparse::CrsMatrix<double, Ordinal, Device, void, Size>;

/// 0 -> 1, 0 -> 3, 2 -> 0, 3 -> 3; the values say nothing, one is even zero.
template <class Ordinal, class Size>
Matrix<Ordinal, Size> small_matrix(Ordinal num_columns = 4, std::vector<Ordinal> entries = {1, 3, 0, 3},
                                   const std::vector<Size>& row_map = {0, 2, 2, 3, 4}) {
  return Matrix<Ordinal, Size>("test::matrix", static_cast<Ordinal>(row_map.size()) - 1, num_columns,
                               static_cast<Size>(entries.size()), to_view(std::vector<double>{5, 0, -1, 2}),
                               to_view(row_map), to_view(entries));
}

const std::vector<std::vector<std::int32_t>> small_rows = {{1, 3}, {}, {0}, {3}};

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "no error";
}

TEST(KokkosSparse, ViewHasTheArraysOfTheMatrix) {
  const auto matrix = small_matrix<int, std::size_t>();
  const auto borrowed = graph_view(matrix);
  EXPECT_EQ(static_cast<const void*>(borrowed.graph.row_map.data()), matrix.graph.row_map.data());
  EXPECT_EQ(static_cast<const void*>(borrowed.graph.entries.data()), matrix.graph.entries.data());
  EXPECT_EQ(rows_of(borrowed.graph), small_rows);
  EXPECT_TRUE(borrowed.graph.directed);
  EXPECT_FALSE(graph_view(matrix, MatrixPattern::symmetric).graph.directed);
}

TEST(KokkosSparse, ViewKeepsTheArraysAlive) {
  std::optional<Matrix<int, std::int64_t>> matrix = small_matrix<int, std::int64_t>();
  const auto borrowed = graph_view(*matrix);
  EXPECT_GT(matrix->graph.entries.use_count(), 1);
  matrix.reset();
  EXPECT_EQ(borrowed.owner.entries.use_count(), 1);
  EXPECT_EQ(rows_of(borrowed.graph), small_rows);
}

TEST(KokkosSparse, WideColumnIndicesGiveWideVertices) {
  const auto borrowed = graph_view(small_matrix<std::int64_t, std::size_t>());
  static_assert(std::is_same_v<decltype(borrowed.graph)::vertex_type, std::int64_t>);
  EXPECT_EQ(borrowed.graph.num_vertices(), 4);
  EXPECT_EQ(borrowed.graph.num_edges(), 4);
}

TEST(KokkosSparse, CopyConvertsOffsetsAndIds) {
  const auto narrow = graph_copy<std::int32_t>(small_matrix<int, int>());
  EXPECT_EQ(rows_of(narrow), small_rows);
  const auto wide = graph_copy<std::int64_t>(small_matrix<int, int>(), MatrixPattern::symmetric);
  EXPECT_EQ(rows_of(wide), (std::vector<std::vector<std::int64_t>>{{1, 3}, {}, {0}, {3}}));
  EXPECT_FALSE(wide.directed);
}

TEST(KokkosSparse, WhatIsNoGraphIsRefused) {
  EXPECT_EQ(error_of([] { graph_view(small_matrix<int, std::size_t>(5)); }),
            "a graph needs a square matrix, and this one has 4 rows and 5 columns");
  const auto bad_column = small_matrix<int, std::size_t>(4, {1, 4, 0, -1});
  EXPECT_NE(error_of([&] { graph_view(bad_column); }).find("2 column indices are outside of [0, 4)"),
            std::string::npos);
  EXPECT_NE(error_of([&] { graph_copy<std::int64_t>(bad_column); }).find("[0, 4)"), std::string::npos);
  for (const std::vector<std::int64_t>& row_map : std::vector<std::vector<std::int64_t>>{
           {1, 2, 2, 3, 4}, {0, 2, 1, 3, 4}, {0, 2, 2, 3, 3}, {0, 2, 9, 9, 4}, {-1, 2, 2, 3, 4}}) {
    Kokkos::StaticCrsGraph<int, Kokkos::LayoutLeft, Device, void, std::int64_t> graph(
        to_view(std::vector<int>{1, 3, 0, 3}), Kokkos::View<const std::int64_t*, Memory>(to_view(row_map)));
    EXPECT_NE(error_of([&] { graph_view(graph); }).find("does not describe 4 entries"), std::string::npos);
  }
}

TEST(KokkosSparse, EmptyMatrices) {
  const Kokkos::StaticCrsGraph<int, Kokkos::LayoutLeft, Device, void, std::size_t> nothing;
  EXPECT_EQ(graph_view(nothing).graph.num_vertices(), 0);
  EXPECT_EQ(graph_copy<std::int64_t>(nothing).num_edges(), 0);
  const auto one = small_matrix<int, std::size_t>(1, {}, {0, 0});
  EXPECT_EQ(graph_view(one).graph.num_vertices(), 1);
}

/// Rows as a matrix has them, offsets of any type: a graph view, without a cast and without a copy.
template <class Ordinal, class Size>
struct MatrixRows {
  using vertex_type = Ordinal;
  using memory_space = Memory;
  Kokkos::View<const Size*, Memory> row_map;
  Kokkos::View<const Ordinal*, Memory> entries;

  KOKKOS_FUNCTION Ordinal num_vertices() const { return static_cast<Ordinal>(row_map.extent(0)) - 1; }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FUNCTION Offset begin(Ordinal u) const { return static_cast<Offset>(row_map(u)); }
  KOKKOS_FUNCTION Offset end(Ordinal u) const { return static_cast<Offset>(row_map(u + 1)); }
  KOKKOS_FUNCTION Offset degree(Ordinal u) const { return end(u) - begin(u); }
  KOKKOS_FUNCTION Ordinal neighbor(Offset e) const { return entries(e); }
};

template <class Size>
void expect_searches_of_rows() {
  const auto matrix = small_matrix<int, Size>();
  const MatrixRows<int, Size> rows{matrix.graph.row_map, matrix.graph.entries};
  BfsScratch<int, Memory> scratch(rows);
  BfsResult<int, Memory> result;
  bfs(Space(), rows, 2, scratch, result);
  EXPECT_EQ(to_vector(result.level), (std::vector<Level>{1, 2, 0, 2}));
  bfs(Space(), rows, 1, scratch, result);
  EXPECT_EQ(to_vector(result.level), (std::vector<Level>{no_level, 0, no_level, no_level}));
}

/// Offsets of 32 bits, which graph_view() refuses, and Tpetra's, which are unsigned.
TEST(KokkosSparse, RowsWithAnyOffsetsAreAGraphView) {
  expect_searches_of_rows<int>();
  expect_searches_of_rows<std::size_t>();
}

/// Vertices that the root reaches are those where the sum of all powers of the transposed matrix, applied to the unit
/// vector of the root, is positive: found by Kokkos Kernels' product, which shares nothing with the search.
TEST(KokkosSparse, SearchReachesWhatPowersOfTheMatrixReach) {
  for (const ZooGraph& zoo : graph_zoo()) {
    if (zoo.num_vertices == 0) continue;
    const auto graph = build_csr(Space(), zoo.edge_list<std::int32_t>());
    using Size = std::size_t;
    std::vector<Size> row_map;
    for (const Offset offset : to_vector(graph.row_map)) row_map.push_back(static_cast<Size>(offset));
    const Kokkos::View<double*, Memory> ones("test::ones", graph.entries.extent(0));
    Kokkos::deep_copy(ones, 1.0);
    const int n = graph.num_vertices();
    const Matrix<int, Size> matrix("test::matrix", n, n, graph.entries.extent(0), ones, to_view(row_map),
                                   graph.entries);
    const auto borrowed = graph_view(matrix);
    BfsScratch<std::int32_t, Memory> scratch(borrowed.graph);
    BfsResult<std::int32_t, Memory> result;
    bfs(Space(), borrowed.graph, 0, scratch, result);

    std::vector<double> reached(n, 0.0);
    reached[0] = 1;
    for (bool grows = true; grows;) {
      const auto x = to_view(reached);
      const Kokkos::View<double*, Memory> y("test::y", n);
      KokkosSparse::spmv("T", 1.0, matrix, x, 0.0, y);
      const auto more = to_vector(y);
      grows = false;
      for (int v = 0; v < n; ++v) {
        if (more[v] > 0 && reached[v] == 0) {
          reached[v] = 1;
          grows = true;
        }
      }
    }
    const auto level = to_vector(result.level, n);
    for (int v = 0; v < n; ++v) ASSERT_EQ(level[v] != no_level, reached[v] > 0) << zoo.name << ", vertex " << v;
  }
}

}  // namespace
