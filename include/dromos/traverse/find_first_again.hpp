// SPDX-License-Identifier: BSD-3-Clause
// find_first() again and again, from what the sweep before left: the backward levels of a search on one node.
//
// On a GPU the first end to try is worth knowing beforehand. For every vertex this keeps its neighbors of highest
// degree, those that are most likely visited by the time it looks, in columns:
//
//   likely[0 * n + v], likely[1 * n + v]      no_vertex: v has no (other) neighbor; below: there is none behind this
//
// so that 32 threads that ask for 32 neighboring vertices read side by side, where 32 rows of the graph would lie in 32
// places.
//
// The first sweep of a search goes over the words of the bitmaps, later ones over the list of those left; these find so
// few that they list them as well, for a forward sweep that may come next. On a CPU every sweep goes over the words,
// which are read sooner than a list is written.
//
// The visited bitmap is read in one copy and written in another: a bit that is set is then always the frontier's. To a
// copy that is as it was before a list's sweep can add what it finds; the sweep over all vertices leaves it one. Where
// the operator asks a bitmap of its own, one copy is enough for lists.
//
// The list has the likeliest end of each vertex beside it, since most of those left have few neighbors and find it
// there in the next sweep: it was in a register when the list was written, and would be read from anywhere.
//
// A search that knows what it would do next may have the next sweep enqueued behind each (traverse/sweep_ahead.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/sweep_ahead.hpp>
#include <type_traits>
#include <utility>

namespace dromos::detail {

/// What a sweep says to the host.
struct FoundCounts {
  std::int64_t num_found = 0;
  Offset edges_found = 0;  ///< that leave the vertices found
  Offset looked_at = 0;    ///< edges, on a CPU
};

/// Vertices that a sweep left, with the likeliest end of each; on a GPU.
template <class Vertex, class Memory>
struct LeftList {
  Kokkos::View<Vertex*, Memory> vertices, ends;

  LeftList() = default;
  explicit LeftList(std::int64_t most) {
    for (auto* view : {&vertices, &ends}) {
      *view = Kokkos::View<Vertex*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::find_first::left"),
                                            most);
    }
  }

  /// As what a sweep looks through, or what it writes.
  void look_through(FindAgain<Vertex>& sweep) const {
    sweep.list = vertices.data();
    sweep.list_ends = ends.data();
  }
  void be_written(FindAgain<Vertex>& sweep) const {
    sweep.left = vertices.data();
    sweep.left_ends = ends.data();
  }
};

/// The memory of such sweeps: on a GPU 24 bytes a vertex (48 with 64-bit ids), on a CPU none to speak of.
template <class Vertex, class Memory>
struct FindAgainScratch {
  Kokkos::View<Vertex*, Memory> likely;
  /// What the last sweep left, once there was one in this search; the next sweep writes the other list.
  LeftList<Vertex, Memory> left, left_next;
  std::int64_t num_left = 0;
  bool listed = false;
  /// Are the vertices that the last sweep found in the queue that was given to it?
  bool found_listed = false;
  /// What a sweep says: vertices found, edges that leave them; on a GPU and so on, as SweepCounts; on a CPU edges
  /// looked at.
  DeviceCounts<Memory> counts;
  /// Of a GPU, for the sweep that is enqueued behind this one.
  DeviceCounts<Memory> counts_ahead;
  CountsPublisher publisher_ahead{};
  Kokkos::View<SweepAhead*, Memory> ahead;  ///< one element
  /// Does the next sweep run already, or is it made? Then it is what has to be done next.
  bool next_runs = false;
  /// Of the sweeps that the last launch made on top: how many they are, and how many were told.
  int num_further = 0, further_told = 0;
  std::uint64_t num_launches = 0;  ///< of sweeps ahead
  /// A copy of the visited bitmap, while it is valid.
  Bitmap<Memory> spare;
  bool spare_valid = false;
  /// Unless empty, gets what is visited behind the sweep over all.
  Bitmap<Memory> kept;
  /// One element, work space of gather_difference().
  Kokkos::View<unsigned long long*, Memory> gathered;

  /// A search begins.
  void start() {
    listed = found_listed = spare_valid = next_runs = false;
    num_further = further_told = 0;
  }

  /// Is the next sweep made already? Then what it found lies where the launch's first one was to put that.
  bool is_made() const { return further_told < num_further; }
  /// What the sweep that was told last says of `what`, one of the first three counts.
  std::int64_t count(int what) const {
    return static_cast<std::int64_t>(counts[is_made() ? counts_before + 3 * further_told + what : what]);
  }
};

/// How many counters those of FindAgainScratch are.
template <class Memory>
inline constexpr int num_find_counts = host_accessible<Memory> ? 3 : num_sweep_counts;

/// Finds the likely ends: of each vertex the neighbors with most edges. A warp takes a vertex at a time.
template <class Space, class Rows, class Degrees>
struct FindLikelyEnds {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Vertex = typename Rows::vertex_type;
  /// So many neighbors are looked at. Of a vertex with more of them the likeliest of these do as well, and a warp that
  /// looked at a million would keep all others waiting.
  static constexpr Offset most_looked_at = 1024;

  Degrees graph;
  Rows rows;
  Kokkos::View<Vertex*, typename Rows::memory_space> likely;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const int lane = team.team_rank() % warp_width;
    const std::int64_t warp =
        (static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank()) / warp_width;
    const std::int64_t num_warps = static_cast<std::int64_t>(team.league_size()) * team.team_size() / warp_width;
    const std::int64_t n = rows.num_vertices();
    for (std::int64_t v = warp; v < n; v += num_warps) {
      const Offset begin = rows.begin(static_cast<Vertex>(v));
      const Offset length = dromos::min<Offset>(rows.end(static_cast<Vertex>(v)) - begin, most_looked_at);
      // What this lane has seen, best first: degree above position in one number, so that a maximum finds both.
      unsigned long long best[num_likely_ends] = {};
      for (Offset i = lane; i < length; i += warp_width) {
        const Offset d = graph.degree(neighbor_of(rows, static_cast<Vertex>(v), begin + i));
        auto seen = static_cast<unsigned long long>(d < 0x7fffffffll ? d + 1 : 0x7fffffffll) << 32 |
                    static_cast<unsigned long long>(i);
        for (int k = 0; k < num_likely_ends; ++k) {
          const unsigned long long better = dromos::max(seen, best[k]);
          seen = dromos::min(seen, best[k]);
          best[k] = better;
        }
      }
      for (int k = 0; k < num_likely_ends; ++k) {
        const unsigned long long best_of_all = warp_max(best[0]);
        if (lane == 0) {
          Vertex end = no_vertex<Vertex>;
          if (best_of_all != 0) {
            end = neighbor_of(rows, static_cast<Vertex>(v), begin + static_cast<Offset>(best_of_all & 0xffffffff));
          }
          likely(k * n + v) = length == k + 1 ? end_of_row(end) : end;
        }
        if (best[0] != best_of_all) continue;
        for (int i = 1; i < num_likely_ends; ++i) best[i - 1] = best[i];
        best[num_likely_ends - 1] = 0;
      }
    }
  }
};

/// The likely ends of all rows, in columns; empty on a CPU. One pass over the edges. Waits.
///
/// \param graph  degree(v) says how likely v is: the edges that leave it, of all targets of the rows
template <class Space, class Rows, class Degrees>
Kokkos::View<typename Rows::vertex_type*, typename Rows::memory_space> find_likely_ends(
    [[maybe_unused]] const Space& space, [[maybe_unused]] const Degrees& graph, [[maybe_unused]] const Rows& rows) {
  using Vertex = typename Rows::vertex_type;
  Kokkos::View<Vertex*, typename Rows::memory_space> likely;
  if constexpr (has_warps<Space>) {
    const std::size_t n = static_cast<std::size_t>(rows.num_vertices());
    likely = Kokkos::View<Vertex*, typename Rows::memory_space>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::find_first::likely_ends"), num_likely_ends * n);
    if (n == 0) return likely;
    using Kernel = FindLikelyEnds<Space, Rows, Degrees>;
    const int league = static_cast<int>(dromos::min<std::int64_t>((n + 7) / 8, 1 << 16));
    Kokkos::parallel_for("dromos::find_first::likely_ends", typename Kernel::Policy(space, league, find_team_size),
                         Kernel{graph, rows, likely});
    fence(space, "dromos::find_first::likely_ends");
  }
  return likely;
}

/// Starts the sweep of those who look, with likely ends: over the words of their bitmaps, or over the list of those
/// left.
template <bool listed, class Space, class Rows, class Vertex, class Memory, class Sink, class Operator>
void launch_find_likely(const char* label, const Space& space, const Rows& rows, const Looking<Vertex, Memory>& who,
                        const FindAgain<Vertex>& more, const Sink& sink, const Operator& op) {
  using Kernel = FindFirstWarps<Space, Rows, Sink, Operator, true, listed>;
  launch_find_first(
      label, space,
      Kernel{rows, sink, op, who.could.data(), who.done.data(), who.after.data(), who.num_words(), who.first, more},
      listed ? more.list_size : who.num_words() * Bitmap<Memory>::bits_per_word);
}

/// find_first() with likely ends, where there are any.
template <class Space, class Rows, class Vertex, class Memory, class Sink, class Operator>
void find_first_likely(const Space& space, const Rows& rows, const Kokkos::View<Vertex*, Memory>& likely,
                       const Looking<Vertex, Memory>& who, const Sink& sink, const Operator& op) {
  if constexpr (has_warps<Space>) {
    if (likely.extent(0) != 0 && who.num_words() != 0) {
      FindAgain<Vertex> more;
      more.likely = likely.data();
      more.num_rows = likely.extent(0) / num_likely_ends;
      launch_find_likely<false>("dromos::find_first::likely", space, rows, who, more, sink, op);
      return;
    }
  }
  find_first(space, rows, who, sink, op);
}

/// The vertices that sweeps of one search left, where the host learns only after each how many they are; on a GPU.
template <class Vertex, class Memory>
struct LeftVertices {
  LeftList<Vertex, Memory> list, next;
  std::int64_t size = 0;
  bool listed = false;  ///< once there was a sweep in this search

  LeftVertices() = default;
  explicit LeftVertices(std::int64_t num_rows) {
    if (host_accessible<Memory>) return;
    list = LeftList<Vertex, Memory>(num_rows);
    next = LeftList<Vertex, Memory>(num_rows);
  }
};

/// find_first_likely() of those that the sweep before left, if there was one.
///
/// \param num_left  a counter on the device, zero: gets how many there are now, which is to be left.size before the
///                  next sweep
template <class Space, class Rows, class Vertex, class Memory, class Sink, class Operator>
void find_first_left(const Space& space, const Rows& rows, const Kokkos::View<Vertex*, Memory>& likely,
                     const Looking<Vertex, Memory>& who, LeftVertices<Vertex, Memory>& left, std::uint64_t* num_left,
                     const Sink& sink, const Operator& op) {
  if constexpr (has_warps<Space>) {
    if (left.listed && left.size == 0) return;
    FindAgain<Vertex> more;
    more.likely = likely.data();
    more.num_rows = likely.extent(0) / num_likely_ends;
    left.list.look_through(more);
    more.list_size = left.size;
    left.next.be_written(more);
    more.num_left = num_left;
    if (left.listed) {
      launch_find_likely<true>("dromos::find_first::left", space, rows, who, more, sink, op);
    } else if (who.num_words() != 0) {
      launch_find_likely<false>("dromos::find_first::left", space, rows, who, more, sink, op);
    }
    std::swap(left.list, left.next);
    left.listed = true;
  } else {
    find_first(space, rows, who, sink, op);
  }
}

/// Allocates the memory of such sweeps and, on a GPU, finds the likely ends, which takes a pass over the edges.
///
/// \param graph  degree(v) says how many edges leave a vertex: the graph's view, or of part of a graph whatever knows
///               that of all its targets
/// \param rows   those that are looked through: the graph turned round
template <class Space, class Rows, class Degrees>
auto prepare_find_again(const Space& space, [[maybe_unused]] const Degrees& graph, [[maybe_unused]] const Rows& rows) {
  using Vertex = vertex_type_of<Rows>;
  using Memory = memory_space_of<Rows>;
  FindAgainScratch<Vertex, Memory> scratch;
  scratch.counts = DeviceCounts<Memory>(num_find_counts<Memory>, "dromos::find_first::counts");
  if constexpr (has_warps<Space>) {
    const auto n = static_cast<std::int64_t>(rows.num_vertices());
    scratch.likely = find_likely_ends(space, graph, rows);
    scratch.left = LeftList<Vertex, Memory>(n);
    scratch.left_next = LeftList<Vertex, Memory>(n);
    scratch.spare = Bitmap<Memory>(rows.num_vertices(), "dromos::find_first::spare_bitmap");
    scratch.gathered = Kokkos::View<unsigned long long*, Memory>("dromos::find_first::gathered", 1);
    scratch.counts_ahead = DeviceCounts<Memory>(num_find_counts<Memory>, "dromos::find_first::counts_ahead");
    scratch.ahead = Kokkos::View<SweepAhead*, Memory>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::find_first::ahead"), 1);
  }
  return scratch;
}

/// Are these the same rows? Of other views than those of arrays nobody says: what they share is then counted anew.
template <class Graph, class Rows>
bool same_rows(const Graph&, const Rows&) {
  return false;
}
template <class Vertex, class Memory>
bool same_rows(const CsrView<Vertex, Memory>& graph, const CsrView<Vertex, Memory>& rows) {
  return graph.row_map.data() == rows.row_map.data();
}

/// \param counts  of scratch those that are raised
/// \param more    which list is looked through, and which written
template <bool listed, class Space, class Graph, class Rows, class Vertex, class Memory, class Operator>
void launch_find_again(const Space& space, const Graph& graph, const Rows& rows,
                       const FindAgainScratch<Vertex, Memory>& scratch, const DeviceCounts<Memory>& counts,
                       const Looking<Vertex, Memory>& who, const Kokkos::View<Vertex*, Memory>& found,
                       FindAgain<Vertex> more, const Operator& op) {
  using Sink = CountingSink<Graph, listed>;
  std::uint64_t* const raised = counts.on_device().data();
  more.likely = scratch.likely.data();
  more.num_rows = static_cast<std::size_t>(graph.num_vertices());
  more.num_left = raised + 2;
  launch_find_likely<listed>(listed ? "dromos::find_first::list" : "dromos::find_first::all", space, rows, who, more,
                             Sink{graph, raised, found.data()}, op);
}

/// What may be enqueued behind a sweep: nothing.
struct NothingBehind {
  template <class Visited>
  void operator()(const Visited&) const {}
};

/// Nor behind a sweep that was enqueued ahead.
struct NothingBehindAhead {
  template <class Visited>
  void operator()(const Visited&, const Visited&, const SweepAhead*) const {}
};

/// No sweep is enqueued before the host has decided on it.
struct NothingAhead {
  static constexpr bool enabled = false;
};

/// The sweep behind one that goes backward as well, if what that finds says so (traverse/sweep_ahead.hpp). It looks
/// through the list of those left.
///
/// \tparam MakeOperator  from the bitmap of those visited then, its operator
/// \tparam BehindAhead   enqueues more behind it: told what it asks, what it adds to, and what is known of it on the
///                       device (`made_several`)
template <class Vertex, class Memory, class MakeOperator, class BehindAhead = NothingBehindAhead>
struct GoesOnBackward {
  static constexpr bool enabled = true;

  bool begins;      ///< behind a sweep over all as well, and not only behind one that was ahead itself
  SweepAhead when;  ///< of its members those that the algorithm knows
  Kokkos::View<Vertex*, Memory> found;
  MakeOperator make_operator;
  BehindAhead behind{};
};
template <class Vertex, class Memory, class MakeOperator>
GoesOnBackward(bool, SweepAhead, Kokkos::View<Vertex*, Memory>, MakeOperator)
    -> GoesOnBackward<Vertex, Memory, MakeOperator>;
template <class Vertex, class Memory, class MakeOperator, class BehindAhead>
GoesOnBackward(bool, SweepAhead, Kokkos::View<Vertex*, Memory>, MakeOperator, BehindAhead)
    -> GoesOnBackward<Vertex, Memory, MakeOperator, BehindAhead>;

/// Enqueues it behind a sweep over `listed` or all, which leaves `after`.
/// \param asked  what that sweep asks
template <class Space, class Graph, class Rows, class Vertex, class Memory, class Ahead>
void enqueue_ahead(const Space& space, const Graph& graph, const Rows& rows, FindAgainScratch<Vertex, Memory>& scratch,
                   const Bitmap<Memory>& could, const Bitmap<Memory>& asked, const Bitmap<Memory>& after, bool listed,
                   bool counts_left, const Ahead& ahead) {
  FindAgain<Vertex> more;
  more.catches_up = listed;
  more.order = ++scratch.num_launches * (SweepAhead::orders_of_sweep * (most_further_sweeps + 1));
  scratch.left_next.look_through(more);
  more.list_size = ahead.when.work.num_unvisited;  // at most
  more.ahead = scratch.ahead.data();
  scratch.left.be_written(more);
  more.counts_left = counts_left;
  scratch.counts_ahead.open(space);
  scratch.publisher_ahead = scratch.counts_ahead.publisher(counts_before);
  more.publisher = scratch.publisher_ahead;
  const Bitmap<Memory>& added_to = listed ? asked : scratch.spare;
  launch_find_again<true>(space, graph, rows, scratch, scratch.counts_ahead, looking<Vertex>(could, after, added_to),
                          ahead.found, more, ahead.make_operator(after));
  ahead.behind(after, added_to, scratch.ahead.data());
}

/// Is nothing to be enqueued behind a sweep over the list in any case: since its launch goes on as long as anything is
/// found, or since that will be few?
template <class Vertex, class Memory>
bool ends_small(const FindAgainScratch<Vertex, Memory>& scratch, const SweepAhead& when) {
  return when.rule.few_are_left(when.work) ||
         (scratch.num_left <= when.most_fused_vertices && when.work.unvisited_edges <= when.most_fused_edges);
}

/// Enqueues a sweep that the host has decided on.
template <bool asks_visited, class Space, class Graph, class Rows, class Vertex, class Memory, class Operator,
          class Ahead>
CountsPublisher enqueue_again(const Space& space, const Graph& graph, const Rows& rows,
                              FindAgainScratch<Vertex, Memory>& scratch, const Bitmap<Memory>& could,
                              const Bitmap<Memory>& visited, const Bitmap<Memory>& before,
                              const Kokkos::View<Vertex*, Memory>& found, bool counts_left, const Operator& op,
                              [[maybe_unused]] const Ahead& ahead) {
  scratch.counts.open(space);
  FindAgain<Vertex> more;
  scratch.left_next.be_written(more);
  more.counts_left = counts_left;
  const CountsPublisher publisher = scratch.counts.publisher(counts_before);
  if (!scratch.listed) {
    if (asks_visited) more.second_after = scratch.spare.words().data();
    more.third_after = scratch.kept.words().data();
    launch_find_again<false>(space, graph, rows, scratch, scratch.counts, looking<Vertex>(could, visited, before),
                             found, more, op);
    if constexpr (Ahead::enabled) {
      if (ahead.begins) {
        SweepAhead when = ahead.when;
        when.counts_left = counts_left;
        Kokkos::parallel_for("dromos::find_first::publish", Kokkos::RangePolicy<Space>(space, 0, 1),
                             DecideAndPublish{publisher, when, scratch.ahead.data()});
        return publisher;
      }
    }
    scratch.counts.publish(space, publisher);
    return publisher;
  }
  if (asks_visited && !scratch.spare_valid) copy(space, scratch.spare.words(), visited.words());
  scratch.left.look_through(more);
  more.list_size = scratch.num_left;
  more.publisher = publisher;
  launch_find_again<true>(space, graph, rows, scratch, scratch.counts,
                          looking<Vertex>(could, visited, asks_visited ? scratch.spare : visited), found, more, op);
  return publisher;
}

/// What the last sweep found.
template <class Vertex, class Memory>
FoundCounts told(const FindAgainScratch<Vertex, Memory>& scratch, bool counts_left, Offset edges_looking) {
  const Offset counted = scratch.count(counts_edges);
  return {scratch.count(counts_found), counts_left ? edges_looking - counted : counted, 0};
}

/// The next one of those that the last launch has made: as find_first_again().
template <class Vertex, class Memory>
FoundCounts tell_further(FindAgainScratch<Vertex, Memory>& scratch, Bitmap<Memory>& visited, bool counts_left,
                         Offset edges_looking) {
  ++scratch.further_told;
  std::swap(visited, scratch.spare);
  std::swap(scratch.left, scratch.left_next);
  scratch.num_left = scratch.count(counts_of_left);
  scratch.next_runs = scratch.is_made();
  return told(scratch, counts_left, edges_looking);
}

/// One sweep of those of `could` that are not visited. Waits.
///
/// \param graph    says how many edges leave a vertex; `rows` are looked through
/// \param visited  in and out: joined by those that found
/// \param before   work space; the visited set without them, unless they are listed
/// \param found    gets those that found, where scratch.found_listed says so afterwards
/// \param edges_looking  that leave all those that look; used where `rows` are the graph's own
/// \param op       asks `visited` as it is now, or, with asks_visited = false, something else
/// \param behind   behind(visited): enqueues more before the wait, with the bitmap that `visited` will be
/// \param ahead    the sweep that may come next, and does where scratch.next_runs says so afterwards; what `visited`
/// and
///                 `found` hold is then changing, and theirs again once it does not
template <bool asks_visited = true, class Space, class Graph, class Rows, class Vertex, class Memory, class Operator,
          class Behind = NothingBehind, class Ahead = NothingAhead>
FoundCounts find_first_again(const Space& space, const Graph& graph, const Rows& rows,
                             FindAgainScratch<Vertex, Memory>& scratch, const Bitmap<Memory>& could,
                             Bitmap<Memory>& visited, Bitmap<Memory>& before,
                             [[maybe_unused]] const Kokkos::View<Vertex*, Memory>& found,
                             [[maybe_unused]] Offset edges_looking, const Operator& op, const Behind& behind = {},
                             [[maybe_unused]] const Ahead& ahead = {}) {
  static_assert(asks_visited || !Ahead::enabled);
  const bool listed = scratch.listed;
  if (listed && scratch.num_left == 0) {
    behind(visited);
    return {};
  }
  [[maybe_unused]] const bool counts_left = has_warps<Space> && same_rows(graph, rows);
  if constexpr (has_warps<Space>) {
    if (scratch.is_made()) return tell_further(scratch, visited, counts_left, edges_looking);
    CountsPublisher publisher;
    bool knows = false;  // does the device know what is left, and is it worth asking?
    if constexpr (Ahead::enabled) knows = listed ? scratch.next_runs && !ends_small(scratch, ahead.when) : ahead.begins;
    if (scratch.next_runs) {
      std::swap(scratch.counts, scratch.counts_ahead);
      publisher = scratch.publisher_ahead;
    } else {
      publisher = enqueue_again<asks_visited>(space, graph, rows, scratch, could, visited, before, found, counts_left,
                                              op, ahead);
    }
    const Bitmap<Memory> after = !listed ? before : asks_visited ? scratch.spare : visited;
    behind(after);
    if constexpr (Ahead::enabled) {
      if (knows) enqueue_ahead(space, graph, rows, scratch, could, visited, after, listed, counts_left, ahead);
    }
    scratch.counts.read(space, publisher);
    if (!listed) {
      std::swap(visited, before);
    } else if (asks_visited) {
      std::swap(visited, scratch.spare);
    }
    scratch.spare_valid = asks_visited && !listed;
    std::swap(scratch.left, scratch.left_next);
    scratch.listed = true;
    scratch.found_listed = listed;
    const bool next_runs = knows && scratch.counts[counts_next_runs] != 0;
    if (knows && !next_runs) scratch.counts_ahead.stay_zero();
    scratch.further_told = 0;
    scratch.num_further = static_cast<int>(scratch.counts[counts_further]);
    scratch.num_left = scratch.count(counts_of_left);
    scratch.next_runs = next_runs || scratch.num_further > 0;
  } else {
    scratch.counts.open(space);
    using Sink = CountingSink<Graph, false>;
    find_first(space, rows, looking<Vertex>(could, visited, before),
               Sink{graph, scratch.counts.on_device().data(), nullptr}, op);
    behind(before);
    scratch.counts.read(space);
    std::swap(visited, before);
  }
  FoundCounts counts = told(scratch, counts_left, edges_looking);
  if constexpr (!has_warps<Space>) counts.looked_at = static_cast<Offset>(scratch.counts[2]);
  return counts;
}

}  // namespace dromos::detail
