// SPDX-License-Identifier: BSD-3-Clause
// dromos bc: betweenness centrality from sampled or all roots with every strategy, how long it took and whether it is
// right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <memory>

#include "driver/base/number_format.hpp"
#include "driver/commands/algorithm_command.hpp"
#include "driver/graphs/root_options.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* bc_footer = R"(Examples:
  dromos bc soc-Epinions1.txt
      estimated from 32 random roots
  dromos bc --exact --strategy all --validate karate.mtx
      from every vertex, four strategies in turn, every result compared with the serial algorithm
  dromos bc --roots 500 --seed 7 --output bc.txt web-NotreDame.txt.xz
      one line "vertex betweenness" for each vertex

Betweenness is the sum, over all pairs of other vertices, of the share of shortest paths that lead over the vertex; in
an undirected graph each pair counts once. From random roots it is an estimate, multiplied by the vertices with out-edges
over the roots. With --root only paths from these count, and nothing is multiplied.)";

struct BcCommandOptions {
  RootOptions roots;
  bool exact = false;

  void check() const {
    roots.check();
    if (exact && (roots.named() || roots.random())) {
      throw ArgumentError("--exact takes every vertex as a root: leave out --root and --roots");
    }
  }
};

template <class Vertex>
class BcSolver {
 public:
  BcSolver(const LoadedGraph<Vertex>& loaded, const BcCommandOptions& options, const AlgorithmCommand& command)
      : loaded_(loaded), scratch_(loaded.graph()) {
    const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), loaded.graph().row_map);
    std::vector<Vertex> candidates;  // nothing lies between a vertex without out-edges and others
    for (Vertex v = 0; v < loaded.graph().num_vertices(); ++v) {
      if (rows(v + 1) > rows(v)) candidates.push_back(v);
    }
    const auto seed = static_cast<std::uint64_t>(command.graph.generator.seed);
    roots_ = options.exact || candidates.empty() ? candidates : options.roots.choose(loaded, seed);
    if (!options.roots.named() && !roots_.empty()) {
      scale_ = static_cast<double>(candidates.size()) / static_cast<double>(roots_.size());
    }
    if (!loaded.graph().directed) scale_ /= 2;
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const BetweennessStatistics statistics =
        betweenness(space_, loaded_.graph(), roots_, scratch_, centrality_, {strategy.strategy});
    const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), centrality_);
    Vertex best = 0;
    for (Vertex v = 1; v < loaded_.graph().num_vertices(); ++v) {
      if (values(v) > values(best)) best = v;
    }
    const bool any = loaded_.graph().num_vertices() > 0;
    const double largest = any ? scale_ * values(best) : 0;
    AlgorithmRun run;
    run.algorithm = "bc";
    run.strategy = strategy.name;
    run.seconds = statistics.seconds;
    run.edges = loaded_.edges_from_arcs(statistics.edges_reached);
    run.rate = "gteps";
    run.results = {{"num_roots", statistics.num_roots},
                   {"scale", scale_},
                   {"largest", largest},
                   {"largest_vertex", any ? nlohmann::ordered_json(loaded_.name(best)) : nullptr}};
    run.cells = {{"roots", with_separators(statistics.num_roots)},
                 {"largest", fmt::format("{:.6g}", largest)},
                 {"at", any ? std::to_string(loaded_.name(best)) : "-"}};
    return run;
  }

  RuleResult check(Vertex) const { return validate_betweenness(loaded_.graph(), roots_, centrality_); }

  void write(const std::string& path) const {
    const Kokkos::View<double*, Kokkos::HostSpace> values("dromos::driver::betweenness", centrality_.extent(0));
    Kokkos::deep_copy(values, centrality_);
    for (std::size_t v = 0; v < values.extent(0); ++v) values(v) *= scale_;
    write_values(path, loaded_, values,
                 {"bc",
                  "betweenness",
                  "1",
                  "share of shortest paths that lead over the vertex, summed",
                  {{"num_roots", static_cast<std::int64_t>(roots_.size())}}});
  }

 private:
  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  BetweennessScratch<Vertex, Memory> scratch_;
  std::vector<Vertex> roots_;
  double scale_ = 1;
  Kokkos::View<double*, Memory> centrality_;
};

}  // namespace

CommandAction declare_bc(ArgumentParser& parser) {
  parser.footer(bc_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<BcCommandOptions>();
  command->declare(parser, "vertex betweenness");
  options->roots.declare(parser, 32);
  parser.add_flag("--exact", options->exact, "Every vertex is a root").group("Where to start");
  const CommandAction action = algorithm_action<BcSolver>(command, "counting paths in", options, command);
  return [options, action] {
    options->check();
    return action();
  };
}

}  // namespace dromos::driver
