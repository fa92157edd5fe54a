// SPDX-License-Identifier: BSD-3-Clause
// The queues of a team, without a graph algorithm around them: whatever the threads push arrives exactly once, whether
// they flush together, in rounds or alone, and the reservations of many teams do not overlap. The queue of GPUs without
// warps is tested on CPUs, too. Where there are warps, theirs is the only queue, and its teams are whole warps.
#include <dromos/traverse/enqueue.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/traverse/warp_queue.hpp>
#include <limits>
#include <string>
#include <vector>

#include "strategy_tunings.hpp"
#include "view_tools.hpp"
#include "visit_recorder.hpp"

namespace {

using dromos::Frontier;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

using Vertex = std::int32_t;
using View = dromos::CsrView<Vertex, Memory>;
using Sink = dromos::QueueSink<View>;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;

/// An operator for which nothing counts but what joined() is told: by target, how often, and the sum of the sources.
struct Tells {
  Kokkos::View<int*, Memory> times, sources;
  KOKKOS_FUNCTION void joined(Vertex u, Vertex v) const {
    Kokkos::atomic_fetch_add(&times(v), 1);
    Kokkos::atomic_fetch_add(&sources(v), u);
  }
};
struct TellsNothing {};

enum class Way { together, rounds, alone, one_by_one };

/// Item i of the league pushes the edge (source_of(i), target_of(i)), or nothing.
constexpr int num_targets = 50;
KOKKOS_INLINE_FUNCTION bool pushes(int i) { return i % 3 != 0; }
KOKKOS_INLINE_FUNCTION Vertex source_of(int i) { return i % 7; }
KOKKOS_INLINE_FUNCTION Vertex target_of(int i) { return i % num_targets; }

template <class Queue, class Operator>
struct PushKernel {
  Sink sink;
  Operator op;
  int items_per_thread, capacity;
  Way way;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Queue queue(team, sink, op, capacity);
    const int first = (team.league_rank() * team.team_size() + team.team_rank()) * items_per_thread;
    // Threads of a round are together; a thread's pushes between two rounds must not exceed the queue's capacity.
    const int round = way == Way::together ? items_per_thread : way == Way::rounds ? queue.capacity() : 1 << 30;
    int in_round = 0;
    for (int i = first; i < first + items_per_thread; ++i) {
      if (pushes(i)) {
        if (way == Way::one_by_one) {
          queue.push_alone(source_of(i), target_of(i));
        } else {
          queue.push(source_of(i), target_of(i));
          if (way == Way::alone && queue.full()) queue.flush_alone();
        }
      }
      if (++in_round == round) {
        queue.flush_round(team);
        in_round = 0;
      }
    }
    queue.flush_together(team);
  }
};

template <class Operator>
using Local = dromos::LocalQueue<Space, Member, Sink, Operator>;

template <class Queue, class Operator>
void push_all(const Sink& sink, const Operator& op, int league, int team, int items_per_thread, int capacity, Way way) {
  Policy policy(Space(), league, team);
  policy.set_scratch_size(dromos::scratch_level<Space>, Kokkos::PerTeam(Queue::scratch_bytes(team, capacity)));
  Kokkos::parallel_for("test::push", policy, PushKernel<Queue, Operator>{sink, op, items_per_thread, capacity, way});
  Space().fence();
}

template <class Operator>
using OfWarps = dromos::WarpQueue<Member, Sink, Operator>;

template <template <class> class Queue>
void expect_everything_arrives(const std::vector<Way>& ways) {
  const int items_per_thread = 13, league = 3;
  std::vector<std::vector<Vertex>> rows(num_targets);
  for (int v = 0; v < num_targets; ++v) rows[v].assign(v % 4 * 3, 0);
  const auto graph = dromos::test::make_graph(rows);
  for (const Offset claimed_edges : {Offset(1) << 40, std::numeric_limits<Offset>::max()}) {
    for (const bool with_prefix_sums : {false, true}) {
      for (const int some : dromos::test::team_sizes()) {
        const int team = dromos::whole_warps<Space>(some);
        const int num_items = league * team * items_per_thread;
        std::vector<Vertex> expected;
        std::vector<int> times(num_targets, 0), sources(num_targets, 0);
        for (int i = 0; i < num_items; ++i) {
          if (!pushes(i)) continue;
          expected.push_back(target_of(i));
          ++times[target_of(i)];
          sources[target_of(i)] += source_of(i);
        }
        std::sort(expected.begin(), expected.end());
        Offset expected_edges = 0;
        for (const Vertex v : expected) expected_edges += static_cast<Offset>(rows[v].size());
        Frontier<Vertex, Memory> frontier(num_items, claimed_edges);
        for (const Way way : ways) {
          for (const int small : {1, 3, 16}) {
            const int capacity = way == Way::together ? items_per_thread + small : small;
            SCOPED_TRACE("team " + std::to_string(team) + ", capacity " + std::to_string(capacity) + ", way " +
                         std::to_string(static_cast<int>(way)) + (with_prefix_sums ? ", prefix sums" : "") +
                         (claimed_edges > Offset(1) << 40 ? ", two words" : ""));
            const Tells tells{Kokkos::View<int*, Memory>("test::times", num_targets),
                              Kokkos::View<int*, Memory>("test::sources", num_targets)};
            for (const bool telling : {false, true}) {
              const auto sink = frontier.open(Space(), graph.view(), with_prefix_sums);
              if (telling) {
                push_all<Queue<Tells>>(sink, tells, league, team, items_per_thread, capacity, way);
              } else {
                push_all<Queue<TellsNothing>>(sink, TellsNothing{}, league, team, items_per_thread, capacity, way);
              }
              frontier.collect(Space());
              ASSERT_EQ(frontier.num_vertices(), static_cast<std::int64_t>(expected.size()));
              ASSERT_EQ(frontier.num_edges(), expected_edges);
              ASSERT_EQ(dromos::test::sorted_vertices(frontier), expected);
              if (frontier.work().prefix_sums.extent(0) == 0) continue;
              const auto queue = to_vector(frontier.queue(), expected.size());
              const auto prefix = to_vector(frontier.work().prefix_sums, expected.size());
              Offset sum = 0;
              for (std::size_t i = 0; i < queue.size(); ++i) {
                ASSERT_EQ(prefix[i], sum) << "at position " << i;
                sum += static_cast<Offset>(rows[queue[i]].size());
              }
            }
            ASSERT_EQ(to_vector(tells.times), times);
            ASSERT_EQ(to_vector(tells.sources), sources);
          }
        }
      }
    }
  }
}

const std::vector<Way> all_ways = {Way::together, Way::rounds, Way::alone, Way::one_by_one};

TEST(LocalQueue, LosesAndDoublesNothing) {
  if constexpr (dromos::has_warps<Space>) {
    GTEST_SKIP() << "where there are warps, sweeps use WarpQueue";
  } else {
    expect_everything_arrives<Local>(all_ways);
  }
}

TEST(WarpQueue, LosesAndDoublesNothing) {
  if constexpr (dromos::has_warps<Space>) {
    expect_everything_arrives<OfWarps>(all_ways);
  } else {
    GTEST_SKIP() << Space::name() << " has no warps";
  }
}

}  // namespace
