// SPDX-License-Identifier: BSD-3-Clause
// dromos pagerank: ranks with every strategy, how long it took and whether they are right.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/validate/rank_rules.hpp>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/base/number_format.hpp"
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
      personalized: walks that follow no edge go to a vertex that seeds.txt lists
  mpirun -n 4 dromos pagerank web-NotreDame.txt.xz
      four ranks, each with its part of the graph

Ranks add up to 1. A vertex without out-edges gives its rank to all. The clock runs from the first ranks to the last;
the edges turned round, which every iteration needs, are made before.)";

struct PageRankCommandOptions {
  double damping = PageRankOptions().damping;
  double tolerance = PageRankOptions().tolerance;
  std::int64_t max_iterations = PageRankOptions().max_iterations;
  std::string start;  ///< the file of vertices where walks start; empty: all
  std::string share_order = share_order_name(PageRankOptions().share_order);
  bool single_precision_first = PageRankOptions().single_precision_first;

  void check() const {
    if (damping >= 1) throw ArgumentError("--damping: expected a number of at least 0 and below 1, found 1");
  }
};

/// The vertices of a file, ascending, each as often as the file lists it.
template <class Graph>
std::vector<typename Graph::vertex_type> listed_vertices(const Graph& graph, const std::string& path) {
  std::vector<typename Graph::vertex_type> vertices;
  for (const ListedVertex& each : read_vertex_list(path)) {
    try {
      vertices.push_back(graph.vertex(each.name, "vertex"));
    } catch (const ArgumentError& error) {
      throw InputError(path, each.line, error.what());
    }
  }
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

/// Of the vertices of a list, which ascends: how much of it each vertex is.
template <class Global, class Vertices>
struct ShareOfList {
  Kokkos::View<const Global*, Memory> list;
  Vertices vertices;
  Kokkos::View<double*, Memory> share;

  /// How many are below v, or up to v.
  KOKKOS_FUNCTION std::int64_t count(Global v, bool with_v) const {
    std::int64_t low = 0, high = static_cast<std::int64_t>(list.extent(0));
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (list(middle) < v || (with_v && list(middle) == v)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const auto v = static_cast<Global>(vertices.number(row));
    share(row) = static_cast<double>(count(v, true) - count(v, false)) / static_cast<double>(list.extent(0));
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
    options_.share_order = share_order_from_name(options.share_order);
    options_.single_precision_first = options.single_precision_first;
    if (options.start.empty()) return;
    const auto listed = subject.chosen([&](const auto& graph) { return listed_vertices(graph, options.start); });
    listed_ = Kokkos::View<Global*, Memory>("dromos::driver::listed", listed.size());
    using OnHost = Kokkos::View<const Global*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(listed_, OnHost(listed.data(), listed.size()));
    scratch_.start = shares(subject.halo().num_rows(scratch_.graph), subject.halo().vertices());
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
                   {"num_single_precision", statistics.num_single_precision},
                   {"change", statistics.change},
                   {"converged", statistics.converged},
                   {"share_order", share_order_name(statistics.share_order)},
                   {"order_seconds", statistics.order_seconds}};
    run.cells = {{"iterations", with_separators(statistics.num_iterations)},
                 {"last change", fmt::format("{:.3g}", statistics.change)},
                 {"converged", statistics.converged ? "yes" : "no"},
                 {"shares", share_order_name(statistics.share_order)}};
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(rank_, [&](const auto& graph, const auto& rank) {
      // The judge has all vertices, in their order.
      const Kokkos::View<const double*, Memory> start = shares(graph.num_vertices(), NoHalo().vertices());
      return validate_pagerank(space_, graph, rank, options_.damping, reached_, start);
    });
  }
  void write(const std::string& path) const {
    subject_.write(path, rank_, {"pagerank", "rank", "1", "PageRank; the sum over all vertices is 1", {}});
  }

 private:
  /// How often walks start at each of the vertices; empty where they start at all alike.
  template <class Vertices>
  Kokkos::View<double*, Memory> shares(std::int64_t num_vertices, const Vertices& vertices) const {
    if (listed_.extent(0) == 0) return {};
    const Kokkos::View<double*, Memory> share("dromos::driver::start", static_cast<std::size_t>(num_vertices));
    Kokkos::parallel_for("dromos::driver::start",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, num_vertices),
                         ShareOfList<Global, Vertices>{listed_, vertices, share});
    return share;
  }

  Space space_;
  PageRankOptions options_;
  Subject& subject_;
  Scratch scratch_;
  Kokkos::View<Global*, Memory> listed_;  // where walks start, ascending; empty: anywhere
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
  std::vector<std::string> orders;
  for (const ShareOrder order : all_share_orders()) orders.push_back(share_order_name(order));
  parser
      .add_option("--share-order", options->share_order,
                  "Where the shares of vertices lie that edges ask for: in the order of vertices, or those first that "
                  "many edges ask for (default: best, which is by-degree where it pays)")
      .one_of(orders)
      .group("Algorithm");
  parser
      .add_flag("!--double", options->single_precision_first,
                "Shares of double precision in all iterations (default: of single precision while the ranks change by "
                "1e-6 or more; with --tolerance 0 of double)")
      .group("Algorithm");
  const CommandAction action = subject_action<PageRankSolver>(command, parser, "ranking", options);
  return [command, options, action] {
    options->check();
    WorkingMemory& working = command->graph.working;
    if (!options->start.empty()) working.bytes_of_options = sizeof(double);  // PageRankScratch::start
    const ShareOrder order = share_order_from_name(options->share_order);
    const double num_iterations =
        dromos::detail::expected_iterations(options->damping, options->tolerance, options->max_iterations);
    if (order == ShareOrder::best && num_iterations >= dromos::detail::iterations_worth_ordering<Space>) {
      working.shares_in_any_order = dromos::detail::shares_in_any_order(Space());
    }
    if (order == ShareOrder::by_degree) {
      working.ids_a_vertex += 1;
      working.ids_an_arc += 1;
    }
    return action();
  };
}

}  // namespace dromos::driver
