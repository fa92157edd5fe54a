// SPDX-License-Identifier: BSD-3-Clause
// What both ways of searching a graph separated by degree share: the loop over levels, when each part of the edges
// turns, results, and the parents of delegates at the end. The ways differ in how a frontier is kept:
//
//   by lists   what sweeps find they queue; on CPUs (distributed/by_degree/delegate_search_by_lists.hpp)
//   by marks   what sweeps find they mark in bitmaps, and a pass over these makes the next frontier; on GPUs
//              (distributed/by_degree/delegate_search_by_marks.hpp)
//
// dd, dn and nd choose their directions by the edges that leave the frontier and the vertices that could look back,
// part by part (traverse/direction_rule.hpp): dn and nd each rank for itself, since of these parts every rank has both
// arcs of an edge; dd all ranks together, since its arcs lie with their sources. Who looks back along dn, from
// delegates to normal vertices, are the normal vertices that have edges in nd, and the other way round. nn is never
// searched backward: its edges are few and their other ends are elsewhere.
//
//   delegates of the frontier with 50,000 edges to normal vertices (FV), unvisited ones with 30,000, and 8,000 normal
//   vertices that could look back:  BV = 8,000 * 80,000 / 50,000 = 12,800
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/request.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/own_instance.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/bfs_delegate_options.hpp>
#include <dromos/distributed/by_degree/delegate_reduction.hpp>
#include <dromos/distributed/by_degree/delegate_visits.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/normal_exchange.hpp>
#include <dromos/distributed/by_degree/part_work.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/strategy.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace dromos::detail {

/// Where one part of the edges stands in a search, on one rank.
struct PartState {
  std::int64_t unvisited_sources = 0;  ///< vertices that have edges there
  Offset unvisited_edges = 0;          ///< and these
  DirectionRule rule;

  void start(std::int64_t sources, Offset edges) {
    unvisited_sources = sources;
    unvisited_edges = edges;
    rule.go_forward();
  }
  void visit(const PartWork& work) {
    unvisited_sources -= work.sources;
    unvisited_edges -= work.edges;
  }
  void choose_direction(const DirectionWork& work) {
    if (work.frontier_edges > 0) rule.turns(work);
  }
};

/// What all ranks together could do along dd: its arcs lie with their sources, so that who goes forward on one rank
/// would not find what another leaves to those who look back.
struct DdOfAllRanks {
  static constexpr int num_sums = 3;
  /// \param sums  num_sums of this rank, to be added up over all
  static void say(const PartWork& work, const PartState& state, std::int64_t* sums) {
    sums[0] = work.edges;
    sums[1] = state.unvisited_edges;
    sums[2] = state.unvisited_sources;
  }
  static DirectionWork work(const std::int64_t* sums) { return {sums[0], sums[1], sums[2]}; }
};

/// Several bitmaps become empty. Item i: word i of each.
template <class Memory>
struct ClearBitmaps {
  using Word = typename Bitmap<Memory>::Word;
  static constexpr int num_bitmaps = 4;
  Word* words[num_bitmaps];
  std::int64_t num_words[num_bitmaps];

  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    for (int k = 0; k < num_bitmaps; ++k) {
      if (i < num_words[k]) words[k][i] = 0;
    }
  }
};

/// How likely an own normal vertex is as an end: its edges, of both kinds.
template <class Vertex, class Memory>
struct DegreeOfNormal {
  SubgraphView<Vertex, Memory> to_normal;
  SubgraphView<LocalVertex, Memory> to_delegate;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex v) const {
    return to_normal.degree(static_cast<Vertex>(v)) + to_delegate.degree(v);
  }
};

/// The same of delegates, whose edges lie on all ranks, but whose numbers descend by degree.
struct PlaceOfDelegate {
  std::int64_t num_delegates;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex v) const { return num_delegates - v; }
};

/// Parents by number to the order of owners.
template <class Vertex, class Memory>
struct OrderByOwner {
  Kokkos::View<const LocalVertex*, Memory> by_owner;
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<Vertex*, Memory> ordered;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { ordered(i) = parent(by_owner(i)); }
};

/// Where the rank's own delegates have their results, by place among them.
template <class Vertex, class Memory>
struct FindOwnDelegates {
  Kokkos::View<const LocalVertex*, Memory> own;  ///< their numbers
  Kokkos::View<const Vertex*, Memory> global;
  Partition1d partition;
  Kokkos::View<LocalVertex*, Memory> local;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    local(i) = static_cast<LocalVertex>(partition.place(global(own(i))).local);
  }
};

/// Takes back the results of a search before this one from normal vertices that this one did not reach; for for_bits().
template <class Vertex, class Memory>
struct ForgetUnreached {
  BitmapWords<Memory> reached_before, reached;
  Kokkos::View<Level*, Memory> level;
  Kokkos::View<Vertex*, Memory> parent;

  KOKKOS_FUNCTION auto word(const std::int64_t w) const { return reached_before(w) & ~reached(w); }
  KOKKOS_FUNCTION void operator()(const std::int64_t v) const {
    level(v) = no_level;
    parent(v) = no_vertex<Vertex>;
  }
};

/// Parents of the rank's own delegates where it is alone: those that it found.
template <class Vertex, class Memory>
struct OwnParents {
  Kokkos::View<const Vertex*, Memory> parent;  ///< by number
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(std::int64_t, LocalVertex number) const { return parent(number); }
};

/// Of several ranks: every rank sent as many candidates as there are own delegates. Any that is a parent is right.
template <class Vertex, class Memory>
struct SentParents {
  Kokkos::View<const Vertex*, Memory> candidates;
  std::int64_t num_own;
  int num_ranks;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(std::int64_t i, LocalVertex) const {
    Vertex any = no_vertex<Vertex>;
    for (int r = 0; r < num_ranks; ++r) {
      const Vertex candidate = candidates(r * num_own + i);
      if (candidate != no_vertex<Vertex>) any = candidate;
    }
    return any;
  }
};

/// Levels and parents of the rank's own delegates to where the results are.
template <class Vertex, class Memory, class Parents>
struct WriteOwnDelegates {
  Kokkos::View<const LocalVertex*, Memory> own;  ///< their numbers
  Kokkos::View<const LocalVertex*, Memory> local;
  Bitmap<Memory> reached;
  Kokkos::View<const Level*, Memory> delegate_level;  ///< of those that were reached
  Parents parents;
  Kokkos::View<Vertex*, Memory> parent;
  Kokkos::View<Level*, Memory> level;

  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    const LocalVertex v = local(i), number = own(i);
    const bool is_reached = reached.test(number);
    level(v) = is_reached ? delegate_level(number) : no_level;
    parent(v) = is_reached ? parents(i, number) : no_vertex<Vertex>;
  }
};

template <class Space, class Vertex>
class DelegateSearch {
 public:
  using Memory = typename Space::memory_space;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

  DelegateSearch(const Communicator& communicator, const Space& space, const GraphDelegate<Vertex, Memory>& graph,
                 const BfsDelegateOptions& options)
      : communicator_(communicator),
        own_(space),
        space_(own_.space()),
        graph_(graph),
        options_(options),
        reduction_(communicator, options.ranks_per_node),
        exchange_(communicator, space_, graph, options.uniquify,
                  options.local_all_to_all ? find_node_grid(communicator, options.ranks_per_node) : std::nullopt),
        normal_visited_(graph.num_local(), "dromos::bfs_delegate::normal_visited"),
        delegate_visited_(graph.num_delegates(), "dromos::bfs_delegate::delegate_visited"),
        delegate_found_(graph.num_delegates(), "dromos::bfs_delegate::delegate_found"),
        normal_before_(graph.num_local(), "dromos::bfs_delegate::normal_before"),
        normal_reached_before_(graph.num_local(), "dromos::bfs_delegate::normal_reached_before") {
    fence(space, "dromos::bfs_delegate::given");  // what it was given may still be on its way
    nd_.rule = DirectionRule(options.nd);
    dn_.rule = DirectionRule(options.dn);
    dd_.rule = DirectionRule(options.dd);
    options_.direction_optimizing = options.direction_optimizing && !graph.directed;
    if (options_.direction_optimizing) find_likely_ends_of(graph);
    const auto n = static_cast<std::size_t>(graph.num_local());
    const auto d = static_cast<std::size_t>(graph.num_delegates());
    ensure_size(result_.parent, n, "dromos::bfs_delegate::parent");
    ensure_size(result_.level, n, "dromos::bfs_delegate::level");
    ensure_size(delegate_parent_, d, "dromos::bfs_delegate::delegate_parent");
    ensure_size(delegate_level_, d, "dromos::bfs_delegate::delegate_level");
    if (!alone()) ensure_size(ordered_parent_, d, "dromos::bfs_delegate::ordered_parent");
    const Block own = graph.delegates_of[graph.rank];
    own_delegates_ = Kokkos::subview(graph.delegates_by_owner, Kokkos::make_pair(own.offset, own.offset + own.size));
    ensure_size(local_delegates_, static_cast<std::size_t>(own.size), "dromos::bfs_delegate::local_delegates");
    Kokkos::parallel_for(
        "dromos::bfs_delegate::local_delegates", Range(space_, 0, own.size),
        FindOwnDelegates<Vertex, Memory>{own_delegates_, graph.delegate_global, graph.partition, local_delegates_});
  }
  virtual ~DelegateSearch() = default;

  const BfsResult<Vertex, Memory>& result() const { return result_; }

  BfsDelegateStatistics search(Vertex root) {
    const Kokkos::Timer total;
    BfsDelegateStatistics statistics;
    start_results();
    start(root, graph_.partition.place(root));
    for (;;) {
      const ScopedRegion level_region("dromos::bfs_delegate::level");
      BfsDelegateLevel level;
      const Kokkos::Timer timer;
      const CommCounters before = communicator_.counters();
      const CommCount reduced_before = reduction_.cost(), delivered_before = exchange_.cost();
      const CommCount parents_before = parents_cost_;
      if (!expand(level)) break;
      const CommCounters cost = communicator_.counters() - before;
      const CommCount reduced = reduction_.cost() - reduced_before, delivered = exchange_.cost() - delivered_before;
      level.reduction_seconds = reduced.seconds;
      level.exchange_seconds = cost[CommKind::exchange].seconds + delivered.seconds;
      level.agreement_seconds = cost[CommKind::reduction].seconds;
      const CommCount parents = parents_cost_ - parents_before;
      level.bytes_sent = cost.total().bytes_sent + reduced.bytes_sent + delivered.bytes_sent - parents.bytes_sent;
      level.messages = cost.total().messages + reduced.messages + delivered.messages - parents.messages;
      level.seconds = timer.seconds();
      statistics.levels.push_back(level);
    }
    finish_parents(statistics);
    statistics.seconds = total.seconds();
    return statistics;
  }

 protected:
  /// The root is found, and the frontier.
  virtual void start(Vertex root, const Place& place) = 0;
  /// From the frontier to the next; says what was done, or false where no rank has a frontier.
  virtual bool expand(BfsDelegateLevel& level) = 0;

  /// A step towards the parents of delegates in the results, in this instance, once none is to be found any more: they
  /// set out to where they are owned, or, where they have arrived, are written. The last step is that of the search's
  /// end.
  void settle_parents(const Space& space) {
    if (!parents_sent_) send_parents(space);
    look_for_parents();
  }
  /// Those that have set out need to be looked for several times until they arrive.
  void look_for_parents() {
    if (parents_sent_ && !parents_written_ && parents_.test()) write_parents();
  }

  bool alone() const { return communicator_.size() == 1; }

  /// What the frontier is, before its edges are gone over.
  void look_at_frontier(std::int64_t num_normal, std::int64_t num_delegates, BfsDelegateLevel& level) {
    nd_.visit(nd_work_);
    dn_.visit(dn_work_);
    dd_.visit(dd_work_);
    level.normal_vertices = num_normal;
    level.delegates = num_delegates;
    level.nn_edges = nn_work_.edges;
    level.nd_edges = nd_work_.edges;
    level.dn_edges = dn_work_.edges;
    level.dd_edges = dd_work_.edges;
  }
  /// \param dd  of all ranks together
  void choose_directions(const DirectionWork& dd, BfsDelegateLevel& level) {
    if (!options_.direction_optimizing) return;
    dd_.choose_direction(dd);
    dn_.choose_direction({dn_work_.edges, dn_.unvisited_edges, nd_.unvisited_sources});
    nd_.choose_direction({nd_work_.edges, nd_.unvisited_edges, dn_.unvisited_sources});
    level.nd_backward = nd_.rule.backward() && nd_work_.edges > 0;
    level.dn_backward = dn_.rule.backward() && dn_work_.edges > 0;
    level.dd_backward = dd_.rule.backward() && dd.frontier_edges > 0;
  }

  /// Along nd and dd, each in its direction. What looks back is marked in delegate_found_ and joins `sink`.
  ///
  /// \param stream          where sweeps are enqueued
  /// \param some_dd         has any rank edges of dd that leave the frontier?
  /// \param normal_visited  before this level
  /// \param from_normal, from_delegates  of the frontier, those with such edges
  /// \param go_forward      go_forward(rows, from, names, strategy): one sweep
  template <class Sink, class GoForward>
  void find_delegates(const Space& stream, bool some_dd, const Sink& sink, const Bitmap<Memory>& normal_visited,
                      Frontier<LocalVertex, Memory>& from_normal, Frontier<LocalVertex, Memory>& from_delegates,
                      const GoForward& go_forward) {
    const NormalNames<Vertex> normal_names{graph_.partition, graph_.rank};
    const DelegateNames<Vertex, Memory> delegate_names{graph_.delegate_global};
    const auto look_back = [&](const Bitmap<Memory>& could, const auto& rows, const auto& likely,
                               const Bitmap<Memory>& visited, const auto& names) {
      find_first_likely(
          stream, rows, likely, looking<LocalVertex>(could, delegate_found_, delegate_found_), sink,
          FindParentIn<Vertex, Memory, std::decay_t<decltype(names)>>{visited.words().data(), delegate_parent_, names});
    };
    if (nd_work_.edges > 0) {
      if (nd_.rule.backward()) {
        look_back(graph_.has_dn, graph_.delegate.normal_view(), likely_dn_, normal_visited, normal_names);
      } else {
        go_forward(graph_.normal.delegate_view(), from_normal, normal_names, options_.strategy);
      }
    }
    if (some_dd && dd_.rule.backward()) {
      look_back(graph_.has_dd, graph_.delegate.delegate_view(), likely_dd_, delegate_visited_, delegate_names);
    } else if (dd_work_.edges > 0) {
      go_forward(graph_.delegate.delegate_view(), from_delegates, delegate_names, options_.dd_strategy);
    }
  }

  /// dn backward: normal vertices look along nd.
  /// \param num_left  on a GPU: a counter that gets how many are left, for left_along_nd_.size before the next sweep
  template <class Sink, class Operator>
  void look_back_along_dn(const Sink& sink, const Operator& op, std::uint64_t* num_left = nullptr) {
    find_first_left(space_, graph_.normal.delegate_view(), likely_nd_,
                    looking<LocalVertex>(graph_.has_nd, normal_visited_, normal_visited_), left_along_nd_, num_left,
                    sink, op);
  }

  const Communicator& communicator_;
  OwnInstance<Space> own_;
  Space space_;  // its own
  const GraphDelegate<Vertex, Memory>& graph_;
  BfsDelegateOptions options_;
  DelegateReduction reduction_;
  NormalExchange<Space, Vertex> exchange_;
  BfsResult<Vertex, Memory> result_;
  Bitmap<Memory> normal_visited_;
  Bitmap<Memory> delegate_visited_;  // of all ranks, before this level
  Bitmap<Memory> delegate_found_;    // and what this rank found on it
  Bitmap<Memory> normal_before_;     // visited before this level
  Kokkos::View<Vertex*, Memory> delegate_parent_;
  Kokkos::View<Level*, Memory> delegate_level_;
  Level next_level_ = 0;
  PartWork nn_work_, nd_work_, dn_work_, dd_work_;
  PartState nd_, dn_, dd_;
  LeftVertices<LocalVertex, Memory> left_along_nd_;

 private:
  void find_likely_ends_of(const GraphDelegate<Vertex, Memory>& graph) {
    const PlaceOfDelegate of_delegate{graph.num_delegates()};
    const DegreeOfNormal<Vertex, Memory> of_normal{graph.normal.normal_view(), graph.normal.delegate_view()};
    left_along_nd_ = LeftVertices<LocalVertex, Memory>(graph.num_local());
    likely_nd_ = find_likely_ends(space_, of_delegate, graph.normal.delegate_view());
    likely_dd_ = find_likely_ends(space_, of_delegate, graph.delegate.delegate_view());
    likely_dn_ = find_likely_ends(space_, of_normal, graph.delegate.normal_view());
  }

  void start_results() {
    if (!results_are_whole_) {
      fill(space_, result_.parent, no_vertex<Vertex>);
      fill(space_, result_.level, no_level);
    }
    results_are_whole_ = false;
    std::swap(normal_visited_, normal_reached_before_);
    ClearBitmaps<Memory> bitmaps{};
    int k = 0;
    std::int64_t most = 0;
    for (const auto& bitmap : {normal_visited_, normal_before_, delegate_visited_, delegate_found_}) {
      bitmaps.words[k] = bitmap.words().data();
      bitmaps.num_words[k] = static_cast<std::int64_t>(bitmap.words().extent(0));
      most = dromos::max(most, bitmaps.num_words[k++]);
    }
    Kokkos::parallel_for("dromos::bfs_delegate::clear", Range(space_, 0, most), bitmaps);
    if (!alone()) fill(space_, delegate_parent_, no_vertex<Vertex>);  // others ask for all of them
    exchange_.start(space_);
    parents_sent_ = parents_written_ = false;
    parents_cost_ = {};
    next_level_ = 0;
    left_along_nd_.listed = false;
    nn_work_ = nd_work_ = dn_work_ = dd_work_ = {};
    nd_.start(graph_.num_with_nd, static_cast<Offset>(graph_.normal.to_delegate.extent(0)));
    dn_.start(graph_.num_with_dn, static_cast<Offset>(graph_.delegate.to_normal.extent(0)));
    dd_.start(graph_.num_with_dd, static_cast<Offset>(graph_.delegate.to_delegate.extent(0)));
  }

  /// So that the results of all vertices need not be written before each search.
  void forget_unreached() {
    for_bits("dromos::bfs_delegate::forget_unreached", space_,
             static_cast<std::int64_t>(normal_visited_.words().extent(0)),
             ForgetUnreached<Vertex, Memory>{normal_reached_before_.words(), normal_visited_.words(), result_.level,
                                             result_.parent});
  }

  void send_parents(const Space& space) {
    parents_sent_ = true;
    parents_space_ = space;
    if (alone() || graph_.num_delegates() == 0) return;
    const CommCounters before = communicator_.counters();
    Kokkos::parallel_for("dromos::bfs_delegate::order_by_owner", Range(space, 0, graph_.num_delegates()),
                         OrderByOwner<Vertex, Memory>{graph_.delegates_by_owner, delegate_parent_, ordered_parent_});
    const std::int64_t own = graph_.delegates_of[graph_.rank].size;
    std::int64_t longest = 0;
    for (const Block& block : graph_.delegates_of) longest = dromos::max(longest, block.size);
    const auto arriving = consecutive_blocks(std::vector<std::int64_t>(graph_.delegates_of.size(), own));
    ensure_size(candidates_, static_cast<std::size_t>(total_size(arriving)), "dromos::bfs_delegate::candidates");
    parents_ =
        start_alltoallv(communicator_, space, ordered_parent_, graph_.delegates_of, candidates_, arriving, longest);
    parents_cost_ = (communicator_.counters() - before).total();
  }
  void write_parents() {
    parents_written_ = true;
    if (alone()) {
      write_parents(OwnParents<Vertex, Memory>{delegate_parent_});
    } else {
      write_parents(SentParents<Vertex, Memory>{candidates_, static_cast<std::int64_t>(own_delegates_.extent(0)),
                                                communicator_.size()});
    }
  }
  template <class Parents>
  void write_parents(const Parents& parents) {
    Kokkos::parallel_for(
        "dromos::bfs_delegate::own_delegates",
        Range(parents_space_, 0, static_cast<std::int64_t>(local_delegates_.extent(0))),
        WriteOwnDelegates<Vertex, Memory, Parents>{own_delegates_, local_delegates_, delegate_visited_, delegate_level_,
                                                   parents, result_.parent, result_.level});
  }

  void finish_parents(BfsDelegateStatistics& statistics) {
    const Kokkos::Timer timer;
    forget_unreached();
    if (!parents_sent_) send_parents(space_);
    parents_.wait();
    if (!parents_written_) write_parents();
    fence(parents_space_, "dromos::bfs_delegate::parents");
    fence(space_, "dromos::bfs_delegate::end");
    results_are_whole_ = true;
    statistics.parents_bytes = parents_cost_.bytes_sent;
    statistics.parents_seconds = timer.seconds();
  }

  Bitmap<Memory> normal_reached_before_;  // by the last search
  bool results_are_whole_ = false;        // those of the last search
  /// Of the rows that are looked through backward: the ends that are most likely visited; on CPUs none.
  Kokkos::View<LocalVertex*, Memory> likely_nd_, likely_dd_, likely_dn_;
  Kokkos::View<const LocalVertex*, Memory> own_delegates_;  // their numbers
  Kokkos::View<LocalVertex*, Memory> local_delegates_;      // and local numbers
  bool parents_sent_ = false, parents_written_ = false;
  Space parents_space_;
  CommCount parents_cost_;
  Kokkos::View<Vertex*, Memory> ordered_parent_;  // by owner, on their way there
  Kokkos::View<Vertex*, Memory> candidates_;      // what the ranks have for this one's delegates
  Request parents_;                               // on their way
};

}  // namespace dromos::detail
