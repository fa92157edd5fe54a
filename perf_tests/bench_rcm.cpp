// SPDX-License-Identifier: BSD-3-Clause
// How fast is reverse Cuthill-McKee on a mesh or a file, and what bandwidth does it find, beside the one of Kokkos
// Kernels, where that is there? Milliseconds, in turn; the ratio is the median of those of the turns.
//
//   bench_rcm --sides 1024,1024
//   bench_rcm --sides 128,128,64 --corners --in-order
//   bench_rcm --file USA-road-d.NY.gr
//
// Kokkos Kernels numbers on one thread of the host, whatever the space, from a vertex of smallest degree: no search for
// a start. Every order is checked to be a permutation, ours to be that of Cuthill and McKee.
#include <KokkosGraph_RCM.hpp>
#include <cstdio>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/validate/ordering_rules.hpp>
#include <string>
#include <vector>

#include "benchmark_graph.hpp"
#include "benchmark_program.hpp"
#include "command_line/argument_parser.hpp"

namespace dromos::perf {
namespace {

struct RcmBenchmark {
  std::vector<int> sides{1024, 1024};
  std::string file;
  bool corners = false;
  bool in_order = false;
  int max_searches = RcmOptions{}.max_searches;
  int runs = 9;
  std::uint64_t seed = 1;
  std::string json;
};

/// The cells of a box of two or three sides; neighbors share a face, or with `corners` a corner.
EdgeList<Vertex, Kokkos::HostSpace> mesh_edges(const RcmBenchmark& options) {
  std::vector<int> side = options.sides;
  if (side.size() == 2) side.push_back(1);
  if (side.size() != 3) throw ArgumentError("--sides: expected two or three numbers, such as 1024,1024");
  std::int64_t n = 1;
  for (const int each : side) {
    if (each < 1) throw ArgumentError("--sides: expected numbers of at least 1, found " + std::to_string(each));
    n *= each;
  }
  if (n > max_num_vertices<Vertex>) throw ArgumentError("--sides: more cells than ids can number");
  std::vector<Vertex> source, target;
  const auto join_forward = [&](int x, int y, int z, int dx, int dy, int dz) {
    const int a = x + dx, b = y + dy, c = z + dz;
    if (a < 0 || b < 0 || c < 0 || a >= side[0] || b >= side[1] || c >= side[2]) return;
    source.push_back((Vertex(x) * side[1] + y) * side[2] + z);
    target.push_back((Vertex(a) * side[1] + b) * side[2] + c);
  };
  for (std::int64_t cell = 0; cell < n; ++cell) {
    const int z = static_cast<int>(cell % side[2]), y = static_cast<int>(cell / side[2] % side[1]),
              x = static_cast<int>(cell / side[2] / side[1]);
    // Half of the neighbors: the others are those for which this cell is one.
    for (int way = 14; way < 27; ++way) {
      const int dx = way / 9 - 1, dy = way / 3 % 3 - 1, dz = way % 3 - 1;
      if (options.corners || dx * dx + dy * dy + dz * dz == 1) join_forward(x, y, z, dx, dy, dz);
    }
  }
  EdgeList<Vertex, Kokkos::HostSpace> edges(static_cast<Vertex>(n), static_cast<Offset>(source.size()));
  for (std::size_t e = 0; e < source.size(); ++e) {
    edges.source(e) = source[e];
    edges.target(e) = target[e];
  }
  return edges;
}

/// The pattern of A + A^T of a file, or of a mesh.
Graph load(const RcmBenchmark& options) {
  if (!options.file.empty()) {
    GraphNeeds needs;
    needs.direction = GraphNeeds::Direction::undirected;
    return load_benchmark_graph(options.file, 0, {}, needs).graph;
  }
  const auto edges = mesh_edges(options);
  if (!options.in_order) shuffle_vertices(edges, options.seed);
  BuildOptions build;
  build.symmetrize = true;
  return build_csr(Space(), copy_to<Memory>(edges), build);
}

void require(const RuleResult& proof, const char* whose) {
  if (!proof.holds) throw Error(std::string(whose) + ": " + proof.message);
}

/// By place, the vertex; throws where it is no permutation.
Kokkos::View<Vertex*, Kokkos::HostSpace> inverse(const Kokkos::View<Vertex*, Memory>& new_id) {
  const auto place = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), new_id);
  const auto n = static_cast<std::int64_t>(place.extent(0));
  const Kokkos::View<Vertex*, Kokkos::HostSpace> old_id("old_id", static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v) {
    if (place(v) >= 0 && place(v) < n) old_id(place(v)) = static_cast<Vertex>(v);
  }
  require(order_is_permutation<Vertex>(n, place, old_id), "Kokkos Kernels");
  return old_id;
}

void run(const RcmBenchmark& options) {
  const Space space;
  const Graph graph = load(options);
  RcmResult<Vertex, Memory> ours;
  Kokkos::View<Vertex*, Memory> theirs;
  RcmStatistics found;
  RcmOptions rcm_options;
  rcm_options.max_searches = options.max_searches;
  const auto run_ours = [&] {
    const Kokkos::Timer timer;
    found = rcm(space, graph, ours, rcm_options);
    return 1e3 * timer.seconds();
  };
  const auto run_theirs = [&] {
    const Kokkos::Timer timer;
    theirs = KokkosGraph::Experimental::graph_rcm<Space::device_type>(graph.row_map, graph.entries);
    fence(space, "dromos::bench_rcm::theirs");
    return 1e3 * timer.seconds();
  };
  run_ours();
  run_theirs();
  std::vector<double> our_times, their_times, ratios;
  for (int turn = 0; turn < options.runs; ++turn) {
    // Who is first takes turns as well.
    if (turn % 2 == 0) their_times.push_back(run_theirs());
    our_times.push_back(run_ours());
    if (turn % 2 != 0) their_times.push_back(run_theirs());
    ratios.push_back(their_times.back() / our_times.back());
  }
  require(validate_rcm(graph, ours.new_id, ours.old_id), "rcm");
  inverse(theirs);

  std::printf("%lld vertices, %lld arcs, %s: %lld levels, %d searches for the start; %s, %d threads\n",
              static_cast<long long>(graph.num_vertices()), static_cast<long long>(graph.num_edges()),
              !options.file.empty() ? options.file.c_str()
              : options.in_order    ? "in order"
                                    : "shuffled",
              static_cast<long long>(found.num_levels), found.num_searches, device_name().c_str(),
              Kokkos::DefaultHostExecutionSpace().concurrency());
  const auto tell = [&](const char* name, const std::vector<double>& times, const auto& new_id) {
    const Json spread_of_times = spread(times);
    std::printf("  %-16s %9.2f ms (%.2f to %.2f)   bandwidth %8lld   profile %12lld\n", name, median(times),
                spread_of_times["min"].get<double>(), spread_of_times["max"].get<double>(),
                static_cast<long long>(bandwidth(space, graph, new_id)),
                static_cast<long long>(profile(space, graph, new_id)));
  };
  tell("Dromos", our_times, ours.new_id);
  tell("Kokkos Kernels", their_times, theirs);
  std::printf("  %.2f times as fast (%.2f to %.2f)\n", median(ratios), spread(ratios)["min"].get<double>(),
              spread(ratios)["max"].get<double>());
  if (options.json.empty()) return;
  Json result = result_frame("rcm", {{"sides", options.sides},
                                     {"file", options.file},
                                     {"corners", options.corners},
                                     {"in_order", options.in_order},
                                     {"max_searches", options.max_searches},
                                     {"seed", options.seed}});
  result["rows"].push_back({{"num_vertices", graph.num_vertices()},
                            {"num_edges", graph.num_edges()},
                            {"num_levels", found.num_levels},
                            {"num_searches", found.num_searches},
                            {"milliseconds", spread(our_times)},
                            {"bandwidth", bandwidth(space, graph, ours.new_id)},
                            {"profile", profile(space, graph, ours.new_id)},
                            {"kokkos_kernels_milliseconds", spread(their_times)},
                            {"kokkos_kernels_bandwidth", bandwidth(space, graph, theirs)},
                            {"kokkos_kernels_profile", profile(space, graph, theirs)},
                            {"ratio", spread(ratios)}});
  write_result(options.json, result);
}

void declare(ArgumentParser& parser, RcmBenchmark& options) {
  parser.add_option("--sides", options.sides, "cells along the two or three sides of the mesh").comma_or_blank_list();
  parser.add_option("--file", options.file, "instead of a mesh: a graph or matrix as it is numbered");
  parser.add_flag("--corners", options.corners, "cells that share a corner are neighbors: 9 or 27 points, not 5 or 7");
  parser.add_flag("--in-order", options.in_order, "keep the numbers of the mesh; without this they are shuffled");
  parser.add_option("--max-searches", options.max_searches, "for the start").in_range(1);
  parser.add_option("--runs", options.runs, "measured runs of both, in turn").in_range(1);
  parser.add_option("--seed", options.seed, "of the shuffled numbers");
  parser.add_option("--json", options.json, "write the result to this file");
}

}  // namespace
}  // namespace dromos::perf

int main(int argc, char** argv) {
  using namespace dromos::perf;
  return run_with_options<RcmBenchmark>("bench_rcm",
                                        "Reverse Cuthill-McKee on a mesh or a file, beside the one of Kokkos Kernels",
                                        argc, argv, declare, run);
}
