// SPDX-License-Identifier: BSD-3-Clause
// dromos kcore: core numbers with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/validate/core_rules.hpp>
#include <memory>

#include "driver/commands/algorithm_command.hpp"

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

The core number of a vertex is the largest k such that it belongs to a subgraph in which every vertex has at least k
neighbors. Edges that are listed again count only with --keep-duplicates; self loops never do.)";

template <class Vertex>
class KcoreSolver {
 public:
  explicit KcoreSolver(const LoadedGraph<Vertex>& loaded) : loaded_(loaded), scratch_(loaded.graph()) {
    loaded.require_undirected("core numbers are");
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const KcoreStatistics statistics = kcore(space_, loaded_.graph(), scratch_, core_, {strategy.strategy});
    AlgorithmRun run;
    run.algorithm = "kcore";
    run.strategy = strategy.name;
    run.add("largest_core", statistics.largest_core, "largest core");
    run.add("num_sweeps", statistics.num_sweeps, "sweeps");
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const { return validate_cores(space_, loaded_.graph(), core_); }
  void write(const std::string& path) const {
    write_values(path, loaded_, core_, {"kcore", "core", "1", "core number", {}});
  }

 private:
  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  KcoreScratch<Vertex, Memory> scratch_;
  Kokkos::View<Vertex*, Memory> core_;
};

}  // namespace

CommandAction declare_kcore(ArgumentParser& parser) {
  parser.footer(kcore_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->declare(parser, "vertex core");
  return algorithm_action<KcoreSolver>(command, "peeling");
}

}  // namespace dromos::driver
