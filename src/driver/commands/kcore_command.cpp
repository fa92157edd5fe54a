// SPDX-License-Identifier: BSD-3-Clause
// dromos kcore: core numbers with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/validate/core_rules.hpp>
#include <memory>

#include "driver/commands/subject_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* kcore_footer = R"(Examples:
  dromos kcore --undirected soc-Epinions1.txt
      directions forgotten; the largest core number is the degeneracy of the graph
  dromos kcore --strategy all --validate power.graph
      four strategies in turn, every result compared with serial peeling
  dromos kcore --output cores.txt ca-GrQc.mtx
      one line "vertex core" for each vertex
  mpirun -n 4 dromos kcore --partition delegates ca-GrQc.mtx
      four ranks, each with its part of the graph; the same core numbers

The core number of a vertex is the largest k such that it belongs to a subgraph in which every vertex has at least k
neighbors. Edges that are listed again count only with --keep-duplicates; self loops never do.)";

template <class Subject>
class KcoreSolver {
 public:
  using Global = typename Subject::Global;
  using Local = typename Subject::Local;
  explicit KcoreSolver(Subject& subject) : subject_(subject) {
    subject.require_undirected("core numbers are");
    scratch_ = KcoreScratch<Local, Memory>(space_, subject.out_edges(), subject.halo());
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global) {
    const KcoreStatistics statistics =
        kcore(space_, subject_.out_edges(), scratch_, core_, {strategy.strategy}, subject_.halo());
    AlgorithmRun run;
    run.algorithm = "kcore";
    run.strategy = strategy.name;
    run.add("largest_core", statistics.largest_core, "largest core");
    run.add("num_sweeps", statistics.num_sweeps, "sweeps");
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(core_,
                          [&](const auto& graph, const auto& core) { return validate_cores(space_, graph, core); });
  }
  void write(const std::string& path) const { subject_.write(path, core_, {"kcore", "core", "1", "core number", {}}); }

 private:
  Subject& subject_;
  Space space_;
  KcoreScratch<Local, Memory> scratch_;
  Kokkos::View<Local*, Memory> core_;
};

}  // namespace

CommandAction declare_kcore(ArgumentParser& parser) {
  parser.footer(kcore_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->declare(parser, "vertex core");
  return subject_action<KcoreSolver>(command, parser, "peeling");
}

}  // namespace dromos::driver
