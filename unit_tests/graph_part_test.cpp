// SPDX-License-Identifier: BSD-3-Clause
// The rows of parts: every edge of the graph is on one rank, the one that the partition says, and stands where sweeps
// want it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_grid/separate_on_grid.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <random>
#include <utility>
#include <vector>

#include "part_case.hpp"
#include "part_cases.hpp"

namespace dromos::test {
namespace {

using HostRows = CsrView<LocalVertex, Kokkos::HostSpace>;

/// How often each edge of the whole graph is on this rank. The whole graph's rows are ascending.
template <class Vertex>
std::vector<std::int64_t> count_edges(const CsrView<Vertex, Kokkos::HostSpace>& whole, const HostRows& rows,
                                      const std::vector<Vertex>& numbers) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(whole.num_edges()), 0);
  for (LocalVertex u = 0; u < rows.num_vertices(); ++u) {
    const Vertex source = numbers[u];
    const Vertex* const begin = whole.entries.data() + whole.begin(source);
    const Vertex* const end = whole.entries.data() + whole.end(source);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const Vertex target = numbers[rows.neighbor(e)];
      const Vertex* const found = std::lower_bound(begin, end, target);
      if (found == end || *found != target) {
        ADD_FAILURE() << "an edge " << source << " -> " << target << " that the graph has not";
      } else {
        ++counts[static_cast<std::size_t>(found - whole.entries.data())];
      }
    }
  }
  return counts;
}

/// By vertices: own targets, then copies, both ascending. By degree, of an own vertex: delegates, then the others; of
/// a delegate: a few own vertices, delegates, the other own ones.
template <class Vertex>
void expect_order(const PartCase<Vertex>& test, const HostRows& rows, bool is_by_degree) {
  const auto kind = [&](LocalVertex v) { return v < test.part.num_own ? 0 : v < test.part.num_rows() ? 1 : 2; };
  for (LocalVertex u = 0; u < test.part.num_rows(); ++u) {
    for (Offset e = rows.begin(u) + 1; e < rows.end(u); ++e) {
      const LocalVertex before = rows.neighbor(e - 1), v = rows.neighbor(e);
      if (!is_by_degree) {
        ASSERT_LT(before, v) << test.name << ": row " << u;
      } else if (u < test.part.num_own || e - rows.begin(u) > detail::edges_of_root) {
        ASSERT_TRUE(kind(v) != 1 || kind(before) == 1) << test.name << ": row " << u;
      }
    }
  }
}

template <class Vertex>
class GraphPartRows : public ::testing::Test {};
TYPED_TEST_SUITE(GraphPartRows, PartVertexTypes, );

TYPED_TEST(GraphPartRows, HaveEveryEdgeOnceAndInOrder) {
  const Communicator world(MPI_COMM_WORLD);
  for_each_part(world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t) {
    const PartCase<TypeParam> test(world, zoo, threshold);
    const auto whole = copy_to<Kokkos::HostSpace>(test.whole);
    const auto numbers = to_vector(test.part.numbers);
    const auto rows = copy_to<Kokkos::HostSpace>(test.part.out_edges);
    auto counts = count_edges(whole.view(), rows.view(), numbers);
    sum_in_place(world, counts.data(), static_cast<int>(counts.size()));
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), static_cast<std::ptrdiff_t>(counts.size())) << test.name;
    const bool is_by_degree = threshold != by_vertices && threshold != in_blocks;
    expect_order(test, rows.view(), is_by_degree);
    expect_order(test, copy_to<Kokkos::HostSpace>(test.part.in_edges).view(), is_by_degree);
  });
}

/// This rank's arcs between numbers of the whole graph, ascending; turned: as they were before they were turned round.
template <class Vertex>
std::vector<std::pair<Vertex, Vertex>> arcs_of_rows(const CsrGraph<LocalVertex, Memory>& graph,
                                                    const std::vector<Vertex>& numbers, bool turned) {
  const auto rows = copy_to<Kokkos::HostSpace>(graph);
  std::vector<std::pair<Vertex, Vertex>> arcs;
  for (LocalVertex u = 0; u < rows.num_vertices(); ++u) {
    for (Offset e = rows.view().begin(u); e < rows.view().end(u); ++e) {
      const Vertex source = numbers[u], target = numbers[rows.view().neighbor(e)];
      arcs.emplace_back(turned ? target : source, turned ? source : target);
    }
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

/// The grids that p ranks fill.
std::vector<ProcessGrid> grids_of(int p) {
  std::vector<ProcessGrid> grids;
  for (int rows = 1; rows <= p; ++rows) {
    if (p % rows == 0) grids.emplace_back(p, rows, p / rows);
  }
  return grids;
}

/// Every arc from a vertex of this rank's column to one of its row; of an undirected edge one of both.
template <class Vertex>
void expect_to_cross_here(const PartCase<Vertex>& c, const ProcessGrid& grid, int rank) {
  const int p = grid.num_ranks(), row = rank / grid.columns(), column = rank % grid.columns();
  const auto crosses = [&](Vertex from, Vertex to) {
    return static_cast<int>(from % p) % grid.columns() == column && static_cast<int>(to % p) / grid.columns() == row;
  };
  const auto numbers = to_vector(c.part.numbers);
  const auto arcs = arcs_of_rows(c.part.out_edges, numbers, false);
  for (const auto& [from, to] : arcs) {
    EXPECT_TRUE(crosses(from, to) || (!c.whole.directed && crosses(to, from))) << c.name << ": " << from << "-" << to;
  }
  // Turned round, an arc is on the rank that has it; so are both arcs of an undirected edge.
  EXPECT_EQ(arcs_of_rows(c.part.in_edges, numbers, true), arcs) << c.name;
}

TYPED_TEST(GraphPartRows, OnAGridAreWhereColumnsAndRowsOfTheirEndsCross) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ProcessGrid& grid : grids_of(world.size())) {
    for (const ZooGraph& zoo : distributed_zoo(world)) {
      const PartCase<TypeParam> c(world, zoo, on_grid, grid);
      expect_to_cross_here(c, grid, world.rank());
      std::vector<bool> has_edges(static_cast<std::size_t>(c.whole.num_vertices()));
      const auto whole = copy_to<Kokkos::HostSpace>(c.whole);
      for (TypeParam v = 0; v < whole.num_vertices(); ++v) {
        for (Offset e = whole.view().begin(v); e < whole.view().end(v); ++e) {
          has_edges[static_cast<std::size_t>(v)] = has_edges[static_cast<std::size_t>(whole.view().neighbor(e))] = true;
        }
      }
      EXPECT_EQ(c.part.num_delegates, std::count(has_edges.begin(), has_edges.end(), true)) << c.name;
      EXPECT_EQ(c.part.num_copies, 0) << c.name;
      if (failed_anywhere(world)) return;
    }
  }
}

TYPED_TEST(GraphPartRows, OnAGridAreAsManyOnEveryRank) {
  const Communicator world(MPI_COMM_WORLD);
  std::mt19937_64 engine(3);
  for (const bool directed : {false, true}) {
    ZooGraph random{"random", 5000, {}, directed};
    for (int i = 0; i < 40000; ++i) {
      const auto from = static_cast<std::int64_t>(engine() % 5000);
      random.edges.emplace_back(from, static_cast<std::int64_t>(engine() % 5000));
    }
    for (const ProcessGrid& grid : grids_of(world.size())) {
      const PartCase<TypeParam> c(world, random, on_grid, grid);
      const auto own = static_cast<double>(c.part.out_edges.num_edges());
      EXPECT_LE(own * world.size(), 1.1 * static_cast<double>(c.part.num_arcs)) << c.name;
    }
  }
}

/// A hub counts as the source of half of its edges, whose targets are of all rows, and as the target of the others,
/// whose sources are of all columns.
TYPED_TEST(GraphPartRows, OnAGridOfAHubAreOnItsRowAndItsColumn) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph star{"star", 8000, {}, false};
  for (std::int64_t v = 1; v < star.num_vertices; ++v) star.edges.emplace_back(0, v);
  for (const ProcessGrid& grid : grids_of(world.size())) {
    const PartCase<TypeParam> c(world, star, on_grid, grid);
    const double most = (1.0 / grid.rows() + 1.0 / grid.columns()) / 2;
    EXPECT_LE(static_cast<double>(c.part.out_edges.num_edges()), 1.05 * most * static_cast<double>(c.part.num_arcs))
        << c.name;
  }
}

TYPED_TEST(GraphPartRows, OnAGridWantARankForEveryPlaceAndBothDirections) {
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph path{"path", 9, {{0, 1}, {1, 2}}, true};
  const auto graph = build_graph_1d(world, Space(), zoo_slice<TypeParam>(world, path), zoo_build(path));
  EXPECT_THROW(separate_on_grid(world, Space(), graph, ProcessGrid(world.size() + 1), ArcsOnGrid::as_they_are),
               ArgumentError);
  EXPECT_THROW(part_on_grid(world, Space(), graph, ProcessGrid(world.size())), ArgumentError);
}

}  // namespace
}  // namespace dromos::test
