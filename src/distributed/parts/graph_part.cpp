// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/graph/for_rows.hpp>
#include <limits>
#include <string>

namespace dromos {

namespace parts {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
using Word = Bitmap<Memory>::Word;
template <class T>
using Array = Kokkos::View<T*, Memory>;

/// Targets of a graph by vertices are block ids.
template <class Vertex>
struct AsTheyAre {
  KOKKOS_FUNCTION Vertex block_id(Vertex target) const { return target; }
};

/// Those of nn are block ids in which this rank counts as the first.
template <class Vertex>
struct CountedFromHere {
  BlockIds<Vertex> ids;
  int rank;
  KOKKOS_FUNCTION Vertex block_id(Vertex target) const {
    const int from = ids.rank(target) + rank;
    return ids.id(from < ids.num_ranks() ? from : from - ids.num_ranks(), ids.local(target));
  }
};

/// Marks every target that is not this rank's own.
template <class Vertex, class Targets>
struct MarkCopies {
  Kokkos::View<const Vertex*, Memory> entries;
  Targets targets;
  BlockIds<Vertex> ids;
  int rank;
  Bitmap<Memory> marked;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const Vertex id = targets.block_id(entries(e));
    if (ids.rank(id) != rank) marked.set(id);
  }
};

/// How many copies are before those of each word.
struct CountBefore {
  Kokkos::View<const Word*, Memory> words;
  Array<std::int32_t> before;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum, bool final) const {
    if (final) before(w) = static_cast<std::int32_t>(sum);
    sum += population_count(words(w));
  }
};

/// From block ids to local numbers.
template <class Vertex>
struct LocalNumbers {
  BlockIds<Vertex> ids;
  int rank = 0;
  std::int64_t first_copy = 0;
  Kokkos::View<const Word*, Memory> words;
  Kokkos::View<const std::int32_t*, Memory> before;

  KOKKOS_FUNCTION LocalVertex of(Vertex id) const {
    if (ids.rank(id) == rank) return static_cast<LocalVertex>(ids.local(id));
    const std::size_t w = Bitmap<Memory>::word_of(id);
    const Word below = words(w) & (Bitmap<Memory>::mask(id) - 1);
    return static_cast<LocalVertex>(first_copy + before(w) + population_count(below));
  }
};

/// Lists the copies.
template <class Vertex>
struct ListCopies {
  LocalNumbers<Vertex> local;
  Partition1d partition;
  Array<LocalVertex> number_at_owner;
  Array<Vertex> numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    std::int64_t copy = local.before(w);
    for (Word rest = local.words(w); rest != 0; rest &= rest - 1) {
      const auto id = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      const std::int64_t at_owner = local.ids.local(id);
      number_at_owner(copy) = static_cast<LocalVertex>(at_owner);
      numbers(local.first_copy + copy) = static_cast<Vertex>(partition.global_id(local.ids.rank(id), at_owner));
      ++copy;
    }
  }
};

template <class Vertex>
struct NumberOwn {
  Partition1d partition;
  int rank;
  Array<Vertex> numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    numbers(v) = static_cast<Vertex>(partition.global_id(rank, v));
  }
};

/// to(v + shift) = from(v), and the last of `from` for all behind.
struct ExtendRowMap {
  Kokkos::View<const Offset*, Memory> from;
  Array<Offset> to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const std::int64_t last = static_cast<std::int64_t>(from.extent(0)) - 1;
    to(v) = from(v < last ? v : last);
  }
};

/// Own targets first in each row, then copies: whoever looks at a few edges only finds some that stay on the rank. In
/// both halves they keep their order.
template <class Vertex>
struct TranslateRows {
  CsrView<Vertex, Memory> from;
  Kokkos::View<const float*, Memory> from_weights;
  LocalNumbers<Vertex> local;
  Array<LocalVertex> to;
  Array<float> to_weights;

  KOKKOS_FUNCTION void operator()(std::int64_t u, const Lanes<Space>& lanes) const {
    constexpr int batch = 4;  // nobody waits for one target's number before he asks for the next
    const Offset begin = from.begin(static_cast<Vertex>(u));
    const Offset end = from.end(static_cast<Vertex>(u));
    std::int64_t num_own = 0;
    for (Offset e = begin + lanes.lane; e < end; e += lanes.width) num_own += is_own(from.entries(e));
    Offset own_to = begin, copy_to = begin + lanes.sum(num_own);
    for (Offset first = begin + lanes.lane; first - lanes.lane < end; first += batch * lanes.width) {
      LocalVertex number[batch] = {};
      for (int k = 0; k < batch; ++k) {
        const Offset e = first + k * lanes.width;
        if (e < end) number[k] = local.of(from.entries(e));
      }
      for (int k = 0; k < batch; ++k) {
        const Offset e = first + k * lanes.width;
        const bool own = e < end && number[k] < local.first_copy, copy = e < end && !own;
        const std::uint32_t owns = lanes.votes(own), copies = lanes.votes(copy);
        if (e < end) put(e, own ? own_to + lanes.before(owns) : copy_to + lanes.before(copies), number[k]);
        own_to += lanes.count(owns);
        copy_to += lanes.count(copies);
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool is_own(Vertex target) const { return local.ids.rank(target) == local.rank; }
  KOKKOS_FORCEINLINE_FUNCTION void put(Offset e, Offset at, LocalVertex number) const {
    to(at) = number;
    if (to_weights.extent(0) != 0) to_weights(at) = from_weights(e);
  }
};

/// Bits of the own vertices that are no delegates, and of the delegates that this rank counts: each p-th.
struct MarkCounted {
  Bitmap<Memory> counted;
  std::int64_t num_own, num_delegates;
  int rank, num_ranks;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (v < num_own || (v - num_own) % num_ranks == rank) counted.set(v);
  }
};
/// Own vertices that are delegates are counted as such.
struct UnmarkDelegated {
  Bitmap<Memory> counted;
  Kokkos::View<const LocalVertex*, Memory> delegated;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex v = delegated(i);
    Kokkos::atomic_fetch_and(&counted.words().data()[Bitmap<Memory>::word_of(v)], ~Bitmap<Memory>::mask(v));
  }
};

/// Copies: who has which, told to their owners, and numbers of all local vertices. Collective.
template <class Vertex>
LocalNumbers<Vertex> find_copies(const Communicator& communicator, const Space& space, const BlockIds<Vertex>& ids,
                                 const Bitmap<Memory>& marked, GraphPart<Vertex, Memory>& part) {
  LocalNumbers<Vertex> local;
  const int num_ranks = communicator.size();
  on_all_ranks(communicator, [&] {
    const std::int64_t num_words = static_cast<std::int64_t>(marked.words().extent(0));
    const auto before = detail::uninitialized<std::int32_t, Memory>("dromos::graph_part::copies_before", num_words);
    Kokkos::parallel_scan("dromos::graph_part::count_copies", Range(space, 0, num_words),
                          CountBefore{marked.words(), before}, part.num_copies);
    if (part.num_local() > std::numeric_limits<LocalVertex>::max()) {
      throw ArgumentError("this rank would know " + std::to_string(part.num_local()) +
                          " vertices, its own and those that its edges lead to; local numbers end at 2^31 - 1, use "
                          "more ranks");
    }
    local = {ids, part.rank, part.num_rows(), marked.words(), before};
    part.number_at_owner = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::owners", part.num_copies);
    part.numbers = detail::uninitialized<Vertex, Memory>("dromos::graph_part::numbers", part.num_local());
    Kokkos::parallel_for("dromos::graph_part::number_own", Range(space, 0, part.num_own),
                         NumberOwn<Vertex>{part.partition, part.rank, part.numbers});
    Kokkos::parallel_for("dromos::graph_part::list_copies", Range(space, 0, num_words),
                         ListCopies<Vertex>{local, part.partition, part.number_at_owner, part.numbers});
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);
    const auto first_of = [&](int r) {
      const std::int64_t w = (static_cast<std::int64_t>(r) << ids.bits()) / Bitmap<Memory>::bits_per_word;
      return w < num_words ? static_cast<std::int64_t>(host(w)) : part.num_copies;
    };
    part.copies.clear();
    for (int r = 0; r < num_ranks; ++r) part.copies.push_back({first_of(r), first_of(r + 1) - first_of(r)});
    fence(space, "dromos::graph_part::copies");
  });
  std::vector<std::int64_t> counts;
  for (const Block& block : part.copies) counts.push_back(block.size);
  part.lent = consecutive_blocks(exchange_counts(communicator, counts));
  on_all_ranks(communicator, [&] {
    part.lent_vertices = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::lent", total_size(part.lent));
  });
  alltoallv(communicator, space, part.number_at_owner, part.copies, part.lent_vertices, part.lent);
  return local;
}

/// Which vertices are counted on this rank.
template <class Vertex>
void mark_counted(const Space& space, int num_ranks, GraphPart<Vertex, Memory>& part) {
  part.counted = Bitmap<Memory>(part.num_rows(), "dromos::graph_part::counted");
  Kokkos::parallel_for("dromos::graph_part::mark_counted", Range(space, 0, part.num_rows()),
                       MarkCounted{part.counted, part.num_own, part.num_delegates, part.rank, num_ranks});
  Kokkos::parallel_for("dromos::graph_part::unmark_delegated",
                       Range(space, 0, static_cast<std::int64_t>(part.delegated.extent(0))),
                       UnmarkDelegated{part.counted, part.delegated});
  fence(space, "dromos::graph_part::mark_counted");
}

template <class Vertex>
void mark_copies_of(const Space& space, const Graph1d<Vertex, Memory>& graph, const Bitmap<Memory>& marked) {
  for_range("dromos::graph_part::mark_copies", space, graph.rows.num_edges(),
            MarkCopies<Vertex, AsTheyAre<Vertex>>{graph.rows.entries, {}, graph.ids, graph.rank, marked});
}

template <class Vertex>
CsrGraph<LocalVertex, Memory> local_rows(const Space& space, const Graph1d<Vertex, Memory>& graph,
                                         const LocalNumbers<Vertex>& local, std::int64_t num_local) {
  CsrGraph<LocalVertex, Memory> rows;
  rows.row_map = detail::uninitialized<Offset, Memory>("dromos::graph_part::row_map", num_local + 1);
  rows.entries = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::entries", graph.rows.num_edges());
  if (graph.rows.weighted()) {
    rows.weights = detail::uninitialized<float, Memory>("dromos::graph_part::weights", graph.rows.num_edges());
  }
  rows.directed = graph.directed;
  Kokkos::parallel_for("dromos::graph_part::row_map", Range(space, 0, num_local + 1),
                       ExtendRowMap{graph.rows.row_map, rows.row_map});
  for_rows("dromos::graph_part::entries", space, graph.rows.num_vertices(),
           TranslateRows<Vertex>{graph.rows.view(), graph.rows.weights, local, rows.entries, rows.weights});
  fence(space, "dromos::graph_part::rows");
  return rows;
}

/// Degrees of local vertices: nn and nd of own ones, dn and dd of delegates, none of copies.
template <class Vertex>
struct DegreesByDegree {
  SubgraphView<Vertex, Memory> nn;
  SubgraphView<LocalVertex, Memory> nd, dn, dd;
  std::int64_t num_own, num_rows, num_local;
  Array<Offset> row_map;

  KOKKOS_FUNCTION Offset degree(std::int64_t v) const {
    if (v < num_own) return nn.degree(static_cast<Vertex>(v)) + nd.degree(static_cast<LocalVertex>(v));
    if (v >= num_rows) return 0;
    const auto k = static_cast<LocalVertex>(v - num_own);
    return dn.degree(k) + dd.degree(k);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& sum, bool final) const {
    if (final) row_map(v) = sum;
    if (v < num_local) sum += degree(v);
  }
};

template <class Vertex>
struct EntriesByDegree {
  DegreesByDegree<Vertex> of;
  CountedFromHere<Vertex> targets;
  LocalNumbers<Vertex> local;
  Kokkos::View<const float*, Memory> of_nn, of_nd, of_dn, of_dd;  ///< weights, or none
  Array<LocalVertex> entries;
  Array<float> weights;

  /// Edges first .. last - 1 of row u. Returns where the next go.
  template <class Rows, class Number>
  KOKKOS_FUNCTION Offset copy_row(const Lanes<Space>& lanes, const Rows& rows,
                                  const Kokkos::View<const float*, Memory>& from, std::int64_t u, Offset to,
                                  const Number& number, Offset first = 0,
                                  Offset last = std::numeric_limits<Offset>::max()) const {
    const auto row = static_cast<typename Rows::vertex_type>(u);
    const Offset begin = rows.begin(row) + first;
    const Offset num = dromos::min<Offset>(last, rows.end(row) - rows.begin(row)) - first;
    for (Offset i = lanes.lane; i < num; i += lanes.width) {
      entries(to + i) = number(rows.neighbor(begin + i));
      if (weights.extent(0) != 0) weights(to + i) = from(begin + i);
    }
    return to + dromos::max<Offset>(num, 0);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t v, const Lanes<Space>& lanes) const {
    const auto first_delegate = static_cast<LocalVertex>(of.num_own);
    Offset to = of.row_map(v);
    const auto delegate = [&](LocalVertex k) { return first_delegate + k; };
    if (v < of.num_own) {
      // Who looks at a few edges, or for one that holds, wants those of the vertices of many edges.
      to = copy_row(lanes, of.nd, of_nd, v, to, delegate);
      copy_row(lanes, of.nn, of_nn, v, to, [&](Vertex target) { return local.of(targets.block_id(target)); });
    } else {
      // Components link a few own vertices (algorithms/impl/component_forest.hpp); who looks for one that holds finds
      // it among the delegates.
      const std::int64_t k = v - of.num_own;
      const auto own = [](LocalVertex target) { return target; };
      to = copy_row(lanes, of.dn, of_dn, k, to, own, 0, detail::edges_of_root);
      to = copy_row(lanes, of.dd, of_dd, k, to, delegate);
      copy_row(lanes, of.dn, of_dn, k, to, own, detail::edges_of_root);
    }
  }
};

/// Pairs own delegates with their numbers; delegates_by_owner lists this rank's from `first` on.
template <class Vertex>
struct PairDelegates {
  Kokkos::View<const LocalVertex*, Memory> by_owner;
  Kokkos::View<const Vertex*, Memory> global;
  Partition1d partition;
  std::int64_t first;
  Array<LocalVertex> delegated, delegated_as;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex k = by_owner(first + i);
    delegated_as(i) = k;
    delegated(i) = static_cast<LocalVertex>(partition.place(global(k)).local);
  }
};

template <class Vertex>
void mark_copies_of(const Space& space, const GraphDelegate<Vertex, Memory>& graph, const Bitmap<Memory>& marked) {
  const CountedFromHere<Vertex> targets{graph.ids, graph.rank};
  Kokkos::parallel_for(
      "dromos::graph_part::mark_copies", Range(space, 0, static_cast<std::int64_t>(graph.normal.to_normal.extent(0))),
      MarkCopies<Vertex, CountedFromHere<Vertex>>{graph.normal.to_normal, targets, graph.ids, graph.rank, marked});
}

template <class Vertex>
CsrGraph<LocalVertex, Memory> local_rows(const Space& space, const GraphDelegate<Vertex, Memory>& graph,
                                         const LocalNumbers<Vertex>& local, const GraphPart<Vertex, Memory>& part) {
  CsrGraph<LocalVertex, Memory> rows;
  rows.directed = graph.directed;
  rows.row_map = detail::uninitialized<Offset, Memory>("dromos::graph_part::row_map", part.num_local() + 1);
  const DegreesByDegree<Vertex> degrees{graph.normal.normal_view(),
                                        graph.normal.delegate_view(),
                                        graph.delegate.normal_view(),
                                        graph.delegate.delegate_view(),
                                        part.num_own,
                                        part.num_rows(),
                                        part.num_local(),
                                        rows.row_map};
  Offset num_arcs = 0;
  Kokkos::parallel_scan("dromos::graph_part::row_map", Range(space, 0, part.num_local() + 1), degrees, num_arcs);
  rows.entries = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::entries", num_arcs);
  if (graph.weighted()) rows.weights = detail::uninitialized<float, Memory>("dromos::graph_part::weights", num_arcs);
  for_rows("dromos::graph_part::entries", space, part.num_rows(),
           EntriesByDegree<Vertex>{degrees,
                                   {graph.ids, graph.rank},
                                   local,
                                   graph.normal.weights_to_normal,
                                   graph.normal.weights_to_delegate,
                                   graph.delegate.weights_to_normal,
                                   graph.delegate.weights_to_delegate,
                                   rows.entries,
                                   rows.weights});
  fence(space, "dromos::graph_part::rows");
  return rows;
}

struct DelegateDegrees {
  CsrView<LocalVertex, Memory> rows;
  std::int64_t first_delegate;
  Array<std::int64_t> degree;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    degree(k) = rows.degree(static_cast<LocalVertex>(first_delegate + k));
  }
};

/// By delegate, the edges that all ranks have of it. Collective.
template <class Vertex>
Array<Offset> sum_delegate_degrees(const Communicator& communicator, const Space& space,
                                   const GraphPart<Vertex, Memory>& part, const CsrGraph<LocalVertex, Memory>& rows) {
  const Array<std::int64_t> degree("dromos::graph_part::delegate_degree", part.num_delegates);
  Kokkos::parallel_for("dromos::graph_part::delegate_degree", Range(space, 0, part.num_delegates),
                       DelegateDegrees{rows.view(), part.num_own, degree});
  fence(space, "dromos::graph_part::delegate_degree");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), degree);
  sum_in_place(communicator, host.data(), static_cast<int>(part.num_delegates));
  Kokkos::deep_copy(degree, host);
  return degree;
}

template <class Vertex>
struct FindDelegate {
  Kokkos::View<const Vertex*, Memory> numbers;
  std::int64_t first;
  Vertex wanted;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& found) const {
    if (numbers(first + k) == wanted) found = first + k;
  }
};

}  // namespace parts

template <class Vertex>
LocalVertex local_number(const Kokkos::DefaultExecutionSpace& space,
                         const GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space>& part, Vertex v) {
  check_root(v, static_cast<Vertex>(part.num_vertices()));
  if (part.num_delegates > 0) {
    std::int64_t found = -1;
    Kokkos::parallel_reduce("dromos::graph_part::find_delegate", parts::Range(space, 0, part.num_delegates),
                            parts::FindDelegate<Vertex>{part.numbers, part.num_own, v},
                            Kokkos::Max<std::int64_t>(found));
    if (found >= 0) return static_cast<LocalVertex>(found);
  }
  const Place place = part.partition.place(v);
  return place.rank == part.rank ? static_cast<LocalVertex>(place.local) : no_vertex<LocalVertex>;
}

template <class Vertex>
GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space> part_by_vertices(
    const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
    Graph1d<Vertex, Kokkos::DefaultExecutionSpace::memory_space> out_edges,
    std::optional<Graph1d<std::common_type_t<Vertex>, Kokkos::DefaultExecutionSpace::memory_space>> in_edges) {
  using parts::Memory;
  const ScopedRegion region("dromos::part_by_vertices");
  GraphPart<Vertex, Memory> part;
  Bitmap<Memory> marked;
  on_all_ranks(communicator, [&] {
    if (out_edges.directed && !in_edges.has_value()) {
      throw ArgumentError(
          "part_by_vertices: a directed graph takes its edges turned round as well, and none were given");
    }
    if (in_edges.has_value() && (in_edges->partition.num_vertices() != out_edges.partition.num_vertices() ||
                                 in_edges->num_arcs != out_edges.num_arcs)) {
      throw ArgumentError("part_by_vertices takes a graph and the same turned round, but the first has " +
                          std::to_string(out_edges.partition.num_vertices()) + " vertices and " +
                          std::to_string(out_edges.num_arcs) + " edges and the second " +
                          std::to_string(in_edges->partition.num_vertices()) + " and " +
                          std::to_string(in_edges->num_arcs));
    }
    part.partition = out_edges.partition;
    part.rank = out_edges.rank;
    part.num_arcs = out_edges.num_arcs;
    part.num_own = out_edges.num_local();
    marked = Bitmap<Memory>(out_edges.ids.size(), "dromos::graph_part::marked");
    parts::mark_copies_of(space, out_edges, marked);
    if (out_edges.directed) parts::mark_copies_of(space, *in_edges, marked);
  });
  const auto local = parts::find_copies(communicator, space, out_edges.ids, marked, part);
  on_all_ranks(communicator, [&] {
    part.out_edges = parts::local_rows(space, out_edges, local, part.num_local());
    out_edges.rows = {};
    part.in_edges = out_edges.directed ? parts::local_rows(space, *in_edges, local, part.num_local()) : part.out_edges;
    in_edges.reset();
    parts::mark_counted(space, communicator.size(), part);
  });
  return part;
}

template <class Vertex>
GraphPart<Vertex, Kokkos::DefaultExecutionSpace::memory_space> part_by_degree(
    const Communicator& communicator, const Kokkos::DefaultExecutionSpace& space,
    GraphDelegate<Vertex, Kokkos::DefaultExecutionSpace::memory_space> graph,
    std::optional<GraphDelegate<std::common_type_t<Vertex>, Kokkos::DefaultExecutionSpace::memory_space>> turned) {
  using parts::Memory;
  using parts::Range;
  const ScopedRegion region("dromos::part_by_degree");
  GraphPart<Vertex, Memory> part;
  Bitmap<Memory> marked;
  on_all_ranks(communicator, [&] {
    if (graph.directed && !turned.has_value()) {
      throw ArgumentError(
          "part_by_degree: a directed graph takes its edges turned round as well, separated with the same delegates, "
          "and none were given");
    }
    if (graph.by_vertices || (graph.edges != DelegateEdges::follow_lower_end && communicator.size() > 1)) {
      throw ArgumentError(
          "part_by_degree: both arcs of an edge between delegates have to be on one rank, and of this graph each "
          "follows its source; separate it with DelegateEdges::follow_lower_end");
    }
    if (graph.directed && (turned->num_delegates() != graph.num_delegates() || turned->num_arcs() != graph.num_arcs() ||
                           turned->partition.num_vertices() != graph.partition.num_vertices())) {
      throw ArgumentError("part_by_degree takes a graph and the same turned round, but the first has " +
                          std::to_string(graph.partition.num_vertices()) + " vertices, " +
                          std::to_string(graph.num_delegates()) + " delegates and " + std::to_string(graph.num_arcs()) +
                          " edges and the second " + std::to_string(turned->partition.num_vertices()) + ", " +
                          std::to_string(turned->num_delegates()) + " and " + std::to_string(turned->num_arcs()) +
                          "; separate both by one threshold, each with the other");
    }
    part.partition = graph.partition;
    part.rank = graph.rank;
    part.num_arcs = graph.num_arcs();
    part.num_own = graph.num_local();
    part.num_delegates = graph.num_delegates();
    marked = Bitmap<Memory>(graph.ids.size(), "dromos::graph_part::marked");
    parts::mark_copies_of(space, graph, marked);
    if (graph.directed) parts::mark_copies_of(space, *turned, marked);
  });
  const auto local = parts::find_copies(communicator, space, graph.ids, marked, part);
  on_all_ranks(communicator, [&] {
    part.out_edges = parts::local_rows(space, graph, local, part);
    graph.normal = {};
    graph.delegate = {};
    part.in_edges = graph.directed ? parts::local_rows(space, *turned, local, part) : part.out_edges;
    turned.reset();
    Kokkos::deep_copy(space,
                      Kokkos::subview(part.numbers, Kokkos::make_pair(part.num_own, part.num_own + part.num_delegates)),
                      graph.delegate_global);
    const Block own = graph.delegates_of[static_cast<std::size_t>(graph.rank)];
    part.delegated = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::delegated", own.size);
    part.delegated_as = detail::uninitialized<LocalVertex, Memory>("dromos::graph_part::delegated_as", own.size);
    Kokkos::parallel_for("dromos::graph_part::delegated", Range(space, 0, own.size),
                         parts::PairDelegates<Vertex>{graph.delegates_by_owner, graph.delegate_global, graph.partition,
                                                      own.offset, part.delegated, part.delegated_as});
    parts::mark_counted(space, communicator.size(), part);
  });
  part.delegate_degree = parts::sum_delegate_degrees(communicator, space, part, part.out_edges);
  part.delegate_in_degree =
      graph.directed ? parts::sum_delegate_degrees(communicator, space, part, part.in_edges) : part.delegate_degree;
  return part;
}

using Memory = Kokkos::DefaultExecutionSpace::memory_space;

#define DROMOS_PARTS(VERTEX)                                                                                     \
  template GraphPart<VERTEX, Memory> part_by_vertices(const Communicator&, const Kokkos::DefaultExecutionSpace&, \
                                                      Graph1d<VERTEX, Memory>,                                   \
                                                      std::optional<Graph1d<VERTEX, Memory>>);                   \
  template GraphPart<VERTEX, Memory> part_by_degree(const Communicator&, const Kokkos::DefaultExecutionSpace&,   \
                                                    GraphDelegate<VERTEX, Memory>,                               \
                                                    std::optional<GraphDelegate<VERTEX, Memory>>);
DROMOS_PARTS(std::int32_t)
DROMOS_PARTS(std::int64_t)
#undef DROMOS_PARTS

template LocalVertex local_number(const Kokkos::DefaultExecutionSpace&, const GraphPart<std::int32_t, Memory>&,
                                  std::int32_t);
template LocalVertex local_number(const Kokkos::DefaultExecutionSpace&, const GraphPart<std::int64_t, Memory>&,
                                  std::int64_t);

}  // namespace dromos
