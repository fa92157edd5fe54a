// SPDX-License-Identifier: BSD-3-Clause
// Rows that are too long for one thread of a CPU: which they are, and that their pieces are all of them; and how many
// vertices a thread comes for at a time.
#include <dromos/traverse/long_rows.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/traverse/vertex_chunk.hpp>
#include <map>
#include <vector>

namespace dromos::detail {
namespace {

/// Of each vertex that was put aside how often its edges are in a piece.
std::map<int, std::vector<int>> walked(LongRows<int>& long_rows, const std::map<int, Offset>& lengths) {
  std::map<int, std::vector<int>> times;
  const std::int64_t num_pieces = long_rows.cut();
  for (std::int64_t i = 0; i < num_pieces; ++i) {
    const auto piece = long_rows.piece(i);
    EXPECT_LT(piece.begin, piece.end);
    auto& of_vertex = times[piece.vertex];
    of_vertex.resize(static_cast<std::size_t>(lengths.at(piece.vertex)));
    for (Offset e = piece.begin; e < piece.end; ++e) ++of_vertex.at(static_cast<std::size_t>(e));
  }
  return times;
}

TEST(LongRows, AreCutIntoPiecesThatAreAllOfThem) {
  for (const int num_threads : {2, 7, 64}) {
    LongRows<int> long_rows(unknown_edges, num_threads);
    const std::map<int, Offset> lengths{{5, 1000003}, {3, 8193}, {8, 16384}};
    EXPECT_FALSE(long_rows.are_cut());
    for (const auto& [vertex, length] : lengths) EXPECT_TRUE(long_rows.put_aside(vertex, length));
    EXPECT_FALSE(long_rows.put_aside(4, 8192)) << "a row that is walked sooner than threads wake";
    const auto times = walked(long_rows, lengths);
    EXPECT_TRUE(long_rows.are_cut());
    ASSERT_EQ(times.size(), lengths.size());
    for (const auto& [vertex, of_edges] : times) {
      EXPECT_EQ(of_edges, std::vector<int>(static_cast<std::size_t>(lengths.at(vertex)), 1)) << "vertex " << vertex;
    }
  }
}

TEST(LongRows, AreLongBesideWhatThereIsForAll) {
  LongRows<int> alone(1 << 30, 1), of_two(1 << 24, 2), of_many(1 << 24, 64);
  EXPECT_FALSE(alone.put_aside(0, 1 << 30)) << "nobody waits";
  EXPECT_FALSE(of_two.put_aside(0, 1 << 20)) << "an eighth of a share";
  EXPECT_TRUE(of_two.put_aside(0, (1 << 20) + 1));
  EXPECT_TRUE(of_many.put_aside(0, (1 << 15) + 1));
  EXPECT_EQ(LongRows<int>(0, 2).cut(), 0);
}

TEST(LongRows, WhatFindsNoRoomIsWalkedByWhoMeetsIt) {
  LongRows<int> long_rows(unknown_edges, 2);
  std::map<int, Offset> lengths;
  int num_aside = 0;
  for (int v = 0; v < 2000; ++v) {
    lengths[v] = 9000;
    num_aside += long_rows.put_aside(v, lengths[v]);
  }
  EXPECT_GT(num_aside, 0);
  EXPECT_LT(num_aside, 2000);
  EXPECT_EQ(walked(long_rows, lengths).size(), static_cast<std::size_t>(num_aside));
}

TEST(VertexChunk, TakesFewVerticesOfManyEdgesAtATime) {
  EXPECT_EQ(vertices_per_chunk(1000, 10000000, 32), 1) << "each with more edges than are worth coming for";
  EXPECT_EQ(vertices_per_chunk(100000, 5000000, 32), 195) << "16 turns of each thread";
  EXPECT_EQ(vertices_per_chunk(10000, 30000, 32), 256) << "so few edges that fewer vertices are not worth coming for";
  EXPECT_EQ(vertices_per_chunk(1000, 100000, 32), 10) << "1,024 edges";
  EXPECT_EQ(vertices_per_chunk(1 << 20, 1 << 24, 2), 256);
  EXPECT_EQ(vertices_per_chunk(1000, unknown_edges, 2), 256);
  EXPECT_EQ(vertices_per_chunk(1000, 0, 2), 256);
}

TEST(VertexChunk, ChunksOfGpusGiveEveryMultiprocessorTeams) {
  using dromos::detail::vertices_per_chunk_of_gpu;
  EXPECT_EQ(vertices_per_chunk_of_gpu(100000, 132), 256) << "391 teams of one vertex a thread, and not 49 of eight";
  EXPECT_EQ(vertices_per_chunk_of_gpu(1 << 20, 132), 993) << "8 teams of each of 132 multiprocessors";
  EXPECT_EQ(vertices_per_chunk_of_gpu(std::int64_t(1) << 33, 132), 2048) << "as in the paper, however many there are";
  EXPECT_EQ(vertices_per_chunk_of_gpu(0, 132), 256);
}

}  // namespace
}  // namespace dromos::detail
