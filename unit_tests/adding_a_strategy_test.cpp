// SPDX-License-Identifier: BSD-3-Clause
// The strategy of doc/adding-a-strategy.md, to the letter (documentation_test.cpp compares): what the page says can be
// compiled, and visits every edge exactly once.
#include <gtest/gtest.h>

#include <dromos/traverse/sweep.hpp>
#include <dromos/traverse/traverse.hpp>

#include "visit_recorder.hpp"

namespace dromos {

struct EdgeBlocks {
  static constexpr const char* name = "edge-blocks";
  static constexpr bool needs_prefix_sums = false;
  template <class Space>
  static constexpr bool needs_num_edges = false;
  int team_size = 0;          // threads a team, which share each vertex; 0: 256 on GPUs, 1 on CPUs
  int vertices_per_team = 0;  // vertices a team takes; 0: 64
  int queue_size = 0;         // slots of a thread's queue

  template <class Show>
  void fields(const Show& show) {
    show("team size", team_size);
    show("vertices per team", vertices_per_team);
    show("queue size", queue_size);
  }
};

namespace detail {

template <class Sweep>
struct EdgeBlocksKernel {
  using Member = typename Sweep::Member;
  Sweep shared;
  EdgeBlocks strategy;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto& sweep = on_this_thread(shared);
    typename Sweep::Queue queue(team, sweep.sink, sweep.op, strategy.queue_size);
    const std::int64_t first = static_cast<std::int64_t>(sweep.league_rank(team)) * strategy.vertices_per_team;
    const std::int64_t last = dromos::min<std::int64_t>(first + strategy.vertices_per_team, sweep.work.size());
    for (std::int64_t i = first; i < last; ++i) {
      const auto u = sweep.work.vertex(i);
      if (!begin_vertex(sweep.op, u)) continue;
      const Offset begin = sweep.graph.begin(u) + team.team_rank();
      sweep.walk_edges(queue, u, begin, sweep.graph.end(u), team.team_size());
    }
    queue.flush_together(team);
  }
};

}  // namespace detail

template <class Sweep>
void run_sweep(const typename Sweep::Space& space, const Sweep& sweep, EdgeBlocks strategy) {
  using Space = typename Sweep::Space;
  if (strategy.team_size == 0) strategy.team_size = is_gpu<Space> ? 256 : 1;
  if (strategy.vertices_per_team == 0) strategy.vertices_per_team = 64;
  if (strategy.queue_size == 0) strategy.queue_size = default_queue_size<Sweep>();
  strategy.team_size = checked_team_size<Space>(strategy.name, strategy.team_size);
  check_tuning(strategy.name, "vertices_per_team", strategy.vertices_per_team);
  check_tuning(strategy.name, "queue_size", strategy.queue_size);
  const std::size_t scratch_bytes = Sweep::Queue::scratch_bytes(strategy.team_size, strategy.queue_size);
  check_scratch<Space>(strategy.name, strategy.team_size, scratch_bytes);
  launch_teams<typename Sweep::Policy>(
      "dromos::traverse::edge_blocks", space,
      {league_size(sweep.work.size(), strategy.vertices_per_team), strategy.team_size, scratch_bytes},
      detail::EdgeBlocksKernel<Sweep>{sweep, strategy});
}

}  // namespace dromos

namespace dromos::test {
namespace {

TEST(AddingAStrategy, VisitsEveryEdgeOnce) {
  for (const DegreePattern& pattern : degree_patterns()) {
    SCOPED_TRACE(pattern.name);
    const RecordedGraph<std::int32_t> recorded(pattern.degrees);
    std::vector<std::int32_t> all;
    for (std::size_t u = 0; u < pattern.degrees.size(); ++u) all.push_back(static_cast<std::int32_t>(u));
    const auto expected = recorded.expected_next(all);
    const auto view = recorded.graph.view();
    Frontier<std::int32_t, Memory> next(static_cast<std::int64_t>(expected.size()) + 1, Offset(1) << 40);
    for (const EdgeBlocks& strategy : {EdgeBlocks{}, EdgeBlocks{0, 1, 1}, EdgeBlocks{largest_team(), 3, 4}}) {
      recorded.forget_visits();
      const auto sink = next.open(Space(), view, false);
      sweep(Space(), view, AllVertices<decltype(view)>{view}, sink, recorded.op, strategy);
      next.collect(Space());
      EXPECT_EQ(to_vector(recorded.op.wrong), std::vector<int>{0});
      EXPECT_EQ(to_vector(recorded.op.visits), recorded.expected_visits(all));
      EXPECT_EQ(sorted_vertices(next), expected);
    }
  }
}

}  // namespace
}  // namespace dromos::test
