// SPDX-License-Identifier: BSD-3-Clause
// dromos scc: strongly connected components with every strategy and method, how long it took and whether it is right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <memory>

#include "driver/commands/subject_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* scc_footer = R"(Examples:
  dromos scc web-NotreDame.txt.xz
      by Multistep
  dromos scc --strategy all --validate soc-Epinions1.txt
      four strategies in turn, every result proved by the three rules for strong components
  dromos scc --method serial,multistep --repeat 5 --json scc.json wiki-Vote.txt
      Multistep against the serial algorithm, five times each
  dromos scc --output components.txt p2p.txt
      one line "vertex component" for each vertex; a component is called by its first vertex
  dromos scc --generate kronecker --scale 20 --directed --steps
      what each step of Multistep settled
  mpirun -n 4 dromos scc --validate web-NotreDame.txt.xz
      four ranks, each with its part of the graph; what is left in the end is gathered on the first

The clock runs from the first look at the degrees to the last label; the edges turned round, which every method needs,
are made before. edges/s are the edges of the graph over that time.)";

struct SccCommandOptions {
  double waste_limit = SccOptions{}.waste_limit;
};

template <class Subject>
class SccSolver {
 public:
  using Global = typename Subject::Global;
  using Local = typename Subject::Local;
  SccSolver(Subject& subject, const SccCommandOptions& command_options)
      : waste_limit_(command_options.waste_limit),
        subject_(subject),
        scratch_(SccScratch<Local, Memory, Global>::of_part(
            subject.out_edges(), subject.out_edges().directed ? subject.in_edges() : subject.out_edges())) {}

  AlgorithmRun run(const std::string& method, const NamedStrategy& strategy, Global) {
    SccOptions options;
    options.method = scc_method_from_name(method);
    options.strategy = strategy.strategy;
    options.waste_limit = waste_limit_;
    const SccStatistics statistics = scc(space_, scratch_, result_, options, subject_.halo());
    AlgorithmRun run;
    run.algorithm = "scc";
    run.method = method;
    run.strategy = strategy.name;
    add_components(run, statistics.components, "components");
    run.seconds = statistics.seconds;
    run.rate = "geps";
    run.edges = subject_.num_edges();
    for (const SccStep& step : statistics.steps) {
      run.steps.push_back({step.name, step.num_settled, step.num_sweeps, step.seconds});
    }
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(result_.component, [](const auto& graph, const auto& component) {
      return validate_strong_components(graph, component);
    });
  }
  void write(const std::string& path) const {
    subject_.write_labels(path, result_.component, true,
                          {"scc", "component", "vertex", "first vertex of the strongly connected component", {}});
  }
  void write_more(const NamedFile& file) const { subject_.write_order(file.path, result_.component, "scc"); }

 private:
  double waste_limit_;
  Subject& subject_;
  Space space_;
  SccScratch<Local, Memory, Global> scratch_;
  SccResult<Global, Memory> result_;
};

}  // namespace

CommandAction declare_scc(ArgumentParser& parser) {
  parser.footer(scc_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  for (const SccMethod method : all_scc_methods()) command->all_methods.push_back(scc_method_name(method));
  command->declare(parser, "vertex component");
  command->add_output(parser, "--order", order_description, false);
  const auto options = std::make_shared<SccCommandOptions>();
  add_number(parser, "--waste-limit", options->waste_limit,
             "What forward-backward and coloring may cost, as a part of the serial algorithm's time, before it takes "
             "over; a millisecond is always allowed. Several ranks have no such limit",
             0)
      .group("Algorithm");
  parser.add_flag("--steps", command->show_steps, "Show what each step of a method settled").group("Results");
  return subject_action<SccSolver>(command, parser, "decomposing", options);
}

}  // namespace dromos::driver
