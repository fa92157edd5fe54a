// SPDX-License-Identifier: BSD-3-Clause
// Graphs separated by degree: who gets which edge, what each threshold would make of a graph, and that the four parts
// of all ranks together are the graph, each arc once and where the edge distributor says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/degree_classes.hpp>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/graph_delegate_arcs.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

using End = EdgeEnd<std::int64_t>;

// A graph of 3 partitions and threshold 5 in which vertices 7 and 8 are delegates, as in the paper's Figure 2.
TEST(EdgeDistributor, FollowsTheNormalEndAndThenTheLowerDegree) {
  const Offset threshold = 5;
  const End normal_1{1, 2}, normal_4{4, 5}, delegate_7{7, 6}, delegate_8{8, 7};
  EXPECT_EQ(end_to_follow(normal_1, normal_4, threshold), 1);  // nn: the source
  EXPECT_EQ(end_to_follow(normal_4, normal_1, threshold), 4);
  EXPECT_EQ(end_to_follow(normal_4, delegate_8, threshold), 4);  // nd and dn: the normal end, both ways
  EXPECT_EQ(end_to_follow(delegate_8, normal_4, threshold), 4);
  EXPECT_EQ(end_to_follow(delegate_7, delegate_8, threshold), 7);  // dd: the lower degree, both ways
  EXPECT_EQ(end_to_follow(delegate_8, delegate_7, threshold), 7);
  const End equal_9{9, 6};
  EXPECT_EQ(end_to_follow(equal_9, delegate_7, threshold), 7);  // and of equal ones the smaller number
  EXPECT_EQ(end_to_follow(delegate_7, equal_9, threshold), 7);
}

TEST(EdgeDistributor, ADegreeOfTheThresholdIsNormal) {
  EXPECT_FALSE(is_delegate(5, 5));
  EXPECT_TRUE(is_delegate(6, 5));
  EXPECT_FALSE(is_delegate(0, 0));
}

TEST(EdgeDistributor, BothArcsOfAnEdgeMeetUnlessBothEndsAreNormal) {
  for (Offset a = 0; a < 12; ++a) {
    for (Offset b = 0; b < 12; ++b) {
      const End u{3, a}, v{5, b};
      const bool meet = end_to_follow(u, v, 5) == end_to_follow(v, u, 5);
      EXPECT_EQ(meet, is_delegate(a, 5) || is_delegate(b, 5)) << a << " " << b;
    }
  }
}

TEST(EdgeDistributor, PlacesInTheMachineAreRanksModuloTheirNumber) {
  for (const int nodes : {1, 2, 3, 5}) {
    for (const int devices : {1, 2, 4}) {
      for (std::int64_t v = 0; v < 100; ++v) {
        const MachinePlace place = place_in_machine(v, nodes, devices);
        EXPECT_EQ(place.node, v % nodes);
        EXPECT_EQ(rank_of_place(place, nodes), v % (nodes * devices));
      }
    }
  }
}

TEST(DegreeClasses, ThresholdsAscendAndHoldTheirDegrees) {
  const std::vector<Offset> first = {0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64};
  for (std::size_t c = 0; c < first.size(); ++c) EXPECT_EQ(detail::threshold_of_class(static_cast<int>(c)), first[c]);
  for (const Offset degree : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 1000000}) {
    const int c = detail::class_of_degree(degree);
    EXPECT_LE(degree, detail::threshold_of_class(c));
    if (c > 0) {
      EXPECT_GT(degree, detail::threshold_of_class(c - 1));
    }
  }
}

/// What a threshold makes of a graph, counted arc by arc.
Separation count_by_hand(const CsrGraph<std::int32_t, Kokkos::HostSpace>& graph, Offset threshold) {
  Separation counts;
  counts.threshold = threshold;
  const auto view = graph.view();
  for (std::int32_t u = 0; u < graph.num_vertices(); ++u) {
    const bool from = view.degree(u) > threshold;
    counts.num_delegates += from;
    for (Offset e = view.begin(u); e < view.end(u); ++e) {
      const bool to = view.degree(view.neighbor(e)) > threshold;
      ++(from ? (to ? counts.dd : counts.dn) : (to ? counts.nd : counts.nn));
    }
  }
  return counts;
}

void expect_equal(const Separation& found, const Separation& expected, const std::string& what) {
  EXPECT_EQ(found.num_delegates, expected.num_delegates) << what;
  EXPECT_EQ(found.nn, expected.nn) << what;
  EXPECT_EQ(found.nd, expected.nd) << what;
  EXPECT_EQ(found.dn, expected.dn) << what;
  EXPECT_EQ(found.dd, expected.dd) << what;
}

TEST(DegreeClasses, SeparationsAreThoseCountedByHand) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    const auto whole = copy_to<Kokkos::HostSpace>(zoo_graph<std::int32_t>(zoo));
    const auto graph = build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo));
    const auto separations = possible_separations(world, Space(), graph);
    ASSERT_FALSE(separations.empty());
    EXPECT_EQ(separations.back().num_delegates, 0) << zoo.name;
    for (const Separation& separation : separations) {
      expect_equal(separation, count_by_hand(whole, separation.threshold),
                   zoo.name + ", threshold " + std::to_string(separation.threshold));
    }
    const Separation suggested = suggest_threshold(separations, zoo.num_vertices, world.size(), SeparatedFor::anything);
    EXPECT_LE(suggested.num_delegates, std::max<std::int64_t>(zoo.num_vertices / 8, 0)) << zoo.name;
    const Separation alone = suggest_threshold(separations, zoo.num_vertices, 1, SeparatedFor::search_on_gpus);
    EXPECT_EQ(alone.num_delegates, separations.front().num_delegates) << zoo.name;
    expect_equal(suggest_threshold(separations, zoo.num_vertices, 5, SeparatedFor::search_on_gpus),
                 suggest_threshold(separations, zoo.num_vertices, 5, SeparatedFor::anything),
                 zoo.name + ", more than four ranks");
  }
}

using Arc = std::array<std::int64_t, 3>;  // source, target, rank

/// All arcs of a rank's rows, as global ids.
template <class Vertex>
std::vector<Arc> arcs_of(const Graph1d<Vertex, Memory>& graph) {
  const auto map = to_vector(graph.rows.row_map);
  const auto targets = to_vector(graph.rows.entries);
  std::vector<Arc> arcs;
  for (std::int64_t u = 0; u < graph.num_local(); ++u) {
    for (auto e = map[u]; e < map[u + 1]; ++e) {
      const Vertex v = targets[e];
      arcs.push_back({graph.partition.global_id(graph.rank, u),
                      graph.partition.global_id(graph.ids.rank(v), graph.ids.local(v)), graph.rank});
    }
  }
  return arcs;
}

/// All arcs of a rank's four parts, as global ids.
template <class Vertex>
std::vector<Arc> arcs_of(const GraphDelegate<Vertex, Memory>& graph) {
  if (graph.by_vertices) return arcs_of(*graph.by_vertices);
  const auto global = to_vector(graph.delegate_global);
  const auto normal_maps = to_vector(graph.normal.row_maps);
  const auto delegate_maps = to_vector(graph.delegate.row_maps);
  const auto nn = to_vector(graph.normal.to_normal);
  const auto nd = to_vector(graph.normal.to_delegate);
  const auto dn = to_vector(graph.delegate.to_normal);
  const auto dd = to_vector(graph.delegate.to_delegate);
  const int p = graph.partition.num_ranks();
  std::vector<Arc> arcs;
  for (std::int64_t u = 0; u < graph.num_local(); ++u) {
    const std::int64_t source = graph.partition.global_id(graph.rank, u);
    for (auto e = normal_maps[2 * u]; e < normal_maps[2 * u + 2]; ++e) {
      const int owner = (graph.rank + graph.ids.rank(nn[e])) % p;
      arcs.push_back({source, graph.partition.global_id(owner, graph.ids.local(nn[e])), graph.rank});
    }
    for (auto e = normal_maps[2 * u + 1]; e < normal_maps[2 * u + 3]; ++e) {
      arcs.push_back({source, global[nd[e]], graph.rank});
    }
  }
  for (std::int64_t k = 0; k < graph.num_delegates(); ++k) {
    for (auto e = delegate_maps[2 * k]; e < delegate_maps[2 * k + 2]; ++e) {
      arcs.push_back({global[k], graph.partition.global_id(graph.rank, dn[e]), graph.rank});
    }
    for (auto e = delegate_maps[2 * k + 1]; e < delegate_maps[2 * k + 3]; ++e) {
      arcs.push_back({global[k], global[dd[e]], graph.rank});
    }
  }
  return arcs;
}

template <class Vertex>
void expect_parts_are_the_graph(const Communicator& world, const ZooGraph& zoo, Offset threshold, DelegateEdges edges) {
  const bool by_source = edges == DelegateEdges::follow_source && (!zoo.directed || threshold == 0);
  const std::string what = zoo.name + ", threshold " + std::to_string(threshold) + (by_source ? ", by source" : "");
  const auto whole = copy_to<Kokkos::HostSpace>(zoo_graph<std::int32_t>(zoo)).view();
  const auto graph = separate_by_degree(
      world, Space(), build_graph_1d(world, Space(), zoo_slice<Vertex>(world, zoo), zoo_build(zoo)), threshold, edges);
  EXPECT_EQ(graph.num_arcs(), whole.num_edges()) << what;
  EXPECT_EQ(graph.by_vertices.has_value(), threshold == 0 && by_source) << what;
  if (graph.by_vertices) {
    std::int64_t with_edges = 0;
    for (std::int32_t u = 0; u < whole.num_vertices(); ++u) with_edges += whole.degree(u) > 0;
    EXPECT_EQ(graph.num_delegates(), with_edges) << what;
  }

  // Every arc is where the edge distributor says; together with the total, each is there once.
  std::vector<Arc> own = arcs_of(graph);
  std::sort(own.begin(), own.end());
  std::vector<Arc> expected;
  for (std::int32_t u = 0; u < whole.num_vertices(); ++u) {
    for (Offset e = whole.begin(u); e < whole.end(u); ++e) {
      const std::int32_t v = whole.neighbor(e);
      const bool of_delegates =
          threshold == 0 || (is_delegate(whole.degree(u), threshold) && is_delegate(whole.degree(v), threshold));
      const std::int64_t follows =
          by_source && of_delegates
              ? u
              : end_to_follow<std::int64_t>({u, whole.degree(u)}, {v, whole.degree(v)}, threshold);
      if (follows % world.size() == world.rank()) expected.push_back({u, v, world.rank()});
    }
  }
  EXPECT_EQ(own, expected) << what;

  const auto listed = arcs_of(Space(), graph);
  const auto source = to_vector(listed.source), target = to_vector(listed.target);
  std::vector<Arc> arcs;
  for (std::size_t e = 0; e < source.size(); ++e) arcs.push_back({source[e], target[e], world.rank()});
  std::sort(arcs.begin(), arcs.end());
  EXPECT_EQ(arcs, expected) << what;
  EXPECT_EQ(listed.num_vertices, whole.num_vertices()) << what;

  const auto global = to_vector(graph.delegate_global);
  for (std::size_t k = 0; k < global.size(); ++k) {
    EXPECT_GT(whole.degree(static_cast<std::int32_t>(global[k])), threshold) << what;
    if (k > 0) {
      EXPECT_GE(whole.degree(static_cast<std::int32_t>(global[k - 1])),
                whole.degree(static_cast<std::int32_t>(global[k])))
          << what << ": delegates are numbered by descending degree";
    }
  }
}

TEST(GraphDelegate, PartsOfAllRanksAreTheGraph) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    for (const Offset threshold : {0, 1, 3, 10, 100000}) {
      for (const auto edges : {DelegateEdges::follow_lower_end, DelegateEdges::follow_source}) {
        expect_parts_are_the_graph<std::int32_t>(world, zoo, threshold, edges);
        if (threshold == 3) expect_parts_are_the_graph<std::int64_t>(world, zoo, threshold, edges);
      }
    }
  }
  for (std::uint64_t seed = 1; seed <= num_random_graphs(world); ++seed) {
    expect_parts_are_the_graph<std::int32_t>(
        world, random_small_graph(seed), static_cast<Offset>(seed % 5),
        seed / 5 % 2 == 0 ? DelegateEdges::follow_lower_end : DelegateEdges::follow_source);
  }
}

/// Rows split by few passes, as GPUs do, are those that are built part by part; what nn has in a row may be in another
/// order.
template <class Vertex>
void expect_same_split(const Communicator& world, const ZooGraph& zoo, Offset threshold, const BuildOptions& build,
                       DelegateEdges edges = DelegateEdges::follow_lower_end) {
  const auto by_vertices = build_graph_1d(world, Space(), zoo_slice<Vertex>(world, zoo), build);
  const auto expected = separate_by_degree(world, Space(), by_vertices, threshold, edges);
  const auto found = detail::find_delegates<Space, Vertex, Memory>(world, Space(), by_vertices, threshold, nullptr);
  const std::int64_t n = by_vertices.num_local(), d = expected.num_delegates();
  SubgraphPair<Vertex, Memory> normal;
  SubgraphPair<LocalVertex, Memory> delegate;
  normal.row_maps = Kokkos::View<std::uint32_t*, Memory>("normal", 2 * (n + 1));
  delegate.row_maps = Kokkos::View<std::uint32_t*, Memory>("delegate", 2 * (d + 1));
  const detail::SeparatedRow<Vertex, Memory> row{by_vertices.rows.view(), found.lookup, by_vertices.ids,
                                                 by_vertices.rank,        threshold,    edges};
  detail::split_rows(Space(), row, d, normal, delegate);
  const std::string what = zoo.name + ", threshold " + std::to_string(threshold);
  const auto maps = to_vector(normal.row_maps);
  EXPECT_EQ(maps, to_vector(expected.normal.row_maps)) << what;
  EXPECT_EQ(to_vector(delegate.row_maps), to_vector(expected.delegate.row_maps)) << what;
  EXPECT_EQ(to_vector(normal.to_delegate), to_vector(expected.normal.to_delegate)) << what;
  EXPECT_EQ(to_vector(delegate.to_normal), to_vector(expected.delegate.to_normal)) << what;
  EXPECT_EQ(to_vector(delegate.to_delegate), to_vector(expected.delegate.to_delegate)) << what;
  auto nn = to_vector(normal.to_normal), expected_nn = to_vector(expected.normal.to_normal);
  ASSERT_EQ(nn.size(), expected_nn.size()) << what;
  for (std::int64_t u = 0; u < n; ++u) {
    std::sort(nn.begin() + maps[2 * u], nn.begin() + maps[2 * u + 2]);
    std::sort(expected_nn.begin() + maps[2 * u], expected_nn.begin() + maps[2 * u + 2]);
  }
  EXPECT_EQ(nn, expected_nn) << what;
}

TEST(GraphDelegate, RowsSplitByFewPassesAreTheSame) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.directed) continue;
    for (const Offset threshold : {0, 2, 7, 100}) {
      expect_same_split<std::int32_t>(world, zoo, threshold, zoo_build(zoo));
      if (threshold > 0) {  // otherwise nothing is split
        expect_same_split<std::int32_t>(world, zoo, threshold, zoo_build(zoo), DelegateEdges::follow_source);
      }
      if (threshold == 2) expect_same_split<std::int64_t>(world, zoo, threshold, zoo_build(zoo));
    }
  }
  // Edges that are there again, and edges from a vertex to itself.
  ZooGraph again{"loops and duplicates", 40, {}, false};
  for (std::int64_t i = 0; i < 400; ++i) again.edges.emplace_back(i * i % 40, i % 7 == 0 ? i * i % 40 : i * 13 % 40);
  BuildOptions keep_all;
  keep_all.symmetrize = true;
  for (const Offset threshold : {0, 9, 19, 30}) expect_same_split<std::int32_t>(world, again, threshold, keep_all);
}

// Table I of the paper, of all ranks together: rows and targets, with 4 bytes less for each nn edge where ids are
// 32-bit.
TEST(GraphDelegate, MemoryIsThatOfTheModel) {
  const Communicator world(MPI_COMM_WORLD);
  for (const ZooGraph& zoo : distributed_zoo(world)) {
    if (zoo.name != "kronecker-10") continue;
    const auto graph = separate_by_degree(
        world, Space(), build_graph_1d(world, Space(), zoo_slice<std::int64_t>(world, zoo), zoo_build(zoo)), 16);
    const double p = world.size();
    const double d = static_cast<double>(graph.num_delegates());
    const double n = static_cast<double>(zoo.num_vertices);
    const double bytes = static_cast<double>(sum<std::int64_t>(world, graph.bytes()));
    // On top of the model: one element more a row map, ids and order of delegates (12 each), three masks of whole
    // words.
    const double more = p * (4 * 4 + 12 * d + 2 * (d / 8 + 4) + 4) + n / 8;
    const double model = delegate_memory_model(graph.separation, zoo.num_vertices, world.size()).separated;
    EXPECT_GE(bytes, model);
    EXPECT_LE(bytes, model + more);
  }
}

// Up to the paper's limit of four GPUs.
TEST(DegreeClasses, AllAreDelegatesOnFewGpus) {
  const std::vector<Separation> separations = {{0, 600, 0, 0, 0, 10000}, {8, 100, 50, 950, 950, 8050}};
  EXPECT_EQ(suggest_threshold(separations, 1000, 1, SeparatedFor::search_on_gpus).threshold, 0);
  EXPECT_EQ(suggest_threshold(separations, 1000, 4, SeparatedFor::search_on_gpus).threshold, 0);
  EXPECT_EQ(suggest_threshold(separations, 1000, 5, SeparatedFor::search_on_gpus).threshold, 8);
  EXPECT_EQ(suggest_threshold(separations, 1000, 8, SeparatedFor::search_on_cpus).threshold, 0);
  EXPECT_EQ(suggest_threshold(separations, 1000, 9, SeparatedFor::search_on_cpus).threshold, 8);
  EXPECT_EQ(suggest_threshold(separations, 1000, 2, SeparatedFor::anything).threshold, 8);
}

TEST(GraphDelegate, PartsAreMadeOfEdgesThatMeet) {
  const Communicator world(MPI_COMM_WORLD);
  ZooGraph zoo{"ring", 40, {}, false};
  for (std::int64_t v = 0; v < 40; ++v) zoo.edges.emplace_back(v, (v + 1) % 40);
  const auto separate = [&](DelegateEdges edges, Offset threshold = 1) {
    return separate_by_degree(world, Space(),
                              build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo)),
                              threshold, edges);
  };
  EXPECT_NO_THROW(part_by_degree(world, Space(), separate(DelegateEdges::follow_lower_end)));
  if (world.size() > 1) {
    EXPECT_THROW(part_by_degree(world, Space(), separate(DelegateEdges::follow_source)), ArgumentError);
  }
  EXPECT_THROW(part_by_degree(world, Space(), separate(DelegateEdges::follow_source, 0)), ArgumentError);
}

TEST(GraphDelegate, ANegativeThresholdIsRefusedByAllRanks) {
  const Communicator world(MPI_COMM_WORLD);
  const ZooGraph zoo = random_small_graph(5);
  const auto by_vertices = build_graph_1d(world, Space(), zoo_slice<std::int32_t>(world, zoo), zoo_build(zoo));
  EXPECT_THROW(separate_by_degree(world, Space(), by_vertices, -2), ArgumentError);
}

TEST(GraphDelegate, DelegatesAreNoMoreThanCanBeNumbered) {
  EXPECT_NO_THROW(detail::check_num_delegates((std::int64_t(1) << 31) - 1));
  EXPECT_THROW(detail::check_num_delegates(std::int64_t(1) << 31), ArgumentError);
}

}  // namespace
}  // namespace dromos::test
