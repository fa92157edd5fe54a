// SPDX-License-Identifier: BSD-3-Clause
// dromos cc: connected components with every strategy and method, how long it took and whether it is right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/validate/weak_component_rules.hpp>
#include <memory>

#include "driver/commands/subject_command.hpp"

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
  dromos cc --order order.txt p2p.txt
      one line "vertex place": a permutation that puts components one after the other, the largest first
  dromos cc --generate kronecker --scale 22 --repeat 5 --json cc.json
  mpirun -n 4 dromos cc web-NotreDame.txt.xz
      four ranks, each with its part of the graph; the same components

afforest links a few edges, finds the largest component in a sample and links the other vertices;
hooking links every edge; color propagates the largest number of a component. edges/s are the edges of the graph
over the time.)";

template <class Subject>
class CcSolver {
 public:
  using Global = typename Subject::Global;
  explicit CcSolver(Subject& subject) : subject_(subject), scratch_(subject.out_edges()) {}

  AlgorithmRun run(const std::string& method, const NamedStrategy& strategy, Global) {
    ComponentOptions options;
    options.method = component_method_from_name(method);
    options.strategy = strategy.strategy;
    const ComponentStatistics statistics =
        connected_components(space_, subject_.out_edges(), scratch_, result_, options, subject_.halo());
    AlgorithmRun run;
    run.algorithm = "cc";
    run.method = method;
    run.strategy = strategy.name;
    add_components(run, statistics.components, "components");
    run.seconds = statistics.seconds;
    run.rate = "geps";
    run.edges = subject_.num_edges();
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(result_.component, [&](const auto& graph, const auto& component) {
      return validate_components(space_, graph, component);
    });
  }
  void write(const std::string& path) const {
    subject_.write_labels(path, result_.component, true,
                          {"cc", "component", "vertex", "first vertex of the connected component", {}});
  }
  void write_more(const NamedFile& file) const { subject_.write_order(file.path, result_.component, "cc"); }

 private:
  Subject& subject_;
  Space space_;
  ComponentScratch<typename Subject::Local, Memory> scratch_;
  ComponentResult<Global, Memory> result_;
};

}  // namespace

CommandAction declare_cc(ArgumentParser& parser) {
  parser.footer(cc_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  for (const ComponentMethod method : all_component_methods()) {
    command->all_methods.push_back(component_method_name(method));
  }
  command->declare(parser, "vertex component");
  command->add_output(parser, "--order", order_description, false);
  return subject_action<CcSolver>(command, parser, "joining");
}

}  // namespace dromos::driver
