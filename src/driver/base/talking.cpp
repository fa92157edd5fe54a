// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/talking.hpp"

namespace dromos::driver {
namespace {

bool quiet = false;

}  // namespace

void declare_quiet(ArgumentParser& parser) {
  parser.add_flag("-q,--quiet", quiet, "Nothing on standard output but what --json - or --output - asks for")
      .group("Results");
}

bool is_quiet() { return quiet; }

QuietAsBefore::~QuietAsBefore() { quiet = before_; }

bool may_talk_beside(const std::string& path) { return !quiet && path != "-"; }

}  // namespace dromos::driver
