// SPDX-License-Identifier: BSD-3-Clause
// Searching a graph separated by degree with marks, on a GPU: sweeps set bits and write parents, and at the end of a
// level one pass over the bitmaps writes levels, counts the edges of the next frontier part by part, and lists, for
// each part, those that have edges there (distributed/by_degree/take_found.hpp).
//
//   delegates' stream   nd, dd, combining what the ranks found       |
//   normal stream       nn, its vertices on their way, dn            | both passes; the counts go to the host
//
// The host waits once a level, for the counts; then the ranks add up three numbers, which say whether anybody goes on,
// whether normal vertices can travel, and whether delegates can be found.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_counts.hpp>
#include <dromos/distributed/by_degree/take_found.hpp>
#include <dromos/distributed/moving/enqueue_claimed.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>

#include "distributed/by_degree/delegate_search.hpp"

namespace dromos::detail {

/// Marks the root if it is a delegate, and says so. A thread looks at several, since each is soon looked at.
template <class Vertex, class Memory>
struct MarkDelegateRoot {
  Kokkos::View<const Vertex*, Memory> global;
  Vertex root;
  bool own;
  Bitmap<Memory> found;
  Kokkos::View<Vertex*, Memory> parent;
  std::uint64_t* is_delegate;

  KOKKOS_FUNCTION static std::int64_t num_threads(std::int64_t num_delegates) { return (num_delegates + 15) / 16; }

  KOKKOS_FUNCTION void operator()(const std::int64_t thread) const {
    const auto d = static_cast<std::int64_t>(global.extent(0));
    for (std::int64_t k = thread; k < d; k += num_threads(d)) {
      if (global(k) != root) continue;
      found.mark(k);
      if (own) parent(k) = root;
      *is_delegate = 1;
    }
  }
};

/// Marks the root, an own vertex, unless it is a delegate.
template <class Vertex, class Memory>
struct MarkNormalRoot {
  MarkedNormal<Vertex, Memory> results;
  LocalVertex local;
  Vertex root;
  const std::uint64_t* is_delegate;

  KOKKOS_FUNCTION void operator()(const std::int64_t) const {
    if (*is_delegate != 0) return;
    results.visited.mark(local);
    results.write(local, root);
  }
};

template <class Space, class Vertex>
class DelegateSearchByMarks final : public DelegateSearch<Space, Vertex> {
  using Base = DelegateSearch<Space, Vertex>;
  using Base::alone, Base::choose_directions, Base::look_at_frontier, Base::look_for_parents, Base::settle_parents;
  using Base::communicator_, Base::own_, Base::space_, Base::graph_, Base::options_, Base::reduction_, Base::exchange_,
      Base::result_, Base::normal_visited_, Base::delegate_visited_, Base::delegate_found_, Base::delegate_parent_,
      Base::delegate_level_, Base::next_level_;
  using Base::nn_work_, Base::nd_work_, Base::dn_work_, Base::dd_work_, Base::dn_, Base::left_along_nd_;

 public:
  using Memory = typename Space::memory_space;
  using Range = typename Base::Range;

  DelegateSearchByMarks(const Communicator& communicator, const Space& space,
                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
      : Base(communicator, space, graph, options),
        for_delegates_(space),
        normal_before_(graph.num_local(), "dromos::bfs_delegate::normal_before"),
        with_nn_(graph.num_local(), 0),
        with_nd_(graph.num_local(), 0),
        with_dn_(graph.num_delegates(), 0),
        with_dd_(graph.num_delegates(), 0),
        counts_(num_counts, "dromos::bfs_delegate::counts") {}

 protected:
  void start(Vertex root, const Place& place) override {
    fill(space_, normal_before_.words(), typename Bitmap<Memory>::Word(0));
    num_delegates_visited_ = 0;
    counts_.open(space_);
    std::uint64_t* const is_delegate = counts_.on_device().data() + root_is_delegate;
    const bool own = place.rank == graph_.rank;
    using MarkDelegate = MarkDelegateRoot<Vertex, Memory>;
    Kokkos::parallel_for(
        "dromos::bfs_delegate::root", Range(space_, 0, MarkDelegate::num_threads(graph_.num_delegates())),
        MarkDelegate{graph_.delegate_global, root, own, delegate_found_, delegate_parent_, is_delegate});
    if (own) {
      Kokkos::parallel_for(
          "dromos::bfs_delegate::root", Range(space_, 0, 1),
          MarkNormalRoot<Vertex, Memory>{marked_normal(), static_cast<LocalVertex>(place.local), root, is_delegate});
    }
    take_frontier(true);
  }

  bool expand(BfsDelegateLevel& level) override {
    look_at_frontier(num_normal_, num_delegates_, level);
    std::int64_t sums[3] = {num_normal_, nn_work_.edges, nd_work_.edges + dd_work_.edges};
    if (!alone()) sum_in_place(communicator_, sums, 3);
    if (sums[0] == 0 && num_delegates_ == 0) return false;
    const bool some_delegates = sums[2] > 0 && num_delegates_visited_ < graph_.num_delegates();
    const Offset most_posts = alone() ? 0 : sums[1];
    look_for_parents();
    choose_directions(level);
    ++next_level_;
    counts_.open(space_);
    for_delegates_.run_after(own_);
    if (some_delegates) {
      const Space& stream = for_delegates_.space();
      this->find_delegates(
          stream, NoSink{}, normal_before_, with_nd_, with_dd_,
          [&](const auto& rows, auto& from, const auto& names, const Strategy& strategy) {
            traverse(stream, rows, from,
                     MarkFound<Vertex, Memory, std::decay_t<decltype(names)>>{delegate_found_, delegate_parent_, names},
                     strategy);
          });
      if (!alone()) {
        level.reductions = 1;
        reduction_.start(stream, delegate_found_);
        if (!options_.overlap_reduction) {
          reduction_.wait(stream, delegate_found_);
          own_.run_after(for_delegates_);
        }
      }
    }
    const NotesOnly<LocalVertex, Memory> notes{counts_.on_device().data() + notes_begin};
    find_normal_vertices(most_posts, notes, level);
    if (some_delegates) {
      if (!alone() && options_.overlap_reduction) reduction_.wait(for_delegates_.space(), delegate_found_);
      own_.run_after(for_delegates_);
    }
    // Beside the sweeps of normal vertices, once all delegates are found.
    if (num_delegates_visited_ == graph_.num_delegates()) settle_parents(for_delegates_.space());
    look_for_parents();
    take_frontier(some_delegates);
    if (level.sent < 0) {
      level.sent = static_cast<std::int64_t>(counts_[notes_begin + note_sent]);
      exchange_.count_streamed(level.sent, static_cast<std::int64_t>(counts_[notes_begin + note_received]));
    }
    return true;
  }

 private:
  /// What the device tells the host once a level.
  enum Count {
    normal_counts,
    delegate_counts = normal_counts + num_found_counts,
    notes_begin = delegate_counts + num_found_counts,
    root_is_delegate = notes_begin + QueueSink<NoDegrees<Memory>>::num_notes,
    left_along_nd,
    num_counts
  };

  MarkedNormal<Vertex, Memory> marked_normal() const { return {normal_visited_, result_.parent}; }

  /// nn first, so that what it finds for other ranks travels while dn is searched, where the host is asked for that.
  void find_normal_vertices(Offset most_posts, const NotesOnly<LocalVertex, Memory>& notes, BfsDelegateLevel& level) {
    const DelegateNames<Vertex, Memory> delegate_names{graph_.delegate_global};
    if (nn_work_.edges > 0) {
      traverse(space_, graph_.normal.normal_view(), with_nn_,
               MarkOrPost<Vertex, Memory>{{marked_normal(), NormalNames<Vertex>{graph_.partition, graph_.rank},
                                           exchange_.outbox(), graph_.ids}},
               options_.strategy);
    }
    if (most_posts > 0) level.sent = exchange_.send(space_, most_posts);
    if (dn_work_.edges > 0) {
      if (dn_.rule.backward()) {
        this->look_back_along_dn(NoSink{},
                                 FindParentIn<Vertex, Memory, DelegateNames<Vertex, Memory>>{
                                     delegate_visited_.words().data(), result_.parent, delegate_names},
                                 counts_.on_device().data() + left_along_nd);
        looked_along_nd_ = true;
      } else {
        traverse(
            space_, graph_.delegate.normal_view(), with_dn_,
            MarkFound<Vertex, Memory, DelegateNames<Vertex, Memory>>{normal_visited_, result_.parent, delegate_names},
            options_.strategy);
      }
    }
    if (most_posts > 0) exchange_.receive(space_, marked_normal(), notes, graph_.partition);
  }

  /// What is marked becomes the frontier. Waits.
  void take_frontier(bool some_delegates) {
    std::uint64_t* const counts = counts_.on_device().data();
    const auto num_words = [](const Bitmap<Memory>& bitmap) {
      return static_cast<std::int64_t>(bitmap.words().extent(0));
    };
    const MarkedVertices<Memory> normal{normal_visited_.words().data(), normal_before_.words().data(),
                                        num_words(normal_visited_),     graph_.normal.degrees(),
                                        result_.level.data(),           with_nn_.queue().data(),
                                        with_nd_.queue().data(),        counts + normal_counts};
    const MarkedVertices<Memory> delegates{delegate_found_.words().data(), delegate_visited_.words().data(),
                                           num_words(delegate_found_),     graph_.delegate.degrees(),
                                           delegate_level_.data(),         with_dn_.queue().data(),
                                           with_dd_.queue().data(),        counts + delegate_counts};
    take_found(space_, normal, some_delegates ? delegates : MarkedVertices<Memory>{}, next_level_, counts_);
    num_normal_ = static_cast<std::int64_t>(counts_[normal_counts + count_found]);
    num_delegates_ = static_cast<std::int64_t>(counts_[delegate_counts + count_found]);
    num_delegates_visited_ += num_delegates_;
    const auto take = [&](int count, PartWork& work, Frontier<LocalVertex, Memory>& sources) {
      work = PartWork::unpack(counts_[count]);
      sources.set_counts(work.sources, work.edges);
    };
    if (looked_along_nd_) left_along_nd_.size = static_cast<std::int64_t>(counts_[left_along_nd]);
    looked_along_nd_ = false;
    take(normal_counts + work_to_normal, nn_work_, with_nn_);
    take(normal_counts + work_to_delegate, nd_work_, with_nd_);
    take(delegate_counts + work_to_normal, dn_work_, with_dn_);
    take(delegate_counts + work_to_delegate, dd_work_, with_dd_);
  }

  OwnInstance<Space> for_delegates_;
  Bitmap<Memory> normal_before_;                                         // visited before this level
  Frontier<LocalVertex, Memory> with_nn_, with_nd_, with_dn_, with_dd_;  // of the frontier, those with such edges
  DeviceCounts<Memory> counts_;
  std::int64_t num_normal_ = 0, num_delegates_ = 0;  // of the frontier
  std::int64_t num_delegates_visited_ = 0;
  bool looked_along_nd_ = false;  // on this level
};

}  // namespace dromos::detail
