// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm asks of the partition that its graph is a part of; here the answers of a graph that is whole.
//
// An algorithm is written once, for the vertices it sees. On a part of a distributed graph some of them are known to
// other ranks too, and a halo (distributed/parts/halo.hpp) settles what the ranks have to say about those: between two
// sweeps, before a gather, and where numbers are added up. A whole graph has nothing to settle: all of this is nothing
// at compile time.
//
// Vertices of a part: those with rows here come first, then those that are only pointed at. num_rows() says how many
// there are of the former, vertices() what kernels ask of each.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <vector>

namespace dromos {

/// What kernels ask of the vertices of a whole graph.
struct WholeVertices {
  /// Is v to be counted here, where things are added up over all ranks?
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool counts(Vertex) const {
    return true;
  }
  /// Its number in the whole graph.
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Vertex number(Vertex v) const {
    return v;
  }
  /// How many edges that leave it all ranks have together.
  template <class Graph, class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(const Graph& graph, Vertex v) const {
    return graph.degree(v);
  }
  /// And of its edges turned round.
  template <class Graph, class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION Offset in_degree(const Graph& in_edges, Vertex v) const {
    return in_edges.degree(v);
  }
  /// Is it another rank's, or all ranks', so that what is added to it here is only a part of what is to be added?
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool is_away(Vertex) const {
    return false;
  }
  /// Has every rank a row of it?
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool is_shared(Vertex) const {
    return false;
  }
};

/// Tells nobody who joins.
struct NoAnnouncer {
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Vertex) const {}
};

struct NoHalo {
  static constexpr bool is_whole = true;

  static constexpr std::int64_t num_ranks() { return 1; }
  WholeVertices vertices() const { return {}; }
  /// For operators that announce who joins: for kernels, to be told of each vertex once.
  template <class Space>
  NoAnnouncer announcer(const Space&) const {
    return {};
  }
  /// Of the whole graph.
  template <class Graph>
  std::int64_t num_vertices(const Graph& graph) const {
    return graph.num_vertices();
  }
  /// Edges of the whole graph, or of the same turned round.
  template <class Graph>
  Offset num_arcs(const Graph& graph) const {
    return graph.num_edges();
  }
  /// Vertices with rows, which come first.
  template <class Graph>
  std::int64_t num_rows(const Graph& graph) const {
    return graph.num_vertices();
  }
  /// Vertices whose values are this rank's alone; those behind them are away.
  template <class Graph>
  std::int64_t num_settled(const Graph& graph) const {
    return graph.num_vertices();
  }

  /// The vertex of that number; no_vertex where this rank has no row of it.
  template <class Space, class Vertex>
  Vertex local(const Space&, Vertex v) const {
    return v;
  }

  /// Over all ranks.
  template <class T>
  void sum_in_place(T*, int) const {}
  template <class T>
  void min_in_place(T*, int) const {}
  template <class T>
  T sum(T own) const {
    return own;
  }
  template <class T>
  T min(T own) const {
    return own;
  }
  template <class T>
  T max(T own) const {
    return own;
  }

  /// Tells what an operator let wait. \returns whether anybody had anything to tell
  template <class Space, class Graph, class Frontier, class Operator>
  bool tell_what_waits(const Space&, const Graph&, Frontier&, const Operator&) const {
    return false;
  }

  /// How many vertices of a list, each once, are counted here.
  template <class Space, class List>
  std::int64_t count_listed(const Space&, const List&, std::int64_t size) const {
    return size;
  }

  /// What all ranks have, in their order.
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) const {
    return own;
  }

  /// Runs what each rank does for itself; what it throws on one, it throws on all.
  template <class F>
  void agree(const F& f) const {
    f();
  }

  /// Owners' values to all copies: before a gather, or before what looks at the other end of an edge.
  template <class Space, class Values>
  void spread(const Space&, const Values&) const {}
  /// Totals of vertices whose edges several ranks have parts of: after a gather.
  template <class Combine, class Space, class Values>
  void unite(const Space&, const Values&) const {}
  /// Owners' bits to all copies; bits that any rank has set of what several ranks have rows of, to all of them.
  template <class Space, class Bits>
  void spread_bits(const Space&, const Bits&) const {}
  template <class Space, class Bits>
  void unite_bits(const Space&, const Bits&) const {}
};

}  // namespace dromos
