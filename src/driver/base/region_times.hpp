// SPDX-License-Identifier: BSD-3-Clause
// --timers: how often each region of the library was entered and what it took, over all ranks, as Teuchos::TimeMonitor
// tells it.
#pragma once

#include "command_line/argument_parser.hpp"
#include "driver/base/command.hpp"

namespace dromos::driver {

/// Declares the flag, where Teuchos is there.
void declare_timers(ArgumentParser& parser, bool& wanted);

/// Runs the action and shows on stderr, which stays free of results, what its regions took. Collective.
int with_timers(const CommandAction& action);

}  // namespace dromos::driver
