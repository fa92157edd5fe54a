// SPDX-License-Identifier: BSD-3-Clause
// What main() of a benchmark on one node does.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::perf {

/// The command line, Kokkos, and run(), whose exit code main() returns; an error is said, and is exit code 1.
///
/// \param name  of the program
template <class Run>
int run_program(const std::string& name, ArgumentParser& parser, int argc, char** argv, const Run& run) {
  parser.allow_extras();  // --kokkos-* go to Kokkos
  if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: error: %s\n", name.c_str(), error.what());
    return 1;
  }
}

/// main() of a benchmark that describes itself and its options, prints what it finds, and is done.
///
/// \param declare  called with the parser and the options before the command line is read
/// \param run      called with the options after it
template <class Options, class Declare, class Run>
int run_with_options(const std::string& name, const std::string& description, int argc, char** argv,
                     const Declare& declare, const Run& run) {
  Options options;
  ArgumentParser parser(description, name);
  declare(parser, options);
  return run_program(name, parser, argc, argv, [&] {
    run(options);
    return 0;
  });
}

}  // namespace dromos::perf
