// SPDX-License-Identifier: BSD-3-Clause
// dromos coloring: a distance-1 coloring with every strategy, how many colors it took and whether neighbors differ.
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <memory>

#include "driver/base/option_values.hpp"
#include "driver/commands/algorithm_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* coloring_footer = R"(Examples:
  dromos coloring --undirected matrix.mtx
      rows of one color do not touch each other in the pattern of A + A^T
  dromos coloring --strategy all --validate --output colors.txt power.graph
      four strategies in turn, every coloring judged; one line "vertex color" for each vertex
  dromos coloring --seed 7 power.graph
      another coloring, maybe of fewer colors

Colors count from 0. They depend on the graph and --seed alone, not on the strategy, the number of threads or the
device.)";

template <class Vertex>
class ColoringSolver {
 public:
  ColoringSolver(const LoadedGraph<Vertex>& loaded, const std::int64_t& seed)
      : loaded_(loaded), seed_(static_cast<std::uint64_t>(seed)) {
    loaded.require_undirected("colorings are");
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const ColoringStatistics statistics = color_vertices(space_, loaded_.graph(), color_, {strategy.strategy, seed_});
    AlgorithmRun run;
    run.algorithm = "coloring";
    run.strategy = strategy.name;
    run.add("num_colors", statistics.num_colors, "colors");
    run.add("num_sweeps", statistics.num_sweeps, "sweeps");
    run.results["seed"] = seed_;
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const { return validate_coloring(loaded_.graph(), color_); }
  void write(const std::string& path) const {
    write_values(path, loaded_, color_, {"coloring", "color", "1", "from 0; neighbors differ", {}});
  }

 private:
  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  const std::uint64_t seed_;
  Kokkos::View<Vertex*, Memory> color_;
};

}  // namespace

CommandAction declare_coloring(ArgumentParser& parser) {
  parser.footer(coloring_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->draws = true;
  command->declare(parser, "vertex color");
  const std::shared_ptr<const std::int64_t> seed(command, &command->graph.generator.seed);
  return algorithm_action<ColoringSolver>(command, "coloring", seed);
}

}  // namespace dromos::driver
