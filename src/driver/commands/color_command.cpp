// SPDX-License-Identifier: BSD-3-Clause
// dromos color: color propagation with every strategy, how long it took and whether it is right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/validate/color_rules.hpp>
#include <memory>
#include <type_traits>

#include "driver/commands/subject_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* color_footer = R"(Examples:
  dromos color web-NotreDame.txt.xz
      each vertex gets the largest vertex that reaches it
  dromos color --strategy all --validate soc-Epinions1.txt
      four strategies in turn, every result compared with that of a serial algorithm
  dromos color --output colors.txt wiki-Vote.txt
      one line "vertex color" for each vertex
  dromos color --generate kronecker --scale 20 --repeat 5 --json color.json

The largest is the one that the file numbers highest (with --relabel: that of the lowest degree). In an undirected
graph a color is a component. TEPS are edges visited per second, in all sweeps together; the number of sweeps depends
on races, the colors do not. Where colors travel far, so that sweeps would cost more than the serial algorithm (see
--waste-limit), that takes over ("finished: serially"); its edges do not count. Strategies are compared without it:
--waste-limit 1e9.)";

struct ColorCommandOptions {
  double waste_limit = ColorOptions{}.waste_limit;
};

template <class Subject>
class ColorSolver {
 public:
  using Global = typename Subject::Global;
  ColorSolver(Subject& subject, const ColorCommandOptions& options)
      : waste_limit_(options.waste_limit), subject_(subject), scratch_(subject.out_edges()) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global) {
    const ColorStatistics statistics = color_propagation(space_, subject_.out_edges(), scratch_, result_,
                                                         {strategy.strategy, waste_limit_}, subject_.halo());
    AlgorithmRun run;
    run.algorithm = "color";
    run.strategy = strategy.name;
    add_components(run, subject_.summarize(result_.color), "colors");
    run.seconds = statistics.seconds;
    run.edges = statistics.edge_updates;
    run.rate = "gteps";
    run.details = {{"num_sweeps", statistics.sweeps.size()},
                   {"vertex_updates", statistics.vertex_updates},
                   {"edge_updates", statistics.edge_updates},
                   {"serial", statistics.serial}};
    run.cells.push_back({"finished", statistics.serial ? "serially" : "in sweeps"});
    return run;
  }

  RuleResult check(Global) {
    return subject_.check(result_.color, [&](const auto& graph, const auto& color) {
      if constexpr (std::is_same_v<std::decay_t<decltype(graph)>, CsrGraph<Global, Memory>>) {
        if (expected_.extent(0) != color.extent(0)) expected_ = expected_colors(graph);
        return validate_colors(space_, graph, color, expected_);
      } else {
        return validate_colors(space_, graph, color);  // by rules alone
      }
    });
  }
  void write(const std::string& path) const {
    subject_.write_labels(path, result_.color, false,
                          {"color", "color", "vertex", "largest vertex that reaches this one", {}});
  }

 private:
  double waste_limit_;
  Subject& subject_;
  Space space_;
  ColorScratch<typename Subject::Local, Memory> scratch_;
  ColorResult<Global, Memory> result_;
  Kokkos::View<const Global*, Memory> expected_;  ///< of the first result that is judged, for all of them
};

}  // namespace

CommandAction declare_color(ArgumentParser& parser) {
  parser.footer(color_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<ColorCommandOptions>();
  command->declare(parser, "vertex color");
  add_number(parser, "--waste-limit", options->waste_limit,
             "What sweeps may cost, as a part of the serial algorithm's time, before it takes over; a millisecond is "
             "always allowed. 0: serial at once. Several ranks have no serial algorithm",
             0)
      .group("Algorithm");
  return subject_action<ColorSolver>(command, parser, "coloring", options);
}

}  // namespace dromos::driver
