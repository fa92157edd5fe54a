// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/host_memory.hpp"

#include <algorithm>
#include <dromos/core/error.hpp>
#include <fstream>
#include <limits>

namespace dromos::driver {
namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

/// The number in a file that holds one; `unknown` for a word ("max") or no file.
std::int64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? value : unknown;
}

/// The number that follows a word in a file of words and numbers; `unknown` where there is none.
std::int64_t number_after(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::int64_t value = 0;
  for (std::string word; file >> word;) {
    if (word == key && file >> value) return value;
  }
  return unknown;
}

std::int64_t available_in_system() {
  const std::int64_t kibibytes = number_after("/proc/meminfo", "MemAvailable:");
  return kibibytes == unknown ? unknown : kibibytes * 1024;
}

/// What a control group counts as used holds files that are only cached; they give way when memory is short.
std::int64_t available_in_group(const std::string& limit_file, const std::string& usage_file,
                                const std::string& statistics_file, const std::string& cached_key) {
  const std::int64_t limit = number_in(limit_file);
  const std::int64_t usage = number_in(usage_file);
  if (limit == unknown || usage == unknown) return unknown;
  const std::int64_t cached = number_after(statistics_file, cached_key);
  return std::max<std::int64_t>(0, limit - usage + (cached == unknown ? 0 : cached));
}

}  // namespace

std::int64_t available_host_memory() {
  const std::string v2 = "/sys/fs/cgroup/memory.";
  const std::string v1 = "/sys/fs/cgroup/memory/memory.";
  return std::min(
      {available_in_system(), available_in_group(v2 + "max", v2 + "current", v2 + "stat", "inactive_file"),
       available_in_group(v1 + "limit_in_bytes", v1 + "usage_in_bytes", v1 + "stat", "total_inactive_file")});
}

void check_host_memory(const std::string& purpose, double bytes_needed) {
  const std::int64_t available = available_host_memory();
  if (bytes_needed > static_cast<double>(available)) {
    throw MemoryError(purpose, static_cast<std::uint64_t>(bytes_needed), static_cast<std::uint64_t>(available));
  }
}

}  // namespace dromos::driver
