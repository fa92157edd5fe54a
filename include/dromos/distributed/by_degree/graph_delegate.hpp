// SPDX-License-Identifier: BSD-3-Clause
// A distributed graph whose vertices are separated by degree (Pan, Pearce and Owens 2018, Section III): delegates,
// which every rank knows by the same numbers, normal vertices, which have an owner, and on each rank four parts of the
// edges:
//
//   nn   from own normal vertices to normal vertices of any rank: the only edges that cross ranks
//   nd   from own normal vertices to delegates        dn   from delegates to own normal vertices
//   dd   between delegates, dealt out to the ranks
//
// Which rank has an edge is the edge distributor's to say (distributed/by_degree/edge_distributor.hpp). It is built
// from the graph distributed by vertices (distributed/by_vertices/graph_1d.hpp), where degrees are known: the rows of a
// normal vertex stay where they are, and where the graph is undirected nothing travels at all, since of an edge's two
// arcs one lies where both have to go.
//
// Targets of nn are numbered from the rank's own vertices on: a block id in which the rank counts from this one, so
// that a target below the size of a block is an own vertex and is its local number at once.
//
// Where all vertices with edges are delegates and each arc lies with its source, the graph stays as it was by vertices:
// every rank knows all vertices by their block ids already.
//
// Memory (Table I of the paper): 8 n + 8 d p + 4 m + 4 |E_nn| bytes of all ranks, of which the last term goes where ids
// are 32-bit; and 4 m of weights, where there are some, which searches do not look at.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/memory.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/degree_classes.hpp>
#include <dromos/distributed/by_degree/delegates.hpp>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <dromos/distributed/by_degree/separated_row.hpp>
#include <dromos/distributed/by_degree/split_rows.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <dromos/traverse/find_first.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

/// The threshold is chosen (degree_classes.hpp).
inline constexpr Offset suggested_threshold = -1;

template <class Vertex, class Memory>
struct GraphDelegate {
  Partition1d partition;
  BlockIds<Vertex> ids;
  int rank = 0;
  bool directed = false;
  DelegateEdges edges = DelegateEdges::follow_lower_end;
  Separation separation;  ///< of all ranks

  /// Instead of all that follows, where all vertices with edges are delegates and edges follow their source.
  std::optional<Graph1d<Vertex, Memory>> by_vertices;

  Kokkos::View<Vertex*, Memory> delegate_global;  ///< global ids by number
  /// Numbers of the delegates by owner, and of one owner by local number; and which of them each rank owns.
  Kokkos::View<const LocalVertex*, Memory> delegates_by_owner;
  std::vector<Block> delegates_of;
  SubgraphPair<Vertex, Memory> normal;         ///< nn and nd
  SubgraphPair<LocalVertex, Memory> delegate;  ///< dn and dd
  Bitmap<Memory> has_nd;                       ///< own vertices with an edge to a delegate
  Bitmap<Memory> has_dn;                       ///< delegates with an edge to an own vertex
  Bitmap<Memory> has_dd;                       ///< delegates with an edge to a delegate that this rank has
  std::int64_t num_with_nd = 0, num_with_dn = 0, num_with_dd = 0;

  std::int64_t num_local() const { return partition.num_local(rank); }
  std::int64_t num_delegates() const { return separation.num_delegates; }
  /// Arcs of all ranks.
  Offset num_arcs() const { return separation.nn + separation.nd + separation.dn + separation.dd; }

  /// Has this rank edges with weights?
  bool weighted() const {
    return normal.weights_to_normal.extent(0) + normal.weights_to_delegate.extent(0) +
                   delegate.weights_to_normal.extent(0) + delegate.weights_to_delegate.extent(0) !=
               0 ||
           (by_vertices && by_vertices->rows.weighted());
  }

  /// Bytes of this rank: rows, masks, and the ids of the delegates.
  std::int64_t bytes() const {
    const auto of = [](const auto& view) {
      return static_cast<std::int64_t>(view.span() * sizeof(typename std::decay_t<decltype(view)>::value_type));
    };
    return of(normal.row_maps) + of(normal.to_normal) + of(normal.to_delegate) + of(delegate.row_maps) +
           of(delegate.to_normal) + of(delegate.to_delegate) + of(delegate_global) + of(delegates_by_owner) +
           of(has_nd.words()) + of(has_dn.words()) + of(has_dd.words()) + of(normal.weights_to_normal) +
           of(normal.weights_to_delegate) + of(delegate.weights_to_normal) + of(delegate.weights_to_delegate) +
           (by_vertices ? of(by_vertices->rows.row_map) + of(by_vertices->rows.entries) + of(by_vertices->rows.weights)
                        : 0);
  }
};

/// Bytes of all ranks by Table I of the paper, beside those of the edge list (16 m) and of rows by vertices (8 n + 8
/// m).
struct DelegateMemoryModel {
  double separated;
  double edge_list;
  double rows;
};
inline DelegateMemoryModel delegate_memory_model(const Separation& separation, std::int64_t num_vertices,
                                                 int num_ranks) {
  const double n = static_cast<double>(num_vertices);
  const double d = static_cast<double>(separation.num_delegates);
  const double m = static_cast<double>(separation.nn + separation.nd + separation.dn + separation.dd);
  return {8 * n + 8 * d * num_ranks + 4 * m + 4 * static_cast<double>(separation.nn), 16 * m, 8 * n + 8 * m};
}

namespace detail {

/// An arc on its way, between numbers that the receiver understands.
struct ShippedDelegateArc {
  LocalVertex source;  // a delegate
  LocalVertex target;  // of dn the receiver's vertex, of dd -1 - a delegate
  float weight;
};

template <class Vertex, class Memory>
struct ArcsNn : SeparatedRow<Vertex, Memory> {
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex v = this->graph.neighbor(e);
    if (!this->is_normal(u) || this->delegates.contains(v)) return;
    f(u, this->counted_from_here(v), e);
  }
};

/// Of nd, or turned round of dn.
template <class Vertex, class Memory>
struct ArcsNd : SeparatedRow<Vertex, Memory> {
  bool turned;
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex v = this->graph.neighbor(e);
    if (!this->is_normal(u) || !this->delegates.contains(v)) return;
    const auto source = static_cast<LocalVertex>(u);
    const LocalVertex target = this->delegates.number_of(v);
    f(turned ? target : source, turned ? source : target, e);
  }
};

/// Both arcs of the edges between delegates that follow an own one; for undirected graphs.
template <class Vertex, class Memory>
struct ArcsDd : SeparatedRow<Vertex, Memory> {
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    const Vertex v = this->graph.neighbor(e);
    if (this->is_normal(u) || !this->delegates.contains(v)) return;
    const LocalVertex source = this->number_of_own(u);
    const LocalVertex target = this->delegates.number_of(v);
    const int num_arcs = this->arcs_of_dd(source, target);
    if (num_arcs > 0) f(source, target, e);
    if (num_arcs > 1) f(target, source, e);
  }
};

/// The arcs out of own delegates, to the ranks that have them; where those do not find them among their own.
template <class Rule, class Vertex, class Memory>
struct ArcsFromDelegates : SeparatedRow<Vertex, Memory> {
  Kokkos::View<const float*, Memory> weights;  ///< or none
  Rule rule;                                   ///< of arcs to delegates

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    if (this->is_normal(u)) return;
    const LocalVertex source = this->delegates.number_of(this->own_id(u));
    const Vertex v = this->graph.neighbor(e);
    const float weight = weights.extent(0) != 0 ? weights(e) : 0;
    if (this->delegates.contains(v)) {
      const LocalVertex target = this->delegates.number_of(v);
      f(rule.rank_of(this->end_of(source), this->end_of(target)), ShippedDelegateArc{source, -1 - target, weight});
    } else {
      f(this->ids.rank(v), ShippedDelegateArc{source, static_cast<LocalVertex>(this->ids.local(v)), weight});
    }
  }
};

template <class Memory>
struct ArrivedDelegateArcs {
  Kokkos::View<const ShippedDelegateArc*, Memory> arrived;
  bool to_normal;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(arrived.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const ShippedDelegateArc arc = arrived(i);
    if ((arc.target >= 0) == to_normal) f(arc.source, to_normal ? arc.target : -1 - arc.target, i);
  }
};
template <class Memory>
struct ArrivedWeights {
  Kokkos::View<const ShippedDelegateArc*, Memory> arrived;
  Kokkos::View<float*, Memory> weights;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { weights(i) = arrived(i).weight; }
};

/// Builds one part, puts its row map in its place among row_maps, and returns its edges and their weights.
template <class Target, class Space, class Arcs, class Memory>
CsrGraph<Target, Memory> build_part(const Space& space, std::int64_t num_rows, std::int64_t num_targets,
                                    const Arcs& arcs, const Kokkos::View<const float*, Memory>& weights, RowKind kind,
                                    const char* name, const Kokkos::View<std::uint32_t*, Memory>& row_maps) {
  // The builder for GPUs keeps sources and targets in as many bits: it has rows for all targets, of which ours are
  // kept.
  const std::int64_t num_built = is_gpu<Space> ? dromos::max(num_rows, num_targets) : num_rows;
  CsrGraph<Target, Memory> part;
  build_rows(space, num_built, arcs, weights, {true, false}, part);
  check_part_size(part.num_edges(), name);
  interleave(space, part.row_map, num_rows, kind, row_maps);
  part.row_map = {};
  return part;
}

/// Which own vertices and delegates have edges of each kind, from the rows.
template <class Space, class Vertex, class Memory>
void mark_rows_with_edges(const Space& space, GraphDelegate<Vertex, Memory>& graph) {
  const std::int64_t n = graph.num_local();
  const std::int64_t d = static_cast<std::int64_t>(graph.delegate_global.extent(0));
  graph.has_nd = Bitmap<Memory>(n, "dromos::graph_delegate::has_nd");
  graph.has_dn = Bitmap<Memory>(d, "dromos::graph_delegate::has_dn");
  graph.has_dd = Bitmap<Memory>(d, "dromos::graph_delegate::has_dd");
  graph.num_with_nd = mark_vertices_with_edges(space, graph.normal.delegate_view(), graph.has_nd);
  graph.num_with_dn = mark_vertices_with_edges(space, graph.delegate.normal_view(), graph.has_dn);
  graph.num_with_dd = mark_vertices_with_edges(space, graph.delegate.delegate_view(), graph.has_dd);
}

/// The arcs of each kind on all ranks together. Collective.
template <class Vertex, class Memory>
void count_arcs(const Communicator& communicator, GraphDelegate<Vertex, Memory>& graph) {
  std::int64_t arcs[4] = {static_cast<std::int64_t>(graph.normal.to_normal.extent(0)),
                          static_cast<std::int64_t>(graph.normal.to_delegate.extent(0)),
                          static_cast<std::int64_t>(graph.delegate.to_normal.extent(0)),
                          static_cast<std::int64_t>(graph.delegate.to_delegate.extent(0))};
  sum_in_place(communicator, arcs, 4);
  graph.separation.nn = arcs[0];
  graph.separation.nd = arcs[1];
  graph.separation.dn = arcs[2];
  graph.separation.dd = arcs[3];
}

/// Takes the rows of a graph by vertices apart.
template <class Space, class Vertex, class Memory, class Rule>
void build_parts(const Communicator& communicator, const Space& space, const Graph1d<Vertex, Memory>& by_vertices,
                 const DelegateLookup<Vertex, Memory>& delegates, Offset threshold, const Rule& rule,
                 GraphDelegate<Vertex, Memory>& graph) {
  const std::int64_t n = graph.num_local();
  const std::int64_t d = static_cast<std::int64_t>(delegates.global.extent(0));
  const SeparatedRow<Vertex, Memory> row{
      by_vertices.rows.view(), delegates, graph.ids, graph.rank, threshold, graph.edges};
  graph.normal.row_maps = uninitialized<std::uint32_t, Memory>("dromos::graph_delegate::normal", 2 * (n + 1));
  graph.delegate.row_maps = uninitialized<std::uint32_t, Memory>("dromos::graph_delegate::delegate", 2 * (d + 1));
  const Kokkos::View<const float*, Memory> weights = by_vertices.rows.weights;
  Kokkos::View<const ShippedDelegateArc*, Memory> arrived;
  Kokkos::View<float*, Memory> arrived_weights;
  const bool arcs_travel = graph.directed || !Rule::finds_undirected_edges;
  if (arcs_travel) {
    arrived = ship<ShippedDelegateArc>(communicator, space, ArcsFromDelegates<Rule, Vertex, Memory>{row, weights, rule})
                  .items;
    if (max<std::int64_t>(communicator, by_vertices.rows.weighted() ? 1 : 0) != 0) {
      arrived_weights = uninitialized<float, Memory>("dromos::graph_delegate::arrived_weights", arrived.extent(0));
      Kokkos::parallel_for("dromos::graph_delegate::arrived_weights",
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, arrived.extent(0)),
                           ArrivedWeights<Memory>{arrived, arrived_weights});
    }
  }
  on_all_ranks(communicator, [&] {
    auto& normal = graph.normal;
    auto& delegate = graph.delegate;
    const auto put_to_normal = [](auto& pair, const auto& part) {
      pair.to_normal = part.entries;
      pair.weights_to_normal = part.weights;
    };
    const auto put_to_delegate = [](auto& pair, const auto& part) {
      pair.to_delegate = part.entries;
      pair.weights_to_delegate = part.weights;
    };
    if constexpr (has_warps<Space>) {
      const auto num_arcs = static_cast<double>(by_vertices.rows.num_edges());
      if (!arcs_travel && !by_vertices.rows.weighted() && threshold <= most_to_compare &&
          room_for<Memory>(split_bytes(num_arcs))) {
        split_rows(space, row, d, normal, delegate);
        return;
      }
    }
    put_to_normal(normal, build_part<Vertex>(space, n, graph.ids.size(), ArcsNn<Vertex, Memory>{row}, weights,
                                             RowKind::to_normal, "nn", normal.row_maps));
    put_to_delegate(normal, build_part<LocalVertex>(space, n, d, ArcsNd<Vertex, Memory>{row, false}, weights,
                                                    RowKind::to_delegate, "nd", normal.row_maps));
    if (arcs_travel) {
      const Kokkos::View<const float*, Memory> shipped = arrived_weights;
      put_to_normal(delegate, build_part<LocalVertex>(space, d, n, ArrivedDelegateArcs<Memory>{arrived, true}, shipped,
                                                      RowKind::to_normal, "dn", delegate.row_maps));
      put_to_delegate(delegate, build_part<LocalVertex>(space, d, d, ArrivedDelegateArcs<Memory>{arrived, false},
                                                        shipped, RowKind::to_delegate, "dd", delegate.row_maps));
    } else {
      put_to_normal(delegate, build_part<LocalVertex>(space, d, n, ArcsNd<Vertex, Memory>{row, true}, weights,
                                                      RowKind::to_normal, "dn", delegate.row_maps));
      put_to_delegate(delegate, build_part<LocalVertex>(space, d, d, ArcsDd<Vertex, Memory>{row}, weights,
                                                        RowKind::to_delegate, "dd", delegate.row_maps));
    }
  });
  mark_rows_with_edges(space, graph);
}

/// All vertices with edges are delegates, and nothing has to be separated. Collective.
template <class Space, class Vertex, class Memory>
GraphDelegate<Vertex, Memory> keep_by_vertices(const Communicator& communicator, const Space& space,
                                               const Graph1d<Vertex, Memory>& by_vertices) {
  GraphDelegate<Vertex, Memory> graph;
  graph.partition = by_vertices.partition;
  graph.ids = by_vertices.ids;
  graph.rank = by_vertices.rank;
  graph.directed = by_vertices.directed;
  graph.edges = DelegateEdges::follow_source;
  graph.by_vertices = by_vertices;
  std::int64_t sums[2] = {count_rows_with_edges(space, by_vertices.rows.view()), by_vertices.rows.num_edges()};
  sum_in_place(communicator, sums, 2);
  graph.separation.num_delegates = sums[0];
  graph.separation.dd = sums[1];
  return graph;
}

/// Separates a graph, with this threshold; `rule` says which rank has which edge between delegates. Collective.
template <class Space, class Vertex, class Memory, class Rule>
GraphDelegate<Vertex, Memory> separate(const Communicator& communicator, const Space& space,
                                       const Graph1d<Vertex, Memory>& by_vertices, Offset threshold, const Rule& rule,
                                       const Graph1d<Vertex, Memory>* turned,
                                       DelegateEdges edges = DelegateEdges::follow_lower_end) {
  GraphDelegate<Vertex, Memory> graph;
  graph.partition = by_vertices.partition;
  graph.ids = by_vertices.ids;
  graph.rank = by_vertices.rank;
  graph.directed = by_vertices.directed;
  graph.edges = edges;
  const auto found = find_delegates(communicator, space, by_vertices, threshold, turned);
  const auto& delegates = found.lookup;
  graph.delegates_by_owner = delegates.number;
  graph.delegates_of = found.of_rank;
  graph.delegate_global = Kokkos::View<Vertex*, Memory>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::graph_delegate::global"), delegates.global.extent(0));
  Kokkos::deep_copy(space, graph.delegate_global, delegates.global);
  build_parts(communicator, space, by_vertices, delegates, threshold, rule, graph);
  graph.separation.threshold = threshold;
  graph.separation.num_delegates = static_cast<std::int64_t>(delegates.global.extent(0));
  count_arcs(communicator, graph);
  return graph;
}

}  // namespace detail

/// What a graph is separated for whose edges between delegates lie so.
template <class Space>
constexpr SeparatedFor separated_for(DelegateEdges edges) {
  if (edges != DelegateEdges::follow_source) return SeparatedFor::anything;
  return has_warps<Space> ? SeparatedFor::search_on_gpus : SeparatedFor::search_on_cpus;
}

/// Separates a graph that is distributed by vertices. Collective.
///
/// \param by_vertices  may go afterwards; with its weights, where it has some
/// \param threshold    vertices of more neighbors than this become delegates; suggested_threshold: one is chosen
/// \param edges        who has the edges between delegates of an undirected graph; searches are fastest where they
///                     follow their source, part_by_degree() takes them where they follow the lower end. Where they
///                     follow their source and the threshold is 0, of a directed graph as well, rows stay as they are
/// \param turned       the graph turned round, where both are separated: edges of both directions count then, so that
///                     both have the same delegates by the same numbers. Give the same threshold, not a suggested one
/// \throws ArgumentError on every rank for a negative threshold, and where one of the parts has 2^32 edges on one rank
template <class Space, class Vertex, class Memory>
GraphDelegate<Vertex, Memory> separate_by_degree(const Communicator& communicator, const Space& space,
                                                 const Graph1d<Vertex, Memory>& by_vertices,
                                                 Offset threshold = suggested_threshold,
                                                 DelegateEdges edges = DelegateEdges::follow_lower_end,
                                                 const Graph1d<Vertex, Memory>* turned = nullptr) {
  const ScopedRegion region("dromos::separate_by_degree");
  on_all_ranks(communicator, [&] {
    if (threshold < 0 && threshold != suggested_threshold) {
      throw ArgumentError("degree threshold " + std::to_string(threshold) + ": expected 0 or more");
    }
  });
  const SeparatedFor use = separated_for<Space>(edges);
  if (threshold == suggested_threshold && all_should_be_delegates(communicator.size(), use)) threshold = 0;
  if (threshold == 0 && edges == DelegateEdges::follow_source && turned == nullptr) {
    return detail::keep_by_vertices(communicator, space, by_vertices);
  }
  if (threshold == suggested_threshold) {
    threshold = suggest_threshold(possible_separations(communicator, space, by_vertices),
                                  by_vertices.partition.num_vertices(), communicator.size(), use)
                    .threshold;
  }
  return detail::separate(communicator, space, by_vertices, threshold, FollowsAnEnd{threshold, by_vertices.partition},
                          turned, by_vertices.directed ? DelegateEdges::follow_lower_end : edges);
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template GraphDelegate<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space> separate_by_degree(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const Graph1d<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, Offset, DelegateEdges,
    const Graph1d<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>*);
extern template GraphDelegate<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space> separate_by_degree(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const Graph1d<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, Offset, DelegateEdges,
    const Graph1d<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>*);

}  // namespace dromos
