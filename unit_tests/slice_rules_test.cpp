// SPDX-License-Identifier: BSD-3-Clause
// Rules on graphs in slices: on the graph zoo and random small graphs, dealt out arc by arc, right answers are
// accepted, and of answers with a lie in them exactly those are refused that the node level refuses. Each rule meets
// lies that it is there for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/distributed/judging/slice_rules.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <dromos/validate/color_rules.hpp>
#include <dromos/validate/core_rules.hpp>
#include <dromos/validate/diameter_rules.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <dromos/validate/reference.hpp>
#include <dromos/validate/reference_distances.hpp>
#include <dromos/validate/reference_measures.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "distributed_zoo.hpp"

namespace dromos::test {
namespace {

using JudgedVertex = std::int32_t;

/// A graph whole, and in slices: every arc on some rank, the two of an edge seldom on the same.
struct JudgedCase {
  CsrGraph<JudgedVertex, Memory> whole;
  CsrGraph<JudgedVertex, Kokkos::HostSpace> on_host;
  SliceGraph<JudgedVertex> slices;

  JudgedCase(const Communicator& world, const CsrGraph<JudgedVertex, Memory>& graph, std::uint64_t seed)
      : whole(graph), on_host(copy_to<Kokkos::HostSpace>(graph)) {
    std::vector<std::pair<JudgedVertex, JudgedVertex>> arcs;
    std::vector<float> weights;
    std::mt19937_64 random(seed);
    // Some ranks have nothing.
    const auto num_givers = static_cast<int>(1 + random() % static_cast<std::uint64_t>(world.size()));
    for (JudgedVertex u = 0; u < on_host.num_vertices(); ++u) {
      for (Offset e = on_host.row_map(u); e < on_host.row_map(u + 1); ++e) {
        if (static_cast<int>(random() % static_cast<std::uint64_t>(num_givers)) != world.rank()) continue;
        arcs.emplace_back(u, on_host.entries(e));
        if (on_host.weighted()) weights.push_back(on_host.weights(e));
      }
    }
    auto list = make_edge_list<JudgedVertex>(on_host.num_vertices(), arcs);
    if (on_host.weighted()) list.weight = to_view(weights);
    slices = slice_graph(world, Space(), list, graph.directed);
  }
};

/// Both judges of one answer.
template <class T>
struct Judges {
  std::function<RuleResult(const Kokkos::View<T*, Memory>&)> whole, slices;
};

class SliceRules : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
  std::int64_t num_refused = 0, num_accepted = 0;
  std::vector<std::string> said;  // each lie's verdict

  template <class T>
  void judge(const std::vector<T>& answer, const Judges<T>& judges, bool must_hold, const std::string& name) {
    const auto values = to_view(answer);
    const RuleResult node = judges.whole(values);
    const RuleResult found = judges.slices(values);
    EXPECT_EQ(found.holds, node.holds) << name << ": " << (node.holds ? found.message : node.message);
    EXPECT_TRUE(node.holds || !must_hold) << name << ": " << node.message;
    EXPECT_EQ(found.holds, found.message.empty()) << name;
    EXPECT_EQ(sum<std::int64_t>(world, found.holds ? 1 : 0), found.holds ? world.size() : 0) << name;
    ++(found.holds ? num_accepted : num_refused);
    if (!found.holds) said.push_back(found.message);
  }

  /// The right answer, and some that are not.
  template <class T, class Lie>
  void judge_with_lies(const std::vector<T>& right, const Judges<T>& judges, std::uint64_t seed,
                       const std::string& name, const Lie& lie) {
    judge(right, judges, true, name);
    if (right.empty()) return;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) {
      std::vector<T> wrong = right;
      lie(wrong, random);
      judge(wrong, judges, false, name + " with lie " + std::to_string(i));
    }
  }

  template <class F>
  void for_each_case(const F& f, bool undirected_only = false, bool weighted = false) {
    std::uint64_t seed = 0;
    const auto try_one = [&](const ZooGraph& zoo) {
      ++seed;
      if (undirected_only && zoo.directed) return !failed_anywhere(world);
      auto graph = zoo_graph<JudgedVertex>(zoo);
      if (weighted) graph = with_random_weights(Space(), graph, seed);
      f(JudgedCase(world, graph, seed), seed, zoo.name);
      return !failed_anywhere(world);
    };
    for (const ZooGraph& zoo : distributed_zoo(world)) {
      if (!try_one(zoo)) return;
    }
    for (std::uint64_t i = 0; i < 2 * num_random_graphs(world); ++i) {
      if (!try_one(random_small_graph(i))) return;
    }
    EXPECT_GT(num_refused, 10);
    EXPECT_GT(num_accepted, 10);
  }

  bool was_said(const std::string& part) const {
    for (const std::string& message : said) {
      if (message.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

/// Another name for some vertices: of one, of a whole class that becomes another's, of a class that falls apart.
void rename_some(std::vector<JudgedVertex>& labels, std::mt19937_64& random) {
  const auto any = [&] { return static_cast<std::size_t>(random() % labels.size()); };
  const JudgedVertex from = labels[any()], to = labels[any()];
  switch (random() % 4) {
    case 0:
      labels[any()] = static_cast<JudgedVertex>(any());
      break;
    case 1:
      for (auto& label : labels) label = label == from || label == to ? std::min(from, to) : label;
      break;
    case 2: {  // a member leaves, and calls itself
      const std::size_t v = any();
      labels[v] = static_cast<JudgedVertex>(v);
      break;
    }
    default: {  // the later half of the members is called by its first
      const std::size_t middle = any();
      JudgedVertex first = -1;
      for (std::size_t v = middle; v < labels.size(); ++v) {
        if (labels[v] != from) continue;
        if (first < 0) first = static_cast<JudgedVertex>(v);
        labels[v] = first;
      }
    }
  }
}

TEST_F(SliceRules, OfComponents) {
  for_each_case([&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
    const Judges<JudgedVertex> judges{
        [&](const auto& labels) { return validate_components(Space(), c.whole, labels); },
        [&](const auto& labels) { return validate_components(Space(), c.slices, labels); }};
    judge_with_lies(reference::weak_components(c.on_host), judges, seed, name, rename_some);
  });
  EXPECT_TRUE(was_said("an edge leaves vertex"));
  EXPECT_TRUE(was_said("but no path joins the two"));
}

TEST_F(SliceRules, OfStrongComponents) {
  for_each_case([&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
    std::vector<JudgedVertex> labels = reference::strong_components(c.on_host);
    std::vector<JudgedVertex> smallest(labels.size(), -1);
    for (std::size_t v = 0; v < labels.size(); ++v) {
      JudgedVertex& first = smallest[static_cast<std::size_t>(labels[v])];
      if (first < 0) first = static_cast<JudgedVertex>(v);
      labels[v] = first;
    }
    const Judges<JudgedVertex> judges{[&](const auto& found) { return validate_strong_components(c.whole, found); },
                                      [&](const auto& found) { return validate_strong_components(c.slices, found); }};
    judge_with_lies(labels, judges, seed, name, rename_some);
  });
  EXPECT_TRUE(was_said("does not reach"));
  EXPECT_TRUE(was_said("they should have been one"));
}

TEST_F(SliceRules, OfColors) {
  for_each_case([&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
    const Judges<JudgedVertex> judges{[&](const auto& color) { return validate_colors(Space(), c.whole, color); },
                                      [&](const auto& color) { return validate_colors(Space(), c.slices, color); }};
    const auto lie = [](std::vector<JudgedVertex>& colors, std::mt19937_64& random) {
      const auto n = static_cast<std::int64_t>(colors.size());
      if (random() % 3 != 0) return rename_some(colors, random);
      // All that could rise together does.
      const auto least = static_cast<JudgedVertex>(random() % static_cast<std::uint64_t>(n + 1));
      for (auto& color : colors) color = std::max(color, least);
    };
    judge_with_lies(reference::largest_reaching(c.on_host), judges, seed, name, lie);
  });
  EXPECT_TRUE(was_said("is larger than that of one of its neighbors"));
  EXPECT_TRUE(was_said("which does not reach it"));
  EXPECT_TRUE(was_said("which is not a vertex"));
}

TEST_F(SliceRules, OfCores) {
  for_each_case(
      [&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
        const Judges<JudgedVertex> judges{[&](const auto& core) { return validate_cores(Space(), c.whole, core); },
                                          [&](const auto& core) { return validate_cores(Space(), c.slices, core); }};
        const auto lie = [](std::vector<JudgedVertex>& cores, std::mt19937_64& random) {
          if (random() % 2 == 0) {
            cores[random() % cores.size()] += random() % 2 == 0 ? 1 : -1;
          } else {
            // No number larger than this: each vertex still has as many neighbors of it.
            const auto most = static_cast<JudgedVertex>(random() % 3);
            for (auto& core : cores) core = std::min(core, most);
          }
        };
        judge_with_lies(reference::core_numbers(c.on_host), judges, seed, name, lie);
      },
      true);
  EXPECT_TRUE(was_said("but fewer neighbors of that number or more"));
  EXPECT_TRUE(was_said("has more neighbors than that"));
}

TEST_F(SliceRules, OfPageRank) {
  for_each_case([&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
    const Judges<double> judges{
        [&](const auto& rank) { return validate_pagerank(Space(), c.whole, rank, 0.85, 1e-9); },
        [&](const auto& rank) { return validate_pagerank(Space(), c.slices, rank, 0.85, 1e-9); }};
    const auto lie = [](std::vector<double>& ranks, std::mt19937_64& random) {
      const std::size_t from = random() % ranks.size(), to = random() % ranks.size();
      const double share = ranks[from] / 4;
      if (random() % 4 != 0) ranks[from] -= share;
      ranks[to] += share;
    };
    judge_with_lies(reference::pagerank(c.on_host, 0.85, 1e-12, 1000), judges, seed, name, lie);
    // Personalized: walks start at every third vertex.
    std::vector<double> start(static_cast<std::size_t>(c.whole.num_vertices()), 0);
    const std::size_t num_starts = (start.size() + 2) / 3;
    for (std::size_t v = 0; v < start.size(); v += 3) start[v] = 1 / static_cast<double>(num_starts);
    const Kokkos::View<const double*, Memory> starts = to_view(start);
    const Judges<double> personal{
        [&](const auto& rank) { return validate_pagerank(Space(), c.whole, rank, 0.85, 1e-9, starts); },
        [&](const auto& rank) { return validate_pagerank(Space(), c.slices, rank, 0.85, 1e-9, starts); }};
    judge_with_lies(reference::pagerank(c.on_host, 0.85, 1e-12, 1000, start), personal, seed, name, lie);
  });
  EXPECT_TRUE(was_said("the ranks add up to"));
  EXPECT_TRUE(was_said("one more iteration changes the ranks"));
}

/// What may be said of a distance that is wrong: too long, too short, of another vertex, none, or of one that is not
/// reached.
template <class Distance>
void stretch_some(std::vector<Distance>& distances, std::mt19937_64& random) {
  Distance& one = distances[random() % distances.size()];
  const Distance other = distances[random() % distances.size()];
  switch (random() % 4) {
    case 0:
      one = other;
      break;
    case 1:
      one += one == detail::unreached<Distance> ? 0 : 1;
      break;
    case 2:
      one = detail::unreached<Distance>;
      break;
    default:  // a class of vertices that hold each other up
      for (auto& distance : distances) {
        if (distance == other && distance != 0) distance = Distance(distance / 2);
      }
  }
}

template <class Distance, class Judge>
void judge_distances(const JudgedCase& c, std::uint64_t seed, const std::string& name, const Judge& judge) {
  if (c.whole.num_vertices() == 0) return;
  const auto root = static_cast<JudgedVertex>(seed % static_cast<std::uint64_t>(c.whole.num_vertices()));
  const Judges<Distance> judges{
      [&c, root](const auto& distance) { return validate_distances(Space(), c.whole, root, distance, 1e-4); },
      [&c, root](const auto& distance) { return validate_distances(Space(), c.slices, root, distance, 1e-4); }};
  judge(reference::shortest_distances<Distance>(c.on_host, root), judges, seed, name);
}

TEST_F(SliceRules, OfDistances) {
  const auto judged = [&](const auto& right, const auto& judges, std::uint64_t seed, const std::string& name) {
    using Distance = typename std::decay_t<decltype(right)>::value_type;
    judge_with_lies(right, judges, seed, name, stretch_some<Distance>);
  };
  for_each_case(
      [&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
        judge_distances<double>(c, seed, name + " double", judged);
        judge_distances<float>(c, seed, name + " float", judged);
        // Whole weights, many of them 0.
        CsrGraph<JudgedVertex, Memory> whole = c.whole;
        std::vector<float> weights = to_vector(c.whole.weights);
        for (float& w : weights) w = static_cast<float>(static_cast<int>(4 * w));
        whole.weights = to_view(weights);
        judge_distances<std::int64_t>(JudgedCase(world, whole, seed), seed, name + " whole", judged);
      },
      false, true);
  EXPECT_TRUE(was_said("a shorter distance than it has"));
  EXPECT_TRUE(was_said("has the length of its distance"));
}

TEST_F(SliceRules, OfDistancesThatOnlyAFloatWouldTake) {
  // 0 - 1 - 2: the sum of 1 and 2^-24 is no float, and both 1 and that are what an edge offers.
  auto graph = make_graph<JudgedVertex>({{1}, {2}, {}});
  graph.weights = to_view(std::vector<float>{1.0f, 1.0f / (1 << 22)});
  const JudgedCase c(world, graph, 3);
  const float last = 1.0f + 1.0f / (1 << 22);
  const Judges<float> strict{[&](const auto& d) { return validate_distances(Space(), c.whole, 0, d, 0); },
                             [&](const auto& d) { return validate_distances(Space(), c.slices, 0, d, 0); }};
  judge(std::vector<float>{0, 1, last}, strict, true, "exact");
  graph.weights = to_view(std::vector<float>{1.0f, 1.0f / (1 << 26)});
  const JudgedCase lost(world, graph, 3);
  const Judges<float> of_lost{[&](const auto& d) { return validate_distances(Space(), lost.whole, 0, d, 1e-12); },
                              [&](const auto& d) { return validate_distances(Space(), lost.slices, 0, d, 1e-12); }};
  judge(std::vector<float>{0, 1, 1}, of_lost, false, "rounded");
  EXPECT_TRUE(was_said("the tolerance of single precision"));
}

TEST_F(SliceRules, OfBetweenness) {
  for_each_case([&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
    std::vector<JudgedVertex> roots;
    const auto n = static_cast<std::uint64_t>(c.whole.num_vertices());
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n, 3); ++i) {
      roots.push_back(static_cast<JudgedVertex>((seed + i * i) % n));
    }
    const Judges<double> judges{[&](const auto& values) { return validate_betweenness(c.whole, roots, values); },
                                [&](const auto& values) { return validate_betweenness(c.slices, roots, values); }};
    const auto lie = [](std::vector<double>& values, std::mt19937_64& random) {
      double& from = values[random() % values.size()];
      double& to = values[random() % values.size()];
      const double share = from / 2;
      if (random() % 3 != 0) from -= share;
      to += share;
    };
    judge_with_lies(reference::betweenness(c.on_host, roots), judges, seed, name, lie);
  });
  EXPECT_TRUE(was_said("the values add up to"));
  EXPECT_TRUE(was_said("has betweenness"));
}

TEST_F(SliceRules, OfDiameters) {
  for_each_case(
      [&](const JudgedCase& c, std::uint64_t seed, const std::string& name) {
        const JudgedVertex n = c.whole.num_vertices();
        if (n == 0 || n > 200) return;
        const auto from = static_cast<JudgedVertex>(seed % static_cast<std::uint64_t>(n));
        const auto levels = reference::bfs_levels(c.on_host, from);
        const Level diameter = reference::component_diameter(c.on_host, from);
        const auto to = static_cast<JudgedVertex>(std::max_element(levels.begin(), levels.end()) - levels.begin());
        for (const Level lower : {levels[to], levels[to] + 1}) {
          for (const Level upper : {diameter - 1, diameter, diameter + 2}) {
            const RuleResult node = validate_diameter(c.whole, from, to, lower, upper);
            const RuleResult found = validate_diameter(c.slices, from, to, lower, upper);
            EXPECT_EQ(found.holds, node.holds) << name << found.message << node.message;
            EXPECT_EQ(found.holds, lower == levels[to] && upper >= diameter) << name << found.message;
            ++(found.holds ? num_accepted : num_refused);
            if (!found.holds) said.push_back(found.message);
          }
        }
        EXPECT_FALSE(validate_diameter(c.slices, n, JudgedVertex(0), 0, 0).holds);
      },
      true);
  EXPECT_TRUE(was_said("and the lower bound is"));
  EXPECT_TRUE(was_said("and the upper bound is"));
}

TEST_F(SliceRules, RefuseAnswersOfOtherSizes) {
  const JudgedCase c(world, make_graph<JudgedVertex>({{1}, {0}}, false), 1);
  const Kokkos::View<JudgedVertex*, Memory> three("three", 3);
  const Kokkos::View<double*, Memory> numbers("numbers", 3);
  EXPECT_FALSE(validate_components(Space(), c.slices, three).holds);
  EXPECT_FALSE(validate_strong_components(c.slices, three).holds);
  EXPECT_FALSE(validate_colors(Space(), c.slices, three).holds);
  EXPECT_FALSE(validate_cores(Space(), c.slices, three).holds);
  EXPECT_FALSE(validate_pagerank(Space(), c.slices, numbers, 0.85, 1e-9).holds);
  const Kokkos::View<double*, Memory> halves("halves", 2);
  Kokkos::deep_copy(halves, 0.5);
  EXPECT_TRUE(validate_pagerank(Space(), c.slices, halves, 0.85, 1e-9).holds);
  EXPECT_FALSE(validate_pagerank(Space(), c.slices, halves, 0.85, 1e-9, numbers).holds);
  EXPECT_FALSE(validate_betweenness(c.slices, {0}, numbers).holds);
  EXPECT_FALSE(validate_distances(Space(), c.slices, 0, numbers).holds);
}

}  // namespace
}  // namespace dromos::test
