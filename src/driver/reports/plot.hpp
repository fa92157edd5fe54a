// SPDX-License-Identifier: BSD-3-Clause
// Pictures, which Python's matplotlib draws: the script (plot.py) is a part of the program, and gets its data as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// --plot FILE and --python NAME of a command.
struct PlotOptions {
  std::string path;  ///< empty: no picture
  std::string python = "python3";

  /// `what`: "Draw ..." in the help.
  void declare(ArgumentParser& parser, const std::string& what);
  bool wanted() const { return !path.empty(); }
  /// Throws ArgumentError unless the file has a known ending and can be written, and for --python without --plot.
  void check() const;
  /// Throws Error where the interpreter or matplotlib is missing; for commands that compute for long before they draw.
  void check_python() const;
  /// Draws; the member "kind" of the data says what: plot.py has the kinds. Throws Error as check_python().
  void draw(const nlohmann::ordered_json& data) const;
};

}  // namespace dromos::driver
