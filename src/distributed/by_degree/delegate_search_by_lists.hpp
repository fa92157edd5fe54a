// SPDX-License-Identifier: BSD-3-Clause
// Searching a graph separated by degree with lists of vertices: what a sweep finds it queues.
//
// A level first finds delegates, along nd and dd, and combines what the ranks found, if any found one; meanwhile nn and
// dn find normal vertices, and those that nn found on other ranks travel while dn is searched. In between the edges of
// the frontier are counted, part by part.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/two_sums.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>
#include <tuple>
#include <utility>

#include "distributed/by_degree/delegate_search.hpp"

namespace dromos::detail {

/// How many vertices of a work set have edges in each of the two parts that begin at them, and how many edges.
template <class ToNormal, class Memory>
struct SumPartWork {
  SubgraphView<ToNormal, Memory> to_normal;
  SubgraphView<LocalVertex, Memory> to_delegate;
  Kokkos::View<const LocalVertex*, Memory> queue;

  KOKKOS_FUNCTION void operator()(const std::int64_t i, TwoSums& total) const {
    const LocalVertex v = queue(i);
    total.first += PartWork::pack(to_normal.degree(static_cast<ToNormal>(v)));
    total.second += PartWork::pack(to_delegate.degree(v));
  }
};

template <class Space, class ToNormal, class Memory>
std::pair<PartWork, PartWork> part_work(const Space& space, const SubgraphPair<ToNormal, Memory>& parts,
                                        const Frontier<LocalVertex, Memory>& frontier) {
  if (frontier.empty()) return {};
  TwoSums sums;
  Kokkos::parallel_reduce(
      "dromos::bfs_delegate::part_work",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()),
      SumPartWork<ToNormal, Memory>{parts.normal_view(), parts.delegate_view(), frontier.queue()},
      Kokkos::Sum<TwoSums>(sums));
  return {PartWork::unpack(sums.first), PartWork::unpack(sums.second)};
}

/// The number of the delegate that has this global id, as the largest of all that are asked.
template <class Vertex, class Memory>
struct FindDelegate {
  Kokkos::View<const Vertex*, Memory> global;
  Vertex vertex;
  KOKKOS_FUNCTION void operator()(const std::int64_t k, std::int64_t& largest) const {
    if (global(k) == vertex) largest = dromos::max(largest, k);
  }
};

template <class Memory>
struct WriteLevels {
  Kokkos::View<const LocalVertex*, Memory> queue;
  Level level;
  Kokkos::View<Level*, Memory> levels;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { levels(queue(i)) = level; }
};

template <class Space, class Vertex>
class DelegateSearchByLists final : public DelegateSearch<Space, Vertex> {
  using Base = DelegateSearch<Space, Vertex>;
  using Base::choose_directions, Base::look_at_frontier, Base::alone;
  using Base::communicator_, Base::space_, Base::graph_, Base::options_, Base::reduction_, Base::exchange_,
      Base::result_, Base::normal_visited_, Base::delegate_visited_, Base::delegate_found_, Base::delegate_parent_,
      Base::delegate_level_, Base::next_level_;
  using Base::nn_work_, Base::nd_work_, Base::dn_work_, Base::dd_work_, Base::dn_;

 public:
  using Memory = typename Space::memory_space;
  using Range = typename Base::Range;

  DelegateSearchByLists(const Communicator& communicator, const Space& space,
                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
      : Base(communicator, space, graph, options),
        normal_(graph.num_local(), 0),
        next_normal_(graph.num_local(), 0),
        delegates_(graph.num_delegates(), 0),
        found_delegates_(graph.num_delegates(), 0) {}

 protected:
  void start(Vertex root, const Place& place) override {
    normal_.set_counts(0);
    take_no_delegates();
    std::int64_t number = -1;
    Kokkos::parallel_reduce("dromos::bfs_delegate::find_delegate", Range(space_, 0, graph_.num_delegates()),
                            FindDelegate<Vertex, Memory>{graph_.delegate_global, root},
                            Kokkos::Max<std::int64_t>(number));
    const bool own = place.rank == graph_.rank;
    if (number >= 0) {
      const ClaimDelegateRoot claim{delegate_found_, delegate_parent_, static_cast<LocalVertex>(number), root, own};
      Kokkos::parallel_for("dromos::bfs_delegate::root", Range(space_, 0, 1), claim);
      take_found_delegates();
    } else if (own) {
      const auto local = static_cast<LocalVertex>(place.local);
      Kokkos::parallel_for("dromos::bfs_delegate::root", Range(space_, 0, 1),
                           ClaimNormalRoot{normal_results(), local, root});
      normal_.start(space_, NoDegrees<Memory>{}, local);
    }
    fence(space_, "dromos::bfs_delegate::start");
    std::tie(nn_work_, nd_work_) = part_work(space_, graph_.normal, normal_);
  }

  bool expand(BfsDelegateLevel& level) override {
    look_at_frontier(normal_.num_vertices(), delegates_.num_vertices(), level);
    choose_directions(level);
    ++next_level_;
    const auto sink = found_delegates_.open(space_, NoDegrees<Memory>{}, false);
    this->find_delegates(
        space_, sink, normal_visited_, normal_, delegates_,
        [&](const auto& rows, auto& from, Offset num_edges, const auto& names, const Strategy& strategy) {
          sweep_from(rows, from, num_edges, sink,
                     DiscoverDelegates<Vertex, Memory, std::decay_t<decltype(names)>>{delegate_found_, delegate_parent_,
                                                                                      names},
                     strategy);
        });
    found_delegates_.collect(space_);
    std::int64_t sums[3] = {normal_.num_vertices(), found_delegates_.num_vertices(), nn_work_.edges};
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
      take_found_delegates();
    } else {
      take_no_delegates();
    }
    std::swap(normal_, next_normal_);
    std::tie(nn_work_, nd_work_) = part_work(space_, graph_.normal, normal_);
    return true;
  }

 private:
  struct ClaimDelegateRoot {
    Bitmap<Memory> found;
    Kokkos::View<Vertex*, Memory> parent;
    LocalVertex number;
    Vertex root;
    bool own;
    KOKKOS_FUNCTION void operator()(const std::int64_t) const {
      found.set(number);
      if (own) parent(number) = root;
    }
  };
  struct ClaimNormalRoot {
    NormalResults<Vertex, Memory> results;
    LocalVertex local;
    Vertex root;
    KOKKOS_FUNCTION void operator()(const std::int64_t) const {
      results.visited.set(local);
      results.write(local, root);
    }
  };

  NormalResults<Vertex, Memory> normal_results() const {
    return {normal_visited_, result_.parent, result_.level, next_level_};
  }

  /// One sweep from a work set, from which so many edges of this part leave; gathers into `sink`.
  template <class Graph, class Sink, class Operator>
  void sweep_from(const Graph& graph, Frontier<LocalVertex, Memory>& from, Offset num_edges, const Sink& sink,
                  const Operator& op, const Strategy& strategy) {
    from.set_counts(from.num_vertices(), num_edges);  // what it knew was about another part's edges
    sweep_frontier(
        space_, graph, from, [&](bool) { return sink; }, op, strategy);
  }

  /// nn first, so that what it finds for other ranks travels while dn is searched.
  ///
  /// \param most_posts  what nn posts on all ranks together, at most
  void find_normal_vertices(Offset most_posts, BfsDelegateLevel& level) {
    const auto sink = next_normal_.open(space_, NoDegrees<Memory>{}, false);
    const DelegateNames<Vertex, Memory> delegate_names{graph_.delegate_global};
    if (nn_work_.edges > 0) {
      sweep_from(graph_.normal.normal_view(), normal_, nn_work_.edges, sink,
                 DiscoverOrPost<Vertex, Memory>{{normal_results(), NormalNames<Vertex>{graph_.partition, graph_.rank},
                                                 exchange_.outbox(), graph_.ids}},
                 options_.strategy);
    }
    if (most_posts > 0) level.sent = exchange_.send(space_, most_posts);
    if (dn_work_.edges > 0) {
      if (dn_.rule.backward()) {
        this->look_back_along_dn(sink,
                                 FindNormalParent<Vertex, Memory>{delegate_visited_, normal_results(), delegate_names});
      } else {
        sweep_from(graph_.delegate.normal_view(), delegates_, dn_work_.edges, sink,
                   DiscoverNormal<Vertex, Memory>{normal_results(), delegate_names}, options_.strategy);
      }
    }
    if (most_posts > 0) exchange_.receive(space_, normal_results(), sink, graph_.partition);
    next_normal_.collect(space_);
  }

  /// The delegates that any rank found become the frontier's.
  void take_found_delegates() {
    delegates_.set_counts(compact_difference(space_, delegate_found_, delegate_visited_, delegates_.queue()));
    Kokkos::deep_copy(space_, delegate_visited_.words(), delegate_found_.words());
    Kokkos::parallel_for("dromos::bfs_delegate::levels", Range(space_, 0, delegates_.num_vertices()),
                         WriteLevels<Memory>{delegates_.queue(), next_level_, delegate_level_});
    std::tie(dn_work_, dd_work_) = part_work(space_, graph_.delegate, delegates_);
  }
  /// No rank found any.
  void take_no_delegates() {
    delegates_.set_counts(0);
    dn_work_ = dd_work_ = {};
  }

  Frontier<LocalVertex, Memory> normal_, next_normal_;
  Frontier<LocalVertex, Memory> delegates_;        // of the frontier
  Frontier<LocalVertex, Memory> found_delegates_;  // by this rank, on this level
};

}  // namespace dromos::detail
