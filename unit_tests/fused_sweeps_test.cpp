// SPDX-License-Identifier: BSD-3-Clause
// Fused sweeps against one sweep after the other: the same work sets of the same sizes, as far as they are small, and
// an operator that is told when the next sweep begins.
#include <dromos/traverse/fused_sweeps.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/traverse/traverse.hpp>
#include <random>
#include <string>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::Frontier;
using dromos::Offset;
using dromos::SweepFusion;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

/// A vertex joins once, and is told which sweep found it.
template <class Vertex>
struct NumberSweeps {
  Kokkos::View<int*, Memory> sweep_of;  ///< -1: not found
  Kokkos::View<Vertex*, Memory> from;
  int sweep = 0;

  KOKKOS_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    return Kokkos::atomic_compare_exchange(&sweep_of(v), -1, sweep) == -1;
  }
  KOKKOS_FUNCTION void joined(Vertex u, Vertex v) const { from(v) = u; }
  KOKKOS_FUNCTION void next_sweep() { ++sweep; }
};

/// The same, with other words for who is alone; counts what is asked so.
template <class Vertex>
struct NumberSweepsAlone : NumberSweeps<Vertex> {
  Kokkos::View<int, Memory> num_alone;

  KOKKOS_FUNCTION bool edge_alone(Vertex, Vertex v, Offset) const {
    ++num_alone();
    if (this->sweep_of(v) != -1) return false;
    this->sweep_of(v) = this->sweep;
    return true;
  }
};

/// The sizes of the work sets of all sweeps from a root and the sweep that finds each vertex, by a queue on the host.
template <class Vertex>
struct Expected {
  std::vector<std::vector<Vertex>> work_sets;  ///< ascending; the last is empty
  std::vector<int> sweep_of;

  Expected(const std::vector<std::vector<Vertex>>& rows, Vertex root) : sweep_of(rows.size(), -1) {
    sweep_of[static_cast<std::size_t>(root)] = 0;
    work_sets.push_back({root});
    while (!work_sets.back().empty()) {
      std::vector<Vertex> next;
      for (const Vertex u : work_sets.back()) {
        for (const Vertex v : rows[static_cast<std::size_t>(u)]) {
          int& sweep = sweep_of[static_cast<std::size_t>(v)];
          if (sweep != -1) continue;
          sweep = static_cast<int>(work_sets.size());
          next.push_back(v);
        }
      }
      std::sort(next.begin(), next.end());
      work_sets.push_back(next);
    }
  }
};

template <class Vertex>
Offset degree_sum(const std::vector<std::vector<Vertex>>& rows, const std::vector<Vertex>& vertices) {
  Offset sum = 0;
  for (const Vertex u : vertices) sum += static_cast<Offset>(rows[static_cast<std::size_t>(u)].size());
  return sum;
}

template <class Vertex>
std::vector<Vertex> sorted_queue(const Frontier<Vertex, Memory>& frontier) {
  auto vertices = to_vector(frontier.queue(), static_cast<std::size_t>(frontier.num_vertices()));
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

/// A search by fused sweeps, and by single ones where those end. Returns how many sweeps were fused.
///
/// \param most_alone  a GPU's first team leaves work sets of more edges to all teams
template <class Vertex>
int expect_the_same_search(const std::vector<std::vector<Vertex>>& rows, Vertex root, Offset most_alone = 512) {
  const Space space;
  const auto graph = dromos::test::make_graph(rows);
  const Expected<Vertex> expected(rows, root);
  Frontier<Vertex, Memory> frontier(graph.num_vertices(), graph.num_edges());
  Frontier<Vertex, Memory> next(graph.num_vertices(), graph.num_edges());
  SweepFusion<Memory> fusion;
  fusion.most_alone_edges = most_alone;
  NumberSweeps<Vertex> op{Kokkos::View<int*, Memory>("test::sweep_of", rows.size()),
                          Kokkos::View<Vertex*, Memory>("test::from", rows.size())};
  Kokkos::deep_copy(op.sweep_of, -1);
  std::size_t position = 0;
  int num_fused = 0;
  const auto expect_work_sets = [&] {
    ASSERT_FALSE(fusion.work_sets.empty());
    ASSERT_LE(position + fusion.work_sets.size(), expected.work_sets.size());
    for (std::size_t i = 0; i < fusion.work_sets.size(); ++i) {
      const auto& work_set = expected.work_sets[position + i];
      ASSERT_EQ(fusion.work_sets[i].num_vertices, static_cast<std::int64_t>(work_set.size()))
          << "after sweep " << position + i;
      ASSERT_EQ(fusion.work_sets[i].num_edges, degree_sum(rows, work_set)) << "after sweep " << position + i;
    }
    position += fusion.work_sets.size() - 1;
    num_fused += static_cast<int>(fusion.work_sets.size()) - 1;
    op.sweep = static_cast<int>(position) + 1;
    ASSERT_EQ(frontier.num_vertices(), fusion.work_sets.back().num_vertices);
    ASSERT_EQ(frontier.num_edges(), fusion.work_sets.back().num_edges);
    ASSERT_EQ(sorted_queue(frontier), expected.work_sets[position]);
  };
  dromos::start_fused(space, graph.view(), frontier, next, op, root, true, fusion);
  expect_work_sets();
  while (!frontier.empty() && !::testing::Test::HasFatalFailure()) {
    const bool small = dromos::worth_fusing(space, frontier);
    EXPECT_EQ(dromos::traverse_fused(space, graph.view(), frontier, next, op, fusion), small);
    EXPECT_EQ(fusion.work_sets.size() > 1, small);
    expect_work_sets();
    if (small || ::testing::Test::HasFatalFailure()) continue;
    dromos::traverse(space, graph.view(), frontier, next, op, dromos::ManhattanLocal{});
    std::swap(frontier, next);
    ++position;
    ++op.sweep;
  }
  EXPECT_EQ(position, expected.work_sets.size() - 1);
  EXPECT_EQ(to_vector(op.sweep_of), expected.sweep_of);
  const std::vector<Vertex> from = to_vector(op.from);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (expected.sweep_of[v] <= 0) continue;
    const auto u = static_cast<std::size_t>(from[v]);
    EXPECT_EQ(expected.sweep_of[u], expected.sweep_of[v] - 1) << "vertex " << v;
    EXPECT_TRUE(std::count(rows[u].begin(), rows[u].end(), static_cast<Vertex>(v)) > 0) << "vertex " << v;
  }
  return num_fused;
}

/// Each vertex has an edge to the next.
template <class Vertex>
std::vector<std::vector<Vertex>> rows_of_path(Vertex num_vertices) {
  std::vector<std::vector<Vertex>> rows(static_cast<std::size_t>(num_vertices));
  for (Vertex v = 0; v + 1 < num_vertices; ++v) rows[static_cast<std::size_t>(v)] = {static_cast<Vertex>(v + 1)};
  return rows;
}

template <class Vertex>
class FusedSweepsTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(FusedSweepsTest, VertexTypes, );

/// More sweeps than one launch makes.
TYPED_TEST(FusedSweepsTest, GoDownALongPath) {
  EXPECT_EQ(expect_the_same_search(rows_of_path<TypeParam>(1000), TypeParam(0)), 1000);
  EXPECT_EQ(expect_the_same_search(rows_of_path<TypeParam>(256), TypeParam(0)), 256);
  EXPECT_EQ(expect_the_same_search(rows_of_path<TypeParam>(2), TypeParam(1)), 1);
}

/// Layers of all widths, each vertex of one with edges to the next; two have as many edges as are just small, and one
/// more.
TYPED_TEST(FusedSweepsTest, StopAtWorkSetsThatAreTooLarge) {
  const Offset most_edges = dromos::detail::most_fused_edges(Space());
  const int wide = static_cast<int>(std::min<Offset>(5000, most_edges));
  for (const int degree : {1, 3, 40}) {
    std::vector<std::vector<TypeParam>> rows;
    std::vector<TypeParam> layer = {0};
    rows.emplace_back();
    std::mt19937_64 random(static_cast<std::uint64_t>(degree));
    int number = 0;
    for (const int width : {3, 50, wide - 1, wide, wide + 1, 2, wide / degree, wide / degree + 1, 7, 3 * wide, 1, 1}) {
      std::vector<TypeParam> next;
      const auto add_edge = [&](TypeParam v) {
        rows[static_cast<std::size_t>(layer[random() % layer.size()])].push_back(v);
      };
      for (int i = 0; i < width; ++i) {
        const auto v = static_cast<TypeParam>(rows.size());
        next.push_back(v);
        rows.emplace_back();
        // From one vertex of the layer before, or from several.
        for (int k = 0; k < degree; ++k) add_edge(v);
      }
      const Offset wanted = number == 5 ? most_edges : number == 8 ? most_edges + 1 : 0;
      while (degree_sum(rows, layer) < wanted) {
        for (Offset missing = wanted - degree_sum(rows, layer); missing > 0; --missing) add_edge(next.back());
      }
      layer = next;
      ++number;
    }
    for (auto& row : rows) std::sort(row.begin(), row.end());
    for (const Offset most_alone : {512, 300}) {
      if (most_alone < 512 && !dromos::is_gpu<Space>) break;
      const int num_fused = expect_the_same_search(rows, TypeParam(0), most_alone);
      EXPECT_GE(num_fused, 4);
      EXPECT_LE(num_fused, 12);  // of 13
    }
  }
}

/// Vertices of enormous degree and of none in the same work set, with one team and with all of them.
TYPED_TEST(FusedSweepsTest, ShareAnyDegrees) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::vector<TypeParam>> rows(30000);
    for (auto& row : rows) {
      const std::uint64_t kind = random() % 1000;
      const std::size_t degree = kind == 0 ? 1000 + random() % 9000 : kind < 300 ? random() % 30 : 0;
      for (std::size_t i = 0; i < degree; ++i) row.push_back(static_cast<TypeParam>(random() % rows.size()));
      std::sort(row.begin(), row.end());
    }
    rows[0].resize(rows[0].size() + 3000, TypeParam(1));  // parallel edges
    for (TypeParam v = 2; v < 900; ++v) rows[0].push_back(v);
    for (const Offset most_alone : {512, 100, 0}) {
      expect_the_same_search(rows, TypeParam(0), most_alone);
      if (!dromos::is_gpu<Space>) break;  // there is nobody to share with
    }
    if (this->HasFatalFailure()) return;
  }
}

/// Work sets of few edges that find hubs, from just as many edges as one team's scratch memory counts to many more; and
/// beside them vertices of no edges and of a few.
TYPED_TEST(FusedSweepsTest, FindHubsFromFewEdges) {
  for (const int degree : {0, 1, 31, 32, 33, 511, 512, 513, 2047, 2048, 2049, 40000}) {
    SCOPED_TRACE("degree " + std::to_string(degree));
    std::vector<std::vector<TypeParam>> rows(8);
    rows[0] = {1, 2};
    rows[1] = {3, 4, 5};  // of which 4 has no edges and 5 two
    rows[2] = {6};
    rows[5] = {2, 7};
    rows[7] = {0};
    for (const std::size_t hub : {std::size_t(3), std::size_t(6)}) {
      const auto end = static_cast<TypeParam>(rows.size() + 1);
      rows.emplace_back();
      for (int i = 0; i < degree; ++i) {
        rows[hub].push_back(static_cast<TypeParam>(rows.size()));
        rows.push_back({static_cast<TypeParam>(end - 1)});
      }
    }
    expect_the_same_search(rows, TypeParam(0));
    expect_the_same_search(rows, TypeParam(3));
    if (this->HasFatalFailure()) return;
  }
}

/// A work set out of which more vertices join than all teams of a GPU have places for in their scratch memory, and some
/// of them have edges.
TYPED_TEST(FusedSweepsTest, FindMoreThanScratchMemoryHolds) {
  constexpr int width = 1000;
  std::vector<std::vector<TypeParam>> rows(1);
  for (int i = 0; i < width; ++i) rows[0].push_back(static_cast<TypeParam>(1 + i));
  for (int i = 0; i < width; ++i) {
    rows.emplace_back();
    for (int k = 0; k < width; ++k) rows.back().push_back(static_cast<TypeParam>(1 + width + i * width + k));
  }
  rows.resize(1 + width + width * width);
  for (std::size_t v = 1 + width; v + 7 < rows.size(); v += 7) {
    rows[v] = {static_cast<TypeParam>(v - 3), static_cast<TypeParam>(v + 1)};
  }
  const int num_fused = expect_the_same_search(rows, TypeParam(0));
  EXPECT_EQ(num_fused, dromos::is_gpu<Space> ? 3 : 1);
}

TYPED_TEST(FusedSweepsTest, FindWhatSingleSweepsFind) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::vector<TypeParam>> rows(1 + random() % 400);
    for (auto& row : rows) {
      const std::size_t degree = random() % 5 == 0 ? random() % 60 : random() % 3;
      for (std::size_t i = 0; i < degree; ++i) row.push_back(static_cast<TypeParam>(random() % rows.size()));
      std::sort(row.begin(), row.end());
    }
    expect_the_same_search(rows, static_cast<TypeParam>(random() % rows.size()), seed % 3 == 0 ? 512 : 20);
    if (this->HasFatalFailure()) return;
  }
}

/// Layers of short rows, which a few threads of a CPU divide: growing to more edges than few of them take, shrinking to
/// what one takes, and growing again.
TYPED_TEST(FusedSweepsTest, DivideThinWorkSets) {
  const int most_threads = dromos::is_gpu<Space> ? 8 : std::min(8, static_cast<int>(Space().concurrency()));
  const int widest = most_threads > 1 ? most_threads * 1300 : 1300;  // 3 edges each, of 4,096 a thread
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::vector<TypeParam>> rows(1);
    std::vector<TypeParam> layer = {0};
    for (const int width : {200, 300, 401, 1200, 2500, widest, widest, 900, 40, 300, 700, 100, 1}) {
      std::vector<TypeParam> next;
      for (int i = 0; i < width; ++i) next.push_back(static_cast<TypeParam>(rows.size() + next.size()));
      for (const TypeParam v : next) rows[static_cast<std::size_t>(layer[random() % layer.size()])].push_back(v);
      for (std::size_t i = 0; i < 2 * layer.size(); ++i) {
        rows[static_cast<std::size_t>(layer[random() % layer.size()])].push_back(next[random() % next.size()]);
      }
      rows.resize(rows.size() + next.size());
      layer = next;
    }
    for (auto& row : rows) std::sort(row.begin(), row.end());
    const int num_fused = expect_the_same_search(rows, TypeParam(0));
    // Not the layers after which so many come that an edge for each is more than short rows.
    EXPECT_GE(num_fused, 10);
    if (this->HasFatalFailure()) return;
  }
}

/// Up to a thousand edges by the calling thread of a CPU, which is told so; then by several, if there are.
TYPED_TEST(FusedSweepsTest, TellWhoIsAlone) {
  constexpr int wide = 600;  // and two edges each
  std::vector<std::vector<TypeParam>> rows(1);
  for (int i = 0; i < wide; ++i) rows[0].push_back(static_cast<TypeParam>(1 + i));
  for (int i = 0; i < wide; ++i) {
    const auto v = static_cast<TypeParam>(1 + wide + i);
    rows.push_back({v, static_cast<TypeParam>(i + 1 < wide ? v + 1 : v)});
  }
  rows.resize(1 + 2 * wide);
  const Space space;
  const bool shares = !dromos::is_gpu<Space> && space.concurrency() > 1;
  const auto graph = dromos::test::make_graph(rows);
  Frontier<TypeParam, Memory> frontier(graph.num_vertices(), graph.num_edges());
  Frontier<TypeParam, Memory> next(graph.num_vertices(), graph.num_edges());
  SweepFusion<Memory> fusion;
  // The second time others have the cores.
  for (const int calls_alone : {0, 1}) {
    NumberSweepsAlone<TypeParam> op{{Kokkos::View<int*, Memory>("test::sweep_of", rows.size()),
                                     Kokkos::View<TypeParam*, Memory>("test::from", rows.size())},
                                    Kokkos::View<int, Memory>("test::num_alone")};
    Kokkos::deep_copy(op.sweep_of, -1);
    fusion.calls_alone = calls_alone;
    dromos::start_fused(space, graph.view(), frontier, next, op, TypeParam(0), true, fusion);
    ASSERT_EQ(fusion.work_sets.size(), 4u);
    EXPECT_EQ(fusion.work_sets[1].num_edges, 2 * wide);
    EXPECT_TRUE(frontier.empty());
    int num_alone = 0;
    Kokkos::deep_copy(num_alone, op.num_alone);
    EXPECT_EQ(num_alone, dromos::is_gpu<Space> ? 0 : shares && calls_alone == 0 ? wide : 3 * wide);
    if (shares && calls_alone == 1) {
      EXPECT_EQ(fusion.calls_alone, 0);
    }
    EXPECT_EQ(to_vector(op.sweep_of), Expected<TypeParam>(rows, 0).sweep_of);
  }
}

/// A hub that no team goes through, and a start that must not sweep.
TYPED_TEST(FusedSweepsTest, LeaveTheStartAlone) {
  const Space space;
  const auto most_edges = static_cast<TypeParam>(dromos::detail::most_fused_edges(space));
  std::vector<std::vector<TypeParam>> hub(1);
  for (TypeParam v = 1; v <= most_edges + 1; ++v) {
    hub[0].push_back(v);
    hub.emplace_back();
  }
  for (const auto& [rows, fuse] : {std::pair(hub, true), std::pair(rows_of_path<TypeParam>(3), false)}) {
    const auto graph = dromos::test::make_graph(rows);
    Frontier<TypeParam, Memory> frontier(graph.num_vertices(), graph.num_edges());
    Frontier<TypeParam, Memory> next(graph.num_vertices(), graph.num_edges());
    SweepFusion<Memory> fusion;
    NumberSweeps<TypeParam> op{Kokkos::View<int*, Memory>("test::sweep_of", rows.size()),
                               Kokkos::View<TypeParam*, Memory>("test::from", rows.size())};
    Kokkos::deep_copy(op.sweep_of, -1);
    dromos::start_fused(space, graph.view(), frontier, next, op, TypeParam(0), fuse, fusion);
    ASSERT_EQ(fusion.work_sets.size(), 1u);
    EXPECT_EQ(frontier.num_vertices(), 1);
    EXPECT_EQ(frontier.num_edges(), static_cast<Offset>(rows[0].size()));
    EXPECT_EQ(sorted_queue(frontier), std::vector<TypeParam>{0});
    std::vector<int> sweep_of(rows.size(), -1);
    sweep_of[0] = 0;
    EXPECT_EQ(to_vector(op.sweep_of), sweep_of);
  }
}

}  // namespace
