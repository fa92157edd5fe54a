// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/traverse/frontier.hpp>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::Frontier;
using dromos::FrontierCounts;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST(FrontierCounts, CountsTheBitsOfEveryNumberUpToAValue) {
  EXPECT_EQ(FrontierCounts::bits_for(0), 1);
  EXPECT_EQ(FrontierCounts::bits_for(1), 1);
  for (int bits = 1; bits < 62; ++bits) {
    const std::int64_t power = std::int64_t(1) << bits;
    EXPECT_EQ(FrontierCounts::bits_for(power - 1), bits);
    EXPECT_EQ(FrontierCounts::bits_for(power), bits + 1);
    EXPECT_EQ(FrontierCounts::bits_for(power + 1), bits + 1);
  }
  EXPECT_EQ(FrontierCounts::bits_for((std::int64_t(1) << 62) - 1), 62);
  EXPECT_EQ(FrontierCounts::bits_for(std::int64_t(1) << 62), 63);
  EXPECT_EQ(FrontierCounts::bits_for(largest), 63);
}

TEST(FrontierCounts, PacksExactlyWhereBothCountsFit64Bits) {
  for (int vertex_bits = 1; vertex_bits <= 63; ++vertex_bits) {
    for (int edge_bits = 1; edge_bits <= 63; ++edge_bits) {
      // The largest sizes that need so many bits.
      const auto num_vertices = static_cast<std::int64_t>((std::uint64_t(1) << vertex_bits) - 1);
      const auto num_edges = static_cast<std::int64_t>((std::uint64_t(1) << edge_bits) - 1);
      const FrontierCounts counts(num_vertices, num_edges);
      ASSERT_EQ(counts.packed(), vertex_bits + edge_bits <= 64) << vertex_bits << " + " << edge_bits;
      if (!counts.packed()) continue;
      // Every combination of extremes survives packing, and sums of packed words are packed sums.
      for (const std::int64_t v : {std::int64_t(0), num_vertices / 2, num_vertices}) {
        for (const Offset e : {Offset(0), num_edges / 2, num_edges}) {
          const std::uint64_t word = counts.pack(v, e);
          ASSERT_EQ(counts.vertices(word), v);
          ASSERT_EQ(counts.edges(word), e);
          ASSERT_EQ(word + counts.pack(num_vertices - v, num_edges - e), counts.pack(num_vertices, num_edges));
        }
      }
    }
  }
}

TEST(FrontierCounts, OfGraphsAtTheEdgeOf64Bits) {
  EXPECT_TRUE(FrontierCounts(std::numeric_limits<std::int32_t>::max(), std::int64_t(1) << 32).packed());
  EXPECT_TRUE(FrontierCounts((std::int64_t(1) << 31) - 1, (std::int64_t(1) << 33) - 1).packed());
  EXPECT_FALSE(FrontierCounts(std::int64_t(1) << 31, std::int64_t(1) << 33).packed());
  EXPECT_FALSE(FrontierCounts(std::int64_t(1) << 32, std::int64_t(1) << 32).packed());
  EXPECT_FALSE(FrontierCounts(largest, largest).packed());
}

template <class Vertex>
class FrontierTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(FrontierTest, VertexTypes, );

TYPED_TEST(FrontierTest, IsEmptyUntilSomethingIsAssigned) {
  const Frontier<TypeParam, Memory> none;
  EXPECT_TRUE(none.empty());
  Frontier<TypeParam, Memory> frontier(5, 10);
  EXPECT_TRUE(frontier.empty());
  EXPECT_EQ(frontier.num_edges(), 0);
  frontier.assign(Space(), TypeParam(3), 7);
  EXPECT_FALSE(frontier.empty());
  EXPECT_EQ(frontier.num_vertices(), 1);
  EXPECT_EQ(frontier.num_edges(), 7);
  EXPECT_EQ(frontier.work().size(), 1);
  EXPECT_EQ(frontier.work().last_edge(), 7);
  EXPECT_EQ(frontier.work().prefix_sums.extent(0), 0u);
  EXPECT_EQ(to_vector(frontier.queue(), 1), std::vector<TypeParam>{3});
}

TYPED_TEST(FrontierTest, CollectsNothingWhereNothingWasAdded) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}, {}});
  for (const Offset claimed_edges : {Offset(2), largest}) {
    Frontier<TypeParam, Memory> frontier(3, claimed_edges);
    frontier.assign(Space(), TypeParam(1), 1);
    frontier.open(Space(), graph.view(), true);
    frontier.collect(Space());
    EXPECT_TRUE(frontier.empty());
    EXPECT_EQ(frontier.num_edges(), 0);
  }
}

/// Vertices 0, 1 and 2, each with a reservation of its own. (CUDA takes no lambda in the body of a TEST.)
template <class Vertex, class Sink>
void reserve_for_each_vertex(const Sink& sink) {
  Kokkos::parallel_for(
      "test::reserve", Kokkos::RangePolicy<Space>(0, 3), KOKKOS_LAMBDA(const int i) {
        const auto v = static_cast<Vertex>(i);
        const std::uint64_t old =
            Kokkos::atomic_fetch_add(&sink.tail.data()[0], sink.counts.pack(1, sink.graph.degree(v)));
        sink.write(sink.counts.vertices(old), sink.counts.edges(old), 1, [&](int) { return v; });
      });
}

/// Reservations by whoever comes first: positions and first edges must belong together.
TYPED_TEST(FrontierTest, CollectsWhatWasReserved) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1, 2}, {}, {0, 1, 2}});
  Frontier<TypeParam, Memory> frontier(3, 5);
  const auto sink = frontier.open(Space(), graph.view(), true);
  ASSERT_TRUE(sink.counts.packed());
  reserve_for_each_vertex<TypeParam>(sink);
  frontier.collect(Space());
  EXPECT_EQ(frontier.num_vertices(), 3);
  EXPECT_EQ(frontier.num_edges(), 5);
  const auto queue = to_vector(frontier.queue(), 3);
  const auto prefix = to_vector(frontier.work().prefix_sums, 3);
  Offset sum = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(prefix[i], sum);
    sum += std::vector<Offset>{2, 0, 3}[queue[i]];
  }
  EXPECT_EQ(sum, 5);
}

template <class Sink>
struct EnqueueSome {
  Sink sink;
  bool together;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto v = static_cast<typename Sink::Vertex>(i);
    if (i % 3 == 0 && i / 64 != 5) return;
    if (together) {
      sink.enqueue_together(v);
    } else {
      sink.enqueue(v);
    }
  }
};

/// By many threads at the same time, not all of a warp.
TYPED_TEST(FrontierTest, TakesVerticesOneByOne) {
  constexpr int n = 1000;
  std::vector<std::vector<TypeParam>> rows(n);
  std::vector<bool> wanted;
  std::int64_t num_wanted = 0;
  Offset num_edges = 0;
  for (int v = 0; v < n; ++v) {
    rows[v].resize(v % 7);
    wanted.push_back(v % 3 != 0 || v / 64 == 5);
    num_wanted += wanted[v];
    num_edges += wanted[v] ? v % 7 : 0;
  }
  const auto graph = dromos::test::make_graph(rows);
  for (int turn = 0; turn < 4; ++turn) {
    const bool together = turn % 2 == 1;
    const Offset claimed_edges = turn < 2 ? graph.num_edges() : largest;  // both counts in one word, or in two
    Frontier<TypeParam, Memory> frontier(n, claimed_edges);
    const auto sink = frontier.open(Space(), graph.view(), true);
    Kokkos::parallel_for("test::enqueue", Kokkos::RangePolicy<Space>(0, n),
                         EnqueueSome<std::decay_t<decltype(sink)>>{sink, together});
    frontier.collect(Space());
    ASSERT_EQ(frontier.num_vertices(), num_wanted);
    EXPECT_EQ(frontier.num_edges(), num_edges);
    std::vector<bool> there(n);
    Offset sum = 0;
    const auto queue = to_vector(frontier.queue(), num_wanted);
    const bool with_prefix = frontier.work().prefix_sums.extent(0) != 0;
    EXPECT_EQ(with_prefix, claimed_edges != largest);
    const auto prefix = with_prefix ? to_vector(frontier.work().prefix_sums, num_wanted) : std::vector<Offset>();
    for (std::int64_t i = 0; i < num_wanted; ++i) {
      ASSERT_FALSE(there[queue[i]]) << "twice: " << queue[i];
      there[queue[i]] = true;
      if (with_prefix) {
        ASSERT_EQ(prefix[i], sum) << "at " << i;
      }
      sum += queue[i] % 7;
    }
    EXPECT_EQ(there, wanted);
  }
}

TYPED_TEST(FrontierTest, ComputesPrefixSumsByAScan) {
  std::mt19937_64 random(3);
  std::vector<std::vector<TypeParam>> rows(1000);
  for (auto& row : rows) row.resize(random() % 3 == 0 ? 0 : random() % 20);
  const auto graph = dromos::test::make_graph(rows);
  // The second frontier claims sizes that do not fit one word; prefix sums then never come with the queue.
  for (const Offset claimed_edges : {graph.num_edges(), largest}) {
    Frontier<TypeParam, Memory> frontier(1000, claimed_edges);
    for (const int size : {1000, 1, 0, 999}) {  // shrinks and grows again: nothing of an older set may remain
      std::vector<TypeParam> vertices;
      Offset num_edges = 0;
      for (int i = 0; i < size; ++i) {
        vertices.push_back(static_cast<TypeParam>(random() % 1000));
        num_edges += static_cast<Offset>(rows[vertices.back()].size());
      }
      Kokkos::deep_copy(Kokkos::subview(frontier.queue(), Kokkos::make_pair(0, size)), dromos::test::to_view(vertices));
      frontier.set_counts(size, num_edges);
      EXPECT_EQ(frontier.work().prefix_sums.extent(0), 0u);
      frontier.ensure_prefix_sums(Space(), graph.view());
      if (size == 0) continue;
      const auto prefix = to_vector(frontier.work().prefix_sums, size);
      Offset sum = 0;
      for (int i = 0; i < size; ++i) {
        ASSERT_EQ(prefix[i], sum) << "at " << i;
        sum += static_cast<Offset>(rows[vertices[i]].size());
      }
      EXPECT_EQ(sum, num_edges);
    }
  }
}

TYPED_TEST(FrontierTest, GivesOutPrefixSumsOnlyWhereTheyComeWithTheQueue) {
  const auto graph = dromos::test::make_graph<TypeParam>({{1}, {0}, {}});
  Frontier<TypeParam, Memory> packed(3, 2);
  EXPECT_EQ(packed.open(Space(), graph.view(), true).prefix_sums.extent(0), 3u);
  EXPECT_EQ(packed.open(Space(), graph.view(), false).prefix_sums.extent(0), 0u);
  Frontier<TypeParam, Memory> unpacked(3, largest);
  EXPECT_EQ(unpacked.open(Space(), graph.view(), true).prefix_sums.extent(0), 0u);
}

TEST(AllVertices, AreTheirOwnPrefixSums) {
  const auto graph = dromos::test::make_graph<std::int32_t>({{}, {1, 2}, {}, {0}});
  if (!dromos::host_accessible<Memory>) GTEST_SKIP() << "looks at the view from the host";
  const dromos::AllVertices<decltype(graph)::view_type> work{graph.view()};
  EXPECT_EQ(work.size(), 4);
  EXPECT_EQ(work.first_edge(), 0);
  EXPECT_EQ(work.last_edge(), 3);
  const std::vector<Offset> prefix = {0, 0, 2, 2};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(work.vertex(i), i);
    EXPECT_EQ(work[i], prefix[i]);
  }
}

}  // namespace
