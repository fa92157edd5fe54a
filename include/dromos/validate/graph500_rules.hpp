// SPDX-License-Identifier: BSD-3-Clause
// Is this the result of a breadth-first search? The five rules of the Graph500 specification 2.0, one function each.
//
//   1  the parents form a tree without cycles, rooted at the root
//   2  a tree edge joins levels that differ by one
//   3  an edge of the graph joins levels that differ by at most one
//   4  the tree spans everything that the root reaches
//   5  a tree edge is an edge of the graph
//
// Stated for directed graphs: an arc (u, v) with u reached has v reached (4), at most one level further (3). In an
// undirected graph, which stores both arcs, these are the rules as the specification prints them. Together they prove
// the result right without a second search: by 1, 2 and 5 no level is too small, by 3 and 4 none is too large.
//
// Every rule is safe on arbitrary garbage: ids are checked before they are used as indices, cycles end after as many
// doublings as a path can need.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <limits>
#include <string>
#include <utility>

namespace dromos {

/// What a rule found; the message names a witness where it does not hold.
struct RuleResult {
  bool holds = true;
  std::string message;
};

namespace detail {

inline constexpr std::int64_t no_witness = std::numeric_limits<std::int64_t>::max();

/// The smallest index at which something is wrong.
template <class Memory>
class Witness {
 public:
  Witness() : index_("dromos::validate::witness") { Kokkos::deep_copy(index_, no_witness); }
  KOKKOS_FUNCTION void report(std::int64_t index) const { atomic_fetch_min(index_.data(), index); }
  /// no_witness where nothing was reported.
  template <class Space>
  std::int64_t get(const Space& space) const {
    fence(space, "dromos::validate::witness");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), index_);
    return host();
  }

 private:
  Kokkos::View<std::int64_t, Memory> index_;
};

/// One element of a View in any memory space.
template <class T, class Memory>
std::int64_t element(const Kokkos::View<const T*, Memory>& view, std::int64_t i) {
  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(view, Kokkos::make_pair(i, i + 1)));
  return static_cast<std::int64_t>(host(0));
}

template <class Predicate, class Memory>
struct ReportWrongVertex {
  Predicate is_wrong;
  Witness<Memory> witness;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (is_wrong(v)) witness.report(v);
  }
};

/// Runs is_wrong(v) for every vertex and returns the smallest one for which it says true.
template <class Memory, class Space, class Predicate>
std::int64_t first_wrong_vertex(const Space& space, std::int64_t num_vertices, const Predicate& is_wrong) {
  const Witness<Memory> witness;
  for_range("dromos::validate::vertices", space, num_vertices, ReportWrongVertex<Predicate, Memory>{is_wrong, witness});
  return witness.get(space);
}

template <class Vertex, class Predicate, class Memory>
struct ReportWrongArc {
  Predicate is_wrong;
  Witness<Memory> witness;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset e) const {
    if (is_wrong(u, v)) witness.report(e);
  }
};

/// Runs is_wrong(u, v) for every arc and returns the smallest arc for which it says true.
template <class Space, class Vertex, class Memory, class Predicate>
std::int64_t first_wrong_arc(const Space& space, const CsrView<Vertex, Memory>& graph, const Predicate& is_wrong) {
  const Witness<Memory> witness;
  for_each_arc("dromos::validate::arcs", space, graph, ReportWrongArc<Vertex, Predicate, Memory>{is_wrong, witness});
  return witness.get(space);
}

/// "arc (3, 7)" for arc number e of a graph.
template <class Vertex, class Memory>
std::string describe_arc(const CsrView<Vertex, Memory>& graph, Offset e, std::int64_t& u, std::int64_t& v) {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map);
  u = 0;
  while (rows(u + 1) <= e) ++u;
  v = element(graph.entries, e);
  return "edge (" + std::to_string(u) + ", " + std::to_string(v) + ")";
}

template <class Vertex, class Memory>
struct ParentIsWrong {
  Kokkos::View<const Vertex*, Memory> parent;
  Vertex root;
  std::int64_t n;

  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    const Vertex p = parent(v);
    if (v == root) return p != root;
    if (p == no_vertex<Vertex>) return false;
    return p < 0 || p >= n || p == v || parent(p) == no_vertex<Vertex>;
  }
};

template <class Vertex, class Memory>
struct StartClimbing {
  Kokkos::View<const Vertex*, Memory> parent;
  Vertex root;
  Kokkos::View<Vertex*, Memory> ancestor;
  Kokkos::View<Level*, Memory> depth;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    ancestor(v) = parent(v);
    depth(v) = parent(v) == no_vertex<Vertex> ? no_level : static_cast<Level>(v != root);
  }
};

template <class Vertex, class Memory>
struct IsStillClimbing {
  Kokkos::View<const Vertex*, Memory> ancestor;
  Vertex root;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    return ancestor(v) != no_vertex<Vertex> && ancestor(v) != root;
  }
};

/// Twice as many steps above every vertex.
template <class Vertex, class Memory>
struct DoubleSteps {
  Kokkos::View<const Vertex*, Memory> ancestor;
  Kokkos::View<const Level*, Memory> depth;
  Kokkos::View<Vertex*, Memory> next_ancestor;
  Kokkos::View<Level*, Memory> next_depth;
  std::int64_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex above = ancestor(v);
    next_ancestor(v) = above == no_vertex<Vertex> ? above : ancestor(above);
    // In a cycle the depth grows without bound; more than n is never meaningful.
    next_depth(v) = above == no_vertex<Vertex>
                        ? no_level
                        : static_cast<Level>(dromos::min<std::int64_t>(std::int64_t(depth(v)) + depth(above), n));
  }
};

}  // namespace detail

/// Rule 1: the root is its own parent, every other parent is another reached vertex, and all paths lead to the root.
///
/// \param parent  num_vertices elements; no_vertex where not reached
/// \param level   out, num_vertices elements, in the memory of `parent`: the depth of each vertex in the tree, no_level
///                where not reached; meaningful only where the rule holds
/// Cost: O(n log depth), by pointer doubling, so that a path of n vertices is no harder than a star.
template <class Space, class Vertex, class Memory>
RuleResult check_tree(const Space& space, Vertex root, const Kokkos::View<const Vertex*, Memory>& parent,
                      const Kokkos::View<Level*, Memory>& level) {
  const std::int64_t n = static_cast<std::int64_t>(parent.extent(0));
  if (root < 0 || root >= n) return {false, "the root " + std::to_string(root) + " is not a vertex"};
  const std::int64_t wrong =
      detail::first_wrong_vertex<Memory>(space, n, detail::ParentIsWrong<Vertex, Memory>{parent, root, n});
  if (wrong != detail::no_witness) {
    const std::int64_t p = detail::element(parent, wrong);
    const std::string who = "the parent of vertex " + std::to_string(wrong) + " is " + std::to_string(p);
    if (wrong == root) return {false, who + ", but a root is its own parent"};
    if (p < 0 || p >= n) return {false, who + ", which is not a vertex"};
    if (p == wrong) return {false, who + ", itself, though it is not the root"};
    return {false, who + ", which was not reached"};
  }

  // Invariant: `ancestor` is `depth` steps above v, unless the root is nearer.
  using Vertices = Kokkos::View<Vertex*, Memory>;
  const auto allocate = [](const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  Vertices ancestor(allocate("dromos::validate::ancestor"), n),
      next_ancestor(allocate("dromos::validate::ancestor"), n);
  Kokkos::View<Level*, Memory> depth(allocate("dromos::validate::depth"), n);
  Kokkos::View<Level*, Memory> next_depth(allocate("dromos::validate::depth"), n);
  for_range("dromos::validate::start", space, n, detail::StartClimbing<Vertex, Memory>{parent, root, ancestor, depth});
  std::int64_t unfinished = 0;
  for (std::int64_t steps = 1;; steps *= 2) {
    unfinished = detail::first_wrong_vertex<Memory>(space, n, detail::IsStillClimbing<Vertex, Memory>{ancestor, root});
    if (unfinished == detail::no_witness || steps > n) break;
    for_range("dromos::validate::double", space, n,
              detail::DoubleSteps<Vertex, Memory>{ancestor, depth, next_ancestor, next_depth, n});
    std::swap(ancestor, next_ancestor);
    std::swap(depth, next_depth);
  }
  if (unfinished != detail::no_witness) {
    return {false, "the parents above vertex " + std::to_string(unfinished) + " never lead to the root " +
                       std::to_string(root) + ": they form a cycle"};
  }
  Kokkos::deep_copy(space, level, depth);
  fence(space, "dromos::validate::check_tree");
  return {};
}

namespace detail {

template <class Vertex, class Memory>
struct TreeLevelIsWrong {
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<const Level*, Memory> level;
  Vertex root;

  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    const Vertex p = parent(v);
    if (p == no_vertex<Vertex>) return level(v) != no_level;
    return v == root ? level(v) != 0 : level(p) < 0 || level(v) != level(p) + 1;
  }
};

}  // namespace detail

/// Rule 2: the root is at level 0, and every other reached vertex one level below its parent; exactly the vertices that
/// have a parent have a level. Requires rule 1.
template <class Space, class Vertex, class Memory>
RuleResult check_tree_levels(const Space& space, Vertex root, const Kokkos::View<const Vertex*, Memory>& parent,
                             const Kokkos::View<const Level*, Memory>& level) {
  const std::int64_t wrong =
      detail::first_wrong_vertex<Memory>(space, static_cast<std::int64_t>(parent.extent(0)),
                                         detail::TreeLevelIsWrong<Vertex, Memory>{parent, level, root});
  if (wrong == detail::no_witness) return {};
  const std::int64_t p = detail::element(parent, wrong);
  const std::string who =
      "vertex " + std::to_string(wrong) + " is at level " + std::to_string(detail::element(level, wrong));
  if (p == no_vertex<Vertex>) return {false, who + " but has no parent"};
  if (wrong == root) return {false, who + ", but the root is at level 0"};
  return {false, who + " and its parent " + std::to_string(p) + " at level " +
                     std::to_string(detail::element(level, p)) + "; a tree edge joins levels that differ by one"};
}

namespace detail {

template <class Vertex, class Memory>
struct JoinsFarLevels {
  Kokkos::View<const Level*, Memory> level;
  KOKKOS_FUNCTION bool operator()(Vertex u, Vertex v) const {
    return level(u) >= 0 && level(v) >= 0 && level(v) > level(u) + 1;
  }
};

}  // namespace detail

/// Rule 3: no edge leads more than one level further. Edges that leave the reached vertices are rule 4's.
template <class Space, class Vertex, class Memory>
RuleResult check_edge_levels(const Space& space, const CsrView<Vertex, Memory>& graph,
                             const Kokkos::View<const Level*, Memory>& level) {
  const std::int64_t wrong = detail::first_wrong_arc(space, graph, detail::JoinsFarLevels<Vertex, Memory>{level});
  if (wrong == detail::no_witness) return {};
  std::int64_t u = 0, v = 0;
  const std::string arc = detail::describe_arc(graph, wrong, u, v);
  return {false, arc + " joins level " + std::to_string(detail::element(level, u)) + " to level " +
                     std::to_string(detail::element(level, v)) + "; an edge joins levels that differ by at most one"};
}

namespace detail {

template <class Vertex, class Memory>
struct LeadsOut {
  Kokkos::View<const Level*, Memory> level;
  KOKKOS_FUNCTION bool operator()(Vertex u, Vertex v) const { return level(u) >= 0 && level(v) < 0; }
};

}  // namespace detail

/// Rule 4: the root was reached, and no edge leads from a reached vertex to one that was not reached.
template <class Space, class Vertex, class Memory>
RuleResult check_spans_component(const Space& space, const CsrView<Vertex, Memory>& graph, Vertex root,
                                 const Kokkos::View<const Level*, Memory>& level) {
  if (detail::element(level, root) < 0) return {false, "the root " + std::to_string(root) + " was not reached"};
  const std::int64_t wrong = detail::first_wrong_arc(space, graph, detail::LeadsOut<Vertex, Memory>{level});
  if (wrong == detail::no_witness) return {};
  std::int64_t u = 0, v = 0;
  const std::string arc = detail::describe_arc(graph, wrong, u, v);
  return {false, arc + " leads from a reached vertex to one that was not reached"};
}

namespace detail {

template <class Vertex, class Memory>
struct MarkTreeEdge {
  Kokkos::View<const Vertex*, Memory> parent;
  Bitmap<Memory> found;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    if (parent(v) == u) found.set(v);
  }
};

template <class Vertex, class Memory>
struct HasNoTreeEdge {
  Kokkos::View<const Vertex*, Memory> parent;
  Bitmap<Memory> found;
  Vertex root;

  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    return v != root && parent(v) != no_vertex<Vertex> && !found.test(v);
  }
};

}  // namespace detail

/// Rule 5: every reached vertex but the root is the target of an edge from its parent. Requires rule 1.
template <class Space, class Vertex, class Memory>
RuleResult check_tree_edges_exist(const Space& space, const CsrView<Vertex, Memory>& graph, Vertex root,
                                  const Kokkos::View<const Vertex*, Memory>& parent) {
  const Bitmap<Memory> found(graph.num_vertices(), "dromos::validate::found");
  for_each_arc("dromos::validate::tree_edges", space, graph, detail::MarkTreeEdge<Vertex, Memory>{parent, found});
  const std::int64_t wrong = detail::first_wrong_vertex<Memory>(
      space, graph.num_vertices(), detail::HasNoTreeEdge<Vertex, Memory>{parent, found, root});
  if (wrong == detail::no_witness) return {};
  return {false, "there is no edge from " + std::to_string(detail::element(parent, wrong)) + ", the parent of vertex " +
                     std::to_string(wrong) + ", to it"};
}

namespace detail {

template <class Vertex, class Memory>
struct MarkSupported {
  Kokkos::View<const Level*, Memory> level;
  Bitmap<Memory> supported;
  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    if (level(u) >= 0 && level(v) == level(u) + 1) supported.set(v);
  }
};

template <class Vertex, class Memory>
struct IsUnsupported {
  Kokkos::View<const Level*, Memory> level;
  Bitmap<Memory> supported;
  Vertex root;

  KOKKOS_FUNCTION bool operator()(std::int64_t v) const {
    if (v == root) return level(v) != 0;
    return level(v) != no_level && (level(v) <= 0 || !supported.test(v));
  }
};

}  // namespace detail

/// For results without parents: exactly the root is at level 0, and every other reached vertex has an in-neighbor one
/// level above. With rules 3 and 4 this proves the levels right.
template <class Space, class Vertex, class Memory>
RuleResult check_levels_are_supported(const Space& space, const CsrView<Vertex, Memory>& graph, Vertex root,
                                      const Kokkos::View<const Level*, Memory>& level) {
  const Bitmap<Memory> supported(graph.num_vertices(), "dromos::validate::supported");
  for_each_arc("dromos::validate::support", space, graph, detail::MarkSupported<Vertex, Memory>{level, supported});
  const std::int64_t wrong = detail::first_wrong_vertex<Memory>(
      space, graph.num_vertices(), detail::IsUnsupported<Vertex, Memory>{level, supported, root});
  if (wrong == detail::no_witness) return {};
  const std::string who =
      "vertex " + std::to_string(wrong) + " is at level " + std::to_string(detail::element(level, wrong));
  if (wrong == root) return {false, who + ", but the root is at level 0"};
  return {false, who + ", but no neighbor is one level above it"};
}

/// The verdict on a search: valid, or the first rule that does not hold, with a witness.
struct BfsValidation {
  bool valid = true;
  std::string message;
};

/// Checks a result by all rules that apply to it.
///
/// \param space   execution space instance; its memory space holds everything
/// \param graph   the graph that was searched
/// \param root    where the search began
/// \param parent  num_vertices elements, or none: then only the levels are judged
/// \param level   num_vertices elements, or none: then the levels are those of the parents' tree
/// Cost: O(n log depth + m), and up to 16 bytes a vertex. Never throws for a wrong result, however wrong it is.
template <class Space, class Vertex, class Memory>
BfsValidation validate_bfs(const Space& space, const CsrGraph<Vertex, Memory>& graph, Vertex root,
                           const Kokkos::View<const Vertex*, Memory>& parent,
                           const Kokkos::View<const Level*, Memory>& level) {
  const ScopedRegion region("dromos::validate_bfs");
  const auto view = graph.view();
  const std::size_t n = static_cast<std::size_t>(graph.num_vertices());
  const auto failed = [](const char* rule, const RuleResult& result) {
    return BfsValidation{false, std::string(rule) + ": " + result.message};
  };
  if (root < 0 || static_cast<std::size_t>(root) >= n) return {false, "the root is not a vertex of the graph"};
  const bool with_parents = parent.extent(0) != 0;
  const bool with_levels = level.extent(0) != 0;
  if ((with_parents && parent.extent(0) != n) || (with_levels && level.extent(0) != n) ||
      (!with_parents && !with_levels)) {
    return {false, "the result has " + std::to_string(parent.extent(0)) + " parents and " +
                       std::to_string(level.extent(0)) + " levels for " + std::to_string(n) + " vertices"};
  }

  Kokkos::View<const Level*, Memory> judged = level;
  if (with_parents) {
    const Kokkos::View<Level*, Memory> depth(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::validate::level"),
                                             n);
    if (const auto rule = check_tree(space, root, parent, depth); !rule.holds) return failed("rule 1 (tree)", rule);
    if (!with_levels) judged = depth;
    if (const auto rule = check_tree_levels(space, root, parent, judged); !rule.holds) {
      return failed("rule 2 (levels of tree edges)", rule);
    }
  } else if (const auto rule = check_levels_are_supported(space, view, root, judged); !rule.holds) {
    return failed("rule 2 (levels of neighbors)", rule);
  }
  if (const auto rule = check_edge_levels(space, view, judged); !rule.holds) {
    return failed("rule 3 (levels of edges)", rule);
  }
  if (const auto rule = check_spans_component(space, view, root, judged); !rule.holds) {
    return failed("rule 4 (spans the component)", rule);
  }
  if (with_parents) {
    if (const auto rule = check_tree_edges_exist(space, view, root, parent); !rule.holds) {
      return failed("rule 5 (tree edges exist)", rule);
    }
  }
  return {};
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template BfsValidation validate_bfs(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int32_t, const Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template BfsValidation validate_bfs(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    std::int64_t, const Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
