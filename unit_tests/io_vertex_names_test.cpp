// SPDX-License-Identifier: BSD-3-Clause
// Names of vertices: both kinds against the definition, in both directions.
#include <gtest/gtest.h>

#include <dromos/core/error.hpp>
#include <dromos/io/graph_format.hpp>
#include <dromos/io/vertex_names.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace dromos {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST(VertexNames, DefaultIsTheIdentityOnAllNumbers) {
  const VertexNames names;
  EXPECT_TRUE(names.is_affine());
  EXPECT_EQ(names.name(17), 17);
  EXPECT_EQ(names.find(17), 17);
  EXPECT_EQ(names.find(-1), std::nullopt);
}

TEST(VertexNames, ConsecutiveNames) {
  const VertexNames names = VertexNames::consecutive(3, 1);
  EXPECT_EQ(names.size(), 3);
  EXPECT_TRUE(names.is_affine());
  EXPECT_EQ(names.first_name(), 1);
  for (std::int64_t v = 0; v < 3; ++v) {
    EXPECT_EQ(names.name(v), v + 1);
    EXPECT_EQ(names.find(v + 1), v);
  }
  EXPECT_EQ(names.find(0), std::nullopt);
  EXPECT_EQ(names.find(4), std::nullopt);
  EXPECT_EQ(names.find(-largest), std::nullopt);
  EXPECT_EQ(names.find(largest), std::nullopt);
}

TEST(VertexNames, NoNames) {
  for (const VertexNames& names : {VertexNames::consecutive(0, 0), VertexNames::table({})}) {
    EXPECT_EQ(names.size(), 0);
    EXPECT_EQ(names.find(0), std::nullopt);
  }
}

TEST(VertexNames, TableWithGaps) {
  const std::vector<std::int64_t> ids = {0, 7, 12, 900, largest};
  const VertexNames names = VertexNames::table(ids);
  EXPECT_EQ(names.size(), 5);
  EXPECT_FALSE(names.is_affine());
  EXPECT_EQ(names.first_name(), 0);
  for (std::size_t v = 0; v < ids.size(); ++v) {
    EXPECT_EQ(names.name(static_cast<std::int64_t>(v)), ids[v]);
    EXPECT_EQ(names.find(ids[v]), static_cast<std::int64_t>(v));
  }
  for (const std::int64_t absent : {std::int64_t(-1), std::int64_t(1), std::int64_t(8), largest - 1}) {
    EXPECT_EQ(names.find(absent), std::nullopt) << absent;
  }
}

TEST(VertexNames, TableWithoutGapsIsNotKept) {
  const VertexNames names = VertexNames::table({4, 5, 6});
  EXPECT_TRUE(names.is_affine());
  EXPECT_EQ(names.name(2), 6);
  EXPECT_EQ(names.find(3), std::nullopt);
  EXPECT_EQ(names.find(7), std::nullopt);
}

TEST(GraphFormat, NamesLeadBack) {
  for (const GraphFormat format :
       {GraphFormat::automatic, GraphFormat::matrix_market, GraphFormat::edge_list, GraphFormat::metis,
        GraphFormat::dimacs, GraphFormat::smat, GraphFormat::parquet, GraphFormat::hdf5}) {
    EXPECT_EQ(parse_format(format_name(format)), format);
    EXPECT_NE(format_names().find(format_name(format)), std::string::npos);
  }
}

TEST(GraphFormat, UnknownNameIsRefusedWithTheKnownOnes) {
  try {
    parse_format("gexf");
    FAIL() << "expected ArgumentError";
  } catch (const ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("'gexf'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("matrix-market"), std::string::npos);
  }
}

}  // namespace
}  // namespace dromos
