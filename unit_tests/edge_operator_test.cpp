// SPDX-License-Identifier: BSD-3-Clause
// The hooks of an operator, under every strategy in every tuning. begin(), may_join(), joined() and joining() are
// promises and are tested as such; done() is a permission: what was not needed may be left out, what was needed may
// not.
#include <dromos/traverse/edge_operator.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/traverse/traverse.hpp>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "strategy_tunings.hpp"
#include "view_tools.hpp"
#include "visit_recorder.hpp"

// Not without a name: there nvcc warns of members that are read at compile time alone, as if nobody read them.
namespace edge_operator_test {

using dromos::Bitmap;
using dromos::Frontier;
using dromos::Offset;
using dromos::Strategy;
using dromos::test::DegreePattern;
using dromos::test::Memory;
using dromos::test::RecordedGraph;
using dromos::test::RecordVisits;
using dromos::test::Space;
using dromos::test::to_vector;

using Vertex = std::int32_t;
using Recorder = RecordVisits<Vertex>;

/// Begins only with every third vertex.
struct BeginsSome : Recorder {
  KOKKOS_FUNCTION bool begin(Vertex u) const { return u % 3 == 0; }
};

/// Wants no edge to a vertex whose number is even.
struct WantsSome : Recorder {
  KOKKOS_FUNCTION bool may_join(Vertex, Vertex v, dromos::Offset) const { return v % 2 != 0; }
};

/// Counts the edges that were visited as if others swept.
struct KnowsWhenAlone : Recorder {
  Kokkos::View<int*, Memory> among_others;
  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    Kokkos::atomic_fetch_add(&among_others(0), 1);
    return Recorder::edge(u, v, e);
  }
  KOKKOS_FUNCTION bool edge_alone(Vertex u, Vertex v, Offset e) const { return Recorder::edge(u, v, e); }
};

struct JoinsSource : Recorder {
  KOKKOS_FUNCTION Vertex joining(Vertex u, Vertex) const { return u; }
};

/// Counts what joined() is told, as a number of calls and a sum of each end.
struct TellsJoined : Recorder {
  Kokkos::View<Offset[3], Memory> told;
  KOKKOS_FUNCTION void joined(Vertex u, Vertex v) const {
    Kokkos::atomic_fetch_add(&told(0), Offset(1));
    Kokkos::atomic_fetch_add(&told(1), Offset(u) * u);
    Kokkos::atomic_fetch_add(&told(2), Offset(u + 1) * v);
  }
};
struct TellsJoinedSource : TellsJoined {
  KOKKOS_FUNCTION Vertex joining(Vertex u, Vertex) const { return u; }
};
/// Neither end joins, but the one of these two vertices that the sum of both ends names.
struct TellsJoinedThird : TellsJoined {
  static KOKKOS_FUNCTION Vertex third(Vertex u, Vertex v) { return (u + v) % 2; }
  KOKKOS_FUNCTION Vertex joining(Vertex u, Vertex v) const { return third(u, v); }
};

/// u joins once, with the first edge that says so.
struct FindsParentAndIsDone : Recorder {
  Bitmap<Memory> found;
  KOKKOS_FUNCTION Vertex joining(Vertex u, Vertex) const { return u; }
  KOKKOS_FUNCTION bool done(Vertex u) const { return found.test(u); }
  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const { return Recorder::edge(u, v, e) && found.set(u); }
};

/// Even vertices are done from the start.
struct EvenAreDone : Recorder {
  KOKKOS_FUNCTION bool done(Vertex u) const { return u % 2 == 0; }
};

/// Counts on CPUs with nothing atomic about it: every thread on a cache line of its own.
struct CountsAlone : Recorder {
  dromos::ThreadNumbers<Space> threads;
  Kokkos::View<Offset* [8], Kokkos::LayoutRight, Memory> by_thread;
  Offset* mine = nullptr;
  KOKKOS_FUNCTION CountsAlone on_thread() const {
    CountsAlone here = *this;
    here.mine = &by_thread(threads.acquire(), 0);
    return here;
  }
  KOKKOS_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    ++*mine;
    return Recorder::edge(u, v, e);
  }
};

struct LastFirstRecorder : Recorder {
  static constexpr bool last_first = true;
};

/// Numbers vertices in the order in which their edges are visited.
template <bool last_first_>
struct NotesTurns {
  static constexpr bool last_first = last_first_;
  Kokkos::View<Offset*, Memory> turn, count;
  KOKKOS_FUNCTION bool edge(Vertex u, Vertex, Offset) const {
    turn(u) = Kokkos::atomic_fetch_add(&count(0), Offset(1));
    return false;
  }
};

/// Who is found joins, in whichever sweep.
struct GoesOn {
  static constexpr bool may_go_on = true;
  Kokkos::View<int*, Memory> found, told;
  Kokkos::View<Offset*, Memory> num_edges;
  KOKKOS_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    Kokkos::atomic_fetch_add(&num_edges(0), Offset(1));
    return Kokkos::atomic_fetch_add(&found(v), 1) == 0;
  }
  KOKKOS_FUNCTION void joined(Vertex, Vertex v) const { Kokkos::atomic_fetch_add(&told(v), 1); }
};

struct Plain {
  KOKKOS_FUNCTION bool edge(Vertex, Vertex, Offset) const { return true; }
};

TEST(EdgeOperator, HasTheHooksItOffersAndNoOthers) {
  using namespace dromos::detail;
  static_assert(!HasBegin<Plain, Vertex>::value && !HasDone<Plain, Vertex>::value && !HasJoined<Plain, Vertex>::value);
  static_assert(HasBegin<BeginsSome, Vertex>::value && HasDone<EvenAreDone, Vertex>::value);
  static_assert(HasJoined<TellsJoined, Vertex>::value);
  static_assert(HasMayJoin<WantsSome, Vertex>::value && !HasMayJoin<Plain, Vertex>::value);
  static_assert(HasOnThread<CountsAlone>::value && !HasOnThread<Plain>::value);
  static_assert(LastFirst<LastFirstRecorder>::value && !LastFirst<Plain>::value);
  static_assert(!LastFirst<NotesTurns<false>>::value);
  static_assert(HasJoining<JoinsSource, Vertex>::value && !HasJoining<Plain, Vertex>::value);
  static_assert(MayGoOn<GoesOn>::value && !MayGoOn<Plain>::value);
  EXPECT_EQ(dromos::joining_vertex(Plain{}, Vertex(1), Vertex(2)), 2);
  EXPECT_EQ(dromos::joining_vertex(JoinsSource{}, Vertex(1), Vertex(2)), 1);
  EXPECT_TRUE(dromos::begin_vertex(Plain{}, Vertex(1)));
  EXPECT_FALSE(dromos::vertex_done(Plain{}, Vertex(1)));
  EXPECT_FALSE(dromos::begin_vertex(BeginsSome{}, Vertex(1)));
  EXPECT_TRUE(dromos::begin_vertex(BeginsSome{}, Vertex(3)));
  EXPECT_TRUE(dromos::vertex_done(EvenAreDone{}, Vertex(2)));
}

/// For every graph and a fifth of the tunings: one sweep over all vertices, as an explicit work set, by op =
/// make(recorded); check(recorded, all, strategy, next, op) judges it.
template <class Make, class Check>
void for_every_sweep(const Make& make, const Check& check) {
  const auto tunings = dromos::test::all_tunings();
  std::uint64_t seed = 100;
  for (const DegreePattern& pattern : dromos::test::degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<Vertex> recorded(pattern.degrees, ++seed);
    std::vector<Vertex> all(pattern.degrees.size());
    std::iota(all.begin(), all.end(), 0);
    const Offset capacity = recorded.graph.num_edges() + static_cast<Offset>(all.size());
    Frontier<Vertex, Memory> frontier(capacity, Offset(1) << 40), next(capacity, Offset(1) << 40);
    for (const Strategy& strategy : dromos::test::every_nth(tunings, 5, seed)) {
      SCOPED_TRACE(dromos::test::describe(strategy));
      recorded.forget_visits();
      dromos::test::fill(frontier, all, recorded.graph.num_edges());
      const auto op = make(recorded);
      dromos::traverse(Space(), recorded.graph.view(), frontier, next, op, strategy);
      ASSERT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
      check(recorded, all, strategy, next, op);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(EdgeOperator, BeginSkipsAllEdgesOfAVertex) {
  for_every_sweep([](const auto& recorded) { return BeginsSome{recorded.op}; },
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const BeginsSome&) {
                    std::vector<Vertex> begun;
                    for (const Vertex u : all)
                      if (u % 3 == 0) begun.push_back(u);
                    ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(begun));
                    ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(begun));
                  });
}

TEST(EdgeOperator, EdgesThatMayNotJoinAreNotVisited) {
  for_every_sweep([](const auto& recorded) { return WantsSome{recorded.op}; },
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const WantsSome&) {
                    std::vector<int> visits = recorded.expected_visits(all);
                    std::vector<Vertex> joining;
                    for (std::size_t e = 0; e < recorded.num_edges(); ++e) {
                      if (recorded.target[e] % 2 == 0) visits[e] = 0;
                      if (visits[e] != 0 && recorded.joins[e] != 0) joining.push_back(recorded.target[e]);
                    }
                    std::sort(joining.begin(), joining.end());
                    ASSERT_EQ(to_vector(recorded.op.visits), visits);
                    ASSERT_EQ(dromos::test::sorted_vertices(next), joining);
                  });
}

TEST(EdgeOperator, EdgesAreVisitedAloneWhereThereIsOneThreadOfACpu) {
  const bool is_alone = !dromos::is_gpu<Space> && Space().concurrency() == 1;
  for_every_sweep(
      [](const auto& recorded) {
        return KnowsWhenAlone{recorded.op, Kokkos::View<int*, Memory>("among others", 1)};
      },
      [&](const auto& recorded, const auto& all, const Strategy&, const auto& next, const KnowsWhenAlone& op) {
        ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
        ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(all));
        ASSERT_EQ(to_vector(op.among_others), std::vector<int>{is_alone ? 0 : static_cast<int>(recorded.num_edges())});
      });
}

/// The sources of the edges that say true, ascending, each as often as it has such edges.
std::vector<Vertex> joining_sources(const RecordedGraph<Vertex>& recorded) {
  std::vector<Vertex> sources;
  for (std::size_t e = 0; e < recorded.num_edges(); ++e)
    if (recorded.joins[e]) sources.push_back(recorded.source[e]);
  return sources;
}

TEST(EdgeOperator, JoinsSourceGathersSources) {
  for_every_sweep([](const auto& recorded) { return JoinsSource{recorded.op}; },
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const JoinsSource&) {
                    ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
                    ASSERT_EQ(dromos::test::sorted_vertices(next), joining_sources(recorded));
                    ASSERT_EQ(next.num_edges(), recorded.degree_sum(joining_sources(recorded)));
                  });
}

std::vector<Offset> expected_told(const RecordedGraph<Vertex>& recorded) {
  std::vector<Offset> told(3, 0);
  for (std::size_t e = 0; e < recorded.num_edges(); ++e) {
    if (!recorded.joins[e]) continue;
    told[0] += 1;
    told[1] += Offset(recorded.source[e]) * recorded.source[e];
    told[2] += Offset(recorded.source[e] + 1) * recorded.target[e];
  }
  return told;
}

std::vector<Offset> told_by(const TellsJoined& op) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.told);
  return {host(0), host(1), host(2)};
}

template <class Operator>
Operator make_telling(const RecordedGraph<Vertex>& recorded) {
  Operator op;
  static_cast<Recorder&>(op) = recorded.op;
  op.told = Kokkos::View<Offset[3], Memory>("test::told");
  return op;
}

TEST(EdgeOperator, JoinedIsToldOnceOfEachEdgeThatSaysTrue) {
  for_every_sweep(make_telling<TellsJoined>,
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const TellsJoined& op) {
                    ASSERT_EQ(told_by(op), expected_told(recorded));
                    ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(all));
                  });
  for_every_sweep(make_telling<TellsJoinedSource>, [](const auto& recorded, const auto&, const Strategy&,
                                                      const auto& next, const TellsJoinedSource& op) {
    ASSERT_EQ(told_by(op), expected_told(recorded));
    ASSERT_EQ(dromos::test::sorted_vertices(next), joining_sources(recorded));
  });
}

TEST(EdgeOperator, WhoeverTheOperatorSaysJoins) {
  for_every_sweep(make_telling<TellsJoinedThird>, [](const auto& recorded, const auto& all, const Strategy&,
                                                     const auto& next, const TellsJoinedThird& op) {
    if (all.size() < 2) return;
    std::vector<Vertex> expected;
    for (std::size_t e = 0; e < recorded.num_edges(); ++e) {
      if (recorded.joins[e]) expected.push_back(TellsJoinedThird::third(recorded.source[e], recorded.target[e]));
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(told_by(op), expected_told(recorded));
    ASSERT_EQ(dromos::test::sorted_vertices(next), expected);
    ASSERT_EQ(next.num_edges(), recorded.degree_sum(expected));
  });
}

TEST(EdgeOperator, JoinedIsToldWhereNothingIsGathered) {
  const RecordedGraph<Vertex> recorded({3, 0, 40, 1, 0, 0, 9});
  for (const Strategy& strategy : dromos::test::all_tunings()) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    const auto op = make_telling<TellsJoined>(recorded);
    dromos::traverse_all(Space(), recorded.graph.view(), op, strategy);
    ASSERT_EQ(told_by(op), expected_told(recorded));
  }
}

TEST(EdgeOperator, OnThreadGivesEveryThreadOfACpuItsOwn) {
  if (dromos::is_gpu<Space>) GTEST_SKIP() << "on_thread() is a hook of CPUs";
  for_every_sweep(
      [](const auto& recorded) {
        CountsAlone op;
        static_cast<Recorder&>(op) = recorded.op;
        op.by_thread = decltype(op.by_thread)("test::by_thread", op.threads.size());
        return op;
      },
      [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const CountsAlone& op) {
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.by_thread);
        Offset counted = 0;
        for (std::size_t thread = 0; thread < host.extent(0); ++thread) counted += host(thread, 0);
        ASSERT_EQ(counted, recorded.graph.num_edges());
        ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
        ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(all));
      });
}

/// Sweeps from vertex 0 until nobody joins; everybody has joined once and each edge was visited once, whoever went on.
/// Returns how many sweeps it took.
int count_sweeps_that_go_on(const std::vector<std::vector<Vertex>>& rows, const Strategy& strategy) {
  const auto graph = dromos::test::make_graph(rows);
  const GoesOn op{Kokkos::View<int*, Memory>("test::found", rows.size()),
                  Kokkos::View<int*, Memory>("test::told", rows.size()),
                  Kokkos::View<Offset*, Memory>("test::edges", 1)};
  Frontier<Vertex, Memory> frontier(graph.num_vertices(), graph.num_edges()),
      next(graph.num_vertices(), graph.num_edges());
  dromos::test::fill(frontier, std::vector<Vertex>{0}, static_cast<Offset>(rows[0].size()));
  int num_sweeps = 0;
  for (; !frontier.empty(); ++num_sweeps) {
    dromos::traverse(Space(), graph.view(), frontier, next, op, strategy);
    std::swap(frontier, next);
  }
  std::vector<int> once(rows.size(), 1);
  once[0] = 0;  // nothing leads there
  EXPECT_EQ(to_vector(op.told), once);
  EXPECT_EQ(to_vector(op.num_edges), std::vector<Offset>{graph.num_edges()});
  return num_sweeps;
}

TEST(EdgeOperator, WhoMayGoOnDoesSoWithVertexChunkOfSeveralThreads) {
  std::vector<std::vector<Vertex>> path(2000), tree(20000);
  for (std::size_t v = 0; v + 1 < path.size(); ++v) path[v] = {static_cast<Vertex>(v + 1)};
  std::mt19937 random(3);
  for (std::size_t v = 1; v < tree.size(); ++v) {  // long chains, and a hub whose row nobody goes on with
    const std::size_t parent = v < 3000 ? v - 1 : v < 9000 ? 1500 : v - 1 - random() % 3;
    tree[parent].push_back(static_cast<Vertex>(v));
  }
  const bool goes_on = !dromos::is_gpu<Space> && Space().concurrency() > 1;
  EXPECT_EQ(count_sweeps_that_go_on(path, dromos::VertexChunk{}), goes_on ? 1 : 2000);
  EXPECT_EQ(count_sweeps_that_go_on(path, dromos::ManhattanLocal{}), 2000);
  for (const Strategy& strategy : dromos::test::every_nth(dromos::test::all_tunings(), 25, 1)) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    const int num_sweeps = count_sweeps_that_go_on(tree, strategy);
    EXPECT_GT(num_sweeps, 1);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(EdgeOperator, LastFirstVisitsEveryEdgeOnce) {
  for_every_sweep([](const auto& recorded) { return LastFirstRecorder{recorded.op}; },
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const auto&) {
                    ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
                    ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(all));
                  });
}

/// How often the edges of the first half of the vertices of a cycle are visited before those of the second, of all
/// pairs of a vertex and the one that lies half the cycle on; or the same within each of several equal parts of it.
template <bool last_first>
double share_of_first_before_last(const Strategy& strategy, int num_parts) {
  constexpr Vertex num_vertices = 1 << 18;
  const RecordedGraph<Vertex> cycle(std::vector<int>(num_vertices, 1), 7);
  const NotesTurns<last_first> op{Kokkos::View<Offset*, Memory>("test::turn", num_vertices),
                                  Kokkos::View<Offset*, Memory>("test::count", 1)};
  dromos::traverse_all(Space(), cycle.graph.view(), op, strategy);
  const auto turn = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.turn);
  const Vertex half = num_vertices / (2 * num_parts);
  int before = 0;
  for (int part = 0; part < num_parts; ++part) {
    for (Vertex v = 2 * half * part; v < 2 * half * part + half; ++v) before += turn(v) < turn(v + half);
  }
  return static_cast<double>(before) / (half * num_parts);
}

TEST(EdgeOperator, LastFirstBeginsAtTheEnd) {
  if (dromos::is_gpu<Space>) GTEST_SKIP() << "where all teams run at once, none is first";
  for (const Strategy& strategy : {Strategy(dromos::VertexChunk{}), Strategy(dromos::Hierarchical{}),
                                   Strategy(dromos::ManhattanLocal{}), Strategy(dromos::ManhattanGlobal{})}) {
    SCOPED_TRACE(dromos::test::describe(strategy));
    EXPECT_LT(share_of_first_before_last<true>(strategy, 1), 0.1);
    // Of others each thread has a share, and nobody takes the end of one before its beginning.
    EXPECT_GT(share_of_first_before_last<false>(strategy, static_cast<int>(Space().concurrency())), 0.9);
  }
}

/// Edges of u that were visited, of all and of those that say true.
struct Visited {
  int edges = 0;
  int saying_true = 0;
};

/// No edge twice; all edges of a vertex whose edges all say false; at least one that says true where there is one.
/// Returns the visits of each vertex.
std::vector<Visited> expect_permitted_stops(const RecordedGraph<Vertex>& recorded) {
  const std::vector<int> visits = to_vector(recorded.op.visits);
  std::vector<Visited> visited(recorded.rows.size());
  for (std::size_t u = 0; u < recorded.rows.size(); ++u) {
    int edges_saying_true = 0;
    const std::size_t degree = recorded.rows[u].size();
    for (std::size_t i = 0; i < degree; ++i) {
      const std::size_t e = recorded.first_edge[u] + i;
      EXPECT_LE(visits[e], 1);
      edges_saying_true += recorded.joins[e];
      visited[u].edges += visits[e];
      visited[u].saying_true += recorded.joins[e] ? visits[e] : 0;
    }
    if (edges_saying_true == 0) {
      EXPECT_EQ(visited[u].edges, static_cast<int>(degree)) << "vertex " << u;
    } else {
      EXPECT_GE(visited[u].saying_true, 1) << "vertex " << u;
    }
  }
  return visited;
}

/// Where a single thread walks a vertex, it stops right where it may.
void expect_immediate_stops(const RecordedGraph<Vertex>& recorded, const std::vector<Visited>& visited) {
  for (std::size_t u = 0; u < visited.size(); ++u) {
    const auto first = recorded.joins.begin() + recorded.first_edge[u];
    const auto last = first + static_cast<std::ptrdiff_t>(recorded.rows[u].size());
    const auto stop = std::find(first, last, 1);
    ASSERT_EQ(visited[u].edges, stop - first + (stop != last)) << "vertex " << u;
  }
}

bool walks_vertices_alone(const Strategy& strategy) { return std::holds_alternative<dromos::VertexChunk>(strategy); }

template <class Operator>
Operator make_finder(const RecordedGraph<Vertex>& recorded) {
  Operator op;
  static_cast<Recorder&>(op) = recorded.op;
  op.found = Bitmap<Memory>(static_cast<std::int64_t>(recorded.rows.size()));
  return op;
}

/// Each vertex that has an edge that says true joins exactly once.
const auto expect_each_source_once = [](const auto& recorded, const auto&, const Strategy& strategy, const auto& next,
                                        const auto&) {
  auto expected = joining_sources(recorded);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  ASSERT_EQ(dromos::test::sorted_vertices(next), expected);
  ASSERT_EQ(next.num_edges(), recorded.degree_sum(expected));
  const auto visited = expect_permitted_stops(recorded);
  if (walks_vertices_alone(strategy)) expect_immediate_stops(recorded, visited);
};

TEST(EdgeOperator, DoneFindsOneParentEach) {
  for_every_sweep(make_finder<FindsParentAndIsDone>, expect_each_source_once);
}

TEST(EdgeOperator, DoneFromTheStartSkipsEveryEdge) {
  for_every_sweep([](const auto& recorded) { return EvenAreDone{recorded.op}; },
                  [](const auto& recorded, const auto& all, const Strategy&, const auto& next, const EvenAreDone&) {
                    std::vector<Vertex> odd;
                    for (const Vertex u : all)
                      if (u % 2 != 0) odd.push_back(u);
                    ASSERT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(odd));
                    ASSERT_EQ(dromos::test::sorted_vertices(next), recorded.expected_next(odd));
                  });
}

}  // namespace edge_operator_test
