// SPDX-License-Identifier: BSD-3-Clause
// Distributed searches on a grid of ranks: every grid that the ranks fill, both contractions, bitmaps and lists, on the
// graph zoo, on random small graphs and with every strategy, against a serial search; and what travels against the
// model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_grid/bfs_2d.hpp>
#include <dromos/distributed/by_grid/graph_2d.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/validate/reference.hpp>
#include <string>
#include <vector>

#include "distributed_zoo.hpp"
#include "real_zoo.hpp"

namespace dromos::test {
namespace {

/// Grids with and without rows, made once: communicators are dear where ranks outnumber cores.
class Bfs2dTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    world_ = new Communicator(MPI_COMM_WORLD);
    const int p = world_->size();
    grids_.push_back(new GridCommunicators(*world_));
    if (p > 1) grids_.push_back(new GridCommunicators(*world_, p, 1));
    if (grids_.front()->grid.rows() > 1) {
      grids_.push_back(new GridCommunicators(*world_, 1, p));
      if (p == 6) grids_.push_back(new GridCommunicators(*world_, 3, 2));
    }
  }
  static void TearDownTestSuite() {
    for (const GridCommunicators* grid : grids_) delete grid;
    grids_.clear();
    delete world_;
    world_ = nullptr;
  }
  static const Communicator& world() { return *world_; }
  static const std::vector<GridCommunicators*>& grids() { return grids_; }
  static const GridCommunicators& square() { return *grids_.front(); }
  /// Has this test failed on any rank? Then all may leave it, and none waits for another. Collective.
  static bool failed_anywhere() { return max<std::int32_t>(*world_, HasFailure() ? 1 : 0) != 0; }

 private:
  static Communicator* world_;
  static std::vector<GridCommunicators*> grids_;
};

Communicator* Bfs2dTest::world_ = nullptr;
std::vector<GridCommunicators*> Bfs2dTest::grids_;

/// A zoo graph in all the forms that a test needs.
template <class Vertex>
struct GridCase {
  const GridCommunicators& grid;
  const ZooGraph& zoo;
  EdgeList<Vertex, Memory> slice;
  Graph2d<Memory> graph;
  CsrGraph<Vertex, Kokkos::HostSpace> whole;

  GridCase(const GridCommunicators& communicators, const ZooGraph& graph_of_zoo)
      : grid(communicators),
        zoo(graph_of_zoo),
        slice(zoo_slice<Vertex>(grid.world, zoo)),
        graph(build_graph_2d(grid, Space(), slice, zoo_build(zoo))),
        whole(copy_to<Kokkos::HostSpace>(zoo_graph<Vertex>(zoo))) {}

  std::vector<std::int64_t> roots() const { return zoo_roots(zoo); }
  std::vector<std::int64_t> roots(std::uint64_t turn) const { return zoo_roots(grid.world, zoo, turn); }
  std::string name(std::int64_t root) const {
    return zoo.name + " on " + grid.grid.name() + " from " + std::to_string(root);
  }
};

/// Sizes and edges of levels, by the serial search.
template <class Vertex>
void count_levels(const CsrGraph<Vertex, Kokkos::HostSpace>& graph, const std::vector<Level>& level,
                  std::vector<std::int64_t>& sizes, std::vector<Offset>& edges) {
  for (std::size_t v = 0; v < level.size(); ++v) {
    if (level[v] < 0) continue;
    if (sizes.size() <= static_cast<std::size_t>(level[v])) {
      sizes.resize(level[v] + 1, 0);
      edges.resize(level[v] + 1, 0);
    }
    ++sizes[level[v]];
    edges[level[v]] += graph.row_map(v + 1) - graph.row_map(v);
  }
}

/// The vertex with the most edges.
std::int32_t hub(const CsrGraph<std::int32_t, Kokkos::HostSpace>& graph) {
  std::int32_t best = 0;
  for (std::int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.view().degree(v) > graph.view().degree(best)) best = v;
  }
  return best;
}

/// Levels are those of the serial search, parents fit them by the five rules, and counts are consistent.
template <class Vertex>
Bfs2dStatistics expect_search(const GridCase<Vertex>& test, Bfs2d<Space, Vertex>& bfs, Vertex root) {
  const Communicator& world = test.grid.world;
  const Bfs2dStatistics own = bfs.search(root);
  const auto parent = replicate(world, Space(), test.graph.partition, bfs.result().parent);
  const auto level = replicate(world, Space(), test.graph.partition, bfs.result().level);
  const auto expected = reference::bfs_levels(test.whole, root);
  EXPECT_EQ(to_vector(level), expected) << test.name(root);
  const auto verdict =
      validate_slices(world, Space(), test.slice, test.zoo.directed, root, Kokkos::View<const Vertex*, Memory>(parent),
                      Kokkos::View<const Level*, Memory>(level));
  EXPECT_TRUE(verdict.valid) << test.name(root) << ": " << verdict.message;

  std::vector<std::int64_t> sizes;
  std::vector<Offset> edges;
  count_levels(test.whole, expected, sizes, edges);
  const Bfs2dStatistics total = total_statistics(world, own);
  EXPECT_EQ(total.levels.size(), sizes.size()) << test.name(root);
  for (std::size_t l = 0; l < std::min(sizes.size(), total.levels.size()); ++l) {
    const Bfs2dLevel& counts = total.levels[l];
    const std::int64_t next = l + 1 < sizes.size() ? sizes[l + 1] : 0;
    EXPECT_EQ(counts.frontier_size, sizes[l]) << test.name(root) << " level " << l;
    EXPECT_EQ(counts.frontier_edges, edges[l]) << test.name(root) << " level " << l;
    EXPECT_EQ(counts.assigned, next) << test.name(root) << " level " << l;  // every new vertex is one rank's
    EXPECT_GE(counts.found, next);
    EXPECT_LE(counts.found, next * test.grid.grid.columns());
    EXPECT_EQ(counts.bytes_sent >= counts.row_bytes + counts.column_bytes, true);
  }
  return total;
}

TEST_F(Bfs2dTest, GraphHasEveryArcOnceWhereItsRowAndColumnCross) {
  for (const ZooGraph& zoo : distributed_zoo(world())) {
    if (zoo.num_vertices > 1100) continue;
    for (const GridCommunicators* grid : grids()) {
      const GridCase<std::int32_t> test(*grid, zoo);
      const Partition2d& partition = test.graph.partition;
      ASSERT_EQ(test.graph.num_arcs, test.whole.num_edges()) << test.name(0);
      const auto row_map = to_vector(test.graph.out_edges.row_map);
      const auto entries = to_vector(test.graph.out_edges.entries);
      std::vector<std::pair<int, int>> arcs, reversed, expected;
      for (int u = 0; u < partition.num_in(); ++u) {
        for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) arcs.emplace_back(u, entries[e]);
      }
      const auto in_map = to_vector(test.graph.in_edges.row_map);
      const auto in_entries = to_vector(test.graph.in_edges.entries);
      ASSERT_EQ(static_cast<std::int64_t>(in_map.size()), partition.num_out() + 1);
      for (int v = 0; v < partition.num_out(); ++v) {
        for (Offset e = in_map[v]; e < in_map[v + 1]; ++e) reversed.emplace_back(in_entries[e], v);
      }
      for (std::int32_t u = 0; u < test.whole.num_vertices(); ++u) {
        for (Offset e = test.whole.row_map(u); e < test.whole.row_map(u + 1); ++e) {
          const Place from = partition.place(u);
          const Place to = partition.place(test.whole.entries(e));
          if (grid->grid.column(from.rank) != test.graph.column()) continue;
          if (grid->grid.row(to.rank) != test.graph.row()) continue;
          expected.emplace_back(partition.in_id(from), partition.out_id(to));
        }
      }
      std::sort(arcs.begin(), arcs.end());
      std::sort(reversed.begin(), reversed.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(arcs, expected) << test.name(0);
      ASSERT_EQ(reversed, expected) << test.name(0);
      const auto degree = to_vector(test.graph.degree);
      for (std::size_t local = 0; local < degree.size(); ++local) {
        const std::int64_t v = partition.global_id(test.graph.rank, static_cast<std::int64_t>(local));
        ASSERT_EQ(degree[local], test.whole.row_map(v + 1) - test.whole.row_map(v)) << test.name(v);
      }
    }
  }
}

TEST_F(Bfs2dTest, BadEdgesAreRefusedByAllRanks) {
  auto slice = make_edge_list<std::int32_t>(10, {{0, 1}});
  if (world().rank() == world().size() - 1) slice = make_edge_list<std::int32_t>(10, {{0, 1}, {3, 10}});
  EXPECT_THROW(build_graph_2d(square(), Space(), slice), ArgumentError);
  world().barrier();
}

TEST_F(Bfs2dTest, GridsThatTheRanksDoNotFillAreRefusedByAllRanks) {
  EXPECT_THROW(GridCommunicators(world(), 5, 5), ArgumentError);
  world().barrier();
}

TEST_F(Bfs2dTest, LevelsAreThoseOfTheSerialSearchWithBothContractions) {
  std::uint64_t turn = 0;
  for (const ZooGraph& zoo : distributed_zoo(world())) {
    for (const GridCommunicators* grid : grids()) {
      const GridCase<std::int32_t> test(*grid, zoo);
      for (const Contraction2d contraction : {Contraction2d::scan, Contraction2d::wave}) {
        if (contraction == Contraction2d::wave && grid->grid.columns() == 1) continue;
        Bfs2dOptions options;
        options.contraction = contraction;
        // One of them with what is not the default otherwise.
        if (contraction == Contraction2d::wave) {
          options.form = FrontierForm2d::bitmap;
          options.predecessors = Predecessors2d::after_search;
          options.direction_optimizing = false;
        }
        Bfs2d<Space, std::int32_t> bfs(*grid, Space(), test.graph, options);
        for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
      }
    }
    if (failed_anywhere()) return;
  }
}

TEST_F(Bfs2dTest, WideIdsGiveTheSame) {
  std::uint64_t turn = 0;
  for (const ZooGraph& zoo : distributed_zoo(world())) {
    if (zoo.num_vertices > 2000) continue;
    const GridCase<std::int64_t> test(square(), zoo);
    Bfs2d<Space, std::int64_t> bfs(square(), Space(), test.graph);
    for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, root);
  }
}

/// Everything that can be chosen, by the digits of a number.
Bfs2dOptions options_of(std::uint64_t seed) {
  Bfs2dOptions options;
  options.contraction = seed % 2 == 0 ? Contraction2d::scan : Contraction2d::wave;
  options.form =
      std::vector<FrontierForm2d>{FrontierForm2d::smaller, FrontierForm2d::bitmap, FrontierForm2d::list}[seed / 2 % 3];
  options.predecessors = (seed + seed / 12) % 2 == 0 ? Predecessors2d::after_search : Predecessors2d::while_searching;
  options.direction_optimizing = seed / 12 % 4 != 0;
  options.direction.forward_to_backward = seed / 12 % 4 == 1 ? 0.0 : 0.5;  // backward at once
  if (seed / 12 % 4 == 2) options.direction.forward_to_backward = 0.05;
  return options;
}

TEST_F(Bfs2dTest, RandomSmallGraphsWithEveryCombinationOfOptions) {
  const std::uint64_t num_graphs = levels_are_cheap(world()) ? 144 : 48;
  for (std::uint64_t seed = 0; seed < num_graphs; ++seed) {
    const ZooGraph zoo = random_small_graph(1000 + seed);
    const GridCase<std::int32_t> test(*grids()[seed % grids().size()], zoo);
    Bfs2d<Space, std::int32_t> bfs(test.grid, Space(), test.graph, options_of(seed));
    for (const std::int64_t root : test.roots(seed)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    if (failed_anywhere()) return;
  }
}

TEST_F(Bfs2dTest, RealGraphs) {
  std::uint64_t turn = 0;
  for (const RealGraph& real : all_real_graphs()) {
    const std::string key = real.key;
    if (key != "wiki-Vote" && key != "email-Eu-core" && key != "ca-GrQc" && key != "karate" && key != "power") continue;
    DROMOS_SKIP_WITHOUT(real.file);
    const ZooGraph graph = real_graph_as_zoo(real);
    const GridCase<std::int32_t> test(square(), graph);
    for (const Contraction2d contraction : {Contraction2d::scan, Contraction2d::wave}) {
      Bfs2dOptions options;
      options.contraction = contraction;
      Bfs2d<Space, std::int32_t> bfs(square(), Space(), test.graph, options);
      expect_search(test, bfs, hub(test.whole));
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    }
    if (failed_anywhere()) return;
  }
}

TEST_F(Bfs2dTest, EveryStrategy) {
  for (const ZooGraph& zoo : distributed_zoo(world())) {
    if (zoo.name != "kronecker-10" && zoo.name != "star-from-leaf" && zoo.name != "grid-17x23") continue;
    const GridCase<std::int32_t> test(square(), zoo);
    std::uint64_t turn = 0;
    for (const Strategy& strategy : all_strategies()) {
      Bfs2dOptions options;
      options.strategy = strategy;
      Bfs2d<Space, std::int32_t> bfs(square(), Space(), test.graph, options);
      for (const std::int64_t root : test.roots(turn++)) expect_search(test, bfs, static_cast<std::int32_t>(root));
    }
  }
}

TEST_F(Bfs2dTest, StagedMessagesInSmallPieces) {
  Communicator staged(MPI_COMM_WORLD, make_always_staged_transport);
  staged.set_piece_bytes(12);
  const GridCommunicators grid(staged);
  for (const ZooGraph& zoo : distributed_zoo(world())) {
    if (zoo.num_vertices > 600 || zoo.edges.size() > 2000) continue;
    const GridCase<std::int32_t> test(grid, zoo);
    for (const std::uint64_t options : {1, 2}) {
      Bfs2d<Space, std::int32_t> bfs(grid, Space(), test.graph, options_of(options));
      expect_search(test, bfs, std::int32_t(0));
    }
  }
}

TEST_F(Bfs2dTest, RootsOutsideOfTheGraphAreRefusedByAllRanks) {
  const ZooGraph zoo = random_small_graph(3);
  const GridCase<std::int32_t> test(square(), zoo);
  Bfs2d<Space, std::int32_t> bfs(square(), Space(), test.graph);
  EXPECT_THROW(bfs.search(-1), ArgumentError);
  EXPECT_THROW(bfs.search(static_cast<std::int32_t>(zoo.num_vertices)), ArgumentError);
  expect_search(test, bfs, std::int32_t(0));
}

/// A graph whose searches have a few levels, small ones and large ones.
ZooGraph model_graph() {
  ZooGraph zoo;
  zoo.name = "kronecker-11";
  zoo.directed = false;
  zoo.num_vertices = 1 << 11;
  KroneckerOptions options;
  options.scale = 11;
  options.edge_factor = 4;
  zoo.edges = list_edges(KroneckerEdges<std::int64_t>(options));
  return zoo;
}

/// Bytes that this rank sends along its row to contract bitmaps of `bitmap` bytes.
std::int64_t modelled_row_bytes(Contraction2d contraction, int columns, int column, std::int64_t bitmap) {
  if (columns == 1) return 0;
  const bool broadcasts = contraction == Contraction2d::wave || (columns & (columns - 1)) != 0;
  const std::int64_t broadcast = broadcasts && column == columns - 1 ? bitmap * (columns - 1) : 0;
  if (contraction == Contraction2d::wave) return broadcast + (column + 1 < columns ? bitmap : 0);
  int partners = 0;  // log2(columns) where that is a whole number
  for (int bit = 1; bit < columns; bit *= 2) partners += (column ^ bit) < columns ? 1 : 0;
  return broadcast + partners * bitmap;
}

TEST_F(Bfs2dTest, BytesOfEveryLevelAreThoseOfTheModel) {
  const ZooGraph zoo = model_graph();
  for (const GridCommunicators* grid : grids()) {
    const GridCase<std::int32_t> test(*grid, zoo);
    const int rows = grid->grid.rows();
    const int columns = grid->grid.columns();
    const std::int64_t most_owned = (zoo.num_vertices + world().size() - 1) / world().size();
    const std::int64_t piece = (most_owned + 31) / 32 * 4;
    for (const Contraction2d contraction : {Contraction2d::scan, Contraction2d::wave}) {
      Bfs2dOptions options;
      options.form = FrontierForm2d::bitmap;
      options.contraction = contraction;
      Bfs2d<Space, std::int32_t> bfs(*grid, Space(), test.graph, options);
      const std::int32_t root = hub(test.whole);
      const Bfs2dStatistics own = bfs.search(root);
      ASSERT_GE(own.levels.size(), 4u);
      // What was found, and where there was something, the next frontier and its edges.
      const std::int64_t number = world().size() > 1 ? 8 : 0;
      EXPECT_EQ(own.levels.back().row_bytes + own.levels.back().column_bytes, 0);
      EXPECT_EQ(own.levels.back().bytes_sent, number);
      for (std::size_t l = 0; l + 1 < own.levels.size(); ++l) {
        const Bfs2dLevel& level = own.levels[l];
        EXPECT_EQ(level.row_bytes, modelled_row_bytes(contraction, columns, grid->row.rank(), columns * piece))
            << grid->grid.name() << " " << contraction_2d_name(contraction);
        EXPECT_EQ(level.column_bytes, (rows - 1) * piece);
        EXPECT_EQ(level.bytes_sent, level.row_bytes + level.column_bytes + 3 * number);
        EXPECT_EQ(level.row_lists + level.column_lists, 0);
      }
      // Each vertex but the root and those that their own ranks are assigned is told once, as 8 bytes.
      const Bfs2dStatistics total = total_statistics(world(), own);
      std::int64_t reached = 0;
      for (const Bfs2dLevel& level : total.levels) reached += level.frontier_size;
      const std::int64_t counts = 8 * columns * (columns - 1) * rows;
      EXPECT_LE(total.predecessor_bytes, 8 * (reached - 1) + counts);
      EXPECT_GE(total.predecessor_bytes, counts);
    }
  }
}

TEST_F(Bfs2dTest, ScanOfAPowerOfTwoSendsTheBitmapLog2TimesAndNoMore) {
  EXPECT_EQ(modelled_row_bytes(Contraction2d::scan, 2, 1, 100), 100);
  EXPECT_EQ(modelled_row_bytes(Contraction2d::scan, 4, 2, 100), 200);
  EXPECT_EQ(modelled_row_bytes(Contraction2d::scan, 8, 5, 100), 300);
  EXPECT_EQ(modelled_row_bytes(Contraction2d::wave, 8, 5, 100), 100);
}

TEST_F(Bfs2dTest, ListsTravelWhereTheyAreSmaller) {
  const ZooGraph zoo = model_graph();
  for (const GridCommunicators* grid : grids()) {
    const GridCase<std::int32_t> test(*grid, zoo);
    const auto search = [&](FrontierForm2d form) {
      Bfs2dOptions options;
      options.form = form;
      options.direction_optimizing = false;
      Bfs2d<Space, std::int32_t> bfs(*grid, Space(), test.graph, options);
      return total_statistics(world(), bfs.search(hub(test.whole)));
    };
    const Bfs2dStatistics smaller = search(FrontierForm2d::smaller);
    const Bfs2dStatistics bitmap = search(FrontierForm2d::bitmap);
    const Bfs2dStatistics list = search(FrontierForm2d::list);
    ASSERT_EQ(smaller.levels.size(), bitmap.levels.size());
    const std::int64_t words = (smaller.levels[0].frontier_size > 0 ? test.graph.partition.words_per_piece() : 0);
    EXPECT_EQ(smaller.levels.back().found, 0);  // so that nothing travels
    EXPECT_EQ(smaller.levels.back().row_bytes + smaller.levels.back().column_bytes, 0);
    std::int64_t num_lists = 0;
    for (std::size_t l = 0; l + 1 < smaller.levels.size(); ++l) {
      const Bfs2dLevel& level = smaller.levels[l];
      num_lists += level.row_lists + level.column_lists;
      EXPECT_EQ(level.found, bitmap.levels[l].found);
      EXPECT_EQ(list.levels[l].row_lists, grid->grid.columns() > 1 ? world().size() : 0);
      EXPECT_EQ(bitmap.levels[l].row_lists, 0);
      // One number to each other rank of the row tells how long lists would be.
      const std::int64_t row_counts = 8 * world().size() * (grid->grid.columns() - 1);
      const std::int64_t column_counts = 8 * world().size() * (grid->grid.rows() - 1);
      if (level.row_lists == world().size()) {
        EXPECT_EQ(level.row_bytes, row_counts + 4 * level.found * (grid->grid.columns() - 1));
        EXPECT_EQ(level.row_bytes, list.levels[l].row_bytes);
      } else if (level.row_lists == 0) {
        EXPECT_EQ(level.row_bytes, bitmap.levels[l].row_bytes + row_counts);
      }
      if (level.column_lists == world().size()) {
        EXPECT_LE(level.column_bytes - column_counts, bitmap.levels[l].column_bytes);
      }
    }
    EXPECT_EQ(num_lists > 0, world().size() > 1);
    EXPECT_GT(words, 0);
  }
}

TEST_F(Bfs2dTest, BackwardLevelsSendWhatForwardOnesDo) {
  const ZooGraph zoo = model_graph();
  const GridCase<std::int32_t> test(square(), zoo);
  const auto search = [&](double forward_to_backward) {
    Bfs2dOptions options;
    options.form = FrontierForm2d::bitmap;
    options.direction.forward_to_backward = forward_to_backward;
    options.direction.backward_to_forward = 0;
    Bfs2d<Space, std::int32_t> bfs(square(), Space(), test.graph, options);
    return expect_search(test, bfs, hub(test.whole));
  };
  const Bfs2dStatistics backward = search(0);
  const Bfs2dStatistics forward = search(1e30);
  ASSERT_EQ(backward.levels.size(), forward.levels.size());
  for (std::size_t l = 0; l < forward.levels.size(); ++l) {
    EXPECT_EQ(backward.levels[l].backward, world().size());
    EXPECT_EQ(forward.levels[l].backward, 0);
    EXPECT_EQ(backward.levels[l].found, forward.levels[l].found);
    EXPECT_EQ(backward.levels[l].bytes_sent, forward.levels[l].bytes_sent);
  }
}

}  // namespace
}  // namespace dromos::test
