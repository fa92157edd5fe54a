// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of the node level on parts of distributed graphs: components, colors, PageRank, cores, shortest paths,
// betweenness and, of directed graphs, strong components, by vertices, with delegates and on a grid of ranks, beside
// the same algorithms on a whole graph.
//
//   mpirun -n 4 bench_analytics --scale 20 --ranks 1,2,4             strong scaling
//   mpirun -n 4 bench_analytics --scale 18 --ranks 1,2,4 --weak      weak scaling: 2^18 vertices a rank
//   bench_analytics --scale 20 --partition whole                     the node level, with as many threads as there are
//   mpirun -n 2 bench_analytics --scale 20 --directed --algorithm scc,pagerank
//   mpirun -n 2 bench_analytics --scale 22 --graph grid,web.txt      a lattice, and a graph of a file
//
// Each run after one that is not timed; times are medians, of the slowest rank. Bytes are what all ranks send in a run,
// of PageRank in an iteration, as its times are. "messages" is how long a run is inside of communication, waiting
// included: the mean of ranks and runs. That is the most that could be hidden behind work. "sweeps" is how often the
// first rank went over edges: iterations of PageRank, levels of betweenness, and none for components, which do so in no
// order. "peak MB" is the most memory that a rank had for Views, the edges that its graph was built of included: while
// it was built, or by the algorithm beside it. What is found is summed up over all vertices into one number (ranks:
// rounded), which has to be that of every other row of the same algorithm; "whole" is run on the first rank wherever
// one rank alone is measured. By vertices means in blocks where choose_dealing() takes those, as the program does.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_vertices/choose_dealing.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/graph/transpose.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "command_line/argument_parser.hpp"
#include "distributed_benchmark.hpp"
#include "peak_memory.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Memory;
using perf::PeakMemory;
using perf::Space;
using perf::Vertex;

struct Options {
  std::vector<int> scales{18};
  std::vector<std::string> graphs{"kronecker"};
  perf::CommonOptions common;
  std::vector<std::string> partitions{"whole", "vertices", "delegates", "grid"};
  std::vector<std::string> algorithms{"cc", "color", "pagerank", "kcore", "sssp", "bc", "scc"};
  std::int64_t edge_factor = 16;
  std::int64_t num_runs = 5;
  bool directed = false;
};

/// On graphs of this kind?
bool can_run(const std::string& algorithm, const Options& options) {
  if (algorithm == "kcore") return !options.directed;
  return algorithm != "scc" || options.directed;
}

/// Adds up mixed pairs of vertex and value over the vertices that are counted here.
template <class T, class Vertices>
struct Fingerprint {
  Kokkos::View<const T*, Memory> values;
  Vertices vertices;
  double unit;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::uint64_t& sum) const {
    if (!vertices.counts(v)) return;
    const auto value = static_cast<std::uint64_t>(static_cast<double>(values(v)) / unit + 0.5);
    sum += mix_bits(mix_bits(static_cast<std::uint64_t>(vertices.number(v)) + 1) ^ value);
  }
};

/// A graph as the algorithms take it: whole (NoHalo), or a part.
template <class Local, class AnyHalo>
class Suite {
 public:
  Suite(const CsrGraph<Local, Memory>& graph, const CsrGraph<Local, Memory>& in_edges, const AnyHalo& halo, Vertex root,
        Local local_root)
      : graph_(graph), in_edges_(in_edges), halo_(halo), root_(root), local_root_(local_root) {}

  /// Runs the algorithm once and returns the seconds of this rank.
  double run(const std::string& algorithm) {
    num_parts_ = 1;
    num_sweeps_ = 0;
    if (algorithm == "cc") {
      if (components_.remaining.queue().extent(0) == 0) components_ = ComponentScratch<Local, Memory>(graph_);
      ComponentResult<Vertex, Memory> result{labels_};
      const double seconds = connected_components(space_, graph_, components_, result, {}, halo_).seconds;
      labels_ = result.component;
      sum_ = fingerprint(labels_, 1);
      return seconds;
    }
    if (algorithm == "color") {
      if (colors_.marks.size() == 0) colors_ = ColorScratch<Local, Memory>(graph_);
      ColorResult<Vertex, Memory> result{labels_};
      const ColorStatistics statistics = color_propagation(space_, graph_, colors_, result, {}, halo_);
      labels_ = result.color;
      sum_ = fingerprint(labels_, 1);
      num_sweeps_ = static_cast<std::int64_t>(statistics.sweeps.size());
      return statistics.seconds;
    }
    if (algorithm == "pagerank") {
      if (ranks_.share.extent(0) == 0) ranks_ = PageRankScratch<Local, Memory>::of_part(graph_, in_edges_);
      const PageRankStatistics statistics = pagerank(space_, ranks_, rank_, {}, halo_);
      sum_ = fingerprint(rank_, 1e-5);  // their last digits are of the order in which they were added up
      num_parts_ = statistics.num_iterations;
      num_sweeps_ = statistics.num_iterations;
      return statistics.seconds / num_parts_;
    }
    if (algorithm == "kcore") {
      if (cores_.degree.extent(0) == 0) cores_ = KcoreScratch<Local, Memory>(space_, graph_, halo_);
      const KcoreStatistics statistics = kcore(space_, graph_, cores_, core_, {}, halo_);
      sum_ = fingerprint(core_, 1);
      num_sweeps_ = statistics.num_sweeps;
      return statistics.seconds;
    }
    if (algorithm == "sssp") {
      if (!paths_) paths_ = std::make_unique<SsspScratch<Local, Memory>>(space_, graph_, halo_);
      const SsspStatistics statistics = sssp(space_, *paths_, local_root_, distance_, {}, halo_);
      sum_ = fingerprint(distance_, 1e-6);
      num_sweeps_ = statistics.num_sweeps;
      return statistics.seconds;
    }
    if (algorithm == "bc") {
      if (between_.level.extent(0) == 0) between_ = BetweennessScratch<Local, Memory>(graph_);
      const BetweennessStatistics statistics =
          betweenness(space_, graph_, std::vector<Vertex>{root_}, between_, centrality_, {}, halo_);
      sum_ = fingerprint(centrality_, 100);
      num_sweeps_ = statistics.num_levels;
      return statistics.seconds;
    }
    if (algorithm == "scc") {
      if (strong_.active.size() == 0) strong_ = SccScratch<Local, Memory, Vertex>::of_part(graph_, in_edges_);
      SccResult<Vertex, Memory> result{labels_};
      const SccStatistics statistics = scc(space_, strong_, result, {}, halo_);
      labels_ = result.component;
      sum_ = fingerprint(labels_, 1);
      for (const SccStep& step : statistics.steps) num_sweeps_ += step.num_sweeps;
      return statistics.seconds;
    }
    throw ArgumentError("--algorithm: there is no '" + algorithm +
                        "'; there are cc, color, pagerank, kcore, sssp, bc, scc");
  }
  /// Of what the last run found, on all ranks.
  std::uint64_t found() const { return sum_; }
  /// What is measured of a run is said of one of so many parts of it: of an iteration, where there are iterations.
  int num_parts() const { return num_parts_; }
  /// Of the last run, on this rank; 0 where they are not counted.
  std::int64_t num_sweeps() const { return num_sweeps_; }

 private:
  template <class T>
  std::uint64_t fingerprint(const Kokkos::View<T*, Memory>& values, double unit) {
    const auto vertices = halo_.vertices();
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce(
        "dromos::perf::fingerprint",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, halo_.num_rows(graph_)),
        Fingerprint<T, std::decay_t<decltype(vertices)>>{values, vertices, unit}, sum);
    return halo_.sum(sum);
  }

  Space space_;
  CsrGraph<Local, Memory> graph_, in_edges_;
  const AnyHalo& halo_;
  Vertex root_;
  Local local_root_;
  BetweennessScratch<Local, Memory> between_;
  SccScratch<Local, Memory, Vertex> strong_;
  Kokkos::View<double*, Memory> centrality_;
  ComponentScratch<Local, Memory> components_;
  ColorScratch<Local, Memory> colors_;
  PageRankScratch<Local, Memory> ranks_;
  KcoreScratch<Local, Memory> cores_;
  std::unique_ptr<SsspScratch<Local, Memory>> paths_;
  Kokkos::View<Vertex*, Memory> labels_;
  Kokkos::View<double*, Memory> rank_;
  Kokkos::View<Local*, Memory> core_;
  Kokkos::View<double*, Memory> distance_;  // what the program takes for such weights
  std::uint64_t sum_ = 0;
  int num_parts_ = 1;
  std::int64_t num_sweeps_ = 0;
};

/// What each algorithm has to find on a graph, as whoever came first found it.
using Expected = std::map<std::string, std::uint64_t>;

/// \param make_suite  for each algorithm a new one, so that each has memory of its own
template <class MakeSuite>
void measure(const Communicator& group, const std::string& graph, int scale, const std::string& partition,
             const std::string& dealing, const Options& options, Offset num_edges, PeakMemory& memory,
             const MakeSuite& make_suite, Expected& expected, Json& result) {
  const std::int64_t peak_of_building = memory.bytes();
  for (const std::string& algorithm : options.algorithms) {
    if (!can_run(algorithm, options)) continue;
    memory.restart();
    auto suite = make_suite();
    suite.run(algorithm);
    const auto before = group.counters().total();
    std::vector<double> seconds;
    for (std::int64_t run = 0; run < options.num_runs; ++run) {
      group.barrier();
      seconds.push_back(max(group, suite.run(algorithm)));
    }
    const auto sent = group.counters().total() - before;
    const double num_parts = static_cast<double>(options.num_runs * suite.num_parts());
    const double bytes = static_cast<double>(sum(group, sent.bytes_sent)) / num_parts;
    const double communication = sum(group, sent.seconds) / num_parts / group.size();
    const std::int64_t peak_bytes = max(group, std::max(peak_of_building, memory.bytes()));
    const bool same = expected.emplace(algorithm, suite.found()).first->second == suite.found();
    if (group.rank() != 0) continue;
    const double median = perf::median(seconds);
    const std::string sweeps = suite.num_sweeps() > 0 ? std::to_string(suite.num_sweeps()) : "-";
    std::printf("%-16s %5d %5d  %-10s %-10s %11.5f %10.4g %12.4g %11.5f %7s %9.0f  %s\n",
                perf::graph_name(graph).c_str(), scale, group.size(), partition.c_str(), algorithm.c_str(), median,
                static_cast<double>(num_edges) / median, bytes, communication, sweeps.c_str(),
                1e-6 * static_cast<double>(peak_bytes), same ? "yes" : "NO");
    std::fflush(stdout);
    result["rows"].push_back({{"graph", perf::graph_name(graph)},
                              {"scale", scale},
                              {"edge_factor", options.edge_factor},
                              {"directed", options.directed},
                              {"ranks", group.size()},
                              {"partition", partition},
                              {"dealing", dealing},
                              {"algorithm", algorithm},
                              {"iterations", suite.num_parts()},
                              {"seconds", perf::spread(seconds)},
                              {"edges_per_second", static_cast<double>(num_edges) / median},
                              {"bytes_sent", bytes},
                              {"communication_seconds", communication},
                              {"sweeps", suite.num_sweeps() > 0 ? Json(suite.num_sweeps()) : Json(nullptr)},
                              {"peak_bytes_of_a_rank", peak_bytes},
                              {"valid", same}});
  }
}

void run(const Communicator& group, const std::string& graph_kind, int scale, const Options& options, Json& result) {
  const Space space;
  PeakMemory memory;
  auto input = perf::generated_input(group, graph_kind, scale, options.edge_factor, options.common.seed);
  if (options.directed) input.build.symmetrize = false;
  input.slice = with_random_weights(space, input.slice, options.common.seed);
  const auto roots = slice_roots(group, space, input.slice, options.directed, 1, options.common.seed);
  if (roots.empty()) return;
  const auto edges = [&](Offset num_arcs) { return options.directed ? num_arcs : num_arcs / 2; };
  Expected expected;
  for (const std::string& partition : options.partitions) {
    memory.restart();
    if (partition == "whole") {
      if (group.size() > 1) continue;
      const auto graph = build_csr(space, input.slice, input.build);
      const auto in_edges = options.directed ? transpose(space, graph) : graph;
      const NoHalo halo;
      const auto make_suite = [&] {
        return Suite<Vertex, NoHalo>(graph, in_edges, halo, roots.front(), roots.front());
      };
      measure(group, graph_kind, scale, partition, "whole", options, edges(graph.num_edges()), memory, make_suite,
              expected, result);
      continue;
    }
    const Dealing dealing = partition == "vertices" ? choose_dealing(group, space, input.slice) : Dealing::cyclic;
    const bool in_blocks = dealing == Dealing::blocks;
    auto by_vertices = build_graph_1d(group, space, input.slice, input.build, dealing);
    std::optional<Graph1d<Vertex, Memory>> turned;
    if (options.directed) {
      auto slice = input.slice;
      std::swap(slice.source, slice.target);
      turned = build_graph_1d(group, space, slice, input.build, dealing);
    }
    GraphPart<Vertex, Memory> part;
    if (partition == "vertices") {
      part = part_by_vertices(group, space, std::exchange(by_vertices, {}), std::exchange(turned, std::nullopt));
    } else if (partition == "grid") {
      part = part_on_grid(group, space, std::exchange(by_vertices, {}), ProcessGrid(group.size()),
                          std::exchange(turned, std::nullopt));
    } else {
      part = part_by_degree(group, space, std::exchange(by_vertices, {}), suggested_threshold,
                            std::exchange(turned, std::nullopt));
    }
    const Halo<Space, Vertex> halo(group, part);
    const auto make_suite = [&, root = local_number(space, part, roots.front())] {
      return Suite<LocalVertex, Halo<Space, Vertex>>(part.out_edges, part.in_edges, halo, roots.front(), root);
    };
    measure(group, graph_kind, scale, partition, in_blocks ? "blocks" : "cyclic", options, edges(part.num_arcs), memory,
            make_suite, expected, result);
  }
}

int benchmark(const Options& options) {
  const Communicator world = options.common.world();
  const std::vector<std::string> known = {"whole", "vertices", "delegates", "grid"};
  for (const std::string& partition : options.partitions) {
    if (std::find(known.begin(), known.end(), partition) != known.end()) continue;
    throw ArgumentError("--partition: there is no '" + partition + "'; there are whole, vertices, delegates, grid");
  }
  Json result = perf::result_frame(
      "bench_analytics", {{"scale", options.scales}, {"graph", options.graphs}, {"edge_factor", options.edge_factor}});
  result["options"].update(options.common.json(world));
  result["options"]["strategy"] = name_of_what_runs<perf::Space>(Best{});
  if (world.rank() == 0) {
    std::printf("%-16s %5s %5s  %-10s %-10s %11s %10s %12s %11s %7s %9s  %s\n", "graph", "scale", "ranks", "partition",
                "algorithm", "time s", "edges/s", "bytes sent", "messages s", "sweeps", "peak MB", "same");
  }
  for (const std::string& graph : options.graphs) {
    for (const int scale : options.scales) {
      options.common.for_each_group(world, scale, [&](const Communicator& group, int grown_scale) {
        run(group, graph, grown_scale, options, result);
      });
    }
  }
  return perf::finish(world, options.common.output, result);
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("Algorithms on parts of distributed graphs, beside the node level");
  Options options;
  parser.add_option("--scale", options.scales, "log2 of the number of vertices; with --weak, a rank's")
      .comma_or_blank_list();
  parser.add_option("--graph", options.graphs, perf::slice_kinds).comma_or_blank_list();
  parser.add_option("--edge-factor", options.edge_factor, "input edges per vertex");
  parser.add_flag("--directed", options.directed, "the edges as they are drawn: one direction each");
  options.common.declare(parser);
  parser.add_option("--partition", options.partitions, "whole (one rank alone), vertices, delegates, grid")
      .comma_or_blank_list();
  parser
      .add_option("--algorithm", options.algorithms,
                  "cc, color, pagerank (an iteration), kcore, sssp, bc (one root), scc (with --directed)")
      .comma_or_blank_list();
  parser.add_option("--runs", options.num_runs, "of each, that the times are medians of").in_range(1);
  return perf::run_benchmark("bench_analytics", parser, argc, argv, [&] {
    perf::check_growth(options.common.weak, options.graphs);
    return benchmark(options);
  });
}
