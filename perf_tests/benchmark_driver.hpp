// SPDX-License-Identifier: BSD-3-Clause
// One driver for all benchmarks of algorithms on one node. A benchmark is a description: which graphs it wants, which
// methods there are, how one run is made, measured and judged. The driver does the rest: options, graphs, warm-up,
// turns, validation outside of the timing, the table and the JSON.
//
// Contenders (each method with each strategy) take turns, run by run or root by root, so that a drift of the machine's
// speed meets them alike. Turn -1 warms up, is not measured, and is validated; later turns are validated where every
// root has its own answer and judging is cheap.
#pragma once

#include <dromos/traverse/strategy.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <functional>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "benchmark_graph.hpp"
#include "command_line/argument_parser.hpp"

namespace dromos::perf {

/// What was asked for, "best" for one, and what that is here.
struct ChosenStrategy {
  Strategy strategy;
  std::string asked;
  std::string runs;  ///< the name of what visits edges, never "best"
};

/// What is timed: an algorithm by a method, where it has several, with a strategy.
struct Contender {
  std::string method;
  ChosenStrategy chosen;
  Strategy strategy = chosen.strategy;
};

/// What any implementation of the approach moves at least: beside its time stands what that takes at the speeds that
/// bench_ceilings measured (ceilings.hpp).
struct LeastWork {
  double bytes = 0;         ///< read or written in order
  double random_reads = 0;  ///< single words, anywhere in a table
  double table_bytes = 0;   ///< of that table
};

/// One run of a contender.
struct Measurement {
  double seconds = 0;
  double edges = 0;  ///< what the rate counts; 0: there is no rate
  Json details;      ///< of the row: those of the last run
  LeastWork least;   ///< nothing: no floor is known
};

/// An algorithm made ready for one graph; what its functions share, scratch memory and the last result, they hold.
struct Kernel {
  /// Runs once. `root` is one with out-edges where the benchmark has roots.
  std::function<Measurement(const Contender& contender, Vertex root)> run;
  /// Judges the result of the last run.
  std::function<RuleResult(Vertex root)> check;
  Json facts = Json::object();  ///< fields of all rows of this graph: what preparing it took
};

/// A column of the table, beside those that all benchmarks have.
struct Column {
  const char* heading;
  const char* field;  ///< of a row of the result
  double factor = 1;
  int digits = 0;  ///< behind the decimal point
};

struct Benchmark {
  std::string name;         ///< "cc"; the program is bench_cc
  std::string description;  ///< for --help
  GraphNeeds graphs;

  /// Whether a turn is a search from a root of its own: the option is --roots then, otherwise --runs.
  bool from_roots = false;
  int turns = 8;
  bool validate_every_turn = false;

  std::string method_option = "method";  ///< and the field of the rows
  std::vector<std::string> methods;      ///< all there are; none: there is nothing to choose
  std::vector<std::string> default_methods;
  std::string baseline;  ///< a method that always runs first, and whose time the others' are compared with
  Strategy default_strategy;

  std::string rate;  ///< the field of Measurement::edges over time, in billions: "geps" or "gteps"; empty: none
  std::vector<Column> columns;

  std::function<void(ArgumentParser&)> declare;  ///< options of its own; may be empty
  std::function<Json()> options;                 ///< the same for the result; may be empty
  /// The graph outlives the kernel.
  std::function<Kernel(const BenchmarkGraph&)> prepare;
};

/// The strategies that names stand for: "all", "steps" (those that lead to manhattan-local, Slota et al. 2015,
/// Figure 2), or the name of one; without a name, the default. Throws ArgumentError for a name that does not exist.
std::vector<ChosenStrategy> chosen_strategies(const std::vector<std::string>& names, const Strategy& default_strategy);

/// Input edges whose first end has a value other than `unreached`, as Graph500 counts what a search traversed: in an
/// undirected graph the other end then has one as well.
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const std::int32_t*, Memory>& value,
                         std::int32_t unreached);
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const float*, Memory>& value,
                         float unreached);
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const double*, Memory>& value,
                         double unreached);
double count_input_edges(const EdgeList<Vertex, Memory>& input, const Kokkos::View<const std::int64_t*, Memory>& value,
                         std::int64_t unreached);

}  // namespace dromos::perf
