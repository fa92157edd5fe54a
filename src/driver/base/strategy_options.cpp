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
  if (name == Best::name && colon == std::string::npos) {
    return {name_of_what_runs<Space>(Best{}), Best{}};  // results say what ran
  }
  std::vector<std::string> names{Best::name};
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

std::vector<std::string> names_of(const std::vector<NamedStrategy>& strategies) {
  std::vector<std::string> names;
  for (const NamedStrategy& strategy : strategies) names.push_back(strategy.name);
  return names;
}

void StrategyOptions::declare(ArgumentParser& parser) {
  const std::string group = "How edges are dealt out to threads";
  std::vector<std::string> names{Best::name};
  for (const Strategy& strategy : all_strategies()) names.push_back(strategy_name(strategy));
  names.push_back("all");
  parser
      .add_option(
          "--strategy", names_,
          "best (for the device, the default), vertex-chunk, hierarchical, manhattan-local, manhattan-global (or "
          "B, H, ML, MG), or all four; several: repeat, or separate by commas. Steps of manhattan-local: "
          "manhattan-local:M, :M+C, :M+C+S")
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
  if (result.empty()) add(parse_strategy(Best::name));

  if (team_size_) check_team_size(*team_size_);
  const auto tune = [&](const std::optional<std::int64_t>& value, const char* field, const char* option) {
    if (!value) return;
    bool used = false;
    for (NamedStrategy& named : result) {
      if (std::holds_alternative<Best>(named.strategy)) named.strategy = resolved_strategy<Space>(named.strategy);
      int* const slot = find_field<int>(named.strategy, field);
      if (slot != nullptr) *slot = static_cast<int>(*value);
      used |= slot != nullptr;
    }
    if (!used) throw ArgumentError(fmt::format("{}: none of the chosen strategies has it", option));
  };
  tune(team_size_, "team size", "--team-size");
  tune(warp_size_, "warp size", "--warp-size");
  tune(vertices_per_team_, "vertices per team", "--vertices-per-team");
  tune(edges_per_team_, "edges per team", "--edges-per-team");
  tune(queue_size_, "queue size", "--queue-size");
  return result;
}

}  // namespace dromos::driver
