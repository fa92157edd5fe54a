// SPDX-License-Identifier: BSD-3-Clause
// --strategy and the tuning of strategies, for every subcommand that runs on the loop nest.
#pragma once

#include <cstdint>
#include <dromos/traverse/strategy.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// A strategy and what it is called in results: "manhattan-local", or "manhattan-local:M+C" for a step of it.
struct NamedStrategy {
  std::string name;
  Strategy strategy;
};

std::vector<std::string> names_of(const std::vector<NamedStrategy>& strategies);

struct StrategyOptions {
  void declare(ArgumentParser& parser);

  /// What was asked for, in that order, each once; the best strategy of this backend where nothing was. Throws
  /// ArgumentError for a name that does not exist and for tuning that no strategy has or that does not fit the device.
  std::vector<NamedStrategy> resolve() const;

 private:
  std::vector<std::string> names_;
  std::optional<std::int64_t> team_size_;
  std::optional<std::int64_t> warp_size_;
  std::optional<std::int64_t> vertices_per_team_;
  std::optional<std::int64_t> edges_per_team_;
  std::optional<std::int64_t> queue_size_;
};

}  // namespace dromos::driver
