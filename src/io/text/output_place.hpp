// SPDX-License-Identifier: BSD-3-Clause
// Where the name of an output leads: through symbolic links, to a file that a new one may replace, to a device or a
// pipe, or to a stream that this process has open already.
//
//   name            is              leads to
//   r.txt           -> data/r.txt   data/r.txt: the link stays, and the file behind it is replaced
//   /dev/stdout     -> fd 1         descriptor 1, whatever that is: written to from where it stands
//   /dev/null       a device        itself: written to as it is
//
// A symbolic link that is replaced by a file cuts off whoever relies on it, and /dev/stdout is such a link.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace dromos::io {

struct OutputPlace {
  std::string path;     ///< behind all links
  int descriptor = -1;  ///< of this process, where the name stands for one
  bool exists = false;
  bool in_place = false;    ///< a device, a pipe, or a descriptor: there is nothing to replace
  bool endless = false;     ///< links that lead back to themselves
  struct stat status = {};  ///< where it exists
};

OutputPlace find_output_place(const std::string& path);

/// Why there can be no output of this name, as the end of a sentence that begins with it; empty where there can.
std::string why_not_writable(const std::string& path);

/// What earlier runs left beside a file that they wrote when they were killed (io/replaced_file.hpp): names of the same
/// folder, in order. Those of a run that is not at its end look the same.
std::vector<std::string> find_leftovers(const std::string& path);

/// Are both names of one regular file, there already or still to be made?
bool is_same_file(const std::string& path, const std::string& other);

}  // namespace dromos::io
