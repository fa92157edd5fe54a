// SPDX-License-Identifier: BSD-3-Clause
// Which parts of a partition hang together: the connected components of each part's vertices, by the edges inside of
// it. Partitioners by edge cut promise connected subdomains rarely, and a subdomain in pieces costs a domain
// decomposition its coarse space, or a solver its convergence, without a word.
//
//   path 0-1-2-3-4, parts 0 0 1 0 0     part 0 has the pieces {0 1} and {3 4}; part 1 is vertex 2
//   "1 of 2 parts is disconnected: part 0 (2 pieces, largest 2 of 4 vertices)"
//
// One graph of the edges inside of all parts, and one search for its components, whose labels are vertices: a piece
// belongs to the part of the vertex that names it.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos {

/// Of one part: how many vertices it has, in how many pieces, and how many vertices the largest piece.
struct PartPieces {
  std::int64_t part = 0;
  std::int64_t num_vertices = 0;
  std::int64_t num_pieces = 0;
  std::int64_t largest = 0;

  bool is_disconnected() const { return num_pieces > 1; }
};

/// Of all parts, ascending by number. Parts without vertices have no piece, and are not disconnected.
struct ComponentsOfParts {
  std::vector<PartPieces> parts;

  std::int64_t num_disconnected() const {
    return std::count_if(parts.begin(), parts.end(), [](const PartPieces& each) { return each.is_disconnected(); });
  }
  bool all_connected() const { return num_disconnected() == 0; }

  /// For people to read: how many parts are disconnected, and which; the first `most` of them.
  ///
  /// \param what  that parts consist of
  std::string message(const std::string& what = "vertices", std::int64_t most = 8) const {
    const std::int64_t num = num_disconnected(), all = static_cast<std::int64_t>(parts.size());
    if (num == 0) return all == 1 ? "the part is connected" : "all " + std::to_string(all) + " parts are connected";
    std::string text = std::to_string(num) + " of " + std::to_string(all) + (all == 1 ? " part" : " parts") +
                       (num == 1 ? " is" : " are") + " disconnected: ";
    std::int64_t listed = 0;
    for (const PartPieces& each : parts) {
      if (!each.is_disconnected() || listed == most) continue;
      text += (listed++ == 0 ? "part " : ", part ") + std::to_string(each.part) + " (" +
              std::to_string(each.num_pieces) + " pieces, largest " + std::to_string(each.largest) + " of " +
              std::to_string(each.num_vertices) + " " + what + ")";
    }
    return listed == num ? text : text + ", and " + std::to_string(num - listed) + " more";
  }
};

struct PartComponentOptions {
  /// How many parts there are; those beyond the largest number that a vertex bears are empty. 0: up to that one.
  std::int64_t num_parts = 0;
  /// Of the search for components.
  ComponentOptions components{};
};

namespace detail {

/// Item u is row u: an arc for each edge inside of u's part.
template <class Vertex, class Memory>
struct ArcsInsideParts {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> part;

  KOKKOS_FUNCTION Offset size() const { return graph.num_vertices(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    if (part(u) < 0) return;
    const Vertex v = graph.neighbor(e);
    if (u != v && part(u) == part(v)) f(u, v, e);
  }
};

template <class Vertex, class Memory>
struct CountSizesInParts {
  Kokkos::View<const Vertex*, Memory> part, component;
  Kokkos::View<Vertex*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (part(v) >= 0) atomic_fetch_add(&size(component(v)), Vertex(1));
  }
};

template <class Vertex, class Memory>
struct CountPieces {
  Kokkos::View<const Vertex*, Memory> part, component, size;
  Kokkos::View<std::int64_t* [3], Kokkos::LayoutRight, Memory> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex p = part(v);
    if (p < 0 || component(v) != v) return;
    atomic_fetch_add(&counts(p, 0), static_cast<std::int64_t>(size(v)));
    atomic_fetch_add(&counts(p, 1), std::int64_t(1));
    atomic_fetch_max(&counts(p, 2), static_cast<std::int64_t>(size(v)));
  }
};

/// Counts vertices and pieces of each part; sizes of the pieces first.
template <class Space, class Vertex, class Memory>
std::vector<PartPieces> count_pieces(const Space& space, const Kokkos::View<Vertex*, Memory>& part,
                                     const Kokkos::View<Vertex*, Memory>& component, std::int64_t num_parts) {
  const std::int64_t n = static_cast<std::int64_t>(part.extent(0));
  const Kokkos::View<Vertex*, Memory> size("dromos::components_of_parts::size", part.extent(0));
  const Kokkos::View<std::int64_t* [3], Kokkos::LayoutRight, Memory> counts("dromos::components_of_parts::counts",
                                                                            static_cast<std::size_t>(num_parts));
  for_range("dromos::components_of_parts::sizes", space, n, CountSizesInParts<Vertex, Memory>{part, component, size});
  for_range("dromos::components_of_parts::pieces", space, n,
            CountPieces<Vertex, Memory>{part, component, size, counts});
  fence(space, "dromos::components_of_parts::pieces");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  std::vector<PartPieces> parts;
  for (std::int64_t p = 0; p < num_parts; ++p) parts.push_back({p, host(p, 0), host(p, 1), host(p, 2)});
  return parts;
}

template <class Vertex, class Memory>
struct FindPartRange {
  Kokkos::View<const Vertex*, Memory> part;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Vertex& most, Vertex& fewest) const {
    most = dromos::max(most, part(v));
    fewest = dromos::min(fewest, part(v));
  }
};

/// Throws ArgumentError for numbers that are none of parts; returns how many parts there are.
template <class Space, class Vertex, class Memory>
std::int64_t check_parts(const Space& space, const Kokkos::View<Vertex*, Memory>& part, std::int64_t num_parts) {
  Vertex largest = no_vertex<Vertex>, least = 0;
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> range(space, 0,
                                                                          static_cast<std::int64_t>(part.extent(0)));
  Kokkos::parallel_reduce("dromos::components_of_parts::check", range, FindPartRange<Vertex, Memory>{part},
                          Kokkos::Max<Vertex>(largest), Kokkos::Min<Vertex>(least));
  fence(space, "dromos::components_of_parts::check");
  if (part.extent(0) == 0) return num_parts;
  if (least < no_vertex<Vertex> || (num_parts > 0 && largest >= num_parts)) {
    const Vertex bad = least < no_vertex<Vertex> ? least : largest;
    throw ArgumentError("components_of_parts: a vertex has part " + std::to_string(bad) + "; parts are numbered " +
                        (num_parts > 0 ? "0 .. " + std::to_string(num_parts - 1) : "from 0") +
                        ", and -1 stands for none");
  }
  return num_parts > 0 ? num_parts : static_cast<std::int64_t>(largest) + 1;
}

}  // namespace detail

/// Finds the connected components of every part of a partition.
///
/// \param space    execution space instance; its memory space holds graph and parts
/// \param graph    directed or not; edges count in both directions
/// \param part     by vertex: the number of its part from 0 on, or -1 for a vertex of none
/// \param options  num_parts, method and strategy of the search
/// \returns numbers of vertices and pieces of all parts, on the host
/// \throws ArgumentError where there is not one number a vertex, for negative ones but -1, for one that is num_parts or
///         larger, for a negative num_parts, and as connected_components() does
///
/// Cost: building a graph of the edges inside of parts, its connected components, and two passes over the vertices.
/// Memory of the call: those edges once, 3 ids a vertex, and 24 bytes a part. Waits.
template <class Space, class Vertex, class Memory>
ComponentsOfParts components_of_parts(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                      const Kokkos::View<Vertex*, Memory>& part,
                                      const PartComponentOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::components_of_parts");
  const std::int64_t n = graph.num_vertices();
  if (static_cast<std::int64_t>(part.extent(0)) != n) {
    throw ArgumentError("components_of_parts: " + std::to_string(part.extent(0)) + " numbers of parts for a graph of " +
                        std::to_string(n) + " vertices; every vertex needs one");
  }
  if (options.num_parts < 0) {
    throw ArgumentError("components_of_parts: num_parts is " + std::to_string(options.num_parts) +
                        "; it must be 0 (up to the largest there is) or more");
  }
  const std::int64_t num_parts = detail::check_parts(space, part, options.num_parts);
  CsrGraph<Vertex, Memory> inside;
  detail::build_rows(space, n, detail::ArcsInsideParts<Vertex, Memory>{graph.view(), part},
                     Kokkos::View<const float*, Memory>(), {false, false}, inside);
  inside.directed = graph.directed;
  fence(space, "dromos::components_of_parts::inside");
  ComponentScratch<Vertex, Memory> scratch(inside);
  ComponentResult<Vertex, Memory> components;
  connected_components(space, inside, scratch, components, options.components);
  return {detail::count_pieces(space, part, components.component, num_parts)};
}

// Compiled once, in src/algorithms/components_of_parts.cpp.
extern template ComponentsOfParts components_of_parts(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const PartComponentOptions&);
extern template ComponentsOfParts components_of_parts(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&, const PartComponentOptions&);

}  // namespace dromos
