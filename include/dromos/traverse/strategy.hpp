// SPDX-License-Identifier: BSD-3-Clause
// The strategies by name, and the one place that chooses among them. A new one is a header with a tuning struct and a
// run_sweep() overload, and one entry here; every algorithm then has it.
//
// Who does not ask for a strategy gets Best, which stands for VertexChunk on CPUs. On GPUs it stands for
// ManhattanLocal, and where a gather goes over all vertices of a graph for ManhattanGlobal: the row map is then the
// prefix sums that it wants, and the edges of a hub are many teams'.
#pragma once

#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/hierarchical.hpp>
#include <dromos/traverse/manhattan_global.hpp>
#include <dromos/traverse/manhattan_local.hpp>
#include <dromos/traverse/vertex_chunk.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace dromos {

/// The strategy that suits the execution space; the default of every algorithm.
struct Best {
  static constexpr const char* name = "best";

  template <class Show>
  void fields(const Show&) {}
};

/// Any way to deal out the edges of a work set, chosen at run time.
using Strategy = std::variant<Best, VertexChunk, Hierarchical, ManhattanLocal, ManhattanGlobal>;

/// Calls use(strategy) with the strategy struct that is to run, which is never Best.
///
/// \tparam Space  execution space of the sweep
template <class Space, class Use>
void use_strategy(const Strategy& strategy, const Use& use) {
  using BestHere = std::conditional_t<is_gpu<Space>, ManhattanLocal, VertexChunk>;
  const Strategy to_run = std::holds_alternative<Best>(strategy) ? Strategy(BestHere()) : strategy;
  std::visit(
      [&](const auto& chosen) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(chosen)>, Best>) use(chosen);
      },
      to_run);
}

namespace detail {

template <class Graph, class = void>
struct HasRowMap : std::false_type {};
template <class Graph>
struct HasRowMap<Graph, std::void_t<decltype(&Graph::row_map)>> : std::true_type {};

}  // namespace detail

/// The same for a gather over all vertices of a graph.
template <class Space, class Graph, class Use>
void use_strategy_to_gather_all(const Strategy& strategy, const Use& use) {
  if constexpr (is_gpu<Space> && detail::HasRowMap<Graph>::value) {
    if (std::holds_alternative<Best>(strategy)) return use(ManhattanGlobal{0, 8192});
  }
  use_strategy<Space>(strategy, use);
}

/// What a sweep runs in this execution space: `strategy` itself, unless it is Best.
template <class Space>
Strategy resolved_strategy(const Strategy& strategy) {
  Strategy resolved;
  use_strategy<Space>(strategy, [&](const auto& chosen) { resolved = chosen; });
  return resolved;
}

/// The name of what runs, for results: of Best both that it may stand for.
template <class Space>
std::string name_of_what_runs(const Strategy& strategy) {
  if (is_gpu<Space> && std::holds_alternative<Best>(strategy)) return "manhattan-local+global";
  return std::visit([](const auto& s) { return std::string(s.name); }, resolved_strategy<Space>(strategy));
}

/// Do sweeps of this strategy want prefix sums of degrees with the work set?
template <class Space>
bool wants_prefix_sums(const Strategy& strategy) {
  bool wanted = false;
  use_strategy<Space>(strategy, [&](const auto& chosen) { wanted = chosen.needs_prefix_sums; });
  return wanted;
}

/// The field of that name ("team size") and type, int or bool; null where the strategy has none.
template <class T>
T* find_field(Strategy& strategy, const std::string& name) {
  T* found = nullptr;
  const auto look = [&](const char* field_name, auto& field) {
    if constexpr (std::is_same_v<decltype(field), T&>) {
      if (name == field_name) found = &field;
    }
  };
  std::visit([&](auto& s) { s.fields(look); }, strategy);
  return found;
}

inline std::string strategy_name(const Strategy& strategy) {
  return std::visit([](const auto& s) { return std::string(s.name); }, strategy);
}

/// Every strategy with its defaults, in the order of the paper: B, H, ML, MG.
inline std::vector<Strategy> all_strategies() {
  return {VertexChunk{}, Hierarchical{}, ManhattanLocal{}, ManhattanGlobal{}};
}

/// The strategy of this name, with its defaults; throws ArgumentError that lists the names there are.
inline Strategy strategy_from_name(const std::string& name) {
  std::string names = Best::name;
  if (name == Best::name) return Best{};
  for (const Strategy& strategy : all_strategies()) {
    if (strategy_name(strategy) == name) return strategy;
    names += ", " + strategy_name(strategy);
  }
  throw ArgumentError("no strategy is called '" + name + "'; there are " + names);
}

}  // namespace dromos
