// SPDX-License-Identifier: BSD-3-Clause
// A subcommand of `dromos`, and the list of them.
//
// To add one: write src/driver/NAME_command.cpp with a function that declares the options of the subcommand and
// returns what to do once they are parsed; add its line to registry.cpp and its source to CMakeLists.txt.
//
//   CommandAction declare_cc(ArgumentParser& parser) {
//     auto options = std::make_shared<CcOptions>();        // lives as long as the action
//     options->graph.declare(parser);
//     return [options] { return with_graph(options->graph, [&](auto& graph) { return run_cc(*options, graph); }); };
//   }
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// Exit codes, the same for every subcommand.
enum ExitCode : int {
  exit_fine = 0,
  exit_failed = 1,    ///< a result failed its validation, an output cannot be written, or Dromos is wrong
  exit_bad_input = 2  ///< a file or an argument that cannot be used, or no memory for it; nothing was written
};

/// Runs the subcommand after its options were parsed, and Kokkos was initialized where it computes; returns the exit
/// code.
using CommandAction = std::function<int()>;

struct Command {
  const char* name;
  const char* summary;  ///< one line of `dromos --help`
  CommandAction (*declare)(ArgumentParser& parser);
  bool distributed = false;  ///< may run on several ranks (ranks.hpp)
  bool computes = true;      ///< false: runs without Kokkos, and so where there is no device
};

/// Every subcommand, in the order of `dromos --help`.
const std::vector<Command>& all_commands();

/// Does what the words of a command line ask for, those after "dromos", within another command: Kokkos, and MPI where
/// there are ranks, go on from one to the next. Says what goes wrong, and returns the exit code. Collective.
int run_command_line(const std::vector<std::string>& words);

}  // namespace dromos::driver
