// SPDX-License-Identifier: BSD-3-Clause
// Searching a graph separated by degree with marks, on a GPU: sweeps set bits and write parents, and at the end of a
// level one pass over the bitmaps writes levels, counts the edges of the next frontier part by part, and lists, for
// each part, those that have edges there (distributed/by_degree/take_found.hpp).
//
//   delegates' stream   nd, dd, combining what the ranks found       |
//   normal stream       nn, its vertices on their way, dn            | both passes; the counts go to the host
//
// The host waits once a level, for the counts; then the ranks add up a few numbers, which say whether anybody goes on,
// whether normal vertices can travel, whether delegates can be found, and in which direction along dd. Where there is
// nothing to do for normal vertices, all of it is on their stream, since streams wait for each other some microseconds.
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

/// The root becomes the first frontier, of delegates on every rank, of normal vertices on its own. One warp, whose
/// lanes look for it among the delegates of its owner, which are in the order of their local numbers.
template <class Space, class Vertex, class Memory>
struct StartAtRoot {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Vertices = MarkedVertices<Memory>;
  using Word = typename Vertices::Word;

  const LocalVertex* of_owner;  ///< numbers of its owner's delegates
  std::int64_t num_of_owner;
  Kokkos::View<const Vertex*, Memory> global;
  Partition1d partition;
  Vertex root;
  Place place;
  bool is_own;
  Vertex* normal_parent;
  Vertex* delegate_parent;
  Word* normal_now;
  Word* delegates_now;
  Vertices normal, delegates;
  CountsPublisher publisher;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const LocalVertex number = find(team.team_rank());
    if (team.team_rank() != 0) return;
    if (number != no_vertex<LocalVertex>) {
      visit(delegates, delegates_now, number);
      if (is_own) delegate_parent[number] = root;
    } else if (is_own) {
      visit(normal, normal_now, static_cast<LocalVertex>(place.local));
      normal_parent[place.local] = root;
    }
    publisher.publish(0);
  }

 private:
  /// The root's number, or no_vertex where it is normal; on every lane.
  KOKKOS_FUNCTION LocalVertex find(int lane) const {
    std::int64_t first = 0, size = num_of_owner;
    while (size > 0) {
      const std::int64_t step = (size + warp_width - 1) / warp_width;
      const std::int64_t i = first + lane * step;
      const bool reaches = i < first + size && local_of(i) <= place.local;
      const int num_before = population_count(ballot(whole_warp, reaches));
      if (num_before == 0) break;
      size = dromos::min(step, first + size - (first + (num_before - 1) * step));
      first += (num_before - 1) * step;
      if (step == 1) return local_of(first) == place.local ? of_owner[first] : no_vertex<LocalVertex>;
    }
    return no_vertex<LocalVertex>;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t local_of(std::int64_t i) const {
    return partition.place(global(of_owner[i])).local;
  }

  KOKKOS_FORCEINLINE_FUNCTION static void visit(const Vertices& vertices, Word* now, LocalVertex v) {
    now[Bitmap<Memory>::word_of(v)] = vertices.before[Bitmap<Memory>::word_of(v)] = Bitmap<Memory>::mask(v);
    vertices.level[v] = 0;
    const auto degrees = vertices.degrees(v);
    vertices.counts[count_found] = 1;
    vertices.counts[work_to_normal] = PartWork::pack(degrees.to_normal);
    vertices.counts[work_to_delegate] = PartWork::pack(degrees.to_delegate);
    if (degrees.to_normal != 0) vertices.with_normal[0] = v;
    if (degrees.to_delegate != 0) vertices.with_delegate[0] = v;
  }
};

template <class Space, class Vertex>
class DelegateSearchByMarks final : public DelegateSearch<Space, Vertex> {
  using Base = DelegateSearch<Space, Vertex>;
  using Base::alone, Base::choose_directions, Base::look_at_frontier, Base::look_for_parents, Base::settle_parents;
  using Base::communicator_, Base::own_, Base::space_, Base::graph_, Base::options_, Base::reduction_, Base::exchange_,
      Base::result_, Base::normal_visited_, Base::delegate_visited_, Base::delegate_found_, Base::delegate_parent_,
      Base::delegate_level_, Base::next_level_;
  using Base::nn_work_, Base::nd_work_, Base::dn_work_, Base::dd_work_, Base::dn_, Base::dd_, Base::left_along_nd_;
  using Base::normal_before_;

 public:
  using Memory = typename Space::memory_space;
  using Range = typename Base::Range;

  DelegateSearchByMarks(const Communicator& communicator, const Space& space,
                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
      : Base(communicator, space, graph, options),
        for_delegates_(space),
        with_nn_(graph.num_local(), 0),
        with_nd_(graph.num_local(), 0),
        with_dn_(graph.num_delegates(), 0),
        with_dd_(graph.num_delegates(), 0),
        counts_(num_counts, "dromos::bfs_delegate::counts") {}

 protected:
  void start(Vertex root, const Place& place) override {
    num_delegates_visited_ = 0;
    counts_.open(space_);
    const CountsPublisher publisher = counts_.publisher();
    const Block& of_owner = graph_.delegates_of[place.rank];
    using Start = StartAtRoot<Space, Vertex, Memory>;
    Kokkos::parallel_for(
        "dromos::bfs_delegate::root", typename Start::Policy(space_, 1, warp_width),
        Start{graph_.delegates_by_owner.data() + of_owner.offset, of_owner.size, graph_.delegate_global,
              graph_.partition, root, place, place.rank == graph_.rank, result_.parent.data(), delegate_parent_.data(),
              normal_visited_.words().data(), delegate_found_.words().data(), marked_normal_vertices(),
              marked_delegates(), publisher});
    counts_.read(space_, publisher);
    take_counts();
  }

  bool expand(BfsDelegateLevel& level) override {
    look_at_frontier(num_normal_, num_delegates_, level);
    constexpr int num_own_sums = 3;
    std::int64_t sums[num_own_sums + DdOfAllRanks::num_sums] = {num_normal_, nn_work_.edges, nd_work_.edges};
    DdOfAllRanks::say(dd_work_, dd_, sums + num_own_sums);
    if (!alone()) sum_in_place(communicator_, sums, num_own_sums + DdOfAllRanks::num_sums);
    if (sums[0] == 0 && num_delegates_ == 0) return false;
    const DirectionWork dd = DdOfAllRanks::work(sums + num_own_sums);
    const bool all_visited = num_delegates_visited_ == graph_.num_delegates();
    const bool some_delegates = sums[2] + dd.frontier_edges > 0 && !all_visited;
    const Offset most_posts = alone() ? 0 : sums[1];
    const bool some_normal = nn_work_.edges + dn_work_.edges > 0 || most_posts > 0;
    look_for_parents();
    choose_directions(dd, level);
    ++next_level_;
    counts_.open(space_);
    const bool beside = some_delegates && some_normal;
    if (beside || all_visited) for_delegates_.run_after(own_);
    if (some_delegates) {
      const Space& stream = beside ? for_delegates_.space() : space_;
      this->find_delegates(
          stream, dd.frontier_edges > 0, NoSink{}, normal_before_, with_nd_, with_dd_,
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
          if (beside) own_.run_after(for_delegates_);
        }
      }
    }
    const NotesOnly<LocalVertex, Memory> notes{counts_.on_device().data() + notes_begin};
    find_normal_vertices(most_posts, notes, level);
    if (some_delegates) {
      if (!alone() && options_.overlap_reduction) {
        reduction_.wait(beside ? for_delegates_.space() : space_, delegate_found_);
      }
      if (beside) own_.run_after(for_delegates_);
    }
    // Beside the sweeps of normal vertices, once all delegates are found.
    if (all_visited) settle_parents(for_delegates_.space());
    look_for_parents();
    take_frontier(some_normal, some_delegates);
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
    left_along_nd = notes_begin + QueueSink<NoDegrees<Memory>>::num_notes,
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
  ///
  /// \param some_normal, some_delegates  may some have been marked?
  void take_frontier(bool some_normal, bool some_delegates) {
    const MarkedVertices<Memory> none;
    take_found(space_, some_normal ? marked_normal_vertices() : none, some_delegates ? marked_delegates() : none,
               next_level_, counts_);
    take_counts();
  }
  MarkedVertices<Memory> marked_normal_vertices() const {
    return {normal_visited_.words().data(), normal_before_.words().data(),
            num_words(normal_visited_),     graph_.normal.degrees(),
            result_.level.data(),           with_nn_.queue().data(),
            with_nd_.queue().data(),        counts_.on_device().data() + normal_counts};
  }
  MarkedVertices<Memory> marked_delegates() const {
    return {delegate_found_.words().data(), delegate_visited_.words().data(),
            num_words(delegate_found_),     graph_.delegate.degrees(),
            delegate_level_.data(),         with_dn_.queue().data(),
            with_dd_.queue().data(),        counts_.on_device().data() + delegate_counts};
  }
  static std::int64_t num_words(const Bitmap<Memory>& bitmap) {
    return static_cast<std::int64_t>(bitmap.words().extent(0));
  }

  void take_counts() {
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
  Frontier<LocalVertex, Memory> with_nn_, with_nd_, with_dn_, with_dd_;  // of the frontier, those with such edges
  DeviceCounts<Memory> counts_;
  std::int64_t num_normal_ = 0, num_delegates_ = 0;  // of the frontier
  std::int64_t num_delegates_visited_ = 0;
  bool looked_along_nd_ = false;  // on this level
};

}  // namespace dromos::detail
