// SPDX-License-Identifier: BSD-3-Clause
// What a graph is to a kernel: anything that numbers the edges of its vertices, one vertex after the other, and knows
// where each of them leads. It need not have arrays; this one has none:
//
//   struct Torus {                                        // side x side vertices, each with 4 neighbors
//     using vertex_type = std::int32_t;
//     using memory_space = Kokkos::HostSpace;             // where its arrays would lie, and those of work sets do
//     std::int32_t side;
//     KOKKOS_FUNCTION std::int32_t num_vertices() const { return side * side; }
//     KOKKOS_FUNCTION Offset num_edges() const { return 4 * Offset(num_vertices()); }
//     KOKKOS_FUNCTION Offset begin(std::int32_t u) const { return 4 * Offset(u); }
//     KOKKOS_FUNCTION Offset end(std::int32_t u) const { return begin(u) + 4; }
//     KOKKOS_FUNCTION Offset degree(std::int32_t) const { return 4; }
//     KOKKOS_FUNCTION std::int32_t neighbor(Offset e) const;   // where edge e leads
//   };
//
// The edges of u are those numbered begin(u) .. end(u) - 1. It is copied into kernels. Who has to know u as well to say
// where e leads offers a function neighbor_of(graph, u, e) beside the class instead of neighbor(). begin(0) is 0 and
// begin(u + 1) is end(u); where it is not, as in a view of parts of rows, sweeps over all vertices at once
// (traverse_all) are not for it, those from a work set are.
//
// It may offer
//
//   static constexpr bool directed;                       // or a member; false: every edge is there in both directions
//   KOKKOS_FUNCTION void prefetch_row(Vertex u) const;    // CPUs: u is due in two steps' time
//   KOKKOS_FUNCTION void prefetch_edges(Vertex u) const;  // and now in one, when the first may be read
//   static constexpr int prefetch_distance = 32;          // vertices a step; 8 unless rows are very short
//   KOKKOS_FUNCTION bool has_row(Vertex v) const;         // parts of a graph: are begin(v) and end(v) there, of v to
//                                                         // which an edge leads? If not said: of those below
//                                                         // num_vertices()
//
// Shortest paths want weights as well: weight(e), of the edge numbered e in [0, num_edges()), 0 or more.
//
//   KOKKOS_FUNCTION float weight(Offset e) const;
//
// Algorithms that take "a graph view" also take whoever owns one and gives it out by view(), as CsrGraph does.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

/// The other end of edge e of vertex u, of any graph: who has rows in several places has to know u.
template <class Graph>
KOKKOS_FORCEINLINE_FUNCTION auto neighbor_of(const Graph& graph, typename Graph::vertex_type, Offset e)
    -> decltype(graph.neighbor(e)) {
  return graph.neighbor(e);
}

namespace detail {

template <class Graph, class = void>
struct HasHasRow : std::false_type {};
template <class Graph>
struct HasHasRow<
    Graph, std::void_t<decltype(std::declval<const Graph&>().has_row(std::declval<typename Graph::vertex_type>()))>>
    : std::true_type {};

/// May begin(v) and end(v) be asked for, of any v?
template <class Graph>
KOKKOS_FORCEINLINE_FUNCTION bool has_row(const Graph& graph, typename Graph::vertex_type v) {
  if constexpr (HasHasRow<Graph>::value) {
    return graph.has_row(v);
  } else {
    return v >= 0 && v < graph.num_vertices();
  }
}

/// Is Expression<T> a type?
template <template <class> class Expression, class T, class = void>
struct IsThere : std::false_type {};
template <template <class> class Expression, class T>
struct IsThere<Expression, T, std::void_t<Expression<T>>> : std::true_type {};

/// It, or Otherwise where it is none.
template <template <class> class Expression, class T, class Otherwise, class = void>
struct TypeOr {
  using type = Otherwise;
};
template <template <class> class Expression, class T, class Otherwise>
struct TypeOr<Expression, T, Otherwise, std::void_t<Expression<T>>> {
  using type = Expression<T>;
};

template <class Graph>
using VertexOf = typename Graph::vertex_type;
template <class Graph>
using MemoryOf = typename Graph::memory_space;
template <class Graph>
using NumVerticesOf = decltype(static_cast<std::int64_t>(std::declval<const Graph&>().num_vertices()));
template <class Graph>
using NumEdgesOf = decltype(static_cast<Offset>(std::declval<const Graph&>().num_edges()));
template <class Graph>
using BeginOf = decltype(static_cast<Offset>(std::declval<const Graph&>().begin(std::declval<VertexOf<Graph>>())));
template <class Graph>
using EndOf = decltype(static_cast<Offset>(std::declval<const Graph&>().end(std::declval<VertexOf<Graph>>())));
template <class Graph>
using DegreeOf = decltype(static_cast<Offset>(std::declval<const Graph&>().degree(std::declval<VertexOf<Graph>>())));
template <class Graph>
using NeighborOf = decltype(static_cast<VertexOf<Graph>>(
    neighbor_of(std::declval<const Graph&>(), std::declval<VertexOf<Graph>>(), Offset(0))));
template <class Graph>
using DirectedOf = decltype(static_cast<bool>(std::declval<const Graph&>().directed));
template <class Graph>
using WeightOf = decltype(static_cast<float>(std::declval<const Graph&>().weight(Offset(0))));
template <class Graph>
using ViewOf = decltype(std::declval<const Graph&>().view());

template <class Graph, class = void>
struct HasPrefetch : std::false_type {};
template <class Graph>
struct HasPrefetch<Graph, std::void_t<decltype(&Graph::prefetch_row), decltype(&Graph::prefetch_edges)>>
    : std::true_type {};

/// How many vertices a step of these hints is.
template <class Graph, class = void>
inline constexpr int prefetch_distance = 8;
template <class Graph>
inline constexpr int prefetch_distance<Graph, std::void_t<decltype(Graph::prefetch_distance)>> =
    Graph::prefetch_distance;

/// Views whose rows are all of the same few edges (graph/regular_views.hpp).
template <class Graph, class = void>
inline constexpr bool has_equal_degrees = false;
template <class Graph>
inline constexpr bool has_equal_degrees<Graph, std::void_t<decltype(Graph::degree_of_all)>> = true;

}  // namespace detail

/// What a graph view names. Of a class that does not, a type with which the compiler gets as far as check_graph_view(),
/// which says so: for declarations, where the compiler would say in its own words that nothing fits.
template <class Graph>
using vertex_type_of = typename detail::TypeOr<detail::VertexOf, Graph, std::int32_t>::type;
template <class Graph>
using memory_space_of = typename detail::TypeOr<detail::MemoryOf, Graph, Kokkos::HostSpace>::type;

/// Does not compile where Graph is no graph view, and says what it lacks. Costs nothing.
template <class Graph>
constexpr void check_graph_view() {
  using namespace detail;
  constexpr bool has_vertices = IsThere<VertexOf, Graph>::value;
  static_assert(has_vertices,
                "a graph view names the type of its vertices: using vertex_type = std::int32_t, or std::int64_t");
  static_assert(IsThere<MemoryOf, Graph>::value,
                "a graph view names the memory that kernels read it from: using memory_space = ...");
  static_assert(IsThere<NumVerticesOf, Graph>::value, "a graph view has num_vertices() const");
  static_assert(IsThere<NumEdgesOf, Graph>::value, "a graph view has num_edges() const, the sum of all degrees");
  static_assert(!has_vertices || IsThere<BeginOf, Graph>::value,
                "a graph view has begin(u) const, the number of the first edge of vertex u");
  static_assert(!has_vertices || IsThere<EndOf, Graph>::value,
                "a graph view has end(u) const, the number behind that of the last edge of vertex u");
  static_assert(!has_vertices || IsThere<DegreeOf, Graph>::value,
                "a graph view has degree(u) const, the number of edges of vertex u");
  static_assert(!has_vertices || IsThere<NeighborOf, Graph>::value,
                "a graph view has neighbor(e) const, where edge e leads, or a function neighbor_of(graph, u, e) beside "
                "it");
}

/// The same of a graph view with weights.
template <class Graph>
constexpr void check_weighted_graph_view() {
  check_graph_view<Graph>();
  static_assert(detail::IsThere<detail::WeightOf, Graph>::value,
                "a graph view with weights has weight(e) const, the weight of edge e");
}

namespace detail {

/// A class that names no type of its vertices, and one: with it a compiler that has said so finds nothing more to say.
template <class Graph>
struct NamesVertices : Graph {
  using vertex_type = vertex_type_of<Graph>;
};

}  // namespace detail

/// The view that an owner gives out, or the graph itself where it is one.
template <class Graph>
auto view_of(const Graph& graph) {
  if constexpr (detail::IsThere<detail::ViewOf, Graph>::value) {
    return graph.view();
  } else {
    [[maybe_unused]] constexpr bool first = (check_graph_view<Graph>(), true);  // before anybody stumbles over it
    if constexpr (detail::IsThere<detail::VertexOf, Graph>::value || !std::is_class_v<Graph> ||
                  std::is_final_v<Graph>) {
      return graph;
    } else {
      return detail::NamesVertices<Graph>{graph};
    }
  }
}

/// check_graph_view() of a graph view, or of who owns one.
template <class Graph>
constexpr void check_graph() {
  check_graph_view<decltype(view_of(std::declval<const Graph&>()))>();
}

/// Does not compile where the two are no graph views, or not of one graph and the same turned round as far as types go,
/// and says so. Either may be an owner. Costs nothing.
template <class Graph, class Reversed>
constexpr void check_graph_and_transpose() {
  using View = decltype(view_of(std::declval<const Graph&>()));
  using ReversedView = decltype(view_of(std::declval<const Reversed&>()));
  static_assert(std::is_same_v<vertex_type_of<View>, vertex_type_of<ReversedView>>,
                "a graph and its transpose have the same vertex_type");
  static_assert(std::is_same_v<memory_space_of<View>, memory_space_of<ReversedView>>,
                "a graph and its transpose have the same memory_space");
}

/// Throws ArgumentError where a graph and what is given as its transpose differ in size.
///
/// \param who  wants both
template <class Graph, class Reversed>
void check_graph_and_transpose(const char* who, const Graph& graph, const Reversed& reversed) {
  check_graph_and_transpose<Graph, Reversed>();
  if (graph.num_vertices() == reversed.num_vertices() && graph.num_edges() == reversed.num_edges()) return;
  throw ArgumentError(std::string(who) + " takes a graph and its transpose, but the first has " +
                      std::to_string(graph.num_vertices()) + " vertices and " + std::to_string(graph.num_edges()) +
                      " edges and the second " + std::to_string(reversed.num_vertices()) + " and " +
                      std::to_string(reversed.num_edges()));
}

/// Is not every edge there in both directions? Of a graph that does not say, it need not be.
template <class Graph>
bool is_directed([[maybe_unused]] const Graph& graph) {
  if constexpr (detail::IsThere<detail::DirectedOf, Graph>::value) {
    return graph.directed;
  } else {
    return true;
  }
}

}  // namespace dromos
