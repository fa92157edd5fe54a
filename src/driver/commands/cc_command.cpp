// SPDX-License-Identifier: BSD-3-Clause
// dromos cc: connected components with every strategy and method, how long it took and whether it is right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <memory>

#include "driver/commands/algorithm_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* cc_footer = R"(Examples:
  dromos cc web-NotreDame.txt.xz
      the direction of edges does not matter
  dromos cc --method all --strategy all --validate ca-GrQc.txt
      every method with every strategy, every result proved by the rules for components
  dromos cc --output components.txt p2p.txt
      one line "vertex component" for each vertex; a component is called by its first vertex
  dromos cc --generate kronecker --scale 22 --repeat 5 --json cc.json

afforest links a few edges, finds the largest component in a sample and links the other vertices;
hooking links every edge; color propagates the largest number of a component. edges/s are the edges of the graph
over the time.)";

template <class Vertex>
class CcSolver {
 public:
  explicit CcSolver(const LoadedGraph<Vertex>& loaded)
      : loaded_(loaded),
        graph_(loaded.graph()),
        num_edges_(loaded.edges_from_arcs(graph_.num_edges())),
        scratch_(graph_) {}

  AlgorithmRun run(const std::string& method, const NamedStrategy& strategy, Vertex) {
    ComponentOptions options;
    options.method = component_method_from_name(method);
    options.strategy = strategy.strategy;
    const ComponentStatistics statistics = connected_components(space_, graph_, scratch_, result_, options);
    AlgorithmRun run;
    run.algorithm = "cc";
    run.method = method;
    run.strategy = strategy.name;
    add_components(run, statistics.components, "components");
    run.seconds = statistics.seconds;
    run.rate = "geps";
    run.edges = num_edges_;
    return run;
  }

  RuleResult check(Vertex) const { return validate_components(space_, graph_, result_.component); }
  void write(const std::string& path) const {
    write_labels(path, loaded_, result_.component, true,
                 {"cc", "component", "vertex", "first vertex of the connected component", {}});
  }

 private:
  const LoadedGraph<Vertex>& loaded_;
  Space space_;
  CsrGraph<Vertex, Memory> graph_;
  Offset num_edges_;
  ComponentScratch<Vertex, Memory> scratch_;
  ComponentResult<Vertex, Memory> result_;
};

}  // namespace

CommandAction declare_cc(ArgumentParser& parser) {
  parser.footer(cc_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  for (const ComponentMethod method : all_component_methods()) {
    command->all_methods.push_back(component_method_name(method));
  }
  command->declare(parser, "vertex component");
  return algorithm_action<CcSolver>(command, "joining");
}

}  // namespace dromos::driver
