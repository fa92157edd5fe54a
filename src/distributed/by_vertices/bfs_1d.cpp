// SPDX-License-Identifier: BSD-3-Clause
// The loop over levels, and which way is behind which name and graph.
#include <dromos/comm/agree.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_vertices/bfs_1d.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_bitmask.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sending.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sort_unique.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <memory>
#include <utility>

#include "distributed/by_vertices/search_alone.hpp"

namespace dromos {
namespace detail {

/// Level by level, by one of the three ways.
template <class Space, class Vertex>
class Bfs1dByLevels {
 public:
  using Memory = typename Space::memory_space;

  Bfs1dByLevels(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& graph,
                Bfs1dAlgorithm algorithm, const Bfs1dOptions& options)
      : state_(communicator, space, graph, options), expansion_(make_expansion(algorithm)) {}

  Bfs1dStatistics search(Vertex root);
  const BfsResult<Vertex, Memory>& result() const { return state_.result; }

 private:
  std::unique_ptr<Bfs1dExpansion<Space, Vertex>> make_expansion(Bfs1dAlgorithm algorithm) const {
    switch (algorithm) {
      case Bfs1dAlgorithm::straightforward:
        return std::make_unique<SendingExpansion<Space, Vertex>>(state_, false);
      case Bfs1dAlgorithm::sort_unique:
        return std::make_unique<SortUniqueExpansion<Space, Vertex>>(state_);
      default:
        return std::make_unique<BitmaskExpansion<Space, Vertex>>(state_);
    }
  }

  Bfs1dState<Space, Vertex> state_;
  std::unique_ptr<Bfs1dExpansion<Space, Vertex>> expansion_;
};

template <class Space, class Vertex>
Bfs1dStatistics Bfs1dByLevels<Space, Vertex>::search(Vertex root) {
  const Communicator& communicator = state_.communicator;
  const Kokkos::Timer total;
  Bfs1dStatistics statistics;
  const Offset first_edges_at_most = expansion_->first_edges_at_most(state_);
  state_.start(root, first_edges_at_most, !expansion_->fills_results(), expansion_->starts_search());
  expansion_->start(state_);
  bool knows_sums = first_edges_at_most >= 0;
  state_.edges_are_bound = knows_sums;
  state_.frontier_size = 1;
  state_.frontier_edges = first_edges_at_most;

  for (;;) {
    const ScopedRegion level_region("dromos::bfs_1d::level");
    Bfs1dLevel level;
    const Kokkos::Timer timer;
    const CommCounters before = communicator.counters();
    const auto end_level = [&](Bfs1dLevel& ended) {
      const CommCount cost = (communicator.counters() - before).total();
      ended.bytes_sent = cost.bytes_sent;
      ended.messages = cost.messages;
      ended.communication_seconds = cost.seconds;
      ended.seconds = timer.seconds();
      statistics.levels.push_back(ended);
    };
    level.frontier_size = state_.frontier.num_vertices();
    if (!knows_sums) {
      std::int64_t sums[3] = {level.frontier_size, state_.frontier.num_edges(), state_.own_edges_reached};
      sum_in_place(communicator, sums, 3);
      state_.frontier_size = sums[0];
      state_.frontier_edges = sums[1];
      state_.edges_reached = sums[2];
    }
    knows_sums = false;
    if (state_.frontier_size == 0) break;
    if (expansion_->goes_both_ways() && !statistics.levels.empty() &&
        leads_back(state_.frontier_size, state_.frontier_edges)) {
      level.frontier_edges = state_.frontier.num_edges();
      end_level(level);
      break;
    }
    std::vector<Bfs1dLevel> several;
    if (expansion_->expand_several(state_, several)) {
      for (Bfs1dLevel& made : several) {
        made.seconds = timer.seconds() / static_cast<double>(several.size());
        statistics.levels.push_back(made);
      }
      knows_sums = true;
      continue;
    }
    ++state_.next_level;
    expansion_->expand(state_, level);
    state_.frontier.learn_start(state_.space);
    level.frontier_edges = state_.frontier.num_edges();
    std::swap(state_.frontier, state_.next);
    state_.pass_level(level.frontier_edges);
    state_.edges_are_bound = false;
    end_level(level);
  }
  state_.fill_unreached();
  fence(state_.space, "dromos::bfs_1d::end");
  statistics.seconds = total.seconds();
  return statistics;
}

}  // namespace detail

template <class Space, class Vertex>
Bfs1d<Space, Vertex>::Bfs1d(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& graph,
                            Bfs1dAlgorithm algorithm, const Bfs1dOptions& options)
    : num_vertices_(graph.partition.num_vertices()) {
  const bool both_directions = options.direction_optimizing && !graph.directed;
  if (communicator.size() == 1 && algorithm == Bfs1dAlgorithm::relabelled_bitmask && both_directions) {
    alone_ = std::make_unique<detail::SearchAlone<Space, Vertex>>(space, graph, options);
  } else {
    by_levels_ = std::make_unique<detail::Bfs1dByLevels<Space, Vertex>>(communicator, space, graph, algorithm, options);
  }
}

template <class Space, class Vertex>
Bfs1d<Space, Vertex>::~Bfs1d() = default;

template <class Space, class Vertex>
Bfs1dStatistics Bfs1d<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::bfs_1d");
  check_root(root, num_vertices_);  // the same on every rank
  return alone_ ? alone_->search(root) : by_levels_->search(root);
}

template <class Space, class Vertex>
const BfsResult<Vertex, typename Space::memory_space>& Bfs1d<Space, Vertex>::result() const {
  return alone_ ? alone_->result() : by_levels_->result();
}

template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
