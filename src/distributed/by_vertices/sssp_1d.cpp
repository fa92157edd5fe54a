// SPDX-License-Identifier: BSD-3-Clause
// The loops over buckets and sweeps of the distributed delta-stepping.
#include <dromos/distributed/by_vertices/sssp_1d.hpp>

#include <algorithm>
#include <cmath>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/by_vertices/sssp_1d_steps.hpp>
#include <dromos/distributed/moving/count_by_rank.hpp>
#include <dromos/traverse/traverse.hpp>
#include <string>
#include <utility>

namespace dromos {
namespace detail {

template <class Space, class Vertex>
struct Sssp1dState {
  using Memory = typename Space::memory_space;
  using Graph = Graph1d<Vertex, Memory>;
  using Parts = RowParts<Vertex, Memory>;

  const Communicator& communicator;
  Space space;
  Graph& graph;
  Strategy strategy;
  float delta;
  Parts light, heavy, all;
  bool any_heavy;  ///< has any rank heavy edges?
  Reaches<Vertex, Memory> reaches;
  Kokkos::View<std::uint64_t*, Memory> own_reach;  ///< the piece of reaches.reach that is this rank's
  Bitmap<Memory> settled;                          ///< own vertices, in the bucket at hand
  Frontier<Vertex, Memory> frontier, next;
  OutboxExchange<Space, Offer> exchange;
  SsspTree<Vertex, Memory> tree;

  Sssp1dState(const Communicator& communicator_, const Space& space_, Graph& graph_, const Sssp1dOptions& options)
      : communicator(communicator_),
        space(space_),
        graph(graph_),
        strategy(options.strategy),
        delta(choose_delta(communicator, space, graph, options)),
        frontier(graph.num_local(), graph.rows.num_edges()),
        next(graph.num_local(), graph.rows.num_edges()),
        exchange(communicator, room(space, graph)) {
    const std::int64_t num_local = graph.num_local();
    const Vertex first = graph.ids.first(graph.rank);
    const auto light_end = split_rows(space, graph.rows, delta);
    const auto row_begin = Kokkos::subview(graph.rows.row_map, Kokkos::make_pair(std::int64_t(0), num_local));
    const auto row_end = Kokkos::subview(graph.rows.row_map, Kokkos::make_pair(std::int64_t(1), num_local + 1));
    light = {row_begin, light_end, graph.rows.entries, first};
    heavy = {light_end, row_end, graph.rows.entries, first};
    any_heavy = max<std::int32_t>(communicator, has_edges(space, heavy, num_local) ? 1 : 0) != 0;
    all = {row_begin, row_end, graph.rows.entries, first};

    reaches.reach = uninitialized<std::uint64_t, Memory>("dromos::sssp_1d::reach", graph.ids.size());
    reaches.parent_rank = uninitialized<std::int32_t, Memory>("dromos::sssp_1d::parent_rank", num_local);
    reaches.joined = Bitmap<Memory>(graph.ids.size(), "dromos::sssp_1d::joined");
    reaches.waiting = Bitmap<Memory>(num_local, "dromos::sssp_1d::waiting");
    reaches.ids = graph.ids;
    reaches.rank = graph.rank;
    const std::int64_t begin = static_cast<std::int64_t>(first);
    own_reach = Kokkos::subview(reaches.reach, Kokkos::make_pair(begin, begin + num_local));
    settled = Bitmap<Memory>(num_local, "dromos::sssp_1d::settled");
    ensure_size(tree.distance, static_cast<std::size_t>(num_local), "dromos::sssp_1d::distance");
    ensure_size(tree.parent, static_cast<std::size_t>(num_local), "dromos::sssp_1d::parent");
  }

  /// Checks weights and options, too: the first thing that a search needs.
  static float choose_delta(const Communicator& communicator, const Space& space, const Graph& graph,
                            const Sssp1dOptions& options) {
    const auto& rows = graph.rows;
    const double sum_of_own = on_all_ranks(communicator, [&] {
      if (!(options.delta >= 0)) {
        throw ArgumentError("sssp: delta is " + std::to_string(options.delta) +
                            "; it must be above 0, or 0 for one that suits the graph");
      }
      if (rows.num_edges() > 0 && !rows.weighted()) {
        throw ArgumentError("sssp: the graph has no weights; build it of edges that have some");
      }
      if (const Offset bad = first_bad_weight(space, rows.weights); bad < static_cast<Offset>(rows.weights.extent(0))) {
        const auto edge = Kokkos::make_pair(bad, bad + 1);
        const Vertex target =
            Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(rows.entries, edge))(0);
        const float weight =
            Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(rows.weights, edge))(0);
        throw ArgumentError("sssp: an edge to vertex " +
                            std::to_string(graph.partition.global_id(graph.ids.rank(target), graph.ids.local(target))) +
                            " has weight " + std::to_string(weight) + "; weights must not be negative");
      }
      return sum_of_weights(space, rows.weights);
    });
    if (options.delta > 0) return options.delta;
    const double num_arcs = static_cast<double>(std::max<Offset>(1, graph.num_arcs));
    const double mean_degree =
        num_arcs / static_cast<double>(std::max<std::int64_t>(1, graph.partition.num_vertices()));
    const double chosen = 8 / mean_degree * (sum(communicator, sum_of_own) / num_arcs);
    // The same on every rank, whatever the order in which the sum was made. All weights 0: any width will do.
    const float delta = static_cast<float>(max(communicator, chosen));
    return delta > 0 ? delta : 1;
  }

  /// Offers that can wait for each rank: one a vertex that it owns, and one an edge to it.
  static std::vector<std::int64_t> room(const Space& space, const Graph& graph) {
    std::vector<std::int64_t> sizes = count_by_rank(space, graph.rows.entries, graph.ids);
    for (int r = 0; r < graph.ids.num_ranks(); ++r) {
      sizes[r] = r == graph.rank ? 0 : std::min(sizes[r], graph.partition.num_local(r));
    }
    return sizes;
  }

  OwnDistances<Memory> own_distances() const { return {own_reach}; }

  /// Nothing is reached but the root, a global id.
  void start(Vertex root) {
    fill(space, reaches.reach, pack_reach(no_distance, 0));
    clear(space, reaches.waiting);
    const Place place = graph.partition.place(root);
    if (place.rank == graph.rank) start_at(space, reaches, graph.ids.id(place.rank, place.local));
  }

  /// Where the next bucket begins, the same on every rank; no_distance: there is none.
  float next_bucket() const {
    const float own = smallest_waiting(space, reaches.waiting, own_distances(), reaches.bucket_end);
    return static_cast<float>(min<double>(communicator, own));
  }

  /// Vertices of `pile` whose distances lie in the bucket are the frontier.
  void take(const Bitmap<Memory>& pile, float from, const Parts& edges) {
    const auto queue = frontier.queue();
    const std::int64_t size = take_bucket(space, pile, own_distances(), from, reaches.bucket_end, edges.first, queue);
    frontier.set_counts(size, sum_of_degrees(space, edges, queue, size));
  }

  /// One sweep of all ranks over these edges of their frontiers; the frontier is then who has to be looked at again.
  void relax(const Parts& edges, Sssp1dStatistics& statistics) {
    exchange.empty(space);
    const RelaxOrOffer<Vertex, Memory> relax{reaches, graph.rows.weights, exchange.outbox()};
    const auto sink = next.open(space, edges, wants_prefix_sums<Space>(strategy));
    sweep_frontier(
        space, edges, frontier, [&](bool) { return sink; }, relax, strategy);
    const std::vector<Block> leaving = exchange.close(space);
    for (int r = 0; r < communicator.size(); ++r) complete_offers(space, reaches, exchange.outbox(), leaving[r], r);
    exchange.start(space);
    exchange.wait();
    for (int r = 0; r < communicator.size(); ++r) {
      take_offers(space, reaches, sink, exchange.inbox(), exchange.arriving()[r], r);
    }
    statistics.offers_sent += total_size(leaving);
    next.collect(space);
    clear_members(space, reaches.joined, next);
    ++statistics.num_sweeps;
    statistics.edges_relaxed += frontier.num_edges();
    std::swap(frontier, next);
  }

  void settle_bucket(float from, Sssp1dStatistics& statistics) {
    const float to = from + delta;
    // Where delta is lost in rounding, a bucket holds what lies at its beginning, and heavy edges may end there, too.
    const bool lost = !(to > from);
    reaches.bucket_end = lost ? std::nextafter(from, no_distance) : to;
    const Parts& edges = lost ? all : light;
    take(reaches.waiting, from, edges);
    do {
      if (!lost && any_heavy) note_settled(space, frontier, graph.ids, settled);
      relax(edges, statistics);
    } while (sum<std::int64_t>(communicator, frontier.num_vertices()) > 0);
    if (lost || !any_heavy) return;
    take(settled, from, heavy);
    relax(heavy, statistics);
  }
};

}  // namespace detail

template <class Space, class Vertex>
Sssp1d<Space, Vertex>::Sssp1d(const Communicator& communicator, const Space& space, Graph1d<Vertex, Memory>& graph,
                              const Sssp1dOptions& options)
    : state_(std::make_unique<detail::Sssp1dState<Space, Vertex>>(communicator, space, graph, options)) {}

template <class Space, class Vertex>
Sssp1d<Space, Vertex>::~Sssp1d() = default;

template <class Space, class Vertex>
const SsspTree<Vertex, typename Space::memory_space>& Sssp1d<Space, Vertex>::result() const {
  return state_->tree;
}

template <class Space, class Vertex>
float Sssp1d<Space, Vertex>::delta() const {
  return state_->delta;
}

template <class Space, class Vertex>
Sssp1dStatistics Sssp1d<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::sssp_1d");
  auto& state = *state_;
  check_root(root, state.graph.partition.num_vertices());  // the same on every rank
  const Kokkos::Timer timer;
  const CommCounters before = state.communicator.counters();
  Sssp1dStatistics statistics;
  state.start(root);
  state.reaches.bucket_end = 0;
  for (float from = 0; from < no_distance; from = state.next_bucket()) {
    const ScopedRegion bucket_region("dromos::sssp_1d::bucket");
    state.settle_bucket(from, statistics);
    ++statistics.num_buckets;
  }
  detail::write_tree(state.space, Kokkos::View<const std::uint64_t*, Memory>(state.own_reach),
                     state.reaches.parent_rank, state.graph.partition, state.graph.rows.view(), state.tree, statistics);
  statistics.seconds = timer.seconds();
  const CommCount cost = (state.communicator.counters() - before).total();
  statistics.bytes_sent = cost.bytes_sent;
  statistics.messages = cost.messages;
  statistics.communication_seconds = cost.seconds;
  return statistics;
}

Sssp1dStatistics total_statistics(const Communicator& communicator, const Sssp1dStatistics& own) {
  Sssp1dStatistics total = own;  // sweeps and buckets are the same on every rank
  std::int64_t counts[6] = {own.num_reached, own.arcs_reached, own.edges_relaxed,
                            own.offers_sent, own.bytes_sent,   own.messages};
  double seconds[2] = {own.seconds, own.communication_seconds};
  sum_in_place(communicator, counts, 6);
  max_in_place(communicator, seconds, 2);
  total.num_reached = counts[0];
  total.arcs_reached = counts[1];
  total.edges_relaxed = counts[2];
  total.offers_sent = counts[3];
  total.bytes_sent = counts[4];
  total.messages = counts[5];
  total.seconds = seconds[0];
  total.communication_seconds = seconds[1];
  return total;
}

template class Sssp1d<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class Sssp1d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
