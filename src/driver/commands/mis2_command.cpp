// SPDX-License-Identifier: BSD-3-Clause
// dromos mis2: a maximal independent set at distance 2 with every strategy, its size and whether it is one.
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <memory>

#include "driver/base/option_values.hpp"
#include "driver/commands/algorithm_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* mis2_footer = R"(Examples:
  dromos mis2 --undirected matrix.mtx
      roots of aggregates for the pattern of A + A^T
  dromos mis2 --strategy all --validate --output members.txt power.graph
      four strategies in turn, every set judged; one line "vertex member" for each vertex, 1 or 0
  dromos mis2 --seed 7 power.graph
      another set

No two members are within two edges of each other, and every vertex is within two edges of a member. The set depends on
the graph and --seed alone, not on the strategy, the number of threads or the device.)";

template <class Vertex>
class Mis2Solver {
 public:
  Mis2Solver(const LoadedGraph<Vertex>& loaded, const std::int64_t& seed)
      : loaded_(loaded), seed_(static_cast<std::uint64_t>(seed)) {
    loaded.require_undirected("independent sets are");
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const Mis2Statistics statistics = mis2(space_, loaded_.graph(), member_, {strategy.strategy, seed_});
    AlgorithmRun run;
    run.algorithm = "mis2";
    run.strategy = strategy.name;
    run.add("num_members", statistics.num_members, "members");
    run.add("num_rounds", statistics.num_rounds, "rounds");
    run.results["seed"] = seed_;
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const { return validate_mis2(loaded_.graph(), member_); }
  void write(const std::string& path) const {
    write_values(path, loaded_, member_, {"mis2", "member", "1", "1: in the set, 0: not", {}});
  }

 private:
  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  const std::uint64_t seed_;
  Kokkos::View<Vertex*, Memory> member_;
};

}  // namespace

CommandAction declare_mis2(ArgumentParser& parser) {
  parser.footer(mis2_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->draws = true;
  command->declare(parser, "vertex member");
  const std::shared_ptr<const std::int64_t> seed(command, &command->graph.generator.seed);
  return algorithm_action<Mis2Solver>(command, "choosing", seed);
}

}  // namespace dromos::driver
