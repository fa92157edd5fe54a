// SPDX-License-Identifier: BSD-3-Clause
// dromos man: the manual page.
#include <fmt/format.h>

#include <dromos/core/build_info.hpp>

#include "driver/base/command.hpp"
#include "driver/commands/manual_page.hpp"

namespace dromos::driver {
namespace {

constexpr const char* man_footer = R"(Examples:
  dromos man | man -l -
      to read it here; where Dromos was installed, man dromos
  dromos man > dromos.1)";

}  // namespace

CommandAction declare_man(ArgumentParser& parser) {
  parser.footer(man_footer);
  const ArgumentParser command = parser;
  return [command] {
    fmt::print("{}", manual_page(command.program(), build_info().version));
    return exit_fine;
  };
}

}  // namespace dromos::driver
