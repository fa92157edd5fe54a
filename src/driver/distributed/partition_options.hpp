// SPDX-License-Identifier: BSD-3-Clause
// How distributed searches lay a graph out over the ranks, where they let one choose. Usable without MPI, where nobody
// asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos {
struct DistributedOptions;
}

namespace dromos::driver {

/// Rows and columns of a grid of ranks; 0: as many as the ranks fill, so that it is nearest to a square.
struct GridShape {
  int rows = 0;
  int columns = 0;
};
/// "2x3", as --grid has it; of no text, as the ranks fill it. Throws ArgumentError for a grid that is none.
GridShape parse_grid(const std::string& text);

/// How searches distribute a graph that let one choose.
struct PartitionOptions {
  std::string grid;  ///< "2x3": rows and columns of the ranks of 2d searches; empty: nearest to a square
  std::optional<std::int64_t> degree_threshold;  ///< of delegate; none: chosen

  /// Declares --grid and --degree-threshold.
  void declare(ArgumentParser& parser, const std::string& group);
  /// Throws ArgumentError for what none of these searches has; they are chosen by the option of this name.
  void check_use(const std::vector<std::string>& searches, const std::string& option) const;
  /// Throws ArgumentError for a grid that is none; whether the ranks fill it is the search's to say.
  void apply(DistributedOptions& options) const;
};

}  // namespace dromos::driver
