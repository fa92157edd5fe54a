// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/core/build_info.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/version.hpp>

#include "build_configuration.hpp"
#include "git_commit.hpp"

namespace dromos {
namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::size_t start = 0;
  while (start < list.size()) {
    const std::size_t end = std::min(list.find(';', start), list.size());
    if (end > start) words.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::string join(const std::vector<std::string>& words) {
  if (words.empty()) return "nothing optional";
  std::string list = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) list += ", " + words[i];
  return list;
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo info{DROMOS_VERSION,
                              DROMOS_GIT_COMMIT,
                              DROMOS_BUILD_TYPE,
                              DROMOS_COMPILER,
                              kokkos_version(),
                              split(DROMOS_KOKKOS_DEVICES),
                              Kokkos::DefaultExecutionSpace::name(),
                              split(DROMOS_ENABLED_PARTS),
                              split(DROMOS_DISABLED_PARTS)};
  return info;
}

std::string version_text() {
  const BuildInfo& info = build_info();
  const std::string commit = info.git_commit.empty() ? std::string() : fmt::format(" (commit {})", info.git_commit);
  const std::string without = info.disabled_parts.empty() ? "" : "; without " + join(info.disabled_parts);
  return fmt::format(
      "Dromos {}{}\n"
      "Kokkos {}, devices {}, default execution space {}\n"
      "{} build by {} with {}{}\n",
      info.version, commit, info.kokkos_version, join(info.kokkos_devices), info.default_execution_space,
      info.build_type, info.compiler, join(info.enabled_parts), without);
}

}  // namespace dromos
