// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/kokkos_session.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dromos/core/build_info.hpp>
#include <dromos/core/error.hpp>
#include <limits>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

constexpr const char* kokkos_prefix = "--kokkos-";

#ifdef _OPENMP
bool threads_chosen = false;  // by use_threads()
#endif

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

void check_number(const std::string& argument) {
  for (const char* name : {"threads", "num-threads", "numa", "device-id", "num-devices", "ndevices", "skip-device"}) {
    const std::string start = std::string(kokkos_prefix) + name + "=";
    if (!starts_with(argument, start)) continue;
    const std::string value = argument.substr(start.size());
    const bool is_number =
        !value.empty() && value.size() < 10 && value.find_first_not_of("0123456789,") == std::string::npos;
    if (!is_number || value[0] == ',') {
      throw ArgumentError(fmt::format("{}: expected a whole number after '=', found '{}'", argument, value));
    }
  }
}

}  // namespace

CommandLine split_command_line(int argc, char** argv) {
  CommandLine line;
  line.program = argc > 0 ? argv[0] : "dromos";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (starts_with(word, kokkos_prefix)) {
      check_number(word);
      line.kokkos.push_back(word);
    } else {
      line.own.push_back(word);
    }
  }
  return line;
}

void prepare_environment() {
  // Kokkos warns when threads are not bound. Whether they are was settled when the OpenMP runtime was loaded; unbound
  // is its own default, and the right one on a machine that others use too. Those who bind set the variable themselves.
  setenv("OMP_PROC_BIND", "false", 0);
}

void use_threads(std::int64_t num_threads) {
#ifdef _OPENMP
  threads_chosen = true;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  omp_set_num_threads(static_cast<int>(std::min(num_threads, most)));
#else
  if (num_threads == 1) return;
  throw ArgumentError(
      fmt::format("--threads {}: this build runs on one thread of the CPU; leave the option out", num_threads));
#endif
}

std::string why_kokkos_cannot_start([[maybe_unused]] const CommandLine& line) {
#ifdef _OPENMP
  // The size of an array in Kokkos' OpenMP backend, which it does not look at before it writes behind the end.
  constexpr int most_threads = 512;
  int num_threads = omp_get_max_threads();
  // Where nobody chose a number, the runtime takes one for each thread of the host.
  const bool chosen = threads_chosen || std::getenv("OMP_NUM_THREADS") != nullptr;
  if (num_threads > most_threads && !chosen) {
    num_threads = most_threads;
    omp_set_num_threads(most_threads);
  }
  for (const std::string& word : line.kokkos) {
    for (const char* option : {"--kokkos-threads=", "--kokkos-num-threads="}) {
      if (starts_with(word, option)) num_threads = std::max(num_threads, std::atoi(word.c_str() + std::strlen(option)));
    }
  }
  if (num_threads > most_threads) {
    return fmt::format(
        "{} OpenMP threads: Kokkos {} has room for {}; set OMP_NUM_THREADS, or --threads, to {} or fewer", num_threads,
        build_info().kokkos_version, most_threads, most_threads);
  }
#endif
  return "";
}

void check_all_taken(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (starts_with(word, kokkos_prefix)) {
      throw ArgumentError(fmt::format("Kokkos {} has no option {} (dromos --kokkos-help lists its options)",
                                      build_info().kokkos_version, word));
    }
  }
}

nlohmann::ordered_json kokkos_configuration() {
  return {{"version", build_info().kokkos_version},
          {"execution_space", Space::name()},
          {"concurrency", Space().concurrency()},
          {"host_execution_space", HostSpace::name()},
          {"host_concurrency", HostSpace().concurrency()}};
}

int host_concurrency() { return HostSpace().concurrency(); }

std::string kokkos_summary() {
  const int concurrency = Space().concurrency();
  return fmt::format("Kokkos {}, {}, {} {}", build_info().kokkos_version, Space::name(), concurrency,
                     concurrency == 1 ? "thread" : "threads");
}

}  // namespace dromos::driver
