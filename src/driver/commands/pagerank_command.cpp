// SPDX-License-Identifier: BSD-3-Clause
// dromos pagerank: ranks with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/base/number_format.hpp"
#include "driver/base/ranks.hpp"
#include "driver/commands/subject_command.hpp"
#include "driver/graphs/vertex_list.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* pagerank_footer = R"(Examples:
  dromos pagerank web-NotreDame.txt.xz
      until an iteration changes the ranks, all changes added up, by less than 1e-9
  dromos pagerank --strategy all --validate --tolerance 1e-12 wiki-Vote.txt
      four strategies in turn, every result checked by one more iteration of another kind
  dromos pagerank --tolerance 0 --max-iterations 20 --output ranks.txt p2p.txt
      exactly 20 iterations; one line "vertex rank" for each vertex
  dromos pagerank --start seeds.txt web-NotreDame.txt.xz
      personalized: walks that follow no edge go to a vertex that the file lists
  mpirun -n 4 dromos pagerank web-NotreDame.txt.xz
      four ranks, each with its part of the graph

Ranks add up to 1. A vertex without out-edges gives its rank to all. The clock runs from the first ranks to the last;
the edges turned round, which every iteration needs, are made before.)";

struct PageRankCommandOptions {
  double damping = PageRankOptions().damping;
  double tolerance = PageRankOptions().tolerance;
  std::int64_t max_iterations = PageRankOptions().max_iterations;
  std::string start;  ///< the file of vertices where walks start; empty: all

  void check() const {
    if (!start.empty() && num_ranks() > 1)
      throw ArgumentError("--start: on several ranks walks start anywhere; use one");
    if (damping >= 1) throw ArgumentError("--damping: expected a number of at least 0 and below 1, found 1");
  }
};

template <class Subject>
class PageRankSolver {
 public:
  using Global = typename Subject::Global;
  using Scratch = PageRankScratch<typename Subject::Local, Memory>;
  PageRankSolver(Subject& subject, const PageRankCommandOptions& options)
      : subject_(subject), scratch_(Scratch::of_part(subject.out_edges(), subject.in_edges())) {
    options_.damping = options.damping;
    options_.tolerance = options.tolerance;
    options_.max_iterations = static_cast<int>(options.max_iterations);
    if constexpr (is_whole) {
      if (!options.start.empty()) start_at(options.start);
    }
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global) {
    options_.strategy = strategy.strategy;
    const PageRankStatistics statistics = pagerank(space_, scratch_, rank_, options_, subject_.halo());
    // What the iterations are answerable for.
    reached_ = statistics.converged ? options_.tolerance : statistics.change;
    AlgorithmRun run;
    run.algorithm = "pagerank";
    run.strategy = strategy.name;
    run.seconds = statistics.seconds;
    run.results = {{"damping", options_.damping},
                   {"tolerance", options_.tolerance},
                   {"num_iterations", statistics.num_iterations},
                   {"change", statistics.change},
                   {"converged", statistics.converged}};
    run.cells = {{"iterations", with_separators(statistics.num_iterations)},
                 {"last change", fmt::format("{:.3g}", statistics.change)},
                 {"converged", statistics.converged ? "yes" : "no"}};
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(rank_, [&](const auto& graph, const auto& rank) {
      if constexpr (is_whole) {
        if (scratch_.start.extent(0) > 0) {
          return validate_pagerank(space_, graph, rank, options_.damping, reached_, scratch_.start);
        }
      }
      return validate_pagerank(space_, graph, rank, options_.damping, reached_);
    });
  }
  void write(const std::string& path) const {
    subject_.write(path, rank_, {"pagerank", "rank", "1", "PageRank; the sum over all vertices is 1", {}});
  }

 private:
  static constexpr bool is_whole = std::decay_t<decltype(std::declval<Subject&>().halo())>::is_whole;

  /// Walks start at the vertices that the file lists, as often as it does.
  void start_at(const std::string& path) {
    const std::vector<ListedVertex> listed = read_vertex_list(path);
    const Kokkos::View<double*, Memory> start("dromos::driver::start", scratch_.graph.num_vertices());
    const auto host = Kokkos::create_mirror_view(start);
    for (const ListedVertex& each : listed) {
      try {
        host(subject_.vertex(each.name, "vertex")) += 1 / static_cast<double>(listed.size());
      } catch (const ArgumentError& error) {
        throw InputError(path, each.line, error.what());
      }
    }
    Kokkos::deep_copy(start, host);
    scratch_.start = start;
  }

  Space space_;
  PageRankOptions options_;
  Subject& subject_;
  Scratch scratch_;
  Kokkos::View<double*, Memory> rank_;
  double reached_ = 0;
};

}  // namespace

CommandAction declare_pagerank(ArgumentParser& parser) {
  parser.footer(pagerank_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<PageRankCommandOptions>();
  command->declare(parser, "vertex rank");
  add_number(parser, "--damping", options->damping, "Probability that the walk follows an edge; at least 0, below 1", 0,
             1)
      .group("Algorithm");
  add_number(parser, "--tolerance", options->tolerance,
             "Stop when an iteration changes the ranks by less than this in all", 0)
      .group("Algorithm");
  add_integer(parser, "--max-iterations", options->max_iterations, "Stop after so many iterations whatever the change",
              1, std::numeric_limits<int>::max())
      .group("Algorithm");
  parser
      .add_option(
          "--start", options->start,
          "Personalized: walks that follow no edge go to the vertices of this file, one a line, a vertex that is "
          "listed k times k times as often (default: to all alike)")
      .value_name("FILE")
      .reads_file()
      .group("Algorithm");
  const CommandAction action = subject_action<PageRankSolver>(command, parser, "ranking", options);
  return [options, action] {
    options->check();
    return action();
  };
}

}  // namespace dromos::driver
