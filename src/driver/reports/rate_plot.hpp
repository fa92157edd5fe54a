// SPDX-License-Identifier: BSD-3-Clause
// --plot of a subcommand of an algorithm: the rates of its methods and strategies beside each other.
#pragma once

#include <vector>

#include "driver/graphs/named_graph.hpp"
#include "driver/reports/algorithm_report.hpp"
#include "driver/reports/plot.hpp"

namespace dromos::driver {

/// A bar for each method and strategy: the median of its runs, and quartiles. Throws Error where nothing can draw.
void draw_rates(const PlotOptions& plot, const GraphSummary& graph, const std::vector<AlgorithmRun>& runs);

}  // namespace dromos::driver
