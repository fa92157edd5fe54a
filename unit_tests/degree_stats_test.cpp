// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/graph/degree_stats.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::DegreeStats;
using dromos::Offset;
using dromos::test::Space;

TEST(DegreeBin, HoldsOnePowerOfTwo) {
  EXPECT_EQ(dromos::detail::degree_bin(0), 0);
  EXPECT_EQ(dromos::detail::degree_bin(1), 1);
  for (int bin = 2; bin < 63; ++bin) {
    EXPECT_EQ(dromos::detail::degree_bin(Offset(1) << (bin - 1)), bin);
    EXPECT_EQ(dromos::detail::degree_bin((Offset(1) << bin) - 1), bin);
  }
  EXPECT_EQ(dromos::detail::degree_bin(std::numeric_limits<Offset>::max()), 63);
}

template <class Vertex>
class DegreeStatsTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(DegreeStatsTest, VertexTypes, );

TYPED_TEST(DegreeStatsTest, AgreesWithTheObviousCount) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<TypeParam>> rows(1 + random() % 300);
    const bool with_isolated = round % 2 == 0;
    std::vector<Offset> degrees;
    std::int64_t histogram[64] = {};
    for (auto& row : rows) {
      row.resize(with_isolated && random() % 2 == 0 ? 0 : 1 + random() % (1 << random() % 9));
      degrees.push_back(static_cast<Offset>(row.size()));
      int bin = 0;  // degree 0; bin k from 2^(k-1) on
      while (bin < 63 && degrees.back() >= (Offset(1) << bin)) ++bin;
      ++histogram[bin];
    }
    const DegreeStats stats = dromos::degree_stats(Space(), dromos::test::make_graph(rows));
    EXPECT_EQ(stats.min, *std::min_element(degrees.begin(), degrees.end()));
    EXPECT_EQ(stats.max, *std::max_element(degrees.begin(), degrees.end()));
    EXPECT_DOUBLE_EQ(stats.mean, static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), Offset(0))) /
                                     static_cast<double>(rows.size()));
    EXPECT_EQ(stats.num_isolated, std::count(degrees.begin(), degrees.end(), 0));
    for (int bin = 0; bin < 64; ++bin) EXPECT_EQ(stats.histogram[bin], histogram[bin]) << "bin " << bin;
  }
}

TYPED_TEST(DegreeStatsTest, TakesGraphsWithoutVerticesOrEdges) {
  const DegreeStats nothing = dromos::degree_stats(Space(), dromos::test::make_graph<TypeParam>({}));
  EXPECT_EQ(nothing.min, 0);
  EXPECT_EQ(nothing.max, 0);
  EXPECT_EQ(nothing.mean, 0);
  EXPECT_EQ(nothing.num_isolated, 0);
  const DegreeStats isolated = dromos::degree_stats(Space(), dromos::test::make_graph<TypeParam>({{}, {}}));
  EXPECT_EQ(isolated.max, 0);
  EXPECT_EQ(isolated.num_isolated, 2);
  EXPECT_EQ(isolated.histogram[0], 2);
}

/// Degrees beyond 2^31: only the row map is looked at.
TYPED_TEST(DegreeStatsTest, CountsIn64Bits) {
  dromos::CsrGraph<TypeParam, dromos::test::Memory> graph;
  const Offset giant = (Offset(1) << 40) + 3;
  graph.row_map = dromos::test::to_view<Offset>({0, giant, giant + 2, 3 * giant});
  const DegreeStats stats = dromos::degree_stats(Space(), graph);
  EXPECT_EQ(stats.min, 2);
  EXPECT_EQ(stats.max, 2 * giant - 2);
  EXPECT_EQ(stats.histogram[41], 1);
  EXPECT_EQ(stats.histogram[42], 1);
  EXPECT_EQ(stats.histogram[2], 1);
}

}  // namespace
