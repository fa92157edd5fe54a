// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/output_place.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace dromos::io {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// Names in /proc are links that the system follows without reading them: what they say need not be a file's name.
bool is_in_proc(const fs::path& path) {
  struct statfs system;
  return statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// The number of a descriptor of this process, for its name in /proc; -1 for any other name.
int own_descriptor(const fs::path& path) {
  std::error_code error;
  const std::string folder = fs::canonical(folder_of(path), error).string();
  const std::string own = "/proc/" + std::to_string(getpid()) + "/";
  const std::string number = path.filename().string();
  const bool is_list =
      folder.compare(0, own.size(), own) == 0 && folder.size() >= 3 && folder.compare(folder.size() - 3, 3, "/fd") == 0;
  if (error || !is_list || number.empty() || number.size() > 9) return -1;
  return number.find_first_not_of("0123456789") == std::string::npos ? std::stoi(number) : -1;
}

std::string why_not_the_folder(const fs::path& path) {
  const fs::path folder = folder_of(path);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "there is no folder " + folder.string() + "; make it first";
  if (access(folder.c_str(), W_OK | X_OK) == 0) return "";
  return "the folder " + folder.string() + " cannot be written to (" + std::strerror(errno) + ")";
}

/// Of a file that is there and would be replaced.
std::string why_not_the_file(const OutputPlace& place) {
  // The superuser may write what nobody may; but whoever took the permission away meant this file to stay.
  const bool forbidden = (place.status.st_mode & 0222) == 0;
  if (forbidden || access(place.path.c_str(), W_OK) != 0) {
    return "its permissions forbid to write it; give them with chmod u+w, or name another file";
  }
  if (geteuid() != 0 && place.status.st_uid != geteuid()) {
    return "it belongs to user " + std::to_string(place.status.st_uid) +
           ", who would lose it; name another file, or remove this one first";
  }
  return "";
}

}  // namespace

OutputPlace find_output_place(const std::string& path) {
  constexpr int most_links = 40;  // as many as the system follows
  OutputPlace place;
  fs::path at = path == "-" ? "/dev/stdout" : path;
  for (int num_links = 0;; ++num_links) {
    if (lstat(at.c_str(), &place.status) != 0 || !S_ISLNK(place.status.st_mode)) break;
    place.endless = num_links == most_links;
    if (place.endless) break;
    if (is_in_proc(at)) {
      place.descriptor = own_descriptor(at);
      place.in_place = true;
      break;
    }
    std::error_code error;
    const fs::path target = fs::read_symlink(at, error);
    if (error) break;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  place.path = at.string();
  place.exists = stat(at.c_str(), &place.status) == 0;
  if (place.exists && !S_ISREG(place.status.st_mode)) place.in_place = true;
  return place;
}

std::string why_not_writable(const std::string& path) {
  if (path.empty()) return "it has no name; give the name of a file";
  const OutputPlace place = find_output_place(path);
  if (place.endless) return "this is a symbolic link that leads back to itself";
  if (place.exists && S_ISDIR(place.status.st_mode)) return "this is a folder; give the name of a file in it";
  if (place.descriptor >= 0) {
    const int flags = fcntl(place.descriptor, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? "" : "it is not open for writing";
  }
  if (place.in_place) {
    return access(place.path.c_str(), W_OK) == 0
               ? ""
               : std::string("it cannot be written to (") + std::strerror(errno) + ")";
  }
  const std::string reason = why_not_the_folder(place.path);
  return !reason.empty() || !place.exists ? reason : why_not_the_file(place);
}

std::vector<std::string> find_leftovers(const std::string& path) {
  std::vector<std::string> leftovers;
  const OutputPlace place = find_output_place(path);
  if (path.empty() || place.in_place) return leftovers;
  const std::string begin = fs::path(place.path).filename().string() + ".", end = ".part";
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(place.path), error), last; !error && entry != last;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    constexpr std::size_t random_letters = 12;
    if (name.size() != begin.size() + random_letters + end.size() || name.compare(0, begin.size(), begin) != 0 ||
        name.compare(name.size() - end.size(), end.size(), end) != 0) {
      continue;
    }
    leftovers.push_back((fs::path(place.path).parent_path() / name).string());
  }
  std::sort(leftovers.begin(), leftovers.end());
  return leftovers;
}

bool is_same_file(const std::string& path, const std::string& other) {
  const OutputPlace a = find_output_place(path), b = find_output_place(other);
  if (a.exists != b.exists) return false;
  if (a.exists) {
    return S_ISREG(a.status.st_mode) && a.status.st_dev == b.status.st_dev && a.status.st_ino == b.status.st_ino;
  }
  struct stat folder_a, folder_b;
  if (stat(folder_of(a.path).c_str(), &folder_a) != 0 || stat(folder_of(b.path).c_str(), &folder_b) != 0) return false;
  return folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino &&
         fs::path(a.path).filename() == fs::path(b.path).filename();
}

}  // namespace dromos::io
