// SPDX-License-Identifier: BSD-3-Clause
// dromos bc: betweenness centrality from sampled or all roots with every strategy, how long it took and whether it is
// right.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/core/error.hpp>
#include <dromos/validate/betweenness_rules.hpp>
#include <limits>
#include <memory>
#include <utility>

#include "driver/base/number_format.hpp"
#include "driver/commands/subject_command.hpp"
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
  mpirun -n 4 dromos bc --partition delegates soc-Epinions1.txt
      the same roots and values from four ranks, each with its part of the graph

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

/// The largest value of all ranks, and whose it is; of several the smallest vertex.
template <class Memory, class Vertices>
struct FindLargest {
  using Largest = Kokkos::MaxLoc<double, std::int64_t>;
  Kokkos::View<const double*, Memory> values;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t v, typename Largest::value_type& best) const {
    if (!vertices.counts(v) || values(v) < best.val) return;
    const std::int64_t number = vertices.number(v);
    if (values(v) == best.val && number > best.loc) return;
    best.val = values(v);
    best.loc = number;
  }
};

struct ScaleValues {
  Kokkos::View<const double*, Memory> from;
  double scale;
  Kokkos::View<double*, Memory> to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { to(v) = scale * from(v); }
};

template <class Subject>
class BcSolver {
 public:
  using Global = typename Subject::Global;
  using Local = typename Subject::Local;
  BcSolver(Subject& subject, const BcCommandOptions& options, const AlgorithmCommand& command)
      : subject_(subject), scratch_(subject.out_edges()) {
    const std::int64_t num_sources = subject.num_sources();  // nothing lies between other vertices and the rest
    const auto seed = static_cast<std::uint64_t>(command.graph.generator.seed);
    if (options.exact || num_sources == 0) {
      roots_ = subject.sources();
    } else {
      roots_ = subject.choose_roots(options.roots, seed);
    }
    if (!options.roots.named() && !roots_.empty()) {
      scale_ = static_cast<double>(num_sources) / static_cast<double>(roots_.size());
    }
    num_candidates_ = num_sources;
    estimates_ = scale_ != 1;
    if (!subject.out_edges().directed) scale_ /= 2;
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global) {
    const BetweennessStatistics statistics =
        betweenness(space_, subject_.out_edges(), roots_, scratch_, centrality_, {strategy.strategy}, subject_.halo());
    const auto [largest, vertex] = find_largest();
    const bool any = vertex >= 0;
    AlgorithmRun run;
    run.algorithm = "bc";
    run.strategy = strategy.name;
    run.seconds = statistics.seconds;
    run.edges = subject_.out_edges().directed ? statistics.edges_reached : statistics.edges_reached / 2;
    run.rate = "gteps";
    const std::int64_t name = any ? subject_.name(static_cast<Global>(vertex)) : 0;
    run.results = {{"num_roots", statistics.num_roots},
                   {"scale", scale_},
                   {"largest", largest},
                   {"largest_vertex", any ? nlohmann::ordered_json(name) : nullptr}};
    run.cells = {{"roots", with_separators(statistics.num_roots)},
                 {"largest", fmt::format("{:.6g}", largest)},
                 {"at", any ? std::to_string(name) : "-"}};
    if (estimates_) {
      run.text = fmt::format("\nan estimate, from {} of the {}; --exact takes all\n",
                             counted(statistics.num_roots, "root", "roots"),
                             counted(num_candidates_, "vertex with out-edges", "vertices with out-edges"));
    }
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check(centrality_, [&](const auto& graph, const auto& centrality) {
      return validate_betweenness(graph, roots_, centrality);
    });
  }

  void write(const std::string& path) const {
    const Kokkos::View<double*, Memory> scaled("dromos::driver::betweenness", centrality_.extent(0));
    Kokkos::parallel_for("dromos::driver::scale",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, scaled.extent(0)),
                         ScaleValues{centrality_, scale_, scaled});
    subject_.write(path, scaled,
                   {"bc",
                    "betweenness",
                    "1",
                    "share of shortest paths that lead over the vertex, summed",
                    {{"num_roots", static_cast<std::int64_t>(roots_.size())}}});
  }

 private:
  std::pair<double, std::int64_t> find_largest() const {
    const auto& halo = subject_.halo();
    const auto vertices = halo.vertices();
    using Find = FindLargest<Memory, std::decay_t<decltype(vertices)>>;
    typename Find::Largest::value_type best;
    best.val = -1;
    best.loc = -1;
    Kokkos::parallel_reduce(
        "dromos::driver::largest",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, halo.num_rows(subject_.out_edges())),
        Find{centrality_, vertices}, typename Find::Largest(best));
    if (halo.num_vertices(subject_.out_edges()) == 0) return {0, -1};
    const double largest = halo.max(best.val);
    const std::int64_t none = std::numeric_limits<std::int64_t>::max();
    return {scale_ * largest, halo.min(best.val == largest && best.loc >= 0 ? best.loc : none)};
  }

  Subject& subject_;
  Space space_;
  BetweennessScratch<Local, Memory> scratch_;
  std::vector<Global> roots_;
  double scale_ = 1;
  bool estimates_ = false;  // from a sample of the vertices that could be roots
  std::int64_t num_candidates_ = 0;
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
  command->needs_degrees = true;
  command->draws = true;
  const CommandAction action = subject_action<BcSolver>(command, parser, "counting paths in", options, command);
  return [options, action] {
    options->check();
    return action();
  };
}

}  // namespace dromos::driver
