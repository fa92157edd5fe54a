// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of the node level on parts of distributed graphs: on the graph zoo and on random small graphs, by
// vertices, separated at several degrees and on a grid, every own vertex has the value that one rank finds on the whole
// graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/largest_trees.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/graph/transpose.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"
#include "part_case.hpp"
#include "part_cases.hpp"

namespace dromos::test {
namespace {

template <class Vertex>
class PartAlgorithms : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(PartAlgorithms, PartVertexTypes, );

TYPED_TEST(PartAlgorithms, ColorsAreThoseOfOneRank) {
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    ColorScratch<TypeParam, Memory> whole_scratch(c.whole);
    ColorResult<TypeParam, Memory> expected, colors;
    color_propagation(Space(), c.whole, whole_scratch, expected);

    const Halo<Space, TypeParam> halo(this->world, c.part);
    ColorScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    color_propagation(Space(), c.part.out_edges, scratch, colors, {strategy_of(turn)}, halo);
    halo.to_owners(Space(), colors.color);
    c.expect(colors.color, to_vector(expected.color), [](TypeParam a, TypeParam b) { return a == b; });
  });
}

TYPED_TEST(PartAlgorithms, ComponentsAreThoseOfOneRank) {
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    ComponentScratch<TypeParam, Memory> whole_scratch(c.whole);
    ComponentResult<TypeParam, Memory> expected;
    const auto summary = connected_components(Space(), c.whole, whole_scratch, expected).components;

    const Halo<Space, TypeParam> halo(this->world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    for (const ComponentMethod method : {ComponentMethod::afforest, ComponentMethod::hooking}) {
      ComponentResult<TypeParam, Memory> components;
      ComponentOptions options;
      options.method = method;
      options.strategy = strategy_of(turn);
      const auto statistics = connected_components(Space(), c.part.out_edges, scratch, components, options, halo);
      halo.to_owners(Space(), components.component);
      c.expect(components.component, to_vector(expected.component), [](TypeParam a, TypeParam b) { return a == b; });
      EXPECT_EQ(statistics.components.num_components, summary.num_components) << c.name;
      EXPECT_EQ(statistics.components.num_nontrivial, summary.num_nontrivial) << c.name;
      EXPECT_EQ(statistics.components.largest_component, summary.largest_component) << c.name;
    }
  });
}

/// What CPUs do where neighbors have near numbers is right wherever they are; every rank chooses by itself.
TYPED_TEST(PartAlgorithms, ComponentsByNearEdges) {
  if (is_gpu<Space>) GTEST_SKIP() << "of CPUs";
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    if (c.part.directed()) return;
    const Halo<Space, TypeParam> halo(this->world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    const Kokkos::View<LocalVertex*, Memory> parent("parent", c.part.num_local());
    const Kokkos::View<TypeParam*, Memory> label("label", c.part.num_local());
    const bool near = turn % 2 == 0 || this->world.rank() % 2 == 0;
    detail::components_of_part(Space(), c.part.out_edges, detail::ComponentForest<LocalVertex, Memory>{parent},
                               scratch.remaining, scratch.hub, label, 64,
                               near ? detail::EdgesOfPart::near : detail::EdgesOfPart::few, Best{}, halo);
    halo.to_owners(Space(), label);
    ComponentScratch<TypeParam, Memory> whole_scratch(c.whole);
    ComponentResult<TypeParam, Memory> expected;
    connected_components(Space(), c.whole, whole_scratch, expected);
    c.expect(label, to_vector(expected.component), [](TypeParam a, TypeParam b) { return a == b; });
  });
}

/// Where all degrees are alike and high nobody begins with a copy; but some are in trees, by which ranks know that
/// theirs are one.
TYPED_TEST(PartAlgorithms, ComponentsOfUniformGraphsLeaveMostEdgesOut) {
  const std::int64_t n = 20000;
  ZooGraph uniform{"uniform", n, {}, false};
  std::mt19937_64 engine(7);
  const auto vertex = [&] { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n)); };
  for (std::int64_t i = 0; i < 24 * n; ++i) {
    const std::int64_t u = vertex();
    uniform.edges.emplace_back(u, vertex());
  }
  const PartCase<TypeParam> c(this->world, uniform, by_vertices);
  const Halo<Space, TypeParam> halo(this->world, c.part);
  ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
  ComponentResult<TypeParam, Memory> components;
  const auto statistics = connected_components(Space(), c.part.out_edges, scratch, components, {}, halo);
  EXPECT_EQ(statistics.components.num_components, 1);
  EXPECT_GE(statistics.edges_left_out, c.part.num_arcs / 10 * 9);
}

/// Whether trees are one is asked of vertices near their roots: of a path, to go up to the root from everywhere would
/// take longer than all else. All copies are below the last own vertex here, far from the root.
TYPED_TEST(PartAlgorithms, TreesAreComparedNearTheirRoots) {
  const std::int64_t p = this->world.size(), n = 5000 * p;
  ZooGraph path{"path", n, {}, false};
  for (std::int64_t v = 0; v + 1 < n; ++v) path.edges.emplace_back(v, v + 1);
  const PartCase<TypeParam> c(this->world, path, by_vertices);
  for (const bool deep : {false, true}) {
    std::vector<LocalVertex> parents(static_cast<std::size_t>(c.part.num_local()), 0);
    for (std::int64_t v = 1; deep && v < c.part.num_local(); ++v) {
      parents[static_cast<std::size_t>(v)] = static_cast<LocalVertex>(std::min(v, c.part.num_own) - 1);
    }
    const detail::ComponentForest<LocalVertex, Memory> forest{to_view(parents)};
    const LocalVertex tree = detail::agree_on_trees(this->world, Space(), c.part, forest, LocalVertex(0), 5000);
    EXPECT_EQ(sum(this->world, std::int64_t(tree == 0)), deep ? 1 : p);
  }
}

/// Ranks have hubs of their own, whose neighbors are copies, too.
TYPED_TEST(PartAlgorithms, ComponentsBeginWithHubs) {
  KroneckerOptions options;
  options.scale = 13;
  ZooGraph kronecker{"kronecker", 1 << 13, list_edges(KroneckerEdges<std::int64_t>(options)), false};
  for (const Offset threshold : {by_vertices, Offset(16), Offset(100000)}) {
    const PartCase<TypeParam> c(this->world, kronecker, threshold);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    ComponentResult<TypeParam, Memory> components;
    const std::int64_t rows = halo.num_settled(c.part.out_edges);
    for (int turn = 0; turn < 5; ++turn) {
      const auto statistics = connected_components(Space(), c.part.out_edges, scratch, components, {}, halo);
      EXPECT_GE(statistics.edges_left_out, c.part.num_arcs / 2) << c.name;
    }
    if (!is_gpu<Space> && threshold != Offset(16) && rows > 0) {
      EXPECT_LT(to_vector(scratch.hub.root)[0], static_cast<LocalVertex>(rows)) << c.name;
    }
    halo.to_owners(Space(), components.component);
    ComponentScratch<TypeParam, Memory> whole_scratch(c.whole);
    ComponentResult<TypeParam, Memory> whole;
    connected_components(Space(), c.whole, whole_scratch, whole);
    c.expect(components.component, to_vector(whole.component), [](TypeParam a, TypeParam b) { return a == b; });
  }
}

/// Ranks leave out most edges, and tell each other of few vertices. On each a vertex has 8 neighbors on the average.
TYPED_TEST(PartAlgorithms, ComponentsOfWhichOneIsLargeTakeFewBytes) {
  const std::int64_t n = 30000, p = this->world.size();
  ZooGraph random{"random", n, {}, false};
  std::mt19937_64 engine(5);
  const auto vertex = [&] { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n)); };
  for (std::int64_t i = 0; i < 4 * p * n; ++i) {
    const std::int64_t u = vertex();
    random.edges.emplace_back(u, vertex());
  }
  for (const Offset threshold : {by_vertices, Offset(10 * p)}) {
    const PartCase<TypeParam> c(this->world, random, threshold);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    ComponentResult<TypeParam, Memory> components;
    const auto before = this->world.counters().total();
    const auto statistics = connected_components(Space(), c.part.out_edges, scratch, components, {}, halo);
    const auto sent = this->world.counters().total() - before;
    EXPECT_GE(statistics.edges_left_out, c.part.num_arcs / 2) << c.name;
    // A byte for each vertex that is asked for; then who counts components hears of few.
    EXPECT_LE(sum(this->world, sent.bytes_sent), detail::most_vertices_asked * p * p + 20000 * p) << c.name;
    halo.to_owners(Space(), components.component);
    ComponentScratch<TypeParam, Memory> whole_scratch(c.whole);
    ComponentResult<TypeParam, Memory> whole;
    connected_components(Space(), c.whole, whole_scratch, whole);
    c.expect(components.component, to_vector(whole.component), [](TypeParam a, TypeParam b) { return a == b; });
  }
}

/// Many components are large, and their members wherever they are: who counts them hears of tiles of rows, and of no
/// member by itself.
TYPED_TEST(PartAlgorithms, CountsOfLargeComponentsTakeFewBytes) {
  const std::int64_t n = 40000, p = this->world.size();
  ZooGraph path{"path", n, {}, false};
  for (std::int64_t v = 0; v + 2 < n; ++v) path.edges.emplace_back(v, v + 1);
  for (const Offset threshold : {by_vertices, in_blocks, Offset(0), Offset(2)}) {
    const PartCase<TypeParam> c(this->world, path, threshold);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    for (const TypeParam num : {1, 2, 7, 13}) {
      // The members of a component are a residue; but the last 1,000 vertices are alone.
      std::vector<TypeParam> labels = to_vector(c.part.numbers);
      for (TypeParam& label : labels) {
        if (label < static_cast<TypeParam>(n - 1000)) label %= num;
      }
      const auto before = this->world.counters().total();
      const auto summary = halo.summarize_components(Space(), to_view(labels));
      const auto sent = this->world.counters().total() - before;
      EXPECT_EQ(summary.num_components, num + 1000) << c.name;
      EXPECT_EQ(summary.num_nontrivial, num) << c.name;
      EXPECT_EQ(summary.largest_component, (n - 1000 + num - 1) / num) << c.name;
      // A GPU adds up those that follow each other.
      const std::int64_t most_told = is_gpu<Space> ? n : num * (n / detail::LabelTiles<false>::size + 2) + 1000;
      EXPECT_LE(sent.bytes_sent, 16 * most_told + 1000 * p) << c.name;
    }
  }
}

/// Vertices of few edges lead nowhere: each is in a clique of four, and has an edge to one of two hubs besides; some
/// have to both. Where vertices begin with a hub there are two trees, which one more edge joins, and nobody's edges are
/// looked at again.
TYPED_TEST(PartAlgorithms, ComponentsBeginWithDelegates) {
  const std::int64_t num = 8000, num_of_both = 64, p = this->world.size();
  struct Hubs {
    std::int64_t first_of_second, first_of_both;
  };
  // The smallest vertices of the second hub, one of which is its tree's root on each rank, begin with the second, which
  // is larger, and have an edge to the first. Or those behind them begin with the first: an edge of the second leads
  // there.
  for (const Hubs& hubs : {Hubs{3200, 3200}, Hubs{4800, 4800 + p}}) {
    ZooGraph cliques{"cliques and two hubs", num + 2, {}, false};
    for (std::int64_t v = 0; v < num; ++v) {
      // Cliques far apart, so that none has vertices of both kinds.
      const std::int64_t end = v < hubs.first_of_second ? hubs.first_of_second : num;
      const std::int64_t begin = v < hubs.first_of_second ? 0 : hubs.first_of_second;
      const std::int64_t step = (end - begin) / 4;
      for (std::int64_t other = v + step; other < end; other += step) cliques.edges.emplace_back(v, other);
      cliques.edges.emplace_back(v, v < hubs.first_of_second ? num : num + 1);
      if (v >= hubs.first_of_both && v < hubs.first_of_both + num_of_both) cliques.edges.emplace_back(v, num);
    }
    const PartCase<TypeParam> c(this->world, cliques, 10);
    ASSERT_EQ(c.part.num_delegates, 2);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    ComponentScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    ComponentResult<TypeParam, Memory> components;
    const auto statistics = connected_components(Space(), c.part.out_edges, scratch, components, {}, halo);
    EXPECT_EQ(statistics.components.num_components, 1);
    EXPECT_EQ(statistics.edges_left_out, c.part.num_arcs) << hubs.first_of_second;
  }
}

// Who looks for one that holds goes through rows from their beginning; components link the first edges of delegates.
TYPED_TEST(PartAlgorithms, RowsOfDelegatesBeginWithThreeOwnVertices) {
  std::int64_t num_mixed = 0;  // rows in which the order shows
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t) {
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    for (const auto* rows : {&c.part.out_edges, &c.part.in_edges}) {
      const auto row_map = to_vector(rows->row_map);
      const auto entries = to_vector(rows->entries);
      for (std::int64_t u = c.part.num_own; u < c.part.num_rows(); ++u) {
        std::string kinds;
        for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) kinds += entries[e] < c.part.num_own ? 'o' : 'd';
        const std::size_t num_own = std::count(kinds.begin(), kinds.end(), 'o');
        const std::size_t first = std::min<std::size_t>(num_own, 3), num_delegates = kinds.size() - num_own;
        EXPECT_EQ(kinds, std::string(first, 'o') + std::string(num_delegates, 'd') + std::string(num_own - first, 'o'))
            << c.name << ", row " << u;
        num_mixed += num_own > first && num_delegates > 0;
      }
    }
  });
  EXPECT_GT(sum(this->world, num_mixed), 0);
}

TYPED_TEST(PartAlgorithms, RanksAreThoseOfOneRank) {
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    PageRankScratch<TypeParam, Memory> whole_scratch(c.whole, transpose(Space(), c.whole));
    Kokkos::View<double*, Memory> expected, rank;
    PageRankOptions options;
    options.tolerance = 0;
    options.max_iterations = 12;
    pagerank(Space(), whole_scratch, expected, options);

    const Halo<Space, TypeParam> halo(this->world, c.part);
    auto scratch = PageRankScratch<LocalVertex, Memory>::of_part(c.part.out_edges, c.part.in_edges);
    options.strategy = strategy_of(turn);
    for (const ShareOrder order : {ShareOrder::by_vertex, ShareOrder::by_degree}) {
      options.share_order = order;
      const auto statistics = pagerank(Space(), scratch, rank, options, halo);
      EXPECT_EQ(statistics.num_iterations, zoo.num_vertices > 0 ? 12 : 0);
      if (zoo.num_vertices > 0) {
        EXPECT_EQ(statistics.share_order, order);
      }
      halo.to_owners(Space(), rank);
      c.expect(rank, to_vector(expected), [](double a, double b) { return std::abs(a - b) < 1e-12; });
    }

    // Until they stand still, with shares of single precision first; each rank chooses its order.
    PageRankOptions to_the_end;
    to_the_end.tolerance = 1e-12;
    to_the_end.max_iterations = 1000;
    Kokkos::View<double*, Memory> last;
    pagerank(Space(), whole_scratch, last, to_the_end);
    to_the_end.strategy = options.strategy;
    to_the_end.share_order =
        (this->world.rank() + static_cast<int>(turn)) % 2 == 0 ? ShareOrder::by_vertex : ShareOrder::by_degree;
    const auto mixed = pagerank(Space(), scratch, rank, to_the_end, halo);
    EXPECT_TRUE(mixed.converged);
    if (zoo.num_vertices > 0) {
      EXPECT_GT(mixed.num_single_precision, 0);
    }
    halo.to_owners(Space(), rank);
    c.expect(rank, to_vector(last), [](double a, double b) { return std::abs(a - b) < 1e-11; });

    // Personalized: more often the larger the number of the vertex.
    const double n = static_cast<double>(zoo.num_vertices), sum = n * (n + 1) / 2;
    std::vector<double> start, own_start;
    for (std::int64_t v = 0; v < zoo.num_vertices; ++v) start.push_back(static_cast<double>(v + 1) / sum);
    for (const TypeParam v : to_vector(c.part.numbers)) own_start.push_back(static_cast<double>(v + 1) / sum);
    whole_scratch.start = to_view(start);
    scratch.start = to_view(own_start);
    pagerank(Space(), whole_scratch, expected, options);
    pagerank(Space(), scratch, rank, options, halo);
    halo.to_owners(Space(), rank);
    c.expect(rank, to_vector(expected), [](double a, double b) { return std::abs(a - b) < 1e-12; });
  });
}

/// Of a lattice in blocks few rows wait for other ranks, and the others are gone over before copies have their shares.
TYPED_TEST(PartAlgorithms, RanksAreAddedUpWhileSharesTravel) {
  ZooGraph lattice;
  lattice.name = "lattice";
  lattice.directed = false;
  const int rows = 24 * this->world.size(), columns = 5;
  lattice.num_vertices = rows * columns;
  for (int v = 0; v < lattice.num_vertices; ++v) {
    if (v % columns + 1 < columns) lattice.edges.emplace_back(v, v + 1);
    if (v + columns < lattice.num_vertices) lattice.edges.emplace_back(v, v + columns);
  }
  for (const bool directed : {false, true}) {
    lattice.directed = directed;
    const PartCase<TypeParam> c(this->world, lattice, in_blocks);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    const auto* const waiting = halo.waiting_rows(Space());
    const int neighbors = (this->world.rank() > 0) + (this->world.rank() + 1 < this->world.size());
    ASSERT_EQ(waiting != nullptr, host_accessible<Memory> && neighbors > 0);
    if (waiting != nullptr) {
      EXPECT_EQ(static_cast<int>(waiting->list.extent(0)), columns * neighbors);
    }
    PageRankScratch<TypeParam, Memory> whole_scratch(c.whole, transpose(Space(), c.whole));
    auto scratch = PageRankScratch<LocalVertex, Memory>::of_part(c.part.out_edges, c.part.in_edges);
    Kokkos::View<double*, Memory> expected, rank;
    // So many iterations, after which shares that came one too late would still show; and until ranks stand still.
    for (const double tolerance : {0.0, 1e-13}) {
      PageRankOptions options;
      options.tolerance = tolerance;
      options.max_iterations = tolerance > 0 ? 1000 : 12;
      pagerank(Space(), whole_scratch, expected, options);
      for (const Strategy& strategy : all_strategies()) {
        for (const ShareOrder order : {ShareOrder::by_vertex, ShareOrder::by_degree}) {
          options.strategy = strategy;
          options.share_order = order;
          EXPECT_EQ(pagerank(Space(), scratch, rank, options, halo).converged, tolerance > 0);
          c.expect(rank, to_vector(expected), [](double a, double b) { return std::abs(a - b) < 1e-12; });
        }
      }
    }
  }
}

TYPED_TEST(PartAlgorithms, CoresAreThoseOfOneRank) {
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    if (zoo.directed) return;
    const PartCase<TypeParam> c(this->world, zoo, threshold);
    KcoreScratch<TypeParam, Memory> whole_scratch(c.whole);
    Kokkos::View<TypeParam*, Memory> whole_core;
    const auto expected = kcore(Space(), c.whole, whole_scratch, whole_core);

    const Halo<Space, TypeParam> halo(this->world, c.part);
    KcoreScratch<LocalVertex, Memory> scratch(Space(), c.part.out_edges, halo);
    Kokkos::View<LocalVertex*, Memory> core;
    const auto statistics = kcore(Space(), c.part.out_edges, scratch, core, {strategy_of(turn)}, halo);
    EXPECT_EQ(statistics.largest_core, expected.largest_core);
    halo.to_owners(Space(), core);
    std::vector<LocalVertex> cores;
    for (const TypeParam k : to_vector(whole_core)) cores.push_back(static_cast<LocalVertex>(k));
    c.expect(core, cores, [](LocalVertex a, LocalVertex b) { return a == b; });
  });
}

/// However many neighbors a vertex has on another rank, that rank hears once that it left; and a delegate's are told
/// when they could bring it down: four times at most of some 40 rounds in which it has fewer.
TYPED_TEST(PartAlgorithms, CoresOfManyNeighborsTakeFewBytes) {
  const std::int64_t n = 2000, d = 30;
  ZooGraph graph{"hubs over a random graph", n, {}, false};
  std::mt19937_64 engine(11);
  for (std::int64_t v = d; v < n; ++v) {
    // Leaves at many k: the larger the vertex, the more neighbors.
    for (std::int64_t i = 0; i < 1 + v / 100; ++i) {
      graph.edges.emplace_back(v, d + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n - d)));
    }
    for (std::int64_t hub = 0; hub < d; ++hub) {
      if (engine() % 2 == 0) graph.edges.emplace_back(v, hub);
    }
  }
  for (const Offset threshold : {by_vertices, Offset(500), on_grid}) {
    const PartCase<TypeParam> c(this->world, graph, threshold);
    const Halo<Space, TypeParam> halo(this->world, c.part);
    KcoreScratch<LocalVertex, Memory> scratch(Space(), c.part.out_edges, halo);
    Kokkos::View<LocalVertex*, Memory> core;
    const auto before = this->world.counters();
    const auto statistics = kcore(Space(), c.part.out_edges, scratch, core, {}, halo);
    const auto sent = this->world.counters() - before;
    EXPECT_GT(statistics.largest_core, 10) << c.name;
    EXPECT_EQ(sum(this->world, sent[CommKind::exchange].bytes_sent), 4 * sum(this->world, c.part.num_copies)) << c.name;
    const std::int64_t p = this->world.size(), others = p * (p - 1);
    EXPECT_LE(sum(this->world, sent[CommKind::allgather].bytes_sent), others * c.part.num_delegates * 32) << c.name;
  }
}

TYPED_TEST(PartAlgorithms, CoresOfAPartWantScratchOfItsHalo) {
  const PartCase<TypeParam> c(this->world, ZooGraph{"path", 20, {{0, 1}, {1, 2}, {5, 9}}, false}, by_vertices);
  const Halo<Space, TypeParam> halo(this->world, c.part);
  KcoreScratch<LocalVertex, Memory> scratch(c.part.out_edges);
  Kokkos::View<LocalVertex*, Memory> core;
  EXPECT_THROW(kcore(Space(), c.part.out_edges, scratch, core, {}, halo), ArgumentError);
}

/// A path through all vertices of one rank, then those of the next: what happens along it crosses as often as there are
/// ranks.
TYPED_TEST(PartAlgorithms, RoundsOfAPathAreAsManyAsRanksNotAsVertices) {
  using Vertex = TypeParam;
  const std::int64_t n = 20000;
  std::vector<std::int64_t> order;
  for (int r = 0; r < this->world.size(); ++r) {
    for (std::int64_t v = r; v < n; v += this->world.size()) order.push_back(v);
  }
  for (const bool directed : {false, true}) {  // the directed one from large numbers to small ones
    ZooGraph path{"path", n, {}, directed};
    for (std::size_t i = 1; i < order.size(); ++i) path.edges.emplace_back(order[i], order[i - 1]);
    const PartCase<Vertex> c(this->world, path, by_vertices);
    const Halo<Space, Vertex> halo(this->world, c.part);
    const std::int64_t most = 2 * this->world.size() + 2;

    ColorScratch<Vertex, Memory> whole_scratch(c.whole);
    ColorResult<Vertex, Memory> expected, colors;
    color_propagation(Space(), c.whole, whole_scratch, expected);
    ColorScratch<LocalVertex, Memory> color_scratch(c.part.out_edges);
    const auto coloring = color_propagation(Space(), c.part.out_edges, color_scratch, colors, {}, halo);
    EXPECT_LE(static_cast<std::int64_t>(coloring.sweeps.size()), most);
    // A GPU's sweeps go through all that changed at once: a color moves by an edge in each, and others behind it.
    if (host_accessible<Memory>) {
      EXPECT_LE(coloring.edge_updates, most * 6 * n);
    }
    c.expect(colors.color, to_vector(expected.color), [](Vertex a, Vertex b) { return a == b; });
    if (directed) continue;

    KcoreScratch<LocalVertex, Memory> core_scratch(Space(), c.part.out_edges, halo);
    Kokkos::View<LocalVertex*, Memory> core;
    const auto peeling = kcore(Space(), c.part.out_edges, core_scratch, core, {}, halo);
    EXPECT_LE(peeling.num_sweeps, most);
    c.expect(core, std::vector<LocalVertex>(static_cast<std::size_t>(n), 1),
             [](LocalVertex a, LocalVertex b) { return a == b; });
  }
}

TYPED_TEST(PartAlgorithms, BetweennessIsThatOfOneRank) {
  using Vertex = TypeParam;
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    const PartCase<Vertex> c(this->world, zoo, threshold);
    std::vector<Vertex> roots;
    for (std::int64_t i = 0; i < 5 && zoo.num_vertices > 0; ++i) {
      roots.push_back(static_cast<Vertex>((static_cast<std::int64_t>(turn) + i * 7) % zoo.num_vertices));
    }
    BetweennessScratch<Vertex, Memory> whole_scratch(c.whole);
    Kokkos::View<double*, Memory> expected, centrality;
    const auto one = betweenness(Space(), c.whole, roots, whole_scratch, expected);

    const Halo<Space, Vertex> halo(this->world, c.part);
    BetweennessScratch<LocalVertex, Memory> scratch(c.part.out_edges);
    const auto statistics =
        betweenness(Space(), c.part.out_edges, roots, scratch, centrality, {strategy_of(turn)}, halo);
    EXPECT_EQ(statistics.edges_reached, one.edges_reached) << c.name;
    halo.to_owners(Space(), centrality);
    c.expect(centrality, to_vector(expected),
             [](double a, double b) { return std::abs(a - b) <= 1e-10 * std::max(1.0, b); });
  });
}

TYPED_TEST(PartAlgorithms, DiametersAreThoseOfOneRank) {
  using Vertex = TypeParam;
  for_each_part(this->world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t turn) {
    if (zoo.directed || zoo.num_vertices == 0) return;
    const PartCase<Vertex> c(this->world, zoo, threshold);
    DiameterOptions options;
    options.max_searches = 12;
    const auto start = static_cast<Vertex>(static_cast<std::int64_t>(turn) % zoo.num_vertices);
    const auto expected = diameter(Space(), c.whole, start, options);
    const Halo<Space, Vertex> halo(this->world, c.part);
    options.strategy = strategy_of(turn);
    const auto bounds = diameter(Space(), c.part.out_edges, start, options, halo);
    EXPECT_EQ(bounds.lower, expected.lower) << c.name;
    EXPECT_EQ(bounds.upper, expected.upper) << c.name;
    EXPECT_EQ(bounds.from, expected.from) << c.name;
    EXPECT_EQ(bounds.to, expected.to) << c.name;
    EXPECT_EQ(bounds.component_size, expected.component_size) << c.name;
    EXPECT_EQ(bounds.num_searches, expected.num_searches) << c.name;
  });
}

}  // namespace
}  // namespace dromos::test
