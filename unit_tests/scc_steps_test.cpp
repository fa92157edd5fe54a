// SPDX-License-Identifier: BSD-3-Clause
// The steps of Multistep, each alone: what it settles, what it leaves, and that it stops when it is told to.
#include <dromos/algorithms/scc_multistep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"
#include "view_tools.hpp"

namespace {

using dromos::SccScratch;
using dromos::SccStep;
using dromos::Strategy;
using dromos::WorkBudget;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;
using Vertex = std::int32_t;
using Rows = std::vector<std::vector<Vertex>>;

/// A decomposition that has begun.
struct Begun {
  dromos::CsrGraph<Vertex, Memory> graph;
  SccScratch<Vertex, Memory> scratch;
  Kokkos::View<Vertex*, Memory> component;
  dromos::SimpleTrim<Vertex> trimmed;
  WorkBudget no_limit;

  explicit Begun(const dromos::CsrGraph<Vertex, Memory>& the_graph)
      : graph(the_graph),
        scratch(graph, dromos::transpose(Space(), graph)),
        component("test::component", graph.num_vertices()) {
    Kokkos::deep_copy(component, dromos::no_vertex<Vertex>);
    trimmed = dromos::trim_simple(Space(), scratch, component);
  }
  explicit Begun(const Rows& rows) : Begun(dromos::test::make_graph<Vertex>(rows)) {}

  std::set<Vertex> active() const {
    const auto words = to_vector(scratch.active.words());
    std::set<Vertex> members;
    for (std::size_t bit = 0; bit < 32 * words.size(); ++bit) {
      if (words[bit / 32] >> bit % 32 & 1) members.insert(static_cast<Vertex>(bit));
    }
    return members;
  }
  std::vector<Vertex> labels() const { return to_vector(component); }
};

//  0 -> 1 -> 2 <-> 3 -> 4 -> 5 <-> 6 -> 7 -> 8, and 9 with a self loop that nothing else enters
const Rows two_pairs = {{1}, {2}, {3}, {2, 4}, {5}, {6}, {5, 7}, {8}, {}, {9, 2}};

TEST(TrimSimpleTest, SettlesWhatHasNoWayInOrNoWayOut) {
  Begun begun(two_pairs);
  EXPECT_EQ(begun.active(), (std::set<Vertex>{1, 2, 3, 4, 5, 6, 7, 9}));
  EXPECT_EQ(begun.trimmed.num_trimmed, 2);
  EXPECT_EQ(begun.scratch.num_active, 8);
  EXPECT_EQ(begun.labels(), (std::vector<Vertex>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // In-degree times out-degree: 3 * 1 at vertex 2.
  EXPECT_EQ(begun.trimmed.pivot, 2);
}

TEST(TrimSimpleTest, HasNoPivotWhereNothingIsLeft) {
  EXPECT_EQ(Begun(Rows{{1}, {}}).trimmed.pivot, dromos::no_vertex<Vertex>);
  EXPECT_EQ(Begun(Rows{{}}).trimmed.num_trimmed, 1);
}

TEST(TrimCompleteTest, LeavesWhatLiesOnCyclesOrBetweenThem) {
  for (const Strategy& strategy : dromos::test::some_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    Begun begun(two_pairs);
    const SccStep step = dromos::trim_complete(Space(), begun.scratch, strategy, begun.no_limit);
    EXPECT_EQ(begun.active(), (std::set<Vertex>{2, 3, 4, 5, 6}));
    EXPECT_EQ(step.num_settled, 3);  // 1, 7 and 9
    EXPECT_EQ(begun.scratch.num_active, 5);
  }
}

TEST(TrimCompleteTest, PeelsAGraphWithoutCyclesToNothing) {
  for (const auto& edges : {dromos::path<Vertex>(500), dromos::complete_binary_tree<Vertex>(500)}) {
    Begun begun(dromos::build_csr(Space(), dromos::copy_to<Memory>(edges)));
    dromos::trim_complete(Space(), begun.scratch, dromos::VertexChunk{}, begun.no_limit);
    EXPECT_EQ(begun.scratch.num_active, 0);
    EXPECT_TRUE(begun.active().empty());
  }
}

TEST(TrimCompleteTest, LeavesTheRestActiveWhenTheBudgetIsExhausted) {
  Begun begun(dromos::build_csr(Space(), dromos::copy_to<Memory>(dromos::path<Vertex>(500))));
  // Enough to count the neighbors and for thirty sweeps, or about as many in one launch.
  const auto prices = dromos::work_prices(Space());
  WorkBudget budget(prices.push(498, 498) + prices.push(1, 1) + 30 * prices.fused_push(1, 1));
  const SccStep step = dromos::trim_complete(Space(), begun.scratch, dromos::VertexChunk{}, budget);
  EXPECT_TRUE(budget.exhausted());
  EXPECT_GT(step.num_settled, 0);
  EXPECT_EQ(begun.scratch.num_active, 498 - step.num_settled);
  EXPECT_EQ(static_cast<std::int64_t>(begun.active().size()), begun.scratch.num_active);
}

TEST(ForwardBackwardTest, SettlesTheComponentOfThePivotAndNoOther) {
  for (const Strategy& strategy : dromos::test::some_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    Begun begun(two_pairs);
    const SccStep step =
        dromos::settle_component_of(Space(), begun.scratch, Vertex(6), begun.component, strategy, begun.no_limit);
    EXPECT_EQ(step.num_settled, 2);
    EXPECT_EQ(begun.active(), (std::set<Vertex>{1, 2, 3, 4, 7, 9}));
    EXPECT_EQ(begun.labels(), (std::vector<Vertex>{0, 1, 2, 3, 4, 5, 5, 7, 8, 9}));
  }
}

/// A search gets more where it would end within that at its rate, and no more where it would not.
TEST(ForwardBackwardTest, GetsMoreOfTheBudgetWhileItGetsOnWell) {
  const auto prices = dromos::work_prices(Space());
  double spent = 0;
  const auto settled = [&](const dromos::CsrGraph<Vertex, Memory>& graph, double limit, double limit_if_well) {
    Begun begun(graph);
    WorkBudget budget(limit);
    dromos::ReachabilityOptions options;
    options.limit_if_well = limit_if_well;
    const SccStep step = dromos::settle_component_of(Space(), begun.scratch, begun.trimmed.pivot, begun.component,
                                                     dromos::VertexChunk{}, budget, options);
    spent = budget.spent();
    return step.num_settled;
  };
  Rows dense(2000);  // i to 7 i + 1 .. 7 i + 7: five levels
  for (Vertex v = 0; v < 2000; ++v)
    for (Vertex k = 1; k <= 7; ++k) dense[v].push_back((7 * v + k) % 2000);
  const auto shallow = dromos::test::make_graph<Vertex>(dense);
  const double two_sweeps = 2 * prices.push(2000, 14000);
  for (const int part : {2, 8}) {
    // One thread alone fuses the third level as well, and needs less than half.
    if (part == 2 && !dromos::is_gpu<Space> && Space().concurrency() == 1) continue;
    EXPECT_EQ(settled(shallow, two_sweeps / part, 0), 0) << part;
    EXPECT_EQ(settled(shallow, two_sweeps / part, 100 * two_sweeps), 2000) << part;
  }
  const auto deep = dromos::build_csr(Space(), dromos::copy_to<Memory>(dromos::cycle<Vertex>(20000)));
  const double search = 20000 * prices.fused_push(1, 1);
  EXPECT_EQ(settled(deep, search / 4, search / 2), 0);
  EXPECT_LE(spent, 0.3 * search);
}

TEST(PiecesTest, SettleWhatTheSerialStepSettles) {
  std::vector<dromos::CsrGraph<Vertex, Memory>> graphs{dromos::test::make_graph<Vertex>(two_pairs)};
  // Cycles of 2, 3, .. vertices and one of 5,000, numbered at random, a few of them joined in one direction.
  const Vertex n = 20000;
  Rows cycles(n);
  const auto name = [&](Vertex v) { return static_cast<Vertex>(static_cast<std::int64_t>(v) * 7919 % n); };
  Vertex first = 0;
  for (Vertex size = 5000; first + size <= n; first += size, size = size == 5000 ? 2 : size + 1) {
    for (Vertex i = 0; i < size; ++i) cycles[name(first + i)].push_back(name(first + (i + 1) % size));
    if (size % 3 == 0) cycles[name(first)].push_back(name(first - 1));
  }
  graphs.push_back(dromos::test::make_graph<Vertex>(cycles));
  for (const std::uint64_t seed : {1, 2, 3}) {
    dromos::ErdosRenyiOptions uniform;
    uniform.num_vertices = 5000;
    uniform.num_edges = 5000 + 1000 * static_cast<std::int64_t>(seed);
    uniform.seed = seed;
    graphs.push_back(
        dromos::build_csr(Space(), dromos::generate_edges<Vertex>(Space(), dromos::ErdosRenyiEdges<Vertex>(uniform))));
  }
  if constexpr (!dromos::is_gpu<Space>) {
    for (const auto& graph : graphs) {
      Begun by_pieces(graph), serially(graph);
      const std::int64_t num_active = by_pieces.scratch.num_active;
      const SccStep step = dromos::settle_by_pieces(Space(), by_pieces.scratch, by_pieces.component);
      dromos::settle_serially(Space(), serially.scratch, serially.component, dromos::VertexChunk{});
      EXPECT_EQ(step.num_settled, num_active);
      EXPECT_EQ(by_pieces.scratch.num_active, 0);
      EXPECT_TRUE(by_pieces.active().empty());
      EXPECT_EQ(by_pieces.labels(), serially.labels());
      if (graph.num_vertices() == n) {
        EXPECT_GT(step.num_sweeps, 100);  // pieces
      }
    }
  }
}

TEST(ForwardBackwardTest, SettlesNothingWhenTheBudgetIsExhausted) {
  const auto cycle = dromos::build_csr(Space(), dromos::copy_to<Memory>(dromos::cycle<Vertex>(300)));
  const auto prices = dromos::work_prices(Space());
  for (const int num_sweeps : {0, 1, 10, 290}) {
    Begun begun(cycle);
    WorkBudget budget(num_sweeps == 0 ? 0 : prices.push(1, 1) + (num_sweeps - 1) * prices.fused_push(1, 1));
    const SccStep step =
        dromos::settle_component_of(Space(), begun.scratch, Vertex(0), begun.component, dromos::VertexChunk{}, budget);
    EXPECT_TRUE(budget.exhausted());
    EXPECT_LE(step.num_sweeps, num_sweeps);
    EXPECT_EQ(step.num_settled, 0);
    EXPECT_EQ(begun.scratch.num_active, 300);
    EXPECT_EQ(begun.active().size(), 300u);
  }
}

/// Random graphs with a giant component: whether it pushes or pulls, and in slices of whatever size, the search ends
/// with the same set.
TEST(ReachabilityTest, IsTheSameHoweverItIsPaidFor) {
  for (const double degree : {1.5, 3.0, 8.0}) {
    dromos::ErdosRenyiOptions uniform;
    uniform.num_vertices = 3000;
    uniform.num_edges = static_cast<dromos::Offset>(3000 * degree);
    const auto graph = dromos::build_csr(Space(), dromos::generate_erdos_renyi<Vertex>(Space(), uniform));
    std::vector<Vertex> expected;
    for (const bool pull : {false, true}) {
      for (const double budget_units : {std::numeric_limits<double>::infinity(), 40.0, 30.0, 25.0, 20.0}) {
        Begun begun(graph);
        const auto prices = dromos::work_prices(Space());
        WorkBudget budget(budget_units * prices.launch);
        dromos::ReachabilityOptions options;
        options.push_to_pull = pull ? 0 : 1e9;
        auto& scratch = begun.scratch;
        const auto out = graph.view();
        dromos::scc_detail::start_at(Space(), out, scratch.frontier, scratch.forward, begun.trimmed.pivot);
        std::int64_t num_reached = 1;
        SccStep step;
        const bool complete = dromos::extend_reachability(Space(), out, scratch.reversed.view(), scratch,
                                                          scratch.active, scratch.num_active, scratch.forward,
                                                          num_reached, dromos::VertexChunk{}, budget, step, options);
        EXPECT_EQ(complete, !budget.exhausted());
        if (!complete) continue;
        std::vector<Vertex> found = to_vector(scratch.frontier.queue(), 0);
        const Kokkos::View<Vertex*, Memory> list("test::list", graph.num_vertices());
        found = to_vector(list, dromos::compact_difference(Space(), scratch.forward, scratch.nothing, list));
        EXPECT_EQ(static_cast<std::int64_t>(found.size()), num_reached);
        if (expected.empty()) expected = found;
        EXPECT_EQ(found, expected);
      }
    }
    EXPECT_GT(expected.size(), 100u);
  }
}

TEST(ColoringTest, StopsAtTheCutoff) {
  dromos::ChainOfCyclesOptions options;
  options.num_vertices = 400;
  options.largest_block = 10;
  const auto graph = dromos::build_csr(Space(), dromos::copy_to<Memory>(dromos::chain_of_cycles<Vertex>(options)));
  for (const std::int64_t cutoff : {0, 100, 400, 500}) {
    Begun begun(graph);
    const SccStep step = dromos::settle_by_coloring(Space(), begun.scratch, begun.component, cutoff,
                                                    dromos::VertexChunk{}, begun.no_limit);
    EXPECT_LE(begun.scratch.num_active, dromos::max<std::int64_t>(cutoff, 0));
    EXPECT_EQ(step.num_settled, 400 - begun.scratch.num_active);
    EXPECT_EQ(step.num_settled == 0, cutoff >= 400);
    EXPECT_EQ(static_cast<std::int64_t>(begun.active().size()), begun.scratch.num_active);
  }
}

/// Against the order of the numbers a chain is done in one round backward; without turning round it takes a round each.
TEST(ColoringTest, DoesAChainInFewRoundsWhicheverWayItRuns) {
  for (const bool descending : {false, true}) {
    Rows rows(200);
    for (Vertex v = 0; v < 200; v += 2) {
      rows[v] = {v + 1};
      rows[v + 1] = {v};
      const Vertex to = descending ? v - 2 : v + 2;
      if (to >= 0 && to < 200) rows[v + 1].push_back(to);
    }
    Begun begun(rows);
    const SccStep step =
        dromos::settle_by_coloring(Space(), begun.scratch, begun.component, 0, dromos::VertexChunk{}, begun.no_limit);
    EXPECT_EQ(begun.scratch.num_active, 0);
    EXPECT_LT(step.num_sweeps, 400);
  }
}

TEST(SerialTest, FinishesWhatIsLeftAndNothingElse) {
  Begun begun(two_pairs);
  dromos::settle_component_of(Space(), begun.scratch, Vertex(2), begun.component, dromos::VertexChunk{},
                              begun.no_limit);
  const SccStep step = dromos::settle_serially(Space(), begun.scratch, begun.component, dromos::VertexChunk{});
  EXPECT_EQ(step.num_settled, 6);
  EXPECT_EQ(begun.labels(), (std::vector<Vertex>{0, 1, 2, 2, 4, 5, 5, 7, 8, 9}));
  EXPECT_TRUE(begun.active().empty());
}

/// What the serial finish does where the graph is not in host memory: the extracted graph has the edges among the
/// remaining vertices, renumbered, and no others.
TEST(SerialTest, ExtractsTheRemainingGraph) {
  for (const Strategy& strategy : dromos::test::some_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    Begun begun(two_pairs);
    dromos::trim_complete(Space(), begun.scratch, strategy, begun.no_limit);
    auto rows = dromos::test::rows_of(dromos::scc_detail::extract_remaining(Space(), begun.scratch, strategy));
    for (auto& row : rows) std::sort(row.begin(), row.end());
    EXPECT_EQ(rows, (Rows{{1}, {0, 2}, {3}, {4}, {3}}));
  }
}

/// The labels of Begun::component against Tarjan's.
void expect_right_labels(const Begun& begun) {
  EXPECT_EQ(begun.labels(), dromos::reference::strong_components(dromos::copy_to<Kokkos::HostSpace>(begun.graph)));
  EXPECT_TRUE(begun.active().empty());
  EXPECT_EQ(begun.scratch.num_active, 0);
}

TEST(ContractionTest, SettlesAllThatIsActive) {
  for (const Strategy& strategy : dromos::test::some_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    for (const std::int64_t cutoff : {0, 2, 100}) {
      Begun begun(two_pairs);
      const auto steps = dromos::settle_by_contraction(Space(), begun.scratch, begun.component, cutoff, strategy);
      EXPECT_EQ(steps.contraction.num_settled + steps.serial.num_settled, 8);
      EXPECT_EQ(steps.serial.num_settled == 8, cutoff == 100);
      expect_right_labels(begun);
    }
  }
}

/// Vertex 1 has a single in-neighbor and goes into it. It is in the component of that where something below it leads
/// back: by a loop of the contracted graph, by a detour that only later rounds find to be one, or not at all.
TEST(ContractionTest, BringsInWhoLeadsBackAndNobodyElse) {
  for (const Rows& rows : {Rows{{1, 2}, {3}, {0}, {4}, {0}},  // 1 3 4 lead back to 0
                           Rows{{1, 2}, {3}, {0}, {4}, {3}},  // they do not, and 3 4 are a pair
                           Rows{{1, 2}, {3, 5}, {0}, {4}, {5}, {6}, {5, 7}, {8, 6}, {7, 2}},  // by 5 6, 7 8 and 2
                           Rows{{1}, {2, 4}, {3, 5}, {0}, {4}, {5}},           // 4 and 5 hang below the cycle
                           Rows{{1}, {0}, {3, 0}, {2, 1}, {2, 5}, {4, 3}}}) {  // pairs one after the other
    Begun begun(rows);
    dromos::settle_by_contraction(Space(), begun.scratch, begun.component, 0, dromos::VertexChunk{});
    expect_right_labels(begun);
  }
}

/// Chains of components whose vertices have a choice at every step of a long cycle do not shrink.
bool shrinks(const std::string& name) { return name.find("chain") == std::string::npos; }

/// Where searches would need ten thousand sweeps: a few dozen rounds, and nothing is left to the serial algorithm.
TEST(ContractionTest, TakesFewRoundsOnDeepGraphs) {
  for (const auto& named : dromos::test::deep_graphs<Vertex>(1 << 15)) {
    SCOPED_TRACE(named.name);
    Begun begun(dromos::build_csr(Space(), dromos::copy_to<Memory>(named.edges)));
    const auto steps = dromos::settle_by_contraction(Space(), begun.scratch, begun.component, 0, dromos::VertexChunk{});
    EXPECT_LE(steps.contraction.num_sweeps, 60);
    EXPECT_EQ(steps.serial.num_settled == 0, shrinks(named.name));
    expect_right_labels(begun);
  }
}

/// Two in- and out-neighbors each and hardly a short cycle: that is left to the serial algorithm after two rounds.
TEST(ContractionTest, LeavesWhatDoesNotShrinkToTheSerialAlgorithm) {
  dromos::ErdosRenyiOptions uniform;
  uniform.num_vertices = 1 << 13;
  uniform.num_edges = 16 << 13;
  Begun begun(dromos::build_csr(Space(), dromos::generate_erdos_renyi<Vertex>(Space(), uniform)));
  const auto steps = dromos::settle_by_contraction(Space(), begun.scratch, begun.component, 0, dromos::VertexChunk{});
  EXPECT_LE(steps.contraction.num_sweeps, 4);
  EXPECT_GT(steps.serial.num_settled, 7000);
  expect_right_labels(begun);
}

TEST(WorkBudgetTest, IsSpentOnlyAsFarAsItGoes) {
  WorkBudget budget(10);
  EXPECT_TRUE(budget.spend(4));
  EXPECT_TRUE(budget.spend(6));
  EXPECT_FALSE(budget.exhausted());
  EXPECT_FALSE(budget.spend(1));
  EXPECT_TRUE(budget.exhausted());
  EXPECT_FALSE(budget.spend(0));
  EXPECT_EQ(budget.spent(), 10);
  WorkBudget no_limit;
  EXPECT_TRUE(no_limit.spend(1e300));
}

/// Deep graphs: the sweeps that were launched cost no more than the part of the serial work that may be wasted, and the
/// serial finish had the last word.
TEST(MultistepTest, WastesNoMoreThanItsLimitOnDeepGraphs) {
  const auto prices = dromos::work_prices(Space());
  for (const auto& named : dromos::test::deep_graphs<Vertex>(1 << 15)) {
    SCOPED_TRACE(named.name);
    dromos::test::SccProblem<Vertex> problem(named);
    dromos::SccOptions options;
    options.multistep.contraction_cutoff = std::numeric_limits<std::int64_t>::max();
    const auto statistics = problem.expect_right(options);
    double launches = 0;
    for (const SccStep& step : statistics.steps) launches += static_cast<double>(step.num_sweeps) * prices.launch;
    EXPECT_LE(launches, 0.3 * prices.serial(problem.graph.num_vertices(), problem.graph.num_edges()));
    EXPECT_STREQ(statistics.steps.back().name, "serial");

    // Where contraction follows, a search is given up sooner, and contraction has the last word.
    options.multistep.contraction_cutoff = 0;
    const auto contracted = problem.expect_right(options);
    EXPECT_STREQ(contracted.steps.back().name, shrinks(named.name) ? "contraction" : "serial");
  }
}

/// The methods that have no guard as they were published: on deep graphs their sweeps cost no more than the limit, and
/// the serial finish has the last word; without a limit they finish by themselves.
TEST(SccTest, ForwardBackwardAndColoringGiveWayToTheSerialAlgorithmOnDeepGraphs) {
  const auto prices = dromos::work_prices(Space());
  int num_given_up = 0;
  for (const auto& named : dromos::test::deep_graphs<Vertex>(1 << 15)) {
    dromos::test::SccProblem<Vertex> problem(named);
    for (const dromos::SccMethod method : {dromos::SccMethod::forward_backward, dromos::SccMethod::coloring}) {
      SCOPED_TRACE(named.name + " " + dromos::scc_method_name(method));
      dromos::SccOptions options;
      options.method = method;
      const auto statistics = problem.expect_right(options);
      const double limit = std::max(1e6, 1.5 * prices.serial(problem.graph.num_vertices(), problem.graph.num_edges()));
      double sweeps = 0;  // at the least price that one can have
      for (const SccStep& step : statistics.steps) sweeps += static_cast<double>(step.num_sweeps) * prices.fused;
      EXPECT_LE(sweeps, limit);
      num_given_up += std::string(statistics.steps.back().name) == "serial";
    }
  }
  EXPECT_GE(num_given_up, 6);

  dromos::test::SccProblem<Vertex> lattice(
      dromos::test::NamedEdges<Vertex>{"lattice", dromos::oriented_lattice<Vertex>(60)});
  dromos::SccOptions options;
  options.waste_limit = std::numeric_limits<double>::infinity();
  for (const dromos::SccMethod method : {dromos::SccMethod::forward_backward, dromos::SccMethod::coloring}) {
    options.method = method;
    EXPECT_STRNE(lattice.expect_right(options).steps.back().name, "serial");
  }
  options.waste_limit = -1;
  EXPECT_THROW(lattice.expect_right(options), dromos::ArgumentError);
}

TEST(MultistepTest, FindsTheGiantComponentOfAShallowGraphInParallel) {
  if (Space().concurrency() == 1) GTEST_SKIP() << "one thread is sooner done serially";
  dromos::ErdosRenyiOptions uniform;
  uniform.num_vertices = 1 << 16;
  uniform.num_edges = 16 << 16;
  dromos::test::SccProblem<Vertex> problem(
      dromos::build_csr(Space(), dromos::generate_erdos_renyi<Vertex>(Space(), uniform)));
  const auto statistics = problem.expect_right({});
  EXPECT_STREQ(statistics.steps.at(1).name, "forward-backward");
  EXPECT_GT(statistics.steps.at(1).num_settled, 65000);
}

/// What hung on the giant component falls to pieces, of which each thread takes some: nothing comes between.
TEST(MultistepTest, GoesOnByPiecesBehindTheGiantComponent) {
  if (dromos::is_gpu<Space> || Space().concurrency() < 4) GTEST_SKIP() << "is about four threads of a CPU and more";
  constexpr Vertex giant = 40000, num_pairs = 15000;
  Rows rows(giant + 2 * num_pairs);
  for (Vertex v = 0; v < giant; ++v) {
    for (Vertex k = 1; k <= 8; ++k) rows[v].push_back((v + k * k * 577) % giant);
  }
  for (Vertex i = 0; i < num_pairs; ++i) {
    const Vertex first = giant + 2 * i;
    rows[2 * i].push_back(first);
    rows[first].push_back(first + 1);
    rows[first + 1].push_back(first);
  }
  dromos::test::SccProblem<Vertex> problem(dromos::test::make_graph<Vertex>(rows));
  dromos::SccOptions options;
  options.multistep.serial_cutoff = 0;
  options.multistep.waste_limit = 10;  // other steps could pay
  const auto statistics = problem.expect_right(options);
  ASSERT_EQ(statistics.steps.size(), 3u);
  EXPECT_STREQ(statistics.steps[1].name, "forward-backward");
  EXPECT_EQ(statistics.steps[1].num_settled, giant);
  EXPECT_STREQ(statistics.steps[2].name, "pieces");
  EXPECT_EQ(statistics.steps[2].num_sweeps, num_pairs);
}

/// Neighbors of a uniform graph lie anywhere, which a depth-first search waits for: sweeps may cost more there, enough
/// for the giant component of few edges.
TEST(MultistepTest, MaySpendMoreWhereNeighborsLieAnywhere) {
  if (dromos::is_gpu<Space>) GTEST_SKIP() << "is about graphs in the memory of a CPU";
  dromos::ErdosRenyiOptions uniform;
  uniform.num_vertices = 1 << 17;
  uniform.num_edges = 6 << 17;
  const auto edges = dromos::generate_erdos_renyi<Vertex>(Space(), uniform);
  const auto graph = dromos::build_csr(Space(), edges);
  EXPECT_EQ(dromos::detail::nearness_of_numbers(graph.view()), dromos::detail::Nearness::far);
  dromos::test::SccProblem<Vertex> problem(graph);
  const auto statistics = problem.expect_right({});
  EXPECT_STREQ(statistics.steps.at(1).name, "forward-backward");
  EXPECT_GT(statistics.steps.at(1).num_settled, 100000);

  const dromos::WorkPrices prices;
  EXPECT_GT(prices.serial_far(1 << 17, 1 << 18), 2 * prices.serial(1 << 17, 1 << 18));
  const auto chain = dromos::build_csr(Space(), dromos::copy_to<Space::memory_space>(dromos::path<Vertex>(1 << 17)));
  EXPECT_EQ(dromos::detail::nearness_of_numbers(chain.view()), dromos::detail::Nearness::near);
  const auto small = dromos::build_csr(Space(), dromos::copy_to<Space::memory_space>(dromos::path<Vertex>(1 << 10)));
  EXPECT_EQ(dromos::detail::nearness_of_numbers(small.view()), dromos::detail::Nearness::unknown);
}

}  // namespace
