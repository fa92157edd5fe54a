// SPDX-License-Identifier: BSD-3-Clause
// dromos sssp: shortest paths from every root with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

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
  dromos sssp --distances float --validate --tolerance 1e-5 USA-road-d.NY.gr.xz
      distances of half the width, right to one part in 100,000 or refused
  mpirun -n 4 dromos sssp --root 1 USA-road-d.NY.gr.xz
      four ranks, each with its part of the graph; the same distances

Weights must not be negative. They are the third column of an edge list, the values of a Matrix Market or SMAT file, the
lengths of a DIMACS file, or the edge weights of a METIS file; of an edge that is listed again the smallest counts.
They are kept with 24 bits: a whole number that would be rounded is refused.

Where all weights are whole, distances are 64-bit whole numbers and exact. Others are added up in double, right to one
part in 10^15 for each ten edges of a path. --distances float takes half the memory and has 24 bits: --validate compares
with a search in double, and a distance that differs by more than --tolerance is wrong.)";

constexpr std::initializer_list<const char*> distance_kinds = {"auto", "whole", "double", "float"};

struct SsspCommandOptions {
  double delta = 0;
  bool parents = false;
  std::string distances = "auto";
  double tolerance = default_distance_tolerance;
  bool validate = false;

  void check() const {
    for (const char* kind : distance_kinds) {
      if (distances == kind) return check_tolerance();
    }
    throw ArgumentError(fmt::format("--distances: there is no kind '{}'{}", distances,
                                    choice_hint(distances, {distance_kinds.begin(), distance_kinds.end()})));
  }
  void check_tolerance() const {
    if (tolerance == default_distance_tolerance) return;
    const char* const missing = !validate ? "--validate" : distances != "float" ? "--distances float" : nullptr;
    if (missing == nullptr) return;
    throw ArgumentError(fmt::format("--tolerance has no effect without {}; give both or leave it out", missing));
  }
};

/// Whole distances with -1 where the root does not reach.
template <class Memory>
struct MarkUnreached {
  Kokkos::View<const std::int64_t*, Memory> distance;
  Kokkos::View<std::int64_t*, Memory> marked;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    marked(v) = distance(v) == no_distance<std::int64_t> ? -1 : distance(v);
  }
};

template <class Subject>
class SsspSolver {
 public:
  using Global = typename Subject::Global;
  SsspSolver(Subject& subject, const SsspCommandOptions& options)
      : delta_(static_cast<float>(options.delta)),
        with_parents_(options.parents),
        tolerance_(options.tolerance),
        subject_(subject),
        scratch_(space_, subject.out_edges(), subject.halo()),
        kind_(options.distances) {
    if (kind_ == "auto") kind_ = scratch_.whole ? "whole" : "double";
    if (kind_ == "whole") distance_ = Distances<std::int64_t>();
    if (kind_ == "double") distance_ = Distances<double>();
    if (kind_ == "float") distance_ = Distances<float>();
  }

  /// With as many digits as tell it from its neighbors in its type.
  std::string largest_text(double largest) const {
    return kind_ == "float" ? fmt::format("{}", static_cast<float>(largest)) : fmt::format("{}", largest);
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global root) {
    root_ = root;
    strategy_ = strategy.strategy;
    const SsspStatistics statistics = std::visit(
        [&](auto& distance) {
          return sssp(space_, scratch_, subject_.local(root), distance, {delta_, strategy.strategy}, subject_.halo());
        },
        distance_);
    const bool whole = kind_ == "whole";
    const nlohmann::ordered_json largest = whole ? nlohmann::ordered_json(statistics.largest_whole_distance)
                                                 : nlohmann::ordered_json(statistics.largest_distance);
    AlgorithmRun run;
    run.algorithm = "sssp";
    run.strategy = strategy.name;
    run.seconds = statistics.seconds;
    run.results = {{"root", subject_.name(root)},
                   {"delta", statistics.delta},
                   {"distances", kind_},
                   {"reached", statistics.num_reached},
                   {"largest_distance", largest},
                   {"edges_relaxed", statistics.edges_relaxed},
                   {"edges_without_sweeps", statistics.edges_without_sweeps},
                   {"num_buckets", statistics.num_buckets},
                   {"num_sweeps", statistics.num_sweeps}};
    run.cells = {{"root", std::to_string(subject_.name(root))},
                 {"reached", with_separators(statistics.num_reached)},
                 {"largest distance", whole ? with_separators(statistics.largest_whole_distance)
                                            : largest_text(statistics.largest_distance)},
                 {"distances", kind_},
                 {"buckets", with_separators(statistics.num_buckets)},
                 {"sweeps", with_separators(statistics.num_sweeps)}};
    return run;
  }

  RuleResult check(Global root) const {
    return std::visit(
        [&](const auto& found) {
          return subject_.check(found, [&](const auto& graph, const auto& distance) {
            return validate_distances(space_, graph, root, distance, tolerance_);
          });
        },
        distance_);
  }
  void write(const std::string& path) {
    ResultHead head{"sssp",
                    "distance",
                    "weight",
                    "length of a shortest path from the root; infinite: not reached",
                    {{"root", subject_.place_in_file(root_)}},
                    ""};
    std::visit(
        [&](const auto& distance) {
          if constexpr (std::is_same_v<std::decay_t<decltype(distance)>, Distances<std::int64_t>>) {
            head.description = "length of a shortest path from the root; -1: not reached";
            head.none = "inf";
            const Distances<std::int64_t> marked("dromos::driver::distances", distance.extent(0));
            Kokkos::parallel_for("dromos::driver::distances",
                                 Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                     space_, 0, static_cast<std::int64_t>(distance.extent(0))),
                                 MarkUnreached<Memory>{distance, marked});
            write_columns(path, marked, distance, head);
          } else {
            write_columns(path, distance, distance, head);
          }
        },
        distance_);
  }

 private:
  template <class Distance>
  using Distances = Kokkos::View<Distance*, Memory>;

  /// `shown` as it stands in files, of what was found.
  template <class Shown, class Found>
  void write_columns(const std::string& path, const Distances<Shown>& shown, const Distances<Found>& found,
                     const ResultHead& head) {
    if (!with_parents_) return subject_.write(path, shown, head);
    Kokkos::View<Global*, Memory> parent;
    shortest_path_tree(space_, scratch_, subject_.local(root_), found, parent, {delta_, strategy_}, subject_.halo());
    subject_.write_tree(
        path, shown, parent, head,
        {"sssp", "parent", "vertex", "before the last on a shortest path; -1: not reached, the root: itself", {}, ""});
  }

  Space space_;
  float delta_;
  bool with_parents_;
  Strategy strategy_{};  // of these distances
  double tolerance_;
  Subject& subject_;
  SsspScratch<typename Subject::Local, Memory> scratch_;
  std::string kind_;
  std::variant<Distances<double>, Distances<float>, Distances<std::int64_t>> distance_;
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
  parser
      .add_option("--distances", options->distances,
                  "What lengths are added up in. auto: whole numbers of 64 bits where all weights are whole, otherwise "
                  "double; whole; double; float: half as wide, with 24 bits")
      .suggest({distance_kinds.begin(), distance_kinds.end()})
      .group("Algorithm");
  add_number(parser, "--tolerance", options->tolerance,
             "With --validate: the part of a distance of float by which it may differ from that in double", 0, 1)
      .group("Algorithm");
  const CommandAction action = subject_action<SsspSolver>(command, parser, "finding paths in", options);
  return [command, options, action] {
    options->validate = command->validate;
    options->check();
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
