// SPDX-License-Identifier: BSD-3-Clause
// The loop over levels of the search on a grid, and the order in which ranks compute and talk.
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/by_grid/bfs_2d.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/traverse.hpp>

namespace dromos {

template <class Space, class Vertex>
Bfs2d<Space, Vertex>::Bfs2d(const GridCommunicators& communicators, const Space& space, const Graph2d<Memory>& graph,
                            const Bfs2dOptions& options)
    : communicators_(communicators),
      space_(space),
      graph_(graph),
      options_(options),
      contraction_(communicators.row, space, graph.partition.num_out()),
      visited_(graph.partition.num_out(), "dromos::bfs_2d::visited"),
      known_(graph.partition.num_out(), "dromos::bfs_2d::known"),
      found_(graph.partition.num_out(), "dromos::bfs_2d::found"),
      assigned_(graph.partition.num_out(), "dromos::bfs_2d::assigned"),
      listed_(detail::uninitialized<LocalId, Memory>("dromos::bfs_2d::listed", graph.partition.num_out())),
      frontier_bits_(graph.partition.num_in(), "dromos::bfs_2d::frontier"),
      frontier_(graph.partition.num_in(), graph.out_edges.num_edges()),
      counts_(detail::num_row_counts, "dromos::bfs_2d::counts"),
      piece_counts_(graph.partition.grid().columns(), "dromos::bfs_2d::piece_counts"),
      gathered_("dromos::bfs_2d::gathered", 1),
      rule_(options.direction) {
  const std::size_t num_out = static_cast<std::size_t>(graph.partition.num_out());
  detail::ensure_size(out_level_, num_out, "dromos::bfs_2d::out_level");
  detail::ensure_size(predecessor_, num_out, "dromos::bfs_2d::predecessor");
  if (options.predecessors == Predecessors2d::after_search) {
    detail::ensure_size(in_level_, static_cast<std::size_t>(graph.partition.num_in()), "dromos::bfs_2d::in_level");
  }
  detail::ensure_size(result_.parent, static_cast<std::size_t>(graph.num_local()), "dromos::bfs_2d::parent");
  const std::int64_t first_own = graph.column() * graph.partition.block();
  result_.level = Kokkos::subview(out_level_, Kokkos::make_pair(first_own, first_own + graph.num_local()));
  if (!options.direction_optimizing) return;

  // A vertex with an in-edge on any rank of the row is counted by its owner; each rank looks only at those it has one
  // of.
  can_be_found_ = Bitmap<Memory>(graph.partition.num_out(), "dromos::bfs_2d::can_be_found");
  mark_vertices_with_edges(space, graph.in_edges.view(), can_be_found_);
  const Bitmap<Memory> anywhere(graph.partition.num_out(), "dromos::bfs_2d::can_be_found_anywhere");
  Kokkos::deep_copy(space, anywhere.words(), can_be_found_.words());
  bitwise_or(communicators.row, space, anywhere.words());
  const std::int64_t words = graph.partition.words_per_piece();
  const std::int64_t own =
      detail::list_bits(space, anywhere, graph.column() * words, (graph.column() + 1) * words, 0, listed_);
  num_can_be_found_ = sum<std::int64_t>(communicators.world, own);
  // Of a vertex's sources those of most arcs, on this rank, are the likeliest to be in the frontier.
  likely_ = detail::find_likely_ends(space, graph.out_edges.view(), graph.in_edges.view());
  left_ = detail::LeftVertices<LocalId, Memory>(graph.partition.num_out());
}

template <class Space, class Vertex>
detail::Agreement2d<typename Bfs2d<Space, Vertex>::Memory> Bfs2d<Space, Vertex>::agreement() const {
  const std::int64_t words = graph_.partition.words_per_piece();
  return {found_,        contraction_.prefix(),   contraction_.total(),         visited_, known_, assigned_, out_level_,
          graph_.degree, graph_.column() * words, (graph_.column() + 1) * words};
}

template <class Space, class Vertex>
detail::NotePredecessor<typename Bfs2d<Space, Vertex>::Memory> Bfs2d<Space, Vertex>::notes() const {
  if (options_.predecessors == Predecessors2d::after_search) return {};
  return {predecessor_};
}

/// What all communicators of the grid cost so far.
template <class Space, class Vertex>
CommCounters Bfs2d<Space, Vertex>::counters() const {
  CommCounters sum = communicators_.world.counters();
  for (std::size_t k = 0; k < num_comm_kinds; ++k) {
    sum.by_kind[k] += communicators_.row.counters().by_kind[k];
    sum.by_kind[k] += communicators_.column.counters().by_kind[k];
  }
  return sum;
}

/// Nothing is visited but the root.
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::start(Vertex root) {
  using Word = typename Bitmap<Memory>::Word;
  fill(space_, result_.parent, no_vertex<Vertex>);
  fill(space_, out_level_, no_level);
  if (in_level_.extent(0) != 0) fill(space_, in_level_, no_level);
  for (const Bitmap<Memory>& bitmap : {visited_, known_, assigned_}) fill(space_, bitmap.words(), Word(0));
  const int owner = graph_.partition.place(root).rank;
  own_ = {};
  own_.own_edges = detail::settle_root(space_, graph_, root, agreement(), in_level_, frontier_.queue(), result_.parent);
  own_.own_size = owner == graph_.rank ? 1 : 0;
  frontier_.set_counts(communicators_.grid.column(owner) == graph_.column() ? 1 : 0);
  frontier_listed_ = true;
  frontier_has_bits_ = false;
  left_.listed = false;
  rule_.go_forward();
  totals_ = {};
  sums_ = PendingSums(communicators_.world, {own_.own_size, own_.own_edges});
}

/// From the frontier to what this rank finds; returns how many.
template <class Space, class Vertex>
std::int64_t Bfs2d<Space, Vertex>::expand() {
  const ScopedRegion region("dromos::bfs_2d::expand");
  counts_.open(space_);
  if (rule_.backward()) {
    if (!frontier_has_bits_) {
      clear(space_, frontier_bits_);
      detail::set_listed(space_, frontier_.queue(), 0, frontier_.num_vertices(), frontier_bits_);
    }
    detail::find_first_left(space_, graph_.in_edges.view(), likely_, looking<LocalId>(can_be_found_, visited_, known_),
                            left_, counts_.on_device().data() + detail::row_left, NoSink{},
                            detail::FindSourceInFrontier<Memory>{frontier_bits_, notes()});
  } else {
    if (!frontier_listed_) list_frontier();
    traverse(space_, graph_.out_edges.view(), frontier_, detail::DiscoverTargets<Memory>{known_, notes()},
             options_.strategy);
  }
  const std::int64_t num_found = detail::take_found(space_, known_, visited_, found_, counts_);
  if (rule_.backward()) left_.size = static_cast<std::int64_t>(counts_[detail::row_left]);
  return num_found;
}

/// The frontier of the column as a list, from its bits.
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::list_frontier() {
  const auto words = static_cast<std::int64_t>(frontier_bits_.words().extent(0));
  if (communicators_.column.size() == 1) {  // it is the rank's own, of which all is known
    detail::gather_bits(space_, frontier_bits_, 0, words, 0, frontier_.queue(), gathered_);
    frontier_.set_counts(own_.own_size, own_.own_edges);
  } else {
    frontier_.set_counts(detail::list_bits(space_, frontier_bits_, 0, words, 0, frontier_.queue()));
  }
}

/// The row settles what is new.
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::contract(std::int64_t num_found, Bfs2dLevel& counts) {
  const ScopedRegion region("dromos::bfs_2d::contract");
  const Communicator& row = communicators_.row;
  std::vector<std::int64_t> sizes;
  bool lists = options_.form == FrontierForm2d::list;
  if (row.size() > 1 && options_.form != FrontierForm2d::bitmap) {
    sizes = gather_counts(row, num_found);
    std::int64_t size = 0;
    for (const std::int64_t each : sizes) size += each;
    if (!lists) lists = size < static_cast<std::int64_t>(found_.words().extent(0));
  }
  if (row.size() > 1 && lists) {
    counts.row_lists = 1;
    detail::gather_bits(space_, found_, 0, static_cast<std::int64_t>(found_.words().extent(0)), 0, listed_, gathered_);
    contraction_.lists(found_, listed_, sizes);
  } else if (options_.contraction == Contraction2d::wave) {
    contraction_.wave(found_);
  } else {
    contraction_.scan(found_);
  }
}

template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::gather_bitmap() {
  const std::int64_t words = graph_.partition.words_per_piece();
  const std::int64_t first = graph_.column() * words;
  const Kokkos::View<typename Bitmap<Memory>::Word*, Memory> own =
      Kokkos::subview(contraction_.total().words(), Kokkos::make_pair(first, first + words));
  if (communicators_.column.size() == 1) {
    Kokkos::deep_copy(space_, frontier_bits_.words(), own);
  } else {
    const auto blocks = consecutive_blocks(std::vector<std::int64_t>(communicators_.column.size(), words));
    allgatherv(communicators_.column, space_, own, words, frontier_bits_.words(), blocks);
  }
  frontier_has_bits_ = true;
  frontier_listed_ = false;
}

/// \param sizes  new vertices of each piece of the column
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::gather_lists(const std::vector<std::int64_t>& sizes) {
  const std::int64_t words = graph_.partition.words_per_piece();
  detail::gather_bits(space_, contraction_.total(), graph_.column() * words, (graph_.column() + 1) * words,
                      graph_.row() * graph_.partition.block(), listed_, gathered_);
  const auto blocks = consecutive_blocks(sizes);
  allgatherv(communicators_.column, space_, listed_, sizes[communicators_.column.rank()], frontier_.queue(), blocks);
  frontier_.set_counts(total_size(blocks));
  frontier_listed_ = true;
  frontier_has_bits_ = false;
}

/// The column learns its next frontier.
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::gather(Level level, Bfs2dLevel& counts) {
  const ScopedRegion region("dromos::bfs_2d::gather");
  const Communicator& column = communicators_.column;
  const bool after_search = options_.predecessors == Predecessors2d::after_search;
  bool lists = options_.form == FrontierForm2d::list;
  std::vector<std::int64_t> sizes;
  if (column.size() > 1 && options_.form != FrontierForm2d::bitmap) {
    sizes = gather_counts(column, own_.own_size);
    std::int64_t size = 0;
    for (const std::int64_t each : sizes) size += each;
    if (!lists) lists = size < static_cast<std::int64_t>(frontier_bits_.words().extent(0));
  }
  if (column.size() > 1 && lists) {
    counts.column_lists = 1;
    gather_lists(sizes);
    if (after_search) {
      detail::set_levels_of_list(space_, frontier_.queue(), frontier_.num_vertices(), in_level_, level);
    }
  } else {
    gather_bitmap();
    if (after_search) detail::set_levels_of_bitmap(space_, frontier_bits_, in_level_, level);
  }
}

/// One level, up to the frontier of the next; false: there is none.
template <class Space, class Vertex>
bool Bfs2d<Space, Vertex>::search_level(Level level, Bfs2dLevel& counts) {
  const CommCounters row_before = communicators_.row.counters();
  const CommCounters column_before = communicators_.column.counters();
  const CommCounters world_before = communicators_.world.counters();
  const Kokkos::Timer timer;
  counts.frontier_size = own_.own_size;
  counts.frontier_edges = own_.own_edges;
  if (options_.direction_optimizing) {
    rule_.turns(DirectionWork{totals_.frontier_edges, graph_.num_arcs - totals_.edges_reached - totals_.frontier_edges,
                              num_can_be_found_ - totals_.num_reached - totals_.frontier_size,
                              communicators_.grid.columns()});
  }
  counts.backward = rule_.backward() ? 1 : 0;
  counts.found = expand();
  counts.expand_seconds = timer.seconds();
  own_ = {};
  // As the paper has it, before the contraction, of which the last, empty level has none. The sums that the next choice
  // of a direction wants are under way while the frontier is gathered.
  const bool goes_on = sum<std::int64_t>(communicators_.world, counts.found) > 0;
  if (goes_on) {
    contract(counts.found, counts);
    own_ = detail::settle(space_, agreement(), level + 1, counts_);
    counts.assigned = own_.assigned;
    if (options_.direction_optimizing) {
      sums_ = PendingSums(communicators_.world, {own_.own_size, own_.own_edges});
    }
    gather(level + 1, counts);
    if (options_.direction_optimizing) {
      const auto& sums = sums_.wait();
      totals_.num_reached += totals_.frontier_size;
      totals_.edges_reached += totals_.frontier_edges;
      totals_.frontier_size = sums[0];
      totals_.frontier_edges = sums[1];
    }
  }
  fence(space_, "dromos::bfs_2d::level");
  const CommCount row = (communicators_.row.counters() - row_before).total();
  const CommCount column = (communicators_.column.counters() - column_before).total();
  const CommCount world = (communicators_.world.counters() - world_before).total();
  counts.row_bytes = row.bytes_sent;
  counts.column_bytes = column.bytes_sent;
  counts.bytes_sent = row.bytes_sent + column.bytes_sent + world.bytes_sent;
  counts.messages = row.messages + column.messages + world.messages;
  counts.row_seconds = row.seconds;
  counts.column_seconds = column.seconds;
  counts.termination_seconds = world.seconds;
  counts.communication_seconds = row.seconds + column.seconds + world.seconds;
  counts.seconds = timer.seconds();
  return goes_on;
}

/// What this rank is to tell each piece of its row, in parents_told_: where, and how many.
template <class Space, class Vertex>
std::vector<Block> Bfs2d<Space, Vertex>::pack_parents() {
  const auto make_room = [&](std::int64_t size) {
    if (static_cast<std::int64_t>(parents_told_.extent(0)) >= size) return;
    parents_told_ = {};
    parents_told_ = detail::uninitialized<detail::FoundParent, Memory>("dromos::bfs_2d::parents_told", size);
  };
  if constexpr (has_warps<Space>) {
    make_room(graph_.partition.num_out());
    return detail::pack_pieces(space_, graph_.partition, assigned_, predecessor_, parents_told_, piece_counts_);
  } else {
    const std::int64_t size =
        detail::list_bits(space_, assigned_, 0, static_cast<std::int64_t>(assigned_.words().extent(0)), 0, listed_);
    make_room(size);
    detail::pack_parents(space_, graph_.partition, listed_, size, predecessor_, parents_told_);
    if (communicators_.row.size() == 1) return {{0, size}};
    return detail::piece_blocks(space_, graph_.partition, listed_, size);
  }
}

/// Each rank finds parents for the vertices that were assigned to it, unless it knows them already; then their owners
/// are told.
template <class Space, class Vertex>
void Bfs2d<Space, Vertex>::find_predecessors(Bfs2dStatistics& statistics) {
  const ScopedRegion region("dromos::bfs_2d::find_predecessors");
  const Kokkos::Timer timer;
  const CommCounters before = counters();
  const Communicator& row = communicators_.row;
  if (options_.predecessors == Predecessors2d::after_search) {
    clear(space_, found_);
    find_first(space_, graph_.in_edges.view(), looking<LocalId>(assigned_, found_, found_), NoSink{},
               detail::FindPredecessor<Memory>{in_level_, out_level_, {predecessor_}});
  }
  const std::vector<Block> leaving = pack_parents();
  if (row.size() == 1) {
    detail::take_parents(space_, graph_.partition, 0, parents_told_, leaving.front(), result_.parent);
  } else {
    std::vector<std::int64_t> sizes;
    for (const Block& block : leaving) sizes.push_back(block.size);
    const auto arriving = consecutive_blocks(exchange_counts(row, sizes));
    if (static_cast<std::int64_t>(parents_heard_.extent(0)) < total_size(arriving)) {
      parents_heard_ = {};
      parents_heard_ =
          detail::uninitialized<detail::FoundParent, Memory>("dromos::bfs_2d::parents_heard", graph_.num_local());
    }
    alltoallv(row, space_, parents_told_, leaving, parents_heard_, arriving);
    for (int j = 0; j < row.size(); ++j) {
      detail::take_parents(space_, graph_.partition, j, parents_heard_, arriving[j], result_.parent);
    }
  }
  fence(space_, "dromos::bfs_2d::predecessors");
  const CommCount cost = (counters() - before).total();
  statistics.predecessor_bytes = cost.bytes_sent;
  statistics.predecessor_messages = cost.messages;
  statistics.predecessor_communication_seconds = cost.seconds;
  statistics.predecessor_seconds = timer.seconds();
}

template <class Space, class Vertex>
Bfs2dStatistics Bfs2d<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::bfs_2d");
  check_root(root, graph_.partition.num_vertices());  // the same on every rank
  const Kokkos::Timer timer;
  Bfs2dStatistics statistics;
  start(root);
  const auto& sums = sums_.wait();
  totals_.frontier_size = sums[0];
  totals_.frontier_edges = sums[1];
  for (Level level = 0;; ++level) {
    const ScopedRegion level_region("dromos::bfs_2d::level");
    statistics.levels.emplace_back();
    if (!search_level(level, statistics.levels.back())) break;
  }
  find_predecessors(statistics);
  statistics.seconds = timer.seconds();
  return statistics;
}

template class Bfs2d<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class Bfs2d<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
