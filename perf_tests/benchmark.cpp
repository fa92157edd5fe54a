// SPDX-License-Identifier: BSD-3-Clause
#include "benchmark.hpp"

#include <dromos/core/build_info.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace dromos::perf {
namespace {

std::string kokkos_configuration() {
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  return configuration.str();
}

/// What stands between two words of a line of the text; empty where no line has both.
std::string between(std::istream& text, const std::string& before, const std::string& after) {
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find(before);
    const std::size_t end = after.empty() ? line.size() : line.find(after);
    if (begin == std::string::npos || end == std::string::npos || end < begin + before.size()) continue;
    const std::string found = line.substr(begin + before.size(), end - begin - before.size());
    const std::size_t first = found.find_first_not_of(" \t:]");
    const std::size_t last = found.find_last_not_of(" \t,:");
    if (first != std::string::npos && last >= first) return found.substr(first, last - first + 1);
  }
  return "";
}

}  // namespace

std::string device_name() {
  if constexpr (is_gpu<Space>) {
    // Kokkos lists the devices that there are: "Kokkos::Cuda[ 0 ] NVIDIA H200 capability 9.0, ... : Selected".
    std::istringstream lines(kokkos_configuration());
    std::ostringstream selected;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("Selected") != std::string::npos) selected << line << "\n";
    }
    std::istringstream text(selected.str());
    return between(text, "]", "capability");
  } else {
    std::ifstream text("/proc/cpuinfo");
    return between(text, "model name", "");
  }
}

Json environment() {
  const BuildInfo& build = build_info();
  return {{"dromos", build.version},
          {"commit", build.git_commit},
          {"compiler", build.compiler},
          {"build_type", build.build_type},
          {"kokkos", build.kokkos_version},
          {"execution_space", build.default_execution_space},
          {"device", device_name()},
          {"concurrency", Space().concurrency()},
          {"kokkos_configuration", kokkos_configuration()}};
}

void write_result(const std::string& path, const Json& result) {
  const std::string temporary = path + ".part";
  std::ofstream file(temporary);
  file << result.dump(2) << "\n";
  file.close();
  if (!file) throw Error(path + ": cannot be written; check that the folder exists and has room");
  std::filesystem::rename(temporary, path);
}

}  // namespace dromos::perf
