// SPDX-License-Identifier: BSD-3-Clause
// Searching a graph separated by degree with lists of vertices: what a sweep finds it queues, in one list for each part
// of the edges (distributed/by_degree/split_frontier.hpp).
//
// A level first finds delegates, along nd and dd, and combines what the ranks found, if any found one; meanwhile nn and
// dn find normal vertices, and those that nn found on other ranks travel while dn is searched. Where normal vertices
// look back, and of delegates always, a pass over bitmaps takes the queue's place.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/distributed/by_degree/split_frontier.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>
#include <type_traits>
#include <utility>

#include "distributed/by_degree/delegate_search.hpp"

namespace dromos::detail {

/// The delegates that any rank found on this level are visited and have their level. Word by word.
template <class Memory>
struct VisitDelegates {
  BitmapWords<Memory> found, visited, before;
  Level next_level;
  Kokkos::View<Level*, Memory> levels;

  KOKKOS_FUNCTION void operator()(const std::int64_t w) const {
    const auto now = found(w), old = visited(w);
    for (auto rest = now & ~old; rest != 0; rest &= rest - 1) {
      levels(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest)) = next_level;
    }
    before(w) = old;
    visited(w) = now;
  }
};

template <class Space, class Vertex>
class DelegateSearchByLists final : public DelegateSearch<Space, Vertex> {
  using Base = DelegateSearch<Space, Vertex>;
  using Base::choose_directions, Base::look_at_frontier, Base::alone;
  using Base::communicator_, Base::space_, Base::graph_, Base::options_, Base::reduction_, Base::exchange_,
      Base::result_, Base::normal_visited_, Base::delegate_visited_, Base::delegate_found_, Base::delegate_parent_,
      Base::delegate_level_, Base::next_level_;
  using Base::nd_, Base::dn_, Base::dd_, Base::normal_before_;
  using Base::nn_work_, Base::nd_work_, Base::dn_work_, Base::dd_work_;

 public:
  using Memory = typename Space::memory_space;

  DelegateSearchByLists(const Communicator& communicator, const Space& space,
                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
      : Base(communicator, space, graph, options),
        has_nn_(graph.num_local(), "dromos::bfs_delegate::has_nn"),
        delegates_before_(graph.num_delegates(), "dromos::bfs_delegate::delegates_before"),
        normal_({graph.normal.degrees(), has_nn_, graph.has_nd}),
        next_normal_({graph.normal.degrees(), has_nn_, graph.has_nd}),
        delegates_({graph.delegate.degrees(), graph.has_dn, graph.has_dd}),
        counts_(FoundDelegates::num_counts, "dromos::bfs_delegate::counts") {
    mark_vertices_with_edges(space_, graph.normal.normal_view(), has_nn_);
  }

 protected:
  void start(Vertex root, const Place& place) override {
    normal_.clear();
    delegates_.clear();
    fence(space_, "dromos::bfs_delegate::start");  // this thread writes where kernels did
    const bool own = place.rank == graph_.rank;
    const LocalVertex number = find_delegate(place);
    if (number != no_vertex<LocalVertex>) {
      delegate_found_.set(number);
      if (own) delegate_parent_(number) = root;
      take_delegates();
    } else if (own) {
      const auto local = static_cast<LocalVertex>(place.local);
      normal_visited_.set(local);
      normal_results().write(local, root);
      normal_.open(space_).enqueue(local);
      normal_.collect(space_);
    }
    learn_work();
  }

  bool expand(BfsDelegateLevel& level) override {
    look_at_frontier(normal_.num_vertices(), delegates_.num_vertices(), level);
    std::int64_t dd_sums[DdOfAllRanks::num_sums];
    DdOfAllRanks::say(dd_work_, dd_, dd_sums);
    // All ranks have the same delegates; where there are none, nobody has edges of dd to go along.
    if (!alone() && !delegates_.empty()) sum_in_place(communicator_, dd_sums, DdOfAllRanks::num_sums);
    const DirectionWork dd = DdOfAllRanks::work(dd_sums);
    choose_directions(dd, level);
    list_sources();
    ++next_level_;
    counts_.open(space_);
    const FoundDelegates sink{{}, counts_.on_device().data()};
    this->find_delegates(
        space_, dd.frontier_edges > 0, sink, normal_visited_, normal_.with_delegate(), delegates_.with_delegate(),
        [&](const auto& rows, auto& from, const auto& names, const Strategy& strategy) {
          using Names = std::decay_t<decltype(names)>;
          sweep_from(rows, from, sink,
                     DiscoverDelegates<Vertex, Memory, Names>{delegate_found_, delegate_parent_, names}, strategy);
        });
    counts_.read(space_);
    std::int64_t sums[3] = {normal_.num_vertices(), static_cast<std::int64_t>(counts_[0]), nn_work_.edges};
    if (!alone()) sum_in_place(communicator_, sums, 3);
    if (sums[0] == 0 && delegates_.empty()) return false;
    const bool anybody_found = sums[1] > 0;
    if (anybody_found && !alone()) {
      reduction_.start(space_, delegate_found_);
      if (!options_.overlap_reduction) reduction_.wait(space_, delegate_found_);
    }
    find_normal_vertices(alone() ? 0 : sums[2], level);
    if (anybody_found) {
      if (!alone() && options_.overlap_reduction) reduction_.wait(space_, delegate_found_);
      level.reductions = alone() ? 0 : 1;
      take_delegates();
    } else {
      delegates_.clear();
    }
    std::swap(normal_, next_normal_);
    learn_work();
    return true;
  }

 private:
  /// Counts the delegates that this rank finds on a level.
  using FoundDelegates = CountingSink<NoDegrees<Memory>, false>;

  NormalResults<Vertex, Memory> normal_results() const {
    return {normal_visited_, result_.parent, result_.level, next_level_};
  }

  /// The number of the delegate that is at home there, or no_vertex.
  LocalVertex find_delegate(const Place& place) const {
    const Block& theirs = graph_.delegates_of[place.rank];
    const LocalVertex* const begin = graph_.delegates_by_owner.data() + theirs.offset;
    const LocalVertex* const end = begin + theirs.size;
    const auto local = [&](LocalVertex number) { return graph_.partition.place(graph_.delegate_global(number)).local; };
    const LocalVertex* const found = std::lower_bound(
        begin, end, place.local, [&](LocalVertex number, std::int64_t wanted) { return local(number) < wanted; });
    return found != end && local(*found) == place.local ? *found : no_vertex<LocalVertex>;
  }

  /// One sweep from a list over the part of the edges that it is of; gathers into `sink`.
  template <class Graph, class Sink, class Operator>
  void sweep_from(const Graph& graph, Frontier<LocalVertex, Memory>& from, const Sink& sink, const Operator& op,
                  const Strategy& strategy) {
    sweep_frontier(
        space_, graph, from, [&](bool) { return sink; }, op, strategy);
  }

  /// The lists that sweeps of this level go from, while what they are made of is as it was.
  void list_sources() {
    if (nn_work_.edges > 0) normal_.list_with_normal(space_);
    if (nd_work_.edges > 0 && !nd_.rule.backward()) normal_.list_with_delegate(space_);
    if (dn_work_.edges > 0 && !dn_.rule.backward()) delegates_.list_with_normal(space_);
    if (dd_work_.edges > 0 && !dd_.rule.backward()) delegates_.list_with_delegate(space_);
  }

  /// Where normal vertices look back, many are found, and a pass over their bits makes the next frontier; otherwise
  /// they are queued.
  ///
  /// \param most_posts  what nn posts on all ranks together, at most
  void find_normal_vertices(Offset most_posts, BfsDelegateLevel& level) {
    if (dn_work_.edges > 0 && dn_.rule.backward()) {
      Kokkos::deep_copy(space_, normal_before_.words(), normal_visited_.words());
      const auto sink = next_normal_.open_counting(space_);
      search_nn(sink, most_posts, level);
      this->look_back_along_dn(sink,
                               FindNormalParent<Vertex, Memory>{delegate_visited_, normal_results(), delegate_names()});
      if (most_posts > 0) exchange_.receive(space_, normal_results(), sink, graph_.partition);
      next_normal_.take_counted(space_, normal_visited_, normal_before_);
    } else {
      const auto sink = next_normal_.open(space_);
      search_nn(sink, most_posts, level);
      if (dn_work_.edges > 0) {
        sweep_from(graph_.delegate.normal_view(), delegates_.with_normal(), sink,
                   DiscoverNormal<Vertex, Memory>{normal_results(), delegate_names()}, options_.strategy);
      }
      if (most_posts > 0) exchange_.receive(space_, normal_results(), sink, graph_.partition);
      next_normal_.collect(space_);
    }
  }

  /// First, so that what it finds for other ranks travels while dn is searched.
  template <class Sink>
  void search_nn(const Sink& sink, Offset most_posts, BfsDelegateLevel& level) {
    if (nn_work_.edges > 0) {
      sweep_from(graph_.normal.normal_view(), normal_.with_normal(), sink,
                 DiscoverOrPost<Vertex, Memory>{{normal_results(), NormalNames<Vertex>{graph_.partition, graph_.rank},
                                                 exchange_.outbox(), graph_.ids}},
                 options_.strategy);
    }
    if (most_posts > 0) level.sent = exchange_.send(space_, most_posts);
  }

  DelegateNames<Vertex, Memory> delegate_names() const { return {graph_.delegate_global}; }

  /// The delegates that any rank found become the frontier's.
  void take_delegates() {
    Kokkos::parallel_for("dromos::bfs_delegate::visit_delegates",
                         typename Base::Range(space_, 0, static_cast<std::int64_t>(delegate_found_.words().extent(0))),
                         VisitDelegates<Memory>{delegate_found_.words(), delegate_visited_.words(),
                                                delegates_before_.words(), next_level_, delegate_level_});
    delegates_.take_fresh(space_, delegate_visited_, delegates_before_);
  }

  void learn_work() {
    nn_work_ = normal_.to_normal();
    nd_work_ = normal_.to_delegate();
    dn_work_ = delegates_.to_normal();
    dd_work_ = delegates_.to_delegate();
  }

  Bitmap<Memory> has_nn_;            // own vertices with an edge to a normal vertex
  Bitmap<Memory> delegates_before_;  // visited before the frontier
  SplitFrontier<Memory> normal_, next_normal_;
  SplitFrontier<Memory> delegates_;  // of the frontier
  DeviceCounts<Memory> counts_;      // of FoundDelegates
};

}  // namespace dromos::detail
