// SPDX-License-Identifier: BSD-3-Clause
// Are these the PageRanks? Two rules, one function each:
//
//   1  ranks are not negative and add up to 1
//   2  one more iteration changes them, all changes added up, by no more than the tolerance
//
// An iteration brings any ranks nearer to the true ones by the factor d, the damping: by rule 2 the ranks are within
// tolerance / (1 - d) of them. The iteration of rule 2 pushes along the out-edges, with an atomic an edge, and shares
// no code with what it checks.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/for_each_arc.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>

namespace dromos {

namespace detail {

/// What rounding may change in a sum of ranks.
inline constexpr double rank_rounding = 1e-10;

inline std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

/// Is there a rank for every vertex, and a probability where walks start somewhere?
inline RuleResult ranks_fit(std::int64_t num_vertices, std::size_t num_ranks, std::size_t num_starts) {
  const auto n = static_cast<std::size_t>(num_vertices);
  if (num_ranks == n && (num_starts == n || num_starts == 0)) return {};
  const std::string starts =
      num_starts == 0 ? "" : " and " + std::to_string(num_starts) + " probabilities where walks start";
  return {false, "there are " + std::to_string(num_ranks) + " ranks" + starts + " for " + std::to_string(num_vertices) +
                     " vertices"};
}

template <class Memory>
struct IsNoRank {
  Kokkos::View<const double*, Memory> rank;
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return !(rank(v) >= 0 && rank(v) <= 2); }
};

template <class Memory>
struct SumRanks {
  Kokkos::View<const double*, Memory> rank;
  KOKKOS_FUNCTION void operator()(std::int64_t v, double& s) const { s += rank(v); }
};

}  // namespace detail

/// Rule 1. `rank` is in the memory space of `space`.
template <class Space, class Memory>
RuleResult ranks_add_up_to_one(const Space& space, const Kokkos::View<const double*, Memory>& rank) {
  const std::int64_t n = static_cast<std::int64_t>(rank.extent(0));
  const std::int64_t bad = detail::first_wrong_vertex<Memory>(space, n, detail::IsNoRank<Memory>{rank});
  if (bad != detail::no_witness) return {false, "the rank of vertex " + std::to_string(bad) + " is not from 0 to 1"};
  double sum = 0;
  reduce_range("dromos::validate::rank_sum", space, n, detail::SumRanks<Memory>{rank}, sum);
  if (n == 0 || std::abs(sum - 1) <= detail::rank_rounding) return {};
  return {false, "the ranks add up to 1 + " + detail::scientific(sum - 1) + " instead of 1"};
}

namespace detail {

template <class Vertex, class Memory>
struct SumDangling {
  CsrView<Vertex, Memory> view;
  Kokkos::View<const double*, Memory> rank;
  KOKKOS_FUNCTION void operator()(std::int64_t v, double& s) const {
    if (view.degree(static_cast<Vertex>(v)) == 0) s += rank(v);
  }
};

template <class Vertex, class Memory>
struct PushRank {
  CsrView<Vertex, Memory> view;
  Kokkos::View<const double*, Memory> rank;
  Kokkos::View<double*, Memory> next;

  KOKKOS_FUNCTION void operator()(Vertex u, Vertex v, Offset) const {
    Kokkos::atomic_fetch_add(&next(v), rank(u) / static_cast<double>(view.degree(u)));
  }
};

template <class Memory>
struct SumChanges {
  Kokkos::View<const double*, Memory> rank;
  Kokkos::View<const double*, Memory> next;
  Kokkos::View<const double*, Memory> start;
  double damping;
  double anywhere;
  double base;
  bool personalized;

  KOKKOS_FUNCTION void operator()(std::int64_t v, double& s) const {
    const double from_anywhere = personalized ? anywhere * start(v) : base;
    const double difference = from_anywhere + damping * next(v) - rank(v);
    s += difference < 0 ? -difference : difference;
  }
};

}  // namespace detail

/// Rule 2. `rank` has num_vertices elements, in the memory of the graph.
template <class Space, class Vertex, class Memory>
RuleResult ranks_stand_still(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                             const Kokkos::View<const double*, Memory>& rank, double damping, double tolerance,
                             const Kokkos::View<const double*, Memory>& start = {}) {
  const std::int64_t n = graph.num_vertices();
  if (n == 0) return {};
  const auto view = graph.view();
  double dangling = 0;
  reduce_range("dromos::validate::dangling", space, n, detail::SumDangling<Vertex, Memory>{view, rank}, dangling);
  const Kokkos::View<double*, Memory> next("dromos::validate::next_rank", rank.extent(0));
  for_each_arc("dromos::validate::push_ranks", space, view, detail::PushRank<Vertex, Memory>{view, rank, next});
  const double anywhere = 1 - damping + damping * dangling;
  const bool personalized = start.extent(0) > 0;
  const double base = personalized ? 0 : anywhere / static_cast<double>(n);
  double change = 0;
  reduce_range("dromos::validate::rank_change", space, n,
               detail::SumChanges<Memory>{rank, next, start, damping, anywhere, base, personalized}, change);
  if (change <= tolerance + detail::rank_rounding) return {};
  return {false, "one more iteration changes the ranks by " + detail::scientific(change) + ", which is more than " +
                     detail::scientific(tolerance)};
}

/// Both rules; the first that does not hold speaks.
///
/// \param graph      directed or undirected
/// \param rank       ranks to judge: num_vertices elements, in the memory of the graph
/// \param damping    that of the iterations
/// \param tolerance  what they were to converge to, or the change of the last one where they did not converge
/// \param start      of personalized ranks: as PageRankScratch::start; otherwise empty
/// Cost: about that of two iterations.
template <class Space, class Vertex, class Memory>
RuleResult validate_pagerank(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                             const Kokkos::View<double*, Memory>& rank, double damping, double tolerance,
                             const Kokkos::View<const double*, Memory>& start = {}) {
  const RuleResult sizes = detail::ranks_fit(graph.num_vertices(), rank.extent(0), start.extent(0));
  if (!sizes.holds) return sizes;
  const Kokkos::View<const double*, Memory> ranks = rank;
  const RuleResult result = ranks_add_up_to_one(space, ranks);
  return result.holds ? ranks_stand_still(space, graph, ranks, damping, tolerance, start) : result;
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RuleResult validate_pagerank(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, double, double,
    const Kokkos::View<const double*, Kokkos::DefaultExecutionSpace::memory_space>&);
extern template RuleResult validate_pagerank(
    const Kokkos::DefaultExecutionSpace&, const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    const Kokkos::View<double*, Kokkos::DefaultExecutionSpace::memory_space>&, double, double,
    const Kokkos::View<const double*, Kokkos::DefaultExecutionSpace::memory_space>&);

}  // namespace dromos
