// SPDX-License-Identifier: BSD-3-Clause
// The part of the command line that belongs to Kokkos, and what can be said about the Kokkos that runs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dromos::driver {

/// The words of a command line, sorted by who reads them.
struct CommandLine {
  std::string program;
  std::vector<std::string> own;     ///< in their order
  std::vector<std::string> kokkos;  ///< those that start with --kokkos-
};

/// Throws ArgumentError for a --kokkos- option whose number is none; Kokkos itself would end the process.
CommandLine split_command_line(int argc, char** argv);

/// Settles what Kokkos would otherwise warn about; before Kokkos is initialized.
void prepare_environment();

/// --threads: Kokkos, initialized after this, runs on so many. Throws ArgumentError where this build has but one.
void use_threads(std::int64_t num_threads);

/// Why Kokkos would not survive its start with these arguments and this environment; empty where it would.
std::string why_kokkos_cannot_start(const CommandLine& line);

/// Throws ArgumentError when Kokkos, initialized with these arguments, left one of them: it does not know it.
void check_all_taken(int argc, char** argv);

/// Version, execution space and its concurrency. Needs Kokkos.
nlohmann::ordered_json kokkos_configuration();

/// Threads of the CPU. Needs Kokkos.
int host_concurrency();

/// "Kokkos 3.4.1, OpenMP, 2 threads". Needs Kokkos.
std::string kokkos_summary();

}  // namespace dromos::driver
