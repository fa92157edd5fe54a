// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/strategy_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/nearest_name.hpp>

#include "driver/base/option_values.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// The paper's letters.
struct ShortName {
  const char* letters;
  const char* name;
};
constexpr ShortName short_names[] = {
    {"B", VertexChunk::name}, {"H", Hierarchical::name}, {"ML", ManhattanLocal::name}, {"MG", ManhattanGlobal::name}};

std::string full_name(const std::string& name) {
  for (const ShortName& entry : short_names) {
    if (name == entry.letters) return entry.name;
  }
  return name;
}

NamedStrategy parse_strategy(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = full_name(text.substr(0, colon));
  std::vector<std::string> names;
  for (const Strategy& strategy : all_strategies()) names.push_back(strategy_name(strategy));
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw ArgumentError(
        fmt::format("no strategy is called '{}'{}; B, H, ML, MG for short, or all", name, choice_hint(name, names)));
  }
  NamedStrategy result{name, strategy_from_name(name)};
  if (colon == std::string::npos) return result;
  const std::string steps = text.substr(colon + 1);
  auto* const local = std::get_if<ManhattanLocal>(&result.strategy);
  if (local == nullptr) {
    throw ArgumentError(fmt::format("strategy '{}': only {} has steps", text, ManhattanLocal::name));
  }
  local->coalesced = steps != "M";
  local->team_scan = steps == "M+C+S" || steps == "M+C+S+L";
  local->local_queue = steps == "M+C+S+L";
  if (local->coalesced && !local->team_scan && steps != "M+C") {
    throw ArgumentError(fmt::format("strategy '{}': the steps of {} are M, M+C, M+C+S and M+C+S+L, found '{}'", text,
                                    ManhattanLocal::name, steps));
  }
  result.name += ":" + steps;
  return result;
}

// set_...(strategy, value, 0): sets the field where the strategy has it, and says whether it does.
template <class S>
auto set_warp_size(S& s, int value, int) -> decltype(s.warp_size, true) {
  s.warp_size = value;
  return true;
}
template <class S>
bool set_warp_size(S&, int, long) {
  return false;
}
template <class S>
auto set_vertices_per_team(S& s, int value, int) -> decltype(s.vertices_per_team, true) {
  s.vertices_per_team = value;
  return true;
}
template <class S>
bool set_vertices_per_team(S&, int, long) {
  return false;
}
template <class S>
auto set_edges_per_team(S& s, int value, int) -> decltype(s.edges_per_team, true) {
  s.edges_per_team = value;
  return true;
}
template <class S>
bool set_edges_per_team(S&, int, long) {
  return false;
}

struct EmptyKernel {
  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<Space>::member_type&) const {}
};

void check_team_size(std::int64_t team_size) {
  const int most = is_gpu<Space>
                       ? max_gpu_team_size
                       : Kokkos::TeamPolicy<Space>(1, 1).team_size_max(EmptyKernel{}, Kokkos::ParallelForTag());
  if (team_size > most) {
    throw ArgumentError(
        fmt::format("--team-size: {} has teams of up to {} threads here, found {}", Space::name(), most, team_size));
  }
}

}  // namespace

void StrategyOptions::declare(ArgumentParser& parser) {
  const std::string group = "How edges are dealt out to threads";
  std::vector<std::string> names;
  for (const Strategy& strategy : all_strategies()) names.push_back(strategy_name(strategy));
  names.push_back("all");
  parser
      .add_option("--strategy", names_,
                  "vertex-chunk, hierarchical, manhattan-local, manhattan-global (or B, H, ML, MG), or all; several: "
                  "repeat, or separate by commas. Steps of manhattan-local: manhattan-local:M, :M+C, :M+C+S. Default: "
                  "the best for the device")
      .value_name("NAME")
      .comma_list()
      .suggest(names)
      .group(group);
  add_integer(parser, "--team-size", team_size_, "Threads a team", 1, 1024).group(group);
  add_integer(parser, "--warp-size", warp_size_, "Threads that share a vertex of middling degree (hierarchical)", 1,
              1024)
      .group(group);
  add_integer(parser, "--vertices-per-team", vertices_per_team_, "Vertices a team takes (all but manhattan-global)", 1,
              1 << 16)
      .group(group);
  add_integer(parser, "--edges-per-team", edges_per_team_, "Edges a team takes (manhattan-global)", 1, 1 << 18)
      .group(group);
  add_integer(parser, "--queue-size", queue_size_, "Slots of a thread's queue of found vertices", 1, 1 << 14)
      .group(group);
}

std::vector<NamedStrategy> StrategyOptions::resolve() const {
  std::vector<NamedStrategy> result;
  const auto add = [&](NamedStrategy strategy) {
    const auto same = [&](const NamedStrategy& other) { return other.name == strategy.name; };
    if (std::none_of(result.begin(), result.end(), same)) result.push_back(std::move(strategy));
  };
  for (const std::string& name : names_) {
    if (name == "all") {
      for (const Strategy& strategy : all_strategies()) add({strategy_name(strategy), strategy});
    } else {
      add(parse_strategy(name));
    }
  }
  if (result.empty()) add(parse_strategy(is_gpu<Space> ? ManhattanLocal::name : VertexChunk::name));

  if (team_size_) check_team_size(*team_size_);
  bool warp = false, vertices = false, edges = false;
  for (NamedStrategy& named : result) {
    std::visit(
        [&](auto& strategy) {
          if (team_size_) strategy.team_size = static_cast<int>(*team_size_);
          if (queue_size_) strategy.queue_size = static_cast<int>(*queue_size_);
          if (warp_size_) warp |= set_warp_size(strategy, static_cast<int>(*warp_size_), 0);
          if (vertices_per_team_) vertices |= set_vertices_per_team(strategy, static_cast<int>(*vertices_per_team_), 0);
          if (edges_per_team_) edges |= set_edges_per_team(strategy, static_cast<int>(*edges_per_team_), 0);
        },
        named.strategy);
  }
  const auto check_used = [](bool given, bool used, const char* option) {
    if (given && !used) throw ArgumentError(fmt::format("{}: none of the chosen strategies has it", option));
  };
  check_used(warp_size_.has_value(), warp, "--warp-size");
  check_used(vertices_per_team_.has_value(), vertices, "--vertices-per-team");
  check_used(edges_per_team_.has_value(), edges, "--edges-per-team");
  return result;
}

}  // namespace dromos::driver
