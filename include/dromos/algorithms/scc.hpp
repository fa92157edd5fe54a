// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components: the largest sets of vertices of which each reaches each.
//
//   SccScratch scratch(graph, transpose(space, graph));
//   SccResult<Vertex, Memory> result;
//   SccStatistics statistics = scc(space, scratch, result);       // result.component(v): the smallest vertex of v's
//
// A graph is a CsrGraph or any graph view (graph/graph_view.hpp), and its transpose another, of whatever type: of views
// SccScratch(view, reversed_view) is to be made of both.
//
// The methods are those of scc_multistep.hpp, which is the default and the one that is never slow, and each of its
// parts alone: forward-backward and coloring after complete trimming, and the serial algorithm.
#pragma once

#include <dromos/algorithms/component_summary.hpp>
#include <dromos/algorithms/scc_multistep.hpp>
#include <dromos/core/error.hpp>
#include <string>
#include <vector>

namespace dromos {

enum class SccMethod { multistep, forward_backward, coloring, serial };

inline std::vector<SccMethod> all_scc_methods() {
  return {SccMethod::multistep, SccMethod::forward_backward, SccMethod::coloring, SccMethod::serial};
}

inline std::string scc_method_name(SccMethod method) {
  switch (method) {
    case SccMethod::multistep:
      return "multistep";
    case SccMethod::forward_backward:
      return "forward-backward";
    case SccMethod::coloring:
      return "coloring";
    case SccMethod::serial:
      return "serial";
  }
  return "";
}

/// The method of this name; throws ArgumentError that lists the names there are.
inline SccMethod scc_method_from_name(const std::string& name) {
  std::string names;
  for (const SccMethod method : all_scc_methods()) {
    if (scc_method_name(method) == name) return method;
    names += (names.empty() ? "" : ", ") + scc_method_name(method);
  }
  throw ArgumentError("no method for strongly connected components is called '" + name + "'; there are " + names);
}

struct SccOptions {
  SccMethod method = SccMethod::multistep;
  /// How edges are dealt out to threads.
  Strategy strategy = Best{};
  /// Where one step of Multistep gives way to the next.
  MultistepOptions multistep;
  /// Of the methods forward-backward and coloring: what their steps may cost, as a part of the price of the serial
  /// algorithm, before it finishes what is left; a millisecond is always allowed. Infinity: they finish by themselves,
  /// as published, however deep the graph. More than 2 would be more than three times the serial time. Parts of a
  /// distributed graph have no such limit.
  double waste_limit = 1.5;
};

/// Reused from call to call.
template <class Vertex, class Memory>
struct SccResult {
  /// By vertex: the smallest vertex of its component.
  Kokkos::View<Vertex*, Memory> component;
};

struct SccStatistics {
  double seconds = 0;
  std::vector<SccStep> steps;
  ComponentSummary components;  ///< counted after the clock has stopped
};

/// Finds all strongly connected components.
///
/// \param space    execution space instance; its memory space holds graph, scratch and result
/// \param scratch  of the graph to decompose, directed or undirected, a CsrGraph or any graph view; reused from call to
///                 call
/// \param result   out: resized on first use, then reused
/// \param options  method, strategy, cut-over points
/// \param halo     where the graph is a part of a distributed one: that of the part (distributed/parts/halo.hpp)
/// \returns times, what each step settled, and the number and sizes of the components
/// \throws ArgumentError for the method forward-backward on a part of a distributed graph, and for a waste limit below
/// 0
///
/// Cost: on a whole graph at most 1 + waste limit times that of the serial algorithm, as prices go
/// (algorithms/impl/work_budget.hpp); see decompose_by_multistep(), decompose_by_forward_backward(),
/// settle_by_coloring() and settle_serially().
template <class Space, class Vertex, class Memory, class Label, class Graph, class InEdges, class AnyHalo = NoHalo>
SccStatistics scc(const Space& space, SccScratch<Vertex, Memory, Label, Graph, InEdges>& scratch,
                  SccResult<Label, Memory>& result, const SccOptions& options = {}, const AnyHalo& halo = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::scc");
  halo.agree([&] {
    if (!(options.waste_limit >= 0)) {
      throw ArgumentError("scc: expected a waste limit of 0 or more, found " + std::to_string(options.waste_limit));
    }
    if (AnyHalo::is_whole || options.method != SccMethod::forward_backward) return;
    throw ArgumentError(
        "scc: the method forward-backward is for graphs that are whole, and this one is distributed; there are "
        "multistep (which begins with one search forward and one backward), coloring and serial");
  });
  detail::ensure_size(result.component, static_cast<std::size_t>(scratch.num_vertices()), "dromos::scc::component");
  fence(space, "dromos::scc::start");

  const Kokkos::Timer timer;
  SccStatistics statistics;
  const auto component = result.component;
  const Strategy& strategy = options.strategy;
  if (options.method == SccMethod::multistep) {
    statistics.steps = decompose_by_multistep(space, scratch, component, strategy, options.multistep, halo);
  } else {
    const std::int64_t num_trimmed = trim_simple(space, scratch, component, halo).num_trimmed;
    statistics.steps.push_back({"trim-simple", num_trimmed, 0, timer.seconds()});
    if (options.method != SccMethod::serial) {
      // On several ranks there may be no memory for the whole graph on one: that is for Multistep to ask for.
      const double serial_price = work_prices(space).serial(scratch.num_active, scratch.graph.num_edges());
      WorkBudget budget =
          AnyHalo::is_whole
              ? WorkBudget(dromos::max(detail::sweeps_not_worth_giving_up, options.waste_limit * serial_price))
              : WorkBudget();
      statistics.steps.push_back(trim_complete(space, scratch, strategy, budget, halo));
      if (options.method == SccMethod::coloring) {
        statistics.steps.push_back(settle_by_coloring(space, scratch, component, 0, strategy, budget, halo));
      } else if constexpr (AnyHalo::is_whole) {
        statistics.steps.push_back(decompose_by_forward_backward(space, scratch, component, strategy, budget));
      }
    }
    if (options.method == SccMethod::serial || scratch.num_active > 0) {
      statistics.steps.push_back(settle_serially(space, scratch, component, strategy, halo));
    }
  }
  statistics.seconds = timer.seconds();
  if constexpr (AnyHalo::is_whole) {
    statistics.components = summarize_components(space, component);
  } else {
    statistics.components = halo.summarize_components(space, component);
  }
  return statistics;
}

// Compiled once, in src/algorithms/scc.cpp.
extern template SccStatistics scc(const Kokkos::DefaultExecutionSpace&,
                                  SccScratch<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  SccResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const SccOptions&, const NoHalo&);
extern template SccStatistics scc(const Kokkos::DefaultExecutionSpace&,
                                  SccScratch<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  SccResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const SccOptions&, const NoHalo&);

}  // namespace dromos
