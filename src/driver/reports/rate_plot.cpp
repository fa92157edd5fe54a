// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/rate_plot.hpp"

#include <nlohmann/json.hpp>

#include "driver/base/kokkos_session.hpp"
#include "driver/reports/comparison.hpp"

namespace dromos::driver {

void draw_rates(const PlotOptions& plot, const GraphSummary& graph, const std::vector<AlgorithmRun>& runs) {
  nlohmann::ordered_json result = {{"graph", graph.to_json()}, {"runs", nlohmann::ordered_json::array()}};
  for (const AlgorithmRun& run : runs) result["runs"].push_back(to_json(run));
  Comparison comparison;
  comparison.add_result(kokkos_configuration().at("execution_space").get<std::string>(), result, graph.source);
  // There is none where every run failed its validation, which is said elsewhere.
  if (!comparison.algorithms().empty()) plot.draw(comparison.series(comparison.algorithms().front()));
}

}  // namespace dromos::driver
