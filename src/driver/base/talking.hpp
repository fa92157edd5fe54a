// SPDX-License-Identifier: BSD-3-Clause
// What is said on standard output for people: not with --quiet, and not where results go there.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// --quiet.
void declare_quiet(ArgumentParser& parser);
bool is_quiet();

/// Of several command lines in one process each may ask for --quiet; when this ends, it is as before.
class QuietAsBefore {
 public:
  QuietAsBefore() : before_(is_quiet()) {}
  ~QuietAsBefore();
  QuietAsBefore(const QuietAsBefore&) = delete;
  QuietAsBefore& operator=(const QuietAsBefore&) = delete;

 private:
  bool before_;
};

/// May text for people go to standard output beside a file of this name? "-" is standard output itself.
bool may_talk_beside(const std::string& path);

}  // namespace dromos::driver
