// SPDX-License-Identifier: BSD-3-Clause
// Options of distributed searches: which ones, over which transport, and what is shown of their levels.
#pragma once

#include <dromos/distributed/distributed_search.hpp>
#include <string>
#include <vector>

#include "driver/distributed/partition_options.hpp"

namespace dromos::driver {

/// The names of the searches asked for, each once; "all" stands for all. Throws ArgumentError for a name that does not
/// exist.
std::vector<std::string> resolve_distributed_algorithms(const std::vector<std::string>& asked);

/// "straightforward, sort-unique, ..."
std::string distributed_algorithm_names();

/// A table of levels as text.
std::string to_text(const LevelTable& table);

}  // namespace dromos::driver
