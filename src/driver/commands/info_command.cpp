// SPDX-License-Identifier: BSD-3-Clause
// dromos info: what a graph looks like, the first thing to know before choosing a strategy.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <memory>
#include <string>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/text_table.hpp"
#include "driver/commands/subject_command.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/reports/json_report.hpp"
#include "driver/reports/memory_report.hpp"
#include "driver/reports/plot.hpp"
#include "driver/reports/run_times.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* info_footer = R"(Examples:
  dromos info web-NotreDame.txt.xz
  dromos info --undirected --json info.json soc-Epinions1.txt
  dromos info --generate kronecker --scale 16
      what a Graph500 graph looks like once self loops and duplicates are gone
  mpirun -n 4 dromos info web-NotreDame.h5
      the same of a graph that is spread over four ranks
  dromos info --repeat 5 web-NotreDame.txt.xz
      how long it takes to count degrees and to find the components
  dromos info --plot degrees.pdf web-NotreDame.txt.xz
      how many vertices have each degree, on logarithmic axes (needs python3 with matplotlib)

Degrees are out-degrees of the graph as it would be searched. Components are weak ones: the direction of edges
does not matter.)";

struct InfoCommand {
  GraphOptions graph;
  JsonReport report;
  SubjectOptions spread;
  PlotOptions plot;
  std::int64_t num_repeats = 1;
};

/// What is computed of a graph.
struct GraphFacts {
  DegreeStats degrees;
  ComponentSummary components;
};

template <class Subject>
ComponentSummary weak_components(const Subject& subject) {
  using Local = typename Subject::Local;
  using Global = typename Subject::Global;
  ComponentScratch<Local, Memory> scratch(subject.out_edges());
  ComponentResult<Global, Memory> result;
  return connected_components(Space(), subject.out_edges(), scratch, result, {}, subject.halo()).components;
}

/// Of all ranks.
template <class Subject>
DegreeStats degrees_of(const Subject& subject) {
  const auto& graph = subject.out_edges();
  const auto& halo = subject.halo();
  const std::int64_t n = halo.num_vertices(graph);
  if (n == 0) return {};
  DegreeStats stats = degree_stats_of_part(Space(), graph, halo.num_rows(graph), halo.vertices());
  stats.min = halo.min(stats.min);
  stats.max = halo.max(stats.max);
  halo.sum_in_place(stats.histogram.data(), static_cast<int>(stats.histogram.size()));
  stats.num_isolated = stats.histogram[0];
  stats.mean = static_cast<double>(halo.sum(graph.num_edges())) / static_cast<double>(n);
  return stats;
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

/// How many vertices have each degree.
template <class View, class Vertices>
struct CountEachDegree {
  View graph;
  Vertices vertices;
  Kokkos::View<std::int64_t*, Memory> count;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    const auto v = static_cast<typename View::vertex_type>(i);
    if (vertices.counts(v)) atomic_fetch_add(&count(vertices.degree(graph, v)), std::int64_t(1));
  }
};

/// How many vertices of all ranks have each degree that occurs, for plot.py.
template <class Subject>
nlohmann::ordered_json degree_distribution(const Subject& subject, const DegreeStats& degrees) {
  const auto& halo = subject.halo();
  const auto graph = subject.out_edges().view();
  const Kokkos::View<std::int64_t*, Memory> count("dromos::info::degrees", static_cast<std::size_t>(degrees.max) + 1);
  Kokkos::parallel_for(
      "dromos::info::degrees",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, halo.num_rows(subject.out_edges())),
      CountEachDegree<std::decay_t<decltype(graph)>, std::decay_t<decltype(halo.vertices())>>{graph, halo.vertices(),
                                                                                              count});
  const auto vertices = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), count);
  halo.sum_in_place(vertices.data(), static_cast<int>(vertices.extent(0)));
  auto occurring = nlohmann::ordered_json::array();
  for (std::size_t degree = 0; degree < vertices.extent(0); ++degree) {
    if (vertices(degree) > 0) occurring.push_back({degree, vertices(degree)});
  }
  return {{"kind", "degrees"},
          {"graph", subject.summary().source},
          {"degree", subject.summary().directed ? "out-degree" : "degree"},
          {"vertices", occurring}};
}

/// \param seconds  out: of each run, on the slowest rank
template <class Subject>
GraphFacts find_facts(const Subject& subject, std::int64_t num_repeats, std::vector<double>& seconds) {
  std::unique_ptr<Progress> progress;
  if (subject.speaks()) progress = std::make_unique<Progress>("finding the components of " + subject.summary().source);
  const GraphFacts facts = run_measured(num_repeats, seconds, [&] {
    return GraphFacts{degrees_of(subject), weak_components(subject)};
  });
  for (double& each : seconds) each = subject.halo().max(each);
  return facts;
}

template <class Subject>
int run_info(InfoCommand& command, const Subject& subject) {
  std::vector<double> seconds;
  const GraphFacts facts = find_facts(subject, command.num_repeats, seconds);
  const DegreeStats& degrees = facts.degrees;
  const ComponentSummary& components = facts.components;
  nlohmann::ordered_json picture;
  if (command.plot.wanted()) picture = degree_distribution(subject, degrees);
  subject.report([&] {
    const GraphSummary& summary = subject.summary();
    if (command.report.leaves_stdout()) {
      const char* degree = summary.directed ? "out-degree" : "degree";
      fmt::print("{}\n", summary.to_text());
      fmt::print("  {}s: mean {:.2f}, from {} to {}; {} ({}) without {}\n", degree, degrees.mean,
                 with_separators(degrees.min), with_separators(degrees.max),
                 counted(degrees.num_isolated, "vertex", "vertices"),
                 percent(degrees.num_isolated, summary.num_vertices), summary.directed ? "an out-edge" : "an edge");
      fmt::print("  weak components: {}, the largest of {} ({})\n\n", with_separators(components.num_components),
                 counted(components.largest_component, "vertex", "vertices"),
                 percent(components.largest_component, summary.num_vertices));
      if (command.num_repeats > 1) fmt::print("  counted and found in {}\n\n", times_text(seconds));
      fmt::print("{}", histogram_text(degrees, summary.directed));
    }
    command.report.set_graph(summary.to_json());
    command.report.add_section("degrees", to_json(degrees));
    command.report.add_section("weak_components",
                               {{"number", components.num_components}, {"largest", components.largest_component}});
    command.report.add_section("analysis_seconds", seconds);
    command.report.write();
    if (command.plot.wanted()) {
      flush_standard_output();
      command.plot.draw(picture);
    }
  });
  return exit_fine;
}

}  // namespace

CommandAction declare_info(ArgumentParser& parser) {
  parser.footer(info_footer);
  const auto command = std::make_shared<InfoCommand>();
  command->graph.declare(parser);
  command->report.declare(parser);
  command->graph.report_memory = memory_report(command->report);
  command->spread.declare(parser);
  command->plot.declare(parser, "How many vertices have each degree");
  add_repeat(parser, command->num_repeats,
             "How often degrees are counted and components found, after once that is not measured")
      .group("Results");
  return [command] {
    const auto prepare = [&] {
      if (!first_rank()) return SubjectUse();
      command->graph.check();
      check_repeat(command->num_repeats, command->graph.asks_memory);
      command->report.check();
      command->plot.check();
      command->plot.check_python();
      return SubjectUse();
    };
    return with_subject(command->graph, command->spread, prepare,
                        [&](const auto& subject) { return run_info(*command, subject); });
  };
}

}  // namespace dromos::driver
