// SPDX-License-Identifier: BSD-3-Clause
// Is this the result of a breadth-first search of a distributed graph? The five rules of the Graph500 specification 2.0
// (validate/graph500_rules.hpp), judged against the input edges themselves, not against the graph that was built of
// them.
//
// It needs no more than the edge list as it was made, a slice on each rank, and the result on every rank: so it is the
// same for every way to distribute a graph, and shares no code with any of them. Vertices are checked in slices, too:
//
//   1, 2  root at level 0 and its own parent; every other reached vertex one level below a reached parent that is not
//         itself: then parents lead upwards to the root, and there is no cycle. Where this fails somewhere, the rules
//         of the single node are asked what is wrong: a cycle, or a level.
//   3, 4  both ends of every edge: reached or not reached together, at most one level apart
//   5     every edge marks the vertex whose parent it is; the marks of all ranks together must be all reached vertices
//
// Memory: the result, 8 or 12 bytes a vertex on each rank, and a bit a vertex.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>

namespace dromos {

/// The verdict, the same on every rank.
struct SliceValidation {
  bool valid = true;
  std::string message;
  /// Edges of the list that start in a reached vertex, loops and duplicates included: what TEPS count.
  Offset edges_reached = 0;
};

namespace detail {

/// A rule that fails on this rank, and why; no rule: 0.
struct BrokenRule {
  int rule = 0;
  std::string message;
};

/// The first rule that any rank found broken, and that rank's words. Collective.
inline BrokenRule first_broken_rule(const Communicator& communicator, const BrokenRule& own) {
  constexpr std::int64_t none = std::int64_t(1) << 40;
  const std::int64_t size = communicator.size();
  const std::int64_t key = min(communicator, own.rule == 0 ? none : own.rule * size + communicator.rank());
  if (key == none) return {};
  return {static_cast<int>(key / size), broadcast_text(communicator, own.message, static_cast<int>(key % size))};
}

template <class Vertex, class Memory>
struct JudgeLink {
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<const Level*, Memory> level;
  Vertex root;
  std::int64_t n;
  Witness<Memory> witness;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex p = parent(v);
    bool right;
    if (v == root) {
      right = p == root && level(v) == 0;
    } else if (p == no_vertex<Vertex>) {
      right = level(v) == no_level;
    } else {
      right = p >= 0 && p < n && p != v && level(p) >= 0 && level(v) == level(p) + 1;
    }
    if (!right) witness.report(v);
  }
};

/// The first vertex of [first, last) whose parent and level do not fit each other (rules 1 and 2); no_witness: none.
template <class Space, class Vertex, class Memory>
std::int64_t first_wrong_link(const Space& space, std::int64_t first, std::int64_t last, Vertex root,
                              const Kokkos::View<const Vertex*, Memory>& parent,
                              const Kokkos::View<const Level*, Memory>& level) {
  const Witness<Memory> witness;
  for_range("dromos::validate_slices::links", space, {first, last},
            JudgeLink<Vertex, Memory>{parent, level, root, static_cast<std::int64_t>(parent.extent(0)), witness});
  return witness.get(space);
}

/// What the ends of the edges say: the first edges that break rules 3 and 4, and how many edges were reached.
struct EdgeVerdict {
  std::int64_t too_far = no_witness;
  std::int64_t leads_out = no_witness;
  Offset edges_reached = 0;
};

template <class Vertex, class Memory>
struct JudgeEdge {
  EdgeList<Vertex, Memory> edges;
  bool directed;
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<const Level*, Memory> level;
  Bitmap<Memory> found;
  Witness<Memory> too_far, leads_out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& reached) const {
    const Vertex u = edges.source(i);
    const Vertex v = edges.target(i);
    const Level from = level(u);
    const Level to = level(v);
    reached += from >= 0;
    if (from >= 0 ? to < 0 : (!directed && to >= 0)) {
      leads_out.report(i);
    } else if (from >= 0 && (to > from + 1 || (!directed && from > to + 1))) {
      too_far.report(i);
    }
    if (u == v) return;
    if (parent(v) == u) found.set(v);
    if (!directed && parent(u) == v) found.set(u);
  }
};

/// Also marks in `found` the vertices whose parent an edge of the slice is.
template <class Space, class Vertex, class Memory>
EdgeVerdict check_edges(const Space& space, const EdgeList<Vertex, Memory>& edges, bool directed,
                        const Kokkos::View<const Vertex*, Memory>& parent,
                        const Kokkos::View<const Level*, Memory>& level, const Bitmap<Memory>& found) {
  const Witness<Memory> too_far, leads_out;
  EdgeVerdict verdict;
  reduce_range("dromos::validate_slices::edges", space, edges.num_edges(),
               JudgeEdge<Vertex, Memory>{edges, directed, parent, level, found, too_far, leads_out},
               verdict.edges_reached);
  verdict.too_far = too_far.get(space);
  verdict.leads_out = leads_out.get(space);
  return verdict;
}

/// The first vertex of [first, last) that has a parent and was not found by an edge; no_witness: none.
template <class Space, class Vertex, class Memory>
std::int64_t first_without_edge(const Space& space, std::int64_t first, std::int64_t last, Vertex root,
                                const Kokkos::View<const Vertex*, Memory>& parent, const Bitmap<Memory>& found) {
  const Witness<Memory> witness;
  for_range("dromos::validate_slices::tree_edges", space, {first, last},
            ReportWrongVertex<HasNoTreeEdge<Vertex, Memory>, Memory>{{parent, found, root}, witness});
  return witness.get(space);
}

/// "edge (u, v)" of the slice, and its levels.
template <class Vertex, class Memory>
std::string describe_edge(const EdgeList<Vertex, Memory>& edges, std::int64_t i,
                          const Kokkos::View<const Level*, Memory>& level) {
  const std::int64_t u = element(Kokkos::View<const Vertex*, Memory>(edges.source), i);
  const std::int64_t v = element(Kokkos::View<const Vertex*, Memory>(edges.target), i);
  return "edge (" + std::to_string(u) + ", " + std::to_string(v) + ") joins level " +
         std::to_string(element(level, u)) + " to level " + std::to_string(element(level, v));
}

}  // namespace detail

/// Checks a result by all five rules. Collective; the verdict is the same on every rank. Never throws for a wrong
/// result, however wrong it is.
///
/// \param edges     this rank's slice of the input edges, with ends in [0, num_vertices)
/// \param directed  edges are followed forwards only
/// \param parent    num_vertices elements, the same on every rank
/// \param level_or_none  num_vertices elements, likewise; or none: then levels are those of the parents' tree
/// Cost: O((n + m) / p) and the OR of a bitmap of n bits; without levels, and for wrong results, O(n log depth) more.
template <class Space, class Vertex, class Memory>
SliceValidation validate_slices(const Communicator& communicator, const Space& space,
                                const EdgeList<Vertex, Memory>& edges, bool directed, Vertex root,
                                const Kokkos::View<const Vertex*, Memory>& parent,
                                const Kokkos::View<const Level*, Memory>& level_or_none) {
  const ScopedRegion region("dromos::validate_slices");
  const std::int64_t n = edges.num_vertices;
  if (root < 0 || root >= n || parent.extent(0) != static_cast<std::size_t>(n) ||
      (level_or_none.extent(0) != 0 && level_or_none.extent(0) != static_cast<std::size_t>(n))) {
    return {false,
            "a result of " + std::to_string(parent.extent(0)) + " parents and " +
                std::to_string(level_or_none.extent(0)) + " levels from root " + std::to_string(root) +
                " is none of a graph of " + std::to_string(n) + " vertices",
            0};
  }
  const auto failed = [](int rule, const std::string& message) {
    constexpr const char* names[] = {"",
                                     "rule 1 (tree): ",
                                     "rule 2 (levels of tree edges): ",
                                     "rule 3 (levels of edges): ",
                                     "rule 4 (spans the component): ",
                                     "rule 5 (tree edges exist): "};
    return SliceValidation{false, names[rule] + message, 0};
  };
  const auto [first, last] = slice_of(n, communicator.rank(), communicator.size());

  Kokkos::View<const Level*, Memory> level = level_or_none;
  bool suspicious = level.extent(0) == 0;
  if (!suspicious) {
    const bool wrong = detail::first_wrong_link(space, first, last, root, parent, level) != detail::no_witness;
    suspicious = max<std::int32_t>(communicator, wrong ? 1 : 0) != 0;
  }
  if (suspicious) {
    // Every rank has the whole tree, and comes to the same verdict.
    const Kokkos::View<Level*, Memory> depth(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::validate_slices::depth"), n);
    if (const auto rule = check_tree(space, root, parent, depth); !rule.holds) return failed(1, rule.message);
    if (level.extent(0) == 0) level = depth;
    if (const auto rule = check_tree_levels(space, root, parent, level); !rule.holds) return failed(2, rule.message);
  }

  const Bitmap<Memory> found(n, "dromos::validate_slices::found");
  const detail::EdgeVerdict verdict = detail::check_edges(space, edges, directed, parent, level, found);
  bitwise_or(communicator, space, found.words());
  const std::int64_t without_edge = detail::first_without_edge(space, first, last, root, parent, found);

  detail::BrokenRule broken;
  if (verdict.too_far != detail::no_witness) {
    broken = {
        3, detail::describe_edge(edges, verdict.too_far, level) + "; an edge joins levels that differ by at most one"};
  } else if (verdict.leads_out != detail::no_witness) {
    broken = {
        4, detail::describe_edge(edges, verdict.leads_out, level) + ", a reached vertex to one that was not reached"};
  } else if (without_edge != detail::no_witness) {
    broken = {5, "there is no edge from " + std::to_string(detail::element(parent, without_edge)) +
                     ", the parent of vertex " + std::to_string(without_edge) + ", to it"};
  }
  broken = detail::first_broken_rule(communicator, broken);
  if (broken.rule != 0) return failed(broken.rule, broken.message);
  return {true, "", sum<std::int64_t>(communicator, verdict.edges_reached)};
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template SliceValidation validate_slices(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, bool, std::int32_t,
    const Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template SliceValidation validate_slices(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, bool, std::int64_t,
    const Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
