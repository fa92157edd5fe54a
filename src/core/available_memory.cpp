// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <dromos/core/available_memory.hpp>
#include <fstream>
#include <limits>
#include <string>

namespace dromos {
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

/// The files of one version of control groups.
struct GroupFiles {
  const char* mount;
  const char *limit, *usage, *statistics;
  const char* cached;  ///< a line of the statistics
};
constexpr GroupFiles version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "memory.stat", "total_inactive_file"};
constexpr GroupFiles version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "memory.stat", "inactive_file"};

/// What a group counts as used holds files that are only cached; they give way when memory is short.
std::int64_t available_in_group(const GroupFiles& files, const std::string& group) {
  const std::string folder = files.mount + group + "/";
  const std::int64_t limit = number_in(folder + files.limit);
  const std::int64_t usage = number_in(folder + files.usage);
  if (limit == unknown || usage == unknown) return unknown;
  const std::int64_t cached = number_after(folder + files.statistics, files.cached);
  return std::max<std::int64_t>(0, limit - usage + (cached == unknown ? 0 : cached));
}

/// In a group and all around it: /batch/job_7/step_0, /batch/job_7, /batch, and the outermost.
std::int64_t available_in_groups(const GroupFiles& files, std::string group) {
  std::int64_t least = unknown;
  while (true) {
    least = std::min(least, available_in_group(files, group));
    if (group.empty()) return least;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

/// Of the groups that this process is in: lines "4:memory:/batch/job_7" (version 1) and "0::/batch/job_7" (version 2).
/// Within a container the path may be one that only the machine around it knows; the outermost folder is then ours.
std::int64_t available_in_own_groups() {
  std::int64_t least = std::min(available_in_group(version_1, ""), available_in_group(version_2, ""));
  std::ifstream list("/proc/self/cgroup");
  for (std::string line; std::getline(list, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (group.find("..") != std::string::npos) continue;
    if (controllers == ",,") least = std::min(least, available_in_groups(version_2, group));
    if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, available_in_groups(version_1, group));
    }
  }
  return least;
}

std::int64_t available_addresses() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  const std::int64_t pages = number_in("/proc/self/statm");  // the first of several: all that is mapped
  if (pages == unknown) return static_cast<std::int64_t>(limit.rlim_cur);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

}  // namespace

std::int64_t available_host_memory() {
  return std::min({available_in_system(), available_in_own_groups(), available_addresses()});
}

}  // namespace dromos
