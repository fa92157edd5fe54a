// SPDX-License-Identifier: BSD-3-Clause
// The strategies by name. A new one is a header with a tuning struct and a run_sweep() overload, and one entry here;
// every algorithm then has it.
#pragma once

#include <dromos/core/error.hpp>
#include <dromos/traverse/hierarchical.hpp>
#include <dromos/traverse/manhattan_global.hpp>
#include <dromos/traverse/manhattan_local.hpp>
#include <dromos/traverse/vertex_chunk.hpp>
#include <string>
#include <variant>
#include <vector>

namespace dromos {

/// Any way to deal out the edges of a work set, chosen at run time.
using Strategy = std::variant<VertexChunk, Hierarchical, ManhattanLocal, ManhattanGlobal>;

inline std::string strategy_name(const Strategy& strategy) {
  return std::visit([](const auto& s) { return std::string(s.name); }, strategy);
}

/// Every strategy with its defaults, in the order of the paper: B, H, ML, MG.
inline std::vector<Strategy> all_strategies() {
  return {VertexChunk{}, Hierarchical{}, ManhattanLocal{}, ManhattanGlobal{}};
}

/// The strategy of this name, with its defaults; throws ArgumentError that lists the names there are.
inline Strategy strategy_from_name(const std::string& name) {
  std::string names;
  for (const Strategy& strategy : all_strategies()) {
    if (strategy_name(strategy) == name) return strategy;
    names += (names.empty() ? "" : ", ") + strategy_name(strategy);
  }
  throw ArgumentError("no strategy is called '" + name + "'; there are " + names);
}

}  // namespace dromos
