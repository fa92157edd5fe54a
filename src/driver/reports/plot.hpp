// SPDX-License-Identifier: BSD-3-Clause
// Drawing, which Python's matplotlib does: the script (plot_comparison.py) is a part of the program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dromos::driver {

/// Throws ArgumentError unless `path` ends in .svg or .png and can be written.
void check_plot(const std::string& path);

/// Bars of the rates of every platform and variant, graph by graph (Slota et al. 2015, Figure 4). `series` is
/// Comparison::series(). Throws Error where Python or matplotlib is missing.
void plot_comparison(const std::string& path, const nlohmann::ordered_json& series);

}  // namespace dromos::driver
