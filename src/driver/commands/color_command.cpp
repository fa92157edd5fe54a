// SPDX-License-Identifier: BSD-3-Clause
// dromos color: color propagation with every strategy, how long it took and whether it is right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/validate/color_rules.hpp>
#include <memory>

#include "driver/commands/algorithm_command.hpp"

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
on races, the colors do not.)";

template <class Vertex>
class ColorSolver {
 public:
  explicit ColorSolver(const LoadedGraph<Vertex>& loaded) : loaded_(loaded), graph_(loaded.graph()), scratch_(graph_) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const ColorStatistics statistics = color_propagation(space_, graph_, scratch_, result_, {strategy.strategy});
    AlgorithmRun run;
    run.algorithm = "color";
    run.strategy = strategy.name;
    add_components(run, summarize_components(space_, result_.color), "colors");
    run.seconds = statistics.seconds;
    run.edges = statistics.edge_updates;
    run.rate = "gteps";
    run.details = {{"num_sweeps", statistics.sweeps.size()},
                   {"vertex_updates", statistics.vertex_updates},
                   {"edge_updates", statistics.edge_updates}};
    return run;
  }

  RuleResult check(Vertex) {
    if (expected_.extent(0) != result_.color.extent(0)) expected_ = expected_colors(graph_);
    return validate_colors(space_, graph_, result_.color, expected_);
  }
  void write(const std::string& path) const {
    write_labels(path, loaded_, result_.color, false,
                 {"color", "color", "vertex", "largest vertex that reaches this one", {}});
  }

 private:
  const LoadedGraph<Vertex>& loaded_;
  Space space_;
  CsrGraph<Vertex, Memory> graph_;
  ColorScratch<Vertex, Memory> scratch_;
  ColorResult<Vertex, Memory> result_;
  Kokkos::View<const Vertex*, Memory> expected_;  ///< of the first result that is judged, for all of them
};

}  // namespace

CommandAction declare_color(ArgumentParser& parser) {
  parser.footer(color_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->declare(parser, "vertex color");
  return algorithm_action<ColorSolver>(command, "coloring");
}

}  // namespace dromos::driver
