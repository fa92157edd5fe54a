// SPDX-License-Identifier: BSD-3-Clause
// dromos info: what a graph looks like, the first thing to know before choosing a strategy.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/validate/reference.hpp>
#include <memory>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/text_table.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/reports/json_report.hpp"

namespace dromos::driver {
namespace {

constexpr const char* info_footer = R"(Examples:
  dromos info web-NotreDame.txt.xz
  dromos info --undirected --json info.json soc-Epinions1.txt
  dromos info --generate kronecker --scale 16
      what a Graph500 graph looks like once self loops and duplicates are gone

Degrees are out-degrees of the graph as it would be searched. Components are weak ones: the direction of edges
does not matter. They are found by one thread.)";

struct InfoCommand {
  GraphOptions graph;
  JsonReport report;
};

struct Components {
  std::int64_t number = 0;
  std::int64_t largest = 0;  ///< vertices
};

template <class Vertex>
Components weak_components(const LoadedGraph<Vertex>& loaded) {
  const Progress progress("finding the components of " + loaded.summary().source);
  const auto label = reference::weak_components(copy_to<Kokkos::HostSpace>(loaded.graph()));
  std::vector<std::int64_t> sizes(label.size());
  for (const auto component : label) ++sizes[static_cast<std::size_t>(component)];
  Components components;
  for (const std::int64_t size : sizes) {
    components.number += size > 0;
    components.largest = std::max(components.largest, size);
  }
  return components;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.3g}%", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string degree_range(int bin) {
  if (bin < 2) return std::to_string(bin);
  return with_separators(std::int64_t(1) << (bin - 1)) + " - " + with_separators((std::int64_t(1) << bin) - 1);
}

/// A line for each power of two of the degree, with a bar of up to 50 marks for the number of vertices.
std::string histogram_text(const DegreeStats& degrees, bool directed) {
  const auto& histogram = degrees.histogram;
  const std::int64_t most = *std::max_element(histogram.begin(), histogram.end());
  int last = 63;
  while (last > 0 && histogram[static_cast<std::size_t>(last)] == 0) --last;
  TextTable table({{directed ? "out-degree" : "degree"}, {"vertices"}, {"", TextTable::Align::left}});
  for (int bin = 0; bin <= last; ++bin) {
    const std::int64_t count = histogram[static_cast<std::size_t>(bin)];
    const double share = most == 0 ? 0 : static_cast<double>(count) / static_cast<double>(most);
    table.add_row(
        {degree_range(bin), with_separators(count), std::string(static_cast<std::size_t>(std::ceil(50 * share)), '#')});
  }
  return table.str();
}

nlohmann::ordered_json to_json(const DegreeStats& degrees) {
  auto histogram = nlohmann::ordered_json::array();
  for (std::size_t bin = 0; bin < degrees.histogram.size(); ++bin) {
    if (degrees.histogram[bin] == 0) continue;
    const std::int64_t least = bin == 0 ? 0 : std::int64_t(1) << (bin - 1);
    histogram.push_back({{"from", least}, {"to", bin == 0 ? 0 : 2 * least - 1}, {"vertices", degrees.histogram[bin]}});
  }
  return {{"min", degrees.min},
          {"max", degrees.max},
          {"mean", degrees.mean},
          {"num_isolated", degrees.num_isolated},
          {"histogram", histogram}};
}

template <class Vertex>
int run_info(InfoCommand& command, const LoadedGraph<Vertex>& loaded) {
  const GraphSummary& summary = loaded.summary();
  const DegreeStats degrees = degree_stats(Kokkos::DefaultExecutionSpace(), loaded.graph());
  const Components components = weak_components(loaded);
  if (command.report.leaves_stdout()) {
    const char* degree = summary.directed ? "out-degree" : "degree";
    fmt::print("{}\n", summary.to_text());
    fmt::print("  {}s: mean {:.2f}, from {} to {}; {} ({}) without {}\n", degree, degrees.mean,
               with_separators(degrees.min), with_separators(degrees.max),
               counted(degrees.num_isolated, "vertex", "vertices"), percent(degrees.num_isolated, summary.num_vertices),
               summary.directed ? "an out-edge" : "an edge");
    fmt::print("  weak components: {}, the largest of {} ({})\n\n", with_separators(components.number),
               counted(components.largest, "vertex", "vertices"), percent(components.largest, summary.num_vertices));
    fmt::print("{}", histogram_text(degrees, summary.directed));
  }
  command.report.set_graph(summary.to_json());
  command.report.add_section("degrees", to_json(degrees));
  command.report.add_section("weak_components", {{"number", components.number}, {"largest", components.largest}});
  command.report.write();
  return exit_fine;
}

}  // namespace

CommandAction declare_info(ArgumentParser& parser) {
  parser.footer(info_footer);
  const auto command = std::make_shared<InfoCommand>();
  command->graph.declare(parser);
  command->report.declare(parser);
  return [command] {
    command->graph.check();
    command->report.check();
    check_distinct({{"FILE", command->graph.file.path}},
                   {command->report.file(), {"--names", command->graph.file.names}});
    return with_graph(command->graph, [&](const auto& loaded) { return run_info(*command, loaded); });
  };
}

}  // namespace dromos::driver
