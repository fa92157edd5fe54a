// SPDX-License-Identifier: BSD-3-Clause
// dromos sssp: shortest paths from every root with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <memory>

#include "driver/base/number_format.hpp"
#include "driver/commands/subject_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* sssp_footer = R"(Examples:
  dromos sssp --root 1 USA-road-d.NY.gr.xz
      from vertex 1, over the weights of the file
  dromos sssp --strategy all --validate --roots 4 --weights uniform wiki-Vote.txt
      a file without weights gets random ones; every result is proved by the rules for distances
  dromos sssp --root 6 --output distances.txt p2p-31.e
      one line "vertex distance" for each vertex, inf where the root does not reach
  dromos sssp --root 6 --parents --output tree.txt p2p-31.e
      "vertex distance parent": over which vertex a shortest path comes; -1 where the root does not reach
  dromos sssp --generate kronecker --scale 20 --delta 0.1 --roots 8 --json sssp.json
  mpirun -n 4 dromos sssp --root 1 USA-road-d.NY.gr.xz
      four ranks, each with its part of the graph; the same distances

Weights must not be negative. They are the third column of an edge list, the values of a Matrix Market or SMAT file, the
lengths of a DIMACS file, or the edge weights of a METIS file; of an edge that is listed again the smallest counts.)";

struct SsspCommandOptions {
  double delta = 0;
  bool parents = false;
};

template <class Subject>
class SsspSolver {
 public:
  using Global = typename Subject::Global;
  SsspSolver(Subject& subject, const SsspCommandOptions& options)
      : delta_(static_cast<float>(options.delta)),
        with_parents_(options.parents),
        subject_(subject),
        scratch_(space_, subject.out_edges(), subject.halo()) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global root) {
    root_ = root;
    strategy_ = strategy.strategy;
    const SsspStatistics statistics =
        sssp(space_, scratch_, subject_.local(root), distance_, {delta_, strategy.strategy}, subject_.halo());
    AlgorithmRun run;
    run.algorithm = "sssp";
    run.strategy = strategy.name;
    run.seconds = statistics.seconds;
    run.results = {{"root", subject_.name(root)},
                   {"delta", delta_ > 0 ? delta_ : static_cast<float>(scratch_.mean_weight)},
                   {"reached", statistics.num_reached},
                   {"largest_distance", statistics.largest_distance},
                   {"edges_relaxed", statistics.edges_relaxed},
                   {"num_buckets", statistics.num_buckets},
                   {"num_sweeps", statistics.num_sweeps}};
    run.cells = {{"root", std::to_string(subject_.name(root))},
                 {"reached", with_separators(statistics.num_reached)},
                 {"largest distance", fmt::format("{}", statistics.largest_distance)},
                 {"buckets", with_separators(statistics.num_buckets)},
                 {"sweeps", with_separators(statistics.num_sweeps)}};
    return run;
  }

  RuleResult check(Global root) const {
    return subject_.check(distance_, [&](const auto& graph, const auto& distance) {
      return validate_distances(space_, graph, root, distance);
    });
  }
  void write(const std::string& path) {
    const ResultHead head = {"sssp",
                             "distance",
                             "weight",
                             "length of a shortest path from the root; infinite: not reached",
                             {{"root", subject_.place_in_file(root_)}}};
    if (!with_parents_) return subject_.write(path, distance_, head);
    Kokkos::View<Global*, Memory> parent;
    shortest_path_tree(space_, scratch_, subject_.local(root_), distance_, parent, {delta_, strategy_},
                       subject_.halo());
    subject_.write_tree(
        path, distance_, parent, head,
        {"sssp", "parent", "vertex", "before the last on a shortest path; -1: not reached, the root: itself", {}});
  }

 private:
  Space space_;
  float delta_;
  bool with_parents_;
  Strategy strategy_{};  // of these distances
  Subject& subject_;
  SsspScratch<typename Subject::Local, Memory> scratch_;
  Kokkos::View<float*, Memory> distance_;
  Global root_ = 0;  // of these distances
};

}  // namespace

CommandAction declare_sssp(ArgumentParser& parser) {
  parser.footer(sssp_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<SsspCommandOptions>();
  command->roots.emplace();
  command->declare(parser, "vertex distance");
  command->graph.declare_weights(parser);
  add_number(parser, "--delta", options->delta,
             "Width of a bucket of distances; 0: chosen, and wider while buckets have few edges", 0)
      .group("Algorithm");
  parser
      .add_flag(
          "--parents", options->parents,
          "With --output: the vertex before each on a shortest path, as a third column \"vertex distance parent\"")
      .group("Results");
  const CommandAction action = subject_action<SsspSolver>(command, parser, "finding paths in", options);
  return [command, options, action] {
    if (options->parents && command->output.empty()) {
      throw ArgumentError("--parents is a column of the results: give --output FILE");
    }
    if (options->parents && names_matrix_market(command->output)) {
      throw ArgumentError("--parents: " + command->output +
                          " is a vector, which has one column; give a name that ends in .txt or .h5");
    }
    if (!command->output.empty() && command->roots->num_asked_for() > 1) {
      throw ArgumentError("--output takes the distances from one root: give one");
    }
    return action();
  };
}

}  // namespace dromos::driver
