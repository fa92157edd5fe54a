// SPDX-License-Identifier: BSD-3-Clause
// The loop over levels of a search separated by degree, and the small kernels between its sweeps.
#include <dromos/distributed/by_degree/bfs_delegate.hpp>

#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/two_sums.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/delegate_visits.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/traverse.hpp>
#include <tuple>
#include <utility>

namespace dromos {
namespace detail {

/// How many vertices of a work set have edges in each of the two parts that begin at them, and how many edges: of each
/// part vertices and edges in one sum, since a part has less than 2^32 edges on a rank, and fewer than 2^31 rows.
template <class ToNormal, class Memory>
struct SumPartWork {
  static constexpr int edge_bits = 33;
  SubgraphView<ToNormal, Memory> to_normal;
  SubgraphView<LocalVertex, Memory> to_delegate;
  Kokkos::View<const LocalVertex*, Memory> queue;

  KOKKOS_FORCEINLINE_FUNCTION void add(LocalVertex v, TwoSums& total) const {
    const auto normal = static_cast<std::uint64_t>(to_normal.degree(static_cast<ToNormal>(v)));
    const auto delegate = static_cast<std::uint64_t>(to_delegate.degree(v));
    total.first += normal | static_cast<std::uint64_t>(normal != 0) << edge_bits;
    total.second += delegate | static_cast<std::uint64_t>(delegate != 0) << edge_bits;
  }
  KOKKOS_FUNCTION void operator()(const std::int64_t i, TwoSums& total) const { add(queue(i), total); }

  static PartWork unpack(std::uint64_t sum) {
    return {static_cast<std::int64_t>(sum >> edge_bits),
            static_cast<Offset>(sum & ((std::uint64_t(1) << edge_bits) - 1))};
  }
};

template <class ToNormal, class Memory>
SumPartWork<ToNormal, Memory> sum_part_work(const SubgraphPair<ToNormal, Memory>& parts,
                                            const Frontier<LocalVertex, Memory>& frontier) {
  return {parts.normal_view(), parts.delegate_view(), frontier.queue()};
}

template <class Space, class ToNormal, class Memory>
std::pair<PartWork, PartWork> part_work(const Space& space, const SubgraphPair<ToNormal, Memory>& parts,
                                        const Frontier<LocalVertex, Memory>& frontier) {
  if (frontier.empty()) return {};
  const auto sum = sum_part_work(parts, frontier);
  TwoSums sums;
  Kokkos::parallel_reduce(
      "dromos::bfs_delegate::part_work",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()), sum,
      Kokkos::Sum<TwoSums>(sums));
  return {sum.unpack(sums.first), sum.unpack(sums.second)};
}

/// How likely an end is: the edges to it that this rank has, of both kinds.
template <class ToNormal, class Memory>
struct DegreeHere {
  SubgraphView<ToNormal, Memory> to_normal;
  SubgraphView<LocalVertex, Memory> to_delegate;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex v) const {
    return to_normal.degree(static_cast<ToNormal>(v)) + to_delegate.degree(v);
  }
};

/// On machines with warps, in one pass over the bitmaps: delegates found and not visited before are listed and get
/// their level, their edges are counted, and they are visited. counts: vertices, then both sums of SumPartWork.
template <class Space, class Memory>
struct TakeFoundDelegates {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Word = typename Bitmap<Memory>::Word;
  static constexpr int team_size = 256;

  const Word* found;
  Word* visited;
  std::int64_t num_words;
  LocalVertex* queue;
  Level* levels;
  Level level;
  SumPartWork<LocalVertex, Memory> work;
  std::uint64_t* counts;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
    const Word word = w < num_words ? found[w] & ~visited[w] : 0u;
    const int mine = population_count(word);
    const int before = team.team_scan(mine);
    unsigned long long begin = 0;
    if (team.team_rank() == team.team_size() - 1 && before + mine > 0) {
      begin = atomic_fetch_add(&counts[0], static_cast<std::uint64_t>(before + mine));
    }
    team.team_broadcast(begin, team.team_size() - 1);
    TwoSums sums;
    LocalVertex* to = queue + begin + before;
    for (Word rest = word; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<LocalVertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      *to++ = v;
      levels[v] = level;
      work.add(v, sums);
    }
    if (word != 0) visited[w] |= word;
    const unsigned long long to_normal = warp_sum(sums.first), to_delegate = warp_sum(sums.second);
    if (team.team_rank() % warp_width == 0) {
      if (to_normal != 0) atomic_fetch_add(&counts[1], to_normal);
      if (to_delegate != 0) atomic_fetch_add(&counts[2], to_delegate);
    }
  }
};

/// The number of the delegate that has this global id; -1: none has.
template <class Space, class Vertex, class Memory>
LocalVertex find_delegate(const Space& space, const Kokkos::View<Vertex*, Memory>& global, Vertex vertex) {
  LocalVertex number = -1;
  Kokkos::parallel_reduce(
      "dromos::bfs_delegate::find_delegate", Kokkos::RangePolicy<Space>(space, 0, global.extent(0)),
      KOKKOS_LAMBDA(const int k, LocalVertex& largest) {
        if (global(k) == vertex) largest = dromos::max(largest, static_cast<LocalVertex>(k));
      },
      Kokkos::Max<LocalVertex>(number));
  return number < 0 ? -1 : number;
}

template <class Space, class Vertex, class Memory>
void claim_normal_root(const Space& space, const NormalResults<Vertex, Memory>& results, LocalVertex local,
                       Vertex root) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::root", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(const int) {
        results.visited.set(local);
        results.write(local, root);
      });
}

template <class Space, class Vertex, class Memory>
void claim_delegate_root(const Space& space, const Bitmap<Memory>& found, const Kokkos::View<Vertex*, Memory>& parent,
                         LocalVertex number, Vertex root) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::root", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(const int) {
        found.set(number);
        parent(number) = root;
      });
}

template <class Space, class Memory>
void write_levels(const Space& space, const Frontier<LocalVertex, Memory>& delegates, Level level,
                  const Kokkos::View<Level*, Memory>& levels) {
  const auto queue = delegates.queue();
  Kokkos::parallel_for(
      "dromos::bfs_delegate::levels",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, delegates.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) { levels(queue(i)) = level; });
}

/// Parents by number to the order of owners.
template <class Space, class Vertex, class Memory>
void order_by_owner(const Space& space, const Kokkos::View<const LocalVertex*, Memory>& by_owner,
                    const Kokkos::View<Vertex*, Memory>& parent, const Kokkos::View<Vertex*, Memory>& ordered) {
  Kokkos::parallel_for(
      "dromos::bfs_delegate::order_by_owner", Kokkos::RangePolicy<Space>(space, 0, by_owner.extent(0)),
      KOKKOS_LAMBDA(const int i) { ordered(i) = parent(by_owner(i)); });
}

/// Levels and parents of the rank's own delegates to where the results are. Every rank sent as many candidates as there
/// are own delegates; any that is a parent is right.
template <class Space, class Vertex, class Memory>
void write_own_delegates(const Space& space, const Kokkos::View<const LocalVertex*, Memory>& by_owner, Block own,
                         const Kokkos::View<Vertex*, Memory>& global,
                         const Kokkos::View<Level*, Memory>& delegate_level,
                         const Kokkos::View<Vertex*, Memory>& candidates, const Partition1d& partition,
                         const Kokkos::View<Vertex*, Memory>& parent, const Kokkos::View<Level*, Memory>& level) {
  const int num_ranks = partition.num_ranks();
  Kokkos::parallel_for(
      "dromos::bfs_delegate::own_delegates",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, own.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const LocalVertex number = by_owner(own.offset + i);
        const std::int64_t local = partition.place(global(number)).local;
        level(local) = delegate_level(number);
        for (int r = 0; r < num_ranks; ++r) {
          const Vertex candidate = candidates(r * own.size + i);
          if (candidate != no_vertex<Vertex>) parent(local) = candidate;
        }
      });
}

/// One sweep from a work set, from which so many edges of this part leave; gathers into `sink`.
template <class Space, class Graph, class Memory, class Sink, class Operator>
void sweep_from(const Space& space, const Graph& graph, Frontier<LocalVertex, Memory>& from, Offset num_edges,
                const Sink& sink, const Operator& op, const Strategy& strategy) {
  from.set_counts(from.num_vertices(), num_edges);  // what it knew was about another part's edges
  sweep_frontier(
      space, graph, from, [&](bool) { return sink; }, op, strategy);
}

}  // namespace detail

template <class Space, class Vertex>
BfsDelegate<Space, Vertex>::BfsDelegate(const Communicator& communicator, const Space& space,
                                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
    : communicator_(communicator),
      normal_stream_(space),
      delegate_stream_(space),
      space_(normal_stream_.space()),
      graph_(graph),
      options_(options),
      reduction_(communicator, options.ranks_per_node),
      exchange_(communicator, space_, graph, options.uniquify,
                options.local_all_to_all ? find_node_grid(communicator, options.ranks_per_node) : std::nullopt),
      normal_(graph.num_local(), 0),
      next_normal_(graph.num_local(), 0),
      normal_visited_(graph.num_local(), "dromos::bfs_delegate::normal_visited"),
      normal_visited_before_(OwnInstance<Space>::concurrent ? graph.num_local() : 0,
                             "dromos::bfs_delegate::normal_visited_before"),
      delegates_(graph.num_delegates(), 0),
      found_delegates_(graph.num_delegates(), 0),
      delegate_visited_(graph.num_delegates(), "dromos::bfs_delegate::delegate_visited"),
      delegate_found_(graph.num_delegates(), "dromos::bfs_delegate::delegate_found"),
      taken_(3, "dromos::bfs_delegate::taken") {
  nd_.rule = DirectionRule(options.nd);
  dn_.rule = DirectionRule(options.dn);
  dd_.rule = DirectionRule(options.dd);
  fence(space, "dromos::bfs_delegate::given");  // what it was given may still be on its way
  const auto n = static_cast<std::size_t>(graph.num_local());
  const auto d = static_cast<std::size_t>(graph.num_delegates());
  detail::ensure_size(result_.parent, n, "dromos::bfs_delegate::parent");
  detail::ensure_size(result_.level, n, "dromos::bfs_delegate::level");
  detail::ensure_size(delegate_parent_, d, "dromos::bfs_delegate::delegate_parent");
  detail::ensure_size(delegate_level_, d, "dromos::bfs_delegate::delegate_level");
  detail::ensure_size(ordered_parent_, d, "dromos::bfs_delegate::ordered_parent");
  options_.direction_optimizing = options.direction_optimizing && !graph.directed;
  if (options_.direction_optimizing) {
    using namespace detail;
    const DegreeHere<LocalVertex, Memory> of_delegate{graph.delegate.normal_view(), graph.delegate.delegate_view()};
    const DegreeHere<Vertex, Memory> of_normal{graph.normal.normal_view(), graph.normal.delegate_view()};
    likely_nd_ = find_likely_ends(space_, of_delegate, graph.normal.delegate_view());
    likely_dd_ = find_likely_ends(space_, of_delegate, graph.delegate.delegate_view());
    likely_dn_ = find_likely_ends(space_, of_normal, graph.delegate.normal_view());
  }
}

template <class Space, class Vertex>
detail::NormalResults<Vertex, typename Space::memory_space> BfsDelegate<Space, Vertex>::normal_results() const {
  return {normal_visited_, result_.parent, result_.level, next_level_};
}

template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::start(Vertex root) {
  fill(space_, result_.parent, no_vertex<Vertex>);
  fill(space_, result_.level, no_level);
  fill(space_, delegate_parent_, no_vertex<Vertex>);
  fill(space_, delegate_level_, no_level);
  for (const auto& bitmap : {normal_visited_, delegate_visited_, delegate_found_}) {
    fill(space_, bitmap.words(), typename Bitmap<Memory>::Word(0));
  }
  exchange_.start(space_);
  next_level_ = 0;
  nd_.start(graph_.num_with_nd, static_cast<Offset>(graph_.normal.to_delegate.extent(0)));
  dn_.start(graph_.num_with_dn, static_cast<Offset>(graph_.delegate.to_normal.extent(0)));
  dd_.start(graph_.num_with_dd, static_cast<Offset>(graph_.delegate.to_delegate.extent(0)));
  normal_.set_counts(0);
  take_no_delegates();
  const Place place = graph_.partition.place(root);
  const LocalVertex number = detail::find_delegate(space_, graph_.delegate_global, root);
  if (number >= 0) {
    detail::claim_delegate_root(space_, delegate_found_, delegate_parent_, number, root);
    take_found_delegates();
    if (place.rank != graph_.rank) fill(space_, delegate_parent_, no_vertex<Vertex>);
  } else if (place.rank == graph_.rank) {
    detail::claim_normal_root(space_, normal_results(), static_cast<LocalVertex>(place.local), root);
    normal_.start(space_, NoDegrees<Memory>{}, static_cast<LocalVertex>(place.local));
  }
  fence(space_, "dromos::bfs_delegate::start");
}

template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::look_at_frontier(BfsDelegateLevel& level) {
  std::tie(nn_work_, nd_work_) = detail::part_work(space_, graph_.normal, normal_);
  nd_.visit(nd_work_);
  dn_.visit(dn_work_);
  dd_.visit(dd_work_);
  level.normal_vertices = normal_.num_vertices();
  level.delegates = delegates_.num_vertices();
  level.nn_edges = nn_work_.edges;
  level.nd_edges = nd_work_.edges;
  level.dn_edges = dn_work_.edges;
  level.dd_edges = dd_work_.edges;
}

template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::choose_directions() {
  if (!options_.direction_optimizing) return;
  dd_.choose_direction(dd_work_, dd_.unvisited_sources);
  dn_.choose_direction(dn_work_, nd_.unvisited_sources);
  nd_.choose_direction(nd_work_, dn_.unvisited_sources);
}

/// The first stream: nd and dd. What it found is collected later.
template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::start_finding_delegates() {
  using namespace detail;
  const Space& stream = delegate_stream_.space();
  const NormalNames<Vertex> normal_names{graph_.partition, graph_.rank};
  const DelegateNames<Vertex, Memory> delegate_names{graph_.delegate_global};
  const auto sink = found_delegates_.open(stream, NoDegrees<Memory>{}, false);
  const auto look_back = [&](const Bitmap<Memory>& could, const auto& rows, const auto& likely,
                             const Bitmap<Memory>& visited, const auto& names) {
    find_first_likely(
        stream, rows, likely, looking<LocalVertex>(could, delegate_found_, delegate_found_), sink,
        FindDelegateParent<Vertex, Memory, std::decay_t<decltype(names)>>{visited, delegate_parent_, names});
  };
  if (nd_work_.edges > 0) {
    if (nd_.rule.backward()) {
      Bitmap<Memory> visited = normal_visited_;
      if (OwnInstance<Space>::concurrent) {  // the normal stream is about to mark what it finds
        visited = normal_visited_before_;
        Kokkos::deep_copy(stream, visited.words(), normal_visited_.words());
        fence(stream, "dromos::bfs_delegate::normal_visited_before");
      }
      look_back(graph_.has_dn, graph_.delegate.normal_view(), likely_dn_, visited, normal_names);
    } else {
      sweep_from(
          stream, graph_.normal.delegate_view(), normal_, nd_work_.edges, sink,
          DiscoverDelegates<Vertex, Memory, NormalNames<Vertex>>{delegate_found_, delegate_parent_, normal_names},
          options_.strategy);
    }
  }
  if (dd_work_.edges > 0) {
    if (dd_.rule.backward()) {
      look_back(graph_.has_dd, graph_.delegate.delegate_view(), likely_dd_, delegate_visited_, delegate_names);
    } else {
      sweep_from(stream, graph_.delegate.delegate_view(), delegates_, dd_work_.edges, sink,
                 DiscoverDelegates<Vertex, Memory, DelegateNames<Vertex, Memory>>{delegate_found_, delegate_parent_,
                                                                                  delegate_names},
                 options_.dd_strategy);
    }
  }
}

/// The second stream: nn first, so that what it finds for other ranks travels while dn is searched.
template <class Space, class Vertex>
QueueSink<NoDegrees<typename Space::memory_space>> BfsDelegate<Space, Vertex>::start_finding_normal_vertices() {
  using namespace detail;
  // Both streams would write prefix sums of degrees beside the same vertices.
  if (OwnInstance<Space>::concurrent && wants_prefix_sums<Space>(options_.strategy)) {
    fence(delegate_stream_.space(), "dromos::bfs_delegate::prefix_sums");
  }
  const auto sink = next_normal_.open(space_, NoDegrees<Memory>{}, false);
  if (nn_work_.edges > 0) {
    sweep_from(space_, graph_.normal.normal_view(), normal_, nn_work_.edges, sink,
               DiscoverOrPost<Vertex, Memory>{normal_results(), NormalNames<Vertex>{graph_.partition, graph_.rank},
                                              exchange_.outbox(), graph_.ids},
               options_.strategy);
  }
  return sink;
}

template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::finish_finding_normal_vertices(const QueueSink<NoDegrees<Memory>>& sink,
                                                                Offset most_posts, BfsDelegateLevel& level) {
  using namespace detail;
  const DelegateNames<Vertex, Memory> delegate_names{graph_.delegate_global};
  if (most_posts > 0) level.sent = exchange_.send(space_, most_posts);
  if (dn_work_.edges > 0) {
    if (dn_.rule.backward()) {
      find_first_likely(space_, graph_.normal.delegate_view(), likely_nd_,
                        looking<LocalVertex>(graph_.has_nd, normal_visited_, normal_visited_), sink,
                        FindNormalParent<Vertex, Memory>{delegate_visited_, normal_results(), delegate_names});
    } else {
      sweep_from(space_, graph_.delegate.normal_view(), delegates_, dn_work_.edges, sink,
                 DiscoverNormal<Vertex, Memory>{normal_results(), delegate_names}, options_.strategy);
    }
  }
  if (most_posts > 0) exchange_.receive(space_, normal_results(), sink, graph_.partition);
  next_normal_.collect(space_);
  if (level.sent < 0) {
    level.sent = next_normal_.note(note_sent);
    exchange_.count_streamed(level.sent, next_normal_.note(note_received));
  }
}

/// The delegates that any rank found become the frontier's.
template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::take_found_delegates() {
  if constexpr (has_warps<Space>) {
    using Kernel = detail::TakeFoundDelegates<Space, Memory>;
    const auto num_words = static_cast<std::int64_t>(delegate_found_.words().extent(0));
    taken_.open(space_);
    const auto sum = detail::sum_part_work(graph_.delegate, delegates_);
    Kokkos::parallel_for(
        "dromos::bfs_delegate::take_found",
        typename Kernel::Policy(space_, static_cast<int>((num_words + Kernel::team_size - 1) / Kernel::team_size),
                                Kernel::team_size),
        Kernel{delegate_found_.words().data(), delegate_visited_.words().data(), num_words, delegates_.queue().data(),
               delegate_level_.data(), next_level_, sum, taken_.on_device().data()});
    taken_.read(space_);
    delegates_.set_counts(static_cast<std::int64_t>(taken_[0]));
    dn_work_ = sum.unpack(taken_[1]);
    dd_work_ = sum.unpack(taken_[2]);
  } else {
    delegates_.set_counts(compact_difference(space_, delegate_found_, delegate_visited_, delegates_.queue()));
    Kokkos::deep_copy(space_, delegate_visited_.words(), delegate_found_.words());
    detail::write_levels(space_, delegates_, next_level_, delegate_level_);
    std::tie(dn_work_, dd_work_) = detail::part_work(space_, graph_.delegate, delegates_);
  }
}

/// No rank found any.
template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::take_no_delegates() {
  delegates_.set_counts(0);
  dn_work_ = dd_work_ = {};
}

template <class Space, class Vertex>
void BfsDelegate<Space, Vertex>::finish_parents(BfsDelegateStatistics& statistics) {
  const Kokkos::Timer timer;
  const std::int64_t bytes_before = communicator_.counters().total().bytes_sent;
  if (graph_.num_delegates() > 0) {
    detail::order_by_owner(space_, graph_.delegates_by_owner, delegate_parent_, ordered_parent_);
    const Block own = graph_.delegates_of[graph_.rank];
    auto candidates = ordered_parent_;
    if (communicator_.size() > 1) {
      const auto arriving = consecutive_blocks(std::vector<std::int64_t>(graph_.delegates_of.size(), own.size));
      detail::ensure_size(candidates_, static_cast<std::size_t>(total_size(arriving)),
                          "dromos::bfs_delegate::candidates");
      alltoallv(communicator_, space_, ordered_parent_, graph_.delegates_of, candidates_, arriving);
      candidates = candidates_;
    }
    detail::write_own_delegates(space_, graph_.delegates_by_owner, own, graph_.delegate_global, delegate_level_,
                                candidates, graph_.partition, result_.parent, result_.level);
  }
  fence(space_, "dromos::bfs_delegate::parents");
  statistics.parents_bytes = communicator_.counters().total().bytes_sent - bytes_before;
  statistics.parents_seconds = timer.seconds();
}

template <class Space, class Vertex>
BfsDelegateStatistics BfsDelegate<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::bfs_delegate");
  check_root(root, graph_.partition.num_vertices());  // the same on every rank
  const bool alone = communicator_.size() == 1;
  const Kokkos::Timer total;
  BfsDelegateStatistics statistics;
  start(root);

  for (;;) {
    const ScopedRegion level_region("dromos::bfs_delegate::level");
    BfsDelegateLevel level;
    const Kokkos::Timer timer;
    const CommCounters before = communicator_.counters();
    const CommCount reduced_before = reduction_.cost(), delivered_before = exchange_.cost();
    look_at_frontier(level);
    choose_directions();
    ++next_level_;
    start_finding_delegates();
    // One by one, what the first stream found should be on its way before the second one begins.
    constexpr bool beside = OwnInstance<Space>::concurrent;
    QueueSink<NoDegrees<Memory>> sink;
    if (beside) sink = start_finding_normal_vertices();
    found_delegates_.collect(delegate_stream_.space());
    std::int64_t sums[3] = {normal_.num_vertices(), found_delegates_.num_vertices(), nn_work_.edges};
    if (!alone) sum_in_place(communicator_, sums, 3);
    if (sums[0] == 0 && delegates_.empty()) break;
    const bool anybody_found = sums[1] > 0;
    if (anybody_found && !alone) {
      reduction_.start(delegate_stream_.space(), delegate_found_);
      if (!options_.overlap_reduction) reduction_.wait(delegate_stream_.space(), delegate_found_);
    }
    if (!beside) sink = start_finding_normal_vertices();
    finish_finding_normal_vertices(sink, alone ? 0 : sums[2], level);
    level.nd_backward = nd_.rule.backward() && nd_work_.edges > 0;
    level.dn_backward = dn_.rule.backward() && dn_work_.edges > 0;
    level.dd_backward = dd_.rule.backward() && dd_work_.edges > 0;
    if (anybody_found) {
      if (!alone && options_.overlap_reduction) reduction_.wait(delegate_stream_.space(), delegate_found_);
      level.reductions = alone ? 0 : 1;
      take_found_delegates();
    } else {
      take_no_delegates();
    }
    std::swap(normal_, next_normal_);

    const CommCounters cost = communicator_.counters() - before;
    const CommCount reduced = reduction_.cost() - reduced_before, delivered = exchange_.cost() - delivered_before;
    level.reduction_seconds = reduced.seconds;
    level.exchange_seconds = cost[CommKind::exchange].seconds + delivered.seconds;
    level.agreement_seconds = cost[CommKind::reduction].seconds;
    level.bytes_sent = cost.total().bytes_sent + reduced.bytes_sent + delivered.bytes_sent;
    level.messages = cost.total().messages + reduced.messages + delivered.messages;
    level.seconds = timer.seconds();
    statistics.levels.push_back(level);
  }
  finish_parents(statistics);
  statistics.seconds = total.seconds();
  return statistics;
}

template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
