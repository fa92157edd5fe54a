// SPDX-License-Identifier: BSD-3-Clause
// Are these the shortest paths of a distributed graph? The rules that Graph500 has for kernel 3, judged against the
// input edges and their weights, a slice on each rank, as those for kernel 2 are
// (distributed/judging/validate_slices.hpp):
//
//   1  tree: the root is its own parent at distance 0, every other reached vertex has another reached one, and all
//   parents
//      lead to the root; no distance is negative or not a number, and those without a parent have none
//   2  tree edges have the length that their ends' distances say: d(v) = d(parent) + w
//   3  no edge offers its end a shorter distance than it has; of an undirected edge that is |d(u) - d(v)| <= w
//   4  the tree spans all that the root reaches
//   5  tree edges are edges of the list
//
// By 1, 2 and 5 every distance is the length of a path from the root, and by 3 and 4 there is no shorter one. Sums are
// in single precision, from the root on, as those that are judged: so that comparisons are exact.
//
// A parent that is nearer to the root than its child cannot be part of a cycle; only where some parent is not is the
// tree walked. Memory: the result on each rank, 8 or 12 bytes a vertex, and two bits a vertex.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/path_weights.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <string>

namespace dromos {

namespace detail {

template <class Vertex, class Memory>
struct JudgeReach {
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<const float*, Memory> distance;
  Vertex root;
  std::int64_t n;
  Witness<Memory> wrong, level;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex p = parent(v);
    const float d = distance(v);
    bool right;
    if (v == root) {
      right = p == root && d == 0;
    } else if (p == no_vertex<Vertex>) {
      right = d == no_distance<float>;
    } else {
      right = p >= 0 && p < n && p != v && d >= 0 && d < no_distance<float> && distance(p) >= 0 &&
              distance(p) < no_distance<float>;
      if (right && !(distance(p) < d)) level.report(v);
    }
    if (!right) wrong.report(v);
  }
};

/// Vertices of [first, last) that break rule 1 by themselves, and such whose parents are no nearer to the root.
template <class Space, class Vertex, class Memory>
std::int64_t first_wrong_reach(const Space& space, std::int64_t first, std::int64_t last, Vertex root,
                               const Kokkos::View<const Vertex*, Memory>& parent,
                               const Kokkos::View<const float*, Memory>& distance, bool& may_have_cycles) {
  const Witness<Memory> wrong, level;
  for_range(
      "dromos::validate_slices::reaches", space, {first, last},
      JudgeReach<Vertex, Memory>{parent, distance, root, static_cast<std::int64_t>(parent.extent(0)), wrong, level});
  may_have_cycles = level.get(space) != no_witness;
  return wrong.get(space);
}

template <class Vertex, class Memory>
struct JudgeWeightedEdge {
  EdgeList<Vertex, Memory> edges;
  bool directed;
  Kokkos::View<const Vertex*, Memory> parent;
  Kokkos::View<const float*, Memory> distance;
  Bitmap<Memory> found, realised;
  Witness<Memory> shorter, leads_out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& reached) const {
    const auto arc = [&](Vertex u, Vertex v) {
      const float offered = distance(u) + edges.weight(i);
      if (offered < distance(v)) (distance(v) < no_distance<float> ? shorter : leads_out).report(i);
      if (u == v || parent(v) != u) return;
      found.set(v);
      if (offered == distance(v)) realised.set(v);
    };
    arc(edges.source(i), edges.target(i));
    if (!directed) arc(edges.target(i), edges.source(i));
    reached += distance(edges.source(i)) < no_distance<float>;
  }
};

/// Which edges break rules 3 and 4, how many start in a reached vertex, and, in the bitmaps, whose parents the edges
/// are and of which of those they have the right length.
template <class Space, class Vertex, class Memory>
EdgeVerdict check_weighted_edges(const Space& space, const EdgeList<Vertex, Memory>& edges, bool directed,
                                 const Kokkos::View<const Vertex*, Memory>& parent,
                                 const Kokkos::View<const float*, Memory>& distance, const Bitmap<Memory>& found,
                                 const Bitmap<Memory>& realised) {
  const Witness<Memory> shorter, leads_out;
  EdgeVerdict verdict;
  reduce_range(
      "dromos::validate_slices::weighted_edges", space, edges.num_edges(),
      JudgeWeightedEdge<Vertex, Memory>{edges, directed, parent, distance, found, realised, shorter, leads_out},
      verdict.edges_reached);
  verdict.too_far = shorter.get(space);
  verdict.leads_out = leads_out.get(space);
  return verdict;
}

/// One distance, in words.
template <class Memory>
std::string distance_text(const Kokkos::View<const float*, Memory>& view, std::int64_t i) {
  return std::to_string(
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(view, Kokkos::make_pair(i, i + 1)))(0));
}

/// "edge (u, v) of weight w joins distances a and b".
template <class Vertex, class Memory>
std::string describe_weighted_edge(const EdgeList<Vertex, Memory>& edges, std::int64_t i,
                                   const Kokkos::View<const float*, Memory>& distance) {
  const std::int64_t u = element(Kokkos::View<const Vertex*, Memory>(edges.source), i);
  const std::int64_t v = element(Kokkos::View<const Vertex*, Memory>(edges.target), i);
  return "edge (" + std::to_string(u) + ", " + std::to_string(v) + ") of weight " +
         distance_text(Kokkos::View<const float*, Memory>(edges.weight), i) + " joins distances " +
         distance_text(distance, u) + " and " + distance_text(distance, v);
}

}  // namespace detail

/// Checks a result by all five rules. Collective; the verdict is the same on every rank. Never throws for a wrong
/// result, however wrong it is.
///
/// \param edges     this rank's slice of the input edges, with weights and ends in [0, num_vertices)
/// \param directed  edges are followed forwards only
/// \param parent    num_vertices elements, the same on every rank; no_vertex where not reached
/// \param distance  num_vertices elements, likewise; no_distance<float> where not reached
/// Cost: O((n + m) / p) and the OR of two bitmaps of n bits; O(n log depth) more for wrong results, and where edges are
/// so short that they leave no trace in a distance.
template <class Space, class Vertex, class Memory>
SliceValidation validate_slice_distances(const Communicator& communicator, const Space& space,
                                         const EdgeList<Vertex, Memory>& edges, bool directed, Vertex root,
                                         const Kokkos::View<const Vertex*, Memory>& parent,
                                         const Kokkos::View<const float*, Memory>& distance) {
  const ScopedRegion region("dromos::validate_slice_distances");
  const std::int64_t n = edges.num_vertices;
  if (root < 0 || root >= n || parent.extent(0) != static_cast<std::size_t>(n) ||
      distance.extent(0) != static_cast<std::size_t>(n)) {
    return {false,
            "a result of " + std::to_string(parent.extent(0)) + " parents and " + std::to_string(distance.extent(0)) +
                " distances from root " + std::to_string(root) + " is none of a graph of " + std::to_string(n) +
                " vertices",
            0};
  }
  const auto failed = [](int rule, const std::string& message) {
    constexpr const char* names[] = {"",
                                     "rule 1 (tree): ",
                                     "rule 2 (lengths of tree edges): ",
                                     "rule 3 (lengths of edges): ",
                                     "rule 4 (spans the component): ",
                                     "rule 5 (tree edges exist): "};
    return SliceValidation{false, names[rule] + message, 0};
  };
  const auto [first, last] = slice_of(n, communicator.rank(), communicator.size());

  bool may_have_cycles = false;
  const std::int64_t wrong = detail::first_wrong_reach(space, first, last, root, parent, distance, may_have_cycles);
  detail::BrokenRule broken;
  if (wrong != detail::no_witness) {
    broken = {1,
              "vertex " + std::to_string(wrong) + " has distance " + detail::distance_text(distance, wrong) +
                  " and parent " + std::to_string(detail::element(parent, wrong)) +
                  (wrong == root ? "; the root is its own parent, at distance 0"
                                 : "; a reached vertex has another reached one as parent, and a distance that is not "
                                   "negative, and any other has neither")};
  }
  broken = detail::first_broken_rule(communicator, broken);
  if (broken.rule != 0) return failed(broken.rule, broken.message);
  if (max<std::int32_t>(communicator, may_have_cycles ? 1 : 0) != 0) {
    // Every rank has the whole tree, and comes to the same verdict.
    const Kokkos::View<Level*, Memory> depth(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::validate_slices::depth"), n);
    if (const auto rule = check_tree(space, root, parent, depth); !rule.holds) return failed(1, rule.message);
  }

  const Bitmap<Memory> found(n, "dromos::validate_slices::found");
  const Bitmap<Memory> realised(n, "dromos::validate_slices::realised");
  const detail::EdgeVerdict verdict =
      detail::check_weighted_edges(space, edges, directed, parent, distance, found, realised);
  bitwise_or(communicator, space, found.words());
  bitwise_or(communicator, space, realised.words());
  const std::int64_t without_edge = detail::first_without_edge(space, first, last, root, parent, found);
  const std::int64_t unrealised = detail::first_without_edge(space, first, last, root, parent, realised);

  // The edge that a tree edge ought to be may be missing, or be of another length.
  const auto tree_edge = [&](std::int64_t v) {
    return std::to_string(detail::element(parent, v)) + ", the parent of vertex " + std::to_string(v) +
           ", at distance " + detail::distance_text(distance, detail::element(parent, v));
  };
  if (without_edge != detail::no_witness) {
    broken = {5, "there is no edge from " + tree_edge(without_edge) + ", to it"};
  } else if (unrealised != detail::no_witness) {
    broken = {2, "no edge from " + tree_edge(unrealised) + ", makes up for the distance " +
                     detail::distance_text(distance, unrealised) + " of that vertex"};
  } else if (verdict.too_far != detail::no_witness) {
    broken = {3, detail::describe_weighted_edge(edges, verdict.too_far, distance) + ", which differ by more"};
  } else if (verdict.leads_out != detail::no_witness) {
    broken = {4, detail::describe_weighted_edge(edges, verdict.leads_out, distance) +
                     ", a reached vertex and one that was not reached"};
  }
  broken = detail::first_broken_rule(communicator, broken);
  if (broken.rule != 0) return failed(broken.rule, broken.message);
  return {true, "", sum<std::int64_t>(communicator, verdict.edges_reached)};
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template SliceValidation validate_slice_distances(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, bool, std::int32_t,
    const Kokkos::View<const std::int32_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const float*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template SliceValidation validate_slice_distances(
    const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const EdgeList<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, bool, std::int64_t,
    const Kokkos::View<const std::int64_t*, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<const float*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
