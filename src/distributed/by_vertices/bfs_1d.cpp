// SPDX-License-Identifier: BSD-3-Clause
// The loop over levels, and which way is behind which name.
#include <dromos/comm/agree.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_vertices/bfs_1d.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_bitmask.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sending.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_sort_unique.hpp>
#include <utility>

namespace dromos {
namespace {

template <class Space, class Vertex>
std::unique_ptr<detail::Bfs1dExpansion<Space, Vertex>> make_expansion(Bfs1dAlgorithm algorithm,
                                                                      const detail::Bfs1dState<Space, Vertex>& state) {
  switch (algorithm) {
    case Bfs1dAlgorithm::straightforward:
      return std::make_unique<detail::SendingExpansion<Space, Vertex>>(state, false);
    case Bfs1dAlgorithm::sort_unique:
      return std::make_unique<detail::SortUniqueExpansion<Space, Vertex>>(state);
    default:
      return std::make_unique<detail::BitmaskExpansion<Space, Vertex>>(state);
  }
}

}  // namespace

template <class Space, class Vertex>
Bfs1d<Space, Vertex>::Bfs1d(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& graph,
                            Bfs1dAlgorithm algorithm, const Bfs1dOptions& options)
    : algorithm_(algorithm),
      state_(communicator, space, graph, options),
      expansion_(make_expansion(algorithm, state_)) {}

template <class Space, class Vertex>
Bfs1dStatistics Bfs1d<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::bfs_1d");
  check_root(root, state_.graph.partition.num_vertices());  // the same on every rank
  const Communicator& communicator = state_.communicator;
  const Kokkos::Timer total;
  Bfs1dStatistics statistics;
  const Offset first_edges_at_most = expansion_->first_edges_at_most(state_);
  state_.start(root, first_edges_at_most, !expansion_->fills_results());
  expansion_->start(state_);

  for (;;) {
    const ScopedRegion level_region("dromos::bfs_1d::level");
    Bfs1dLevel level;
    const Kokkos::Timer timer;
    const CommCounters before = communicator.counters();
    level.frontier_size = state_.frontier.num_vertices();
    if (statistics.levels.empty() && first_edges_at_most >= 0) {
      state_.frontier_size = 1;
      state_.frontier_edges = first_edges_at_most;
    } else {
      std::int64_t sums[3] = {level.frontier_size, state_.frontier.num_edges(), state_.own_edges_reached};
      sum_in_place(communicator, sums, 3);
      if (sums[0] == 0) break;
      state_.frontier_size = sums[0];
      state_.frontier_edges = sums[1];
      state_.edges_reached = sums[2];
    }
    ++state_.next_level;
    expansion_->expand(state_, level);
    state_.frontier.learn_start(state_.space);
    level.frontier_edges = state_.frontier.num_edges();
    std::swap(state_.frontier, state_.next);
    state_.num_reached += state_.frontier_size;
    state_.own_edges_reached += level.frontier_edges;
    const CommCount cost = (communicator.counters() - before).total();
    level.bytes_sent = cost.bytes_sent;
    level.messages = cost.messages;
    level.communication_seconds = cost.seconds;
    level.seconds = timer.seconds();
    statistics.levels.push_back(level);
  }
  state_.fill_unreached();
  fence(state_.space, "dromos::bfs_1d::end");
  statistics.seconds = total.seconds();
  return statistics;
}

template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class Bfs1d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
