// SPDX-License-Identifier: BSD-3-Clause
// Grids of ranks and the numbering of vertices on them: no communication, any number of ranks.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_grid/partition_2d.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <set>
#include <string>
#include <utility>

namespace dromos::test {
namespace {

TEST(ProcessGrid, IsAsSquareAsTheRanksAllow) {
  const int expected[][3] = {{1, 1, 1},  {2, 1, 2},  {3, 1, 3},  {4, 2, 2},     {5, 1, 5},   {6, 2, 3},
                             {7, 1, 7},  {8, 2, 4},  {9, 3, 3},  {12, 3, 4},    {13, 1, 13}, {16, 4, 4},
                             {18, 3, 6}, {36, 6, 6}, {49, 7, 7}, {1000, 25, 40}};
  for (const auto& [ranks, rows, columns] : expected) {
    const ProcessGrid grid(ranks);
    EXPECT_EQ(grid.rows(), rows) << ranks;
    EXPECT_EQ(grid.columns(), columns) << ranks;
  }
}

TEST(ProcessGrid, EveryRankHasOnePlace) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {4, 4}}) {
    const ProcessGrid grid(rows * columns, rows, columns);
    std::set<std::pair<int, int>> places;
    for (int r = 0; r < grid.num_ranks(); ++r) {
      EXPECT_EQ(grid.rank(grid.row(r), grid.column(r)), r);
      EXPECT_LT(grid.row(r), rows);
      EXPECT_LT(grid.column(r), columns);
      places.emplace(grid.row(r), grid.column(r));
    }
    EXPECT_EQ(static_cast<int>(places.size()), rows * columns);
  }
}

TEST(ProcessGrid, OneNumberLeavesTheOther) {
  EXPECT_EQ(ProcessGrid(6, 3, 0).name(), "3 x 2");
  EXPECT_EQ(ProcessGrid(6, 0, 6).name(), "1 x 6");
  EXPECT_EQ(ProcessGrid(7, 7, 0).name(), "7 x 1");
}

/// What the error says that these arguments are answered with.
std::string error_of(int num_ranks, int rows, int columns) {
  try {
    const ProcessGrid grid(num_ranks, rows, columns);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ProcessGrid, GridsThatAreNotFilledAreRefusedWithTheNearestSizes) {
  EXPECT_EQ(error_of(7, 2, 3),
            "a grid of 2 x 3 has 6 places, and there are 7 ranks; 7 ranks fill 1 x 7, 7 x 1; or start 6 ranks");
  EXPECT_EQ(error_of(6, 2, 2),
            "a grid of 2 x 2 has 4 places, and there are 6 ranks; 6 ranks fill 1 x 6, 2 x 3, 3 x 2, 6 x 1; or start 4 "
            "ranks");
  EXPECT_EQ(error_of(7, 0, 3),
            "a grid of any x 3 is not filled by 7 ranks; 7 ranks fill 1 x 7, 7 x 1; or start 6 or 9 ranks");
  EXPECT_EQ(error_of(2, 3, 0),
            "a grid of 3 x any is not filled by 2 ranks; 2 ranks fill 1 x 2, 2 x 1; or start 3 ranks");
  EXPECT_EQ(
      error_of(4, 65536, 65536),
      "a grid of 65536 x 65536 has 4294967296 places, and there are 4 ranks; 4 ranks fill 1 x 4, 2 x 2, 4 x 1; or "
      "start 4294967296 ranks");
  EXPECT_NE(error_of(0, 0, 0), "no error");
  EXPECT_NE(error_of(4, -1, -4), "no error");
}

TEST(Partition2d, EveryVertexHasOneIdInItsRowAndOneInItsColumn) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 3}}) {
    for (const std::int64_t n : {1, 2, 6, 7, 100, 1000}) {
      const ProcessGrid grid(rows * columns, rows, columns);
      const Partition2d partition(n, grid);
      EXPECT_EQ(partition.block() % 32, 0);
      std::set<std::pair<int, std::int64_t>> out_ids, in_ids;
      for (std::int64_t v = 0; v < n; ++v) {
        const Place place = partition.place(v);
        ASSERT_EQ(partition.global_id(place.rank, place.local), v);
        ASSERT_LT(place.local, partition.num_local(place.rank));
        ASSERT_LE(partition.num_local(place.rank), partition.block());
        const auto out = partition.out_id(place);
        const auto in = partition.in_id(place);
        ASSERT_LT(out, partition.num_out());
        ASSERT_LT(in, partition.num_in());
        ASSERT_EQ(partition.vertex_of_in(grid.column(place.rank), in), v);
        ASSERT_EQ(out / partition.block(), grid.column(place.rank));
        ASSERT_EQ(in / partition.block(), grid.row(place.rank));
        out_ids.emplace(grid.row(place.rank), out);
        in_ids.emplace(grid.column(place.rank), in);
      }
      EXPECT_EQ(static_cast<std::int64_t>(out_ids.size()), n);
      EXPECT_EQ(static_cast<std::int64_t>(in_ids.size()), n);
    }
  }
}

TEST(Partition2d, WorkedExampleOfItsHead) {
  const Partition2d partition(10, ProcessGrid(4, 2, 2));
  EXPECT_EQ(partition.in_id(partition.place(6)), 33);
  EXPECT_EQ(partition.out_id(partition.place(5)), 33);
  EXPECT_EQ(partition.grid().column(partition.place(6).rank), 0);
  EXPECT_EQ(partition.grid().row(partition.place(5).rank), 0);
}

TEST(Partition2d, RowsOfMoreThan31BitsAreRefused) {
  const std::int64_t n = std::int64_t(1) << 33;
  EXPECT_THROW(Partition2d(n, ProcessGrid(4)), ArgumentError);
  EXPECT_THROW(Partition2d(n, ProcessGrid(16, 1, 16)), ArgumentError);
  EXPECT_NO_THROW(Partition2d(n, ProcessGrid(25)));
  EXPECT_NO_THROW(Partition2d(std::int64_t(1) << 30, ProcessGrid(7)));
}

}  // namespace
}  // namespace dromos::test
