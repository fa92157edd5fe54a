// SPDX-License-Identifier: BSD-3-Clause
// The experiments of Pan, Pearce and Owens 2018 on the search separated by degree:
//
//   bench_delegates --scale 20 --separations
//       what thresholds make of a graph (Figures 5, 7, 12)
//   mpirun -n 2 bench_delegates --scale 20 --threshold 4,8,16,32,64
//       rates over the threshold (Figures 6, 13)
//   mpirun -n 2 bench_delegates --scale 20 --variant DO,DO+U,DO+BR,BFS
//       options (Figure 8) and where time goes (Figure 10)
//   mpirun -n 4 bench_delegates --scale 20 --ranks 1,2,4 [--weak]
//       scaling (Figures 9, 11)
//   mpirun -n 2 bench_delegates --file web.txt --threshold 4,16,64
//       a graph of a file (Figures 12, 13)
//
// Variants: DO direction-optimizing, BR blocking reduction of delegates (otherwise it overlaps), U unique vertices, L
// local all-to-all (with --ranks-per-node where one machine stands for several nodes), joined by "+"; BFS is the plain
// search. As in the paper: 140 roots unless said otherwise, searches of one level left out, geometric mean of the
// rates, of Graph500 edges (an undirected edge once). Each result is validated outside of the timing. On one rank the
// node-level direction-optimizing search takes its turn with each root, too.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_degree/bfs_delegate.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/distributed/slice_roots.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"
#include "distributed_benchmark.hpp"

namespace {

using namespace dromos;
using perf::Json;
using perf::Memory;
using perf::Space;
using perf::Vertex;

/// How a threshold separates a graph, for rows of results.
Json json_of(const Separation& s) {
  return {{"threshold", s.threshold},
          {"num_delegates", s.num_delegates},
          {"nn", s.nn},
          {"nd", s.nd},
          {"dn", s.dn},
          {"dd", s.dd}};
}

struct Options {
  int scale = 18;
  std::int64_t edge_factor = 16;
  std::string graph = "kronecker";
  perf::CommonOptions common;
  std::vector<std::int64_t> thresholds;
  std::vector<std::string> variants{"DO"};
  std::string edges = "follow-source";
  std::vector<double> dd, dn, nd;
  bool separations = false;
  bool levels = false;
  bool node_level = false;
  int ranks_per_node = 0;
  std::string file;

  /// Of the graph.
  std::string name() const { return perf::graph_name(file.empty() ? graph : file); }
  DelegateEdges delegate_edges() const {
    return edges == "follow-source" ? DelegateEdges::follow_source : DelegateEdges::follow_lower_end;
  }
};

DistributedInput<Vertex> make_input(const Communicator& group, const Options& options, int scale) {
  return perf::generated_input(group, options.file.empty() ? options.graph : options.file, scale, options.edge_factor,
                               options.common.seed);
}

/// "DO+U" and the like.
BfsDelegateOptions parse_variant(const std::string& variant, const Options& options) {
  BfsDelegateOptions parsed;
  parsed.direction_optimizing = false;
  std::string part;
  for (const char c : variant + "+") {
    if (c != '+') {
      part += c;
      continue;
    }
    if (part == "DO") {
      parsed.direction_optimizing = true;
    } else if (part == "BR") {
      parsed.overlap_reduction = false;
    } else if (part == "U") {
      parsed.uniquify = true;
    } else if (part == "L") {
      parsed.local_all_to_all = true;
    } else if (part != "BFS" && part != "IR") {
      throw ArgumentError("--variant " + variant + ": " + part + " is none of DO, BR, IR, L, U, BFS");
    }
    part.clear();
  }
  const auto set = [](DirectionOptions& direction, const std::vector<double>& values) {
    if (values.empty()) return;
    direction.forward_to_backward = values[0];
    direction.backward_to_forward = values.size() > 1 ? values[1] : values[0] / 10;
  };
  set(parsed.dd, options.dd);
  set(parsed.dn, options.dn);
  set(parsed.nd, options.nd);
  parsed.ranks_per_node = options.ranks_per_node;
  return parsed;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

/// One threshold and variant.
struct Candidate : perf::MeasuredRuns {
  std::shared_ptr<GraphDelegate<Vertex, Memory>> graph;
  std::string variant;
  std::unique_ptr<BfsDelegate<Space, Vertex>> bfs;
  std::vector<double> reduction, exchange, agreement, parents;
  std::int64_t bytes = 0;
};

void print_separations(const Communicator& group, const std::vector<Separation>& separations, std::int64_t n, int scale,
                       const Options& options, Json& result) {
  const SeparatedFor use = separated_for<perf::Space>(options.delegate_edges());
  const Offset suggested = suggest_threshold(separations, n, group.size(), use).threshold;
  if (group.rank() == 0) std::printf("%9s %12s %8s %8s %8s %8s\n", "TH", "delegates", "nn", "nd", "dn", "dd");
  for (const Separation& s : separations) {
    const double m = static_cast<double>(s.nn + s.nd + s.dn + s.dd) / 100;
    const double percent = 100 * static_cast<double>(s.num_delegates) / static_cast<double>(n);
    if (group.rank() == 0) {
      std::printf("%9lld %11.4f%% %7.2f%% %7.2f%% %7.2f%% %7.2f%%%s\n", static_cast<long long>(s.threshold), percent,
                  static_cast<double>(s.nn) / m, static_cast<double>(s.nd) / m, static_cast<double>(s.dn) / m,
                  static_cast<double>(s.dd) / m, s.threshold == suggested ? "  suggested" : "");
    }
    result["rows"].push_back({{"graph", options.name()},
                              {"scale", scale},
                              {"num_vertices", n},
                              {"ranks", group.size()},
                              {"suggested", s.threshold == suggested}});
    result["rows"].back().update(json_of(s));
  }
}

void print_levels(const Communicator& group, const BfsDelegateStatistics& own) {
  const BfsDelegateStatistics total = total_statistics(group, own);
  if (group.rank() != 0) return;
  std::printf("%10s %10s %10s %10s %10s %10s %9s %9s %10s %10s\n", "normal", "delegates", "nn", "nd", "dn", "dd",
              "backward", "sent", "bytes", "ms");
  for (const BfsDelegateLevel& l : total.levels) {
    std::printf("%10lld %10lld %10lld %10lld %10lld %10lld %3s%3s%3s %9lld %10lld %10.3f\n",
                static_cast<long long>(l.normal_vertices), static_cast<long long>(l.delegates),
                static_cast<long long>(l.nn_edges), static_cast<long long>(l.nd_edges),
                static_cast<long long>(l.dn_edges), static_cast<long long>(l.dd_edges), l.nd_backward > 0 ? "nd" : "",
                l.dn_backward > 0 ? "dn" : "", l.dd_backward > 0 ? "dd" : "", static_cast<long long>(l.sent),
                static_cast<long long>(l.bytes_sent), l.seconds * 1e3);
  }
  std::printf("parents of delegates: %.3f ms\n", total.parents_seconds * 1e3);
}

void run(const Communicator& group, int scale, const Options& options, Json& result) {
  const Space space;
  const DistributedInput<Vertex> input = make_input(group, options, scale);
  const std::int64_t n = input.slice.num_vertices;
  std::vector<Candidate> candidates;
  CsrGraph<Vertex, Memory> node_graph;
  {
    const auto by_vertices = build_graph_1d(group, space, input.slice, input.build);
    if (options.separations) {
      print_separations(group, possible_separations(group, space, by_vertices), n, scale, options, result);
      return;
    }
    for (const std::int64_t threshold :
         options.thresholds.empty() ? std::vector<std::int64_t>{suggested_threshold} : options.thresholds) {
      const auto graph = std::make_shared<GraphDelegate<Vertex, Memory>>(
          separate_by_degree(group, space, by_vertices, threshold, options.delegate_edges()));
      for (const std::string& variant : options.variants) {
        Candidate candidate;
        candidate.graph = graph;
        candidate.variant = variant;
        candidate.bfs =
            std::make_unique<BfsDelegate<Space, Vertex>>(group, space, *graph, parse_variant(variant, options));
        candidates.push_back(std::move(candidate));
      }
    }
    if (options.node_level && group.size() == 1) node_graph = by_vertices.rows;
  }
  std::unique_ptr<BfsDirectionScratch<Vertex, Memory>> node_scratch;
  BfsResult<Vertex, Memory> node_result;
  if (node_graph.num_vertices() > 0) {
    node_graph.directed = false;
    node_scratch = std::make_unique<BfsDirectionScratch<Vertex, Memory>>(space, node_graph);
  }
  std::vector<double> node_seconds;
  const auto roots = slice_roots(group, space, input.slice, false, options.common.num_roots, options.common.seed);
  bool first = true;
  for (const Vertex root : roots) {
    if (node_scratch) {
      const BfsOptions node_options;
      if (first) bfs_direction_optimizing(space, node_graph, root, *node_scratch, node_result, node_options);
      node_seconds.push_back(
          bfs_direction_optimizing(space, node_graph, root, *node_scratch, node_result, node_options).seconds);
    }
    for (Candidate& c : candidates) {
      if (first) c.bfs->search(root);  // not timed: touches memory, opens connections
      group.barrier();
      const BfsDelegateStatistics own = c.bfs->search(root);
      const BfsDelegateStatistics total = total_statistics(group, own);
      const Offset edges_reached = c.validate(group, input, root,
                                              {replicate(group, space, c.graph->partition, c.bfs->result().parent),
                                               replicate(group, space, c.graph->partition, c.bfs->result().level)});
      if (total.levels.size() <= 2) continue;  // the root's own component has nothing to search
      double reduction = 0, exchange = 0, agreement = 0;
      c.bytes += total.parents_bytes;
      for (const BfsDelegateLevel& l : total.levels) {
        reduction += l.reduction_seconds;
        exchange += l.exchange_seconds;
        agreement += l.agreement_seconds;
        c.bytes += l.bytes_sent;
      }
      c.add(total.seconds, edges_reached);
      c.reduction.push_back(reduction);
      c.exchange.push_back(exchange);
      c.agreement.push_back(agreement);
      c.parents.push_back(total.parents_seconds);
      if (options.levels && root == roots.back()) print_levels(group, own);
    }
    first = false;
  }
  for (const Candidate& c : candidates) {
    const Separation& s = c.graph->separation;
    const double arcs = static_cast<double>(c.graph->num_arcs());
    const auto model = delegate_memory_model(s, n, group.size());
    const double bytes = static_cast<double>(sum<std::int64_t>(group, c.graph->bytes()));
    const double mean = geometric_mean(c.teps) / 1e9;
    const std::int64_t searches = static_cast<std::int64_t>(c.seconds.size());
    if (group.rank() == 0) {
      std::printf(
          "%5d %5d %-10s %6lld %7.3f%% %6.2f%% %6.1f%% %8.4f %8.3f %8.3f %8.3f %8.3f %8.3f %11.4g  %s\n", scale,
          group.size(), c.variant.c_str(), static_cast<long long>(s.threshold),
          100 * static_cast<double>(s.num_delegates) / static_cast<double>(n), 100 * static_cast<double>(s.nn) / arcs,
          100 * bytes / model.edge_list, mean, perf::median(c.seconds) * 1e3, perf::median(c.reduction) * 1e3,
          perf::median(c.exchange) * 1e3, perf::median(c.agreement) * 1e3, perf::median(c.parents) * 1e3,
          searches == 0 ? 0.0 : static_cast<double>(c.bytes) / static_cast<double>(searches), c.valid ? "yes" : "NO");
    }
    result["rows"].push_back({{"graph", options.name()},
                              {"scale", scale},
                              {"edge_factor", options.edge_factor},
                              {"ranks", group.size()},
                              {"variant", c.variant},
                              {"edges", options.edges},
                              {"strategy", name_of_what_runs<perf::Space>(Best{})},
                              {"graph_bytes", bytes},
                              {"table_1_bytes", model.separated},
                              {"edge_list_bytes", model.edge_list},
                              {"csr_bytes", model.rows},
                              {"geometric_mean_gteps", mean},
                              {"seconds", perf::spread(c.seconds)},
                              {"reduction_seconds", perf::spread(c.reduction)},
                              {"exchange_seconds", perf::spread(c.exchange)},
                              {"agreement_seconds", perf::spread(c.agreement)},
                              {"parents_seconds", perf::spread(c.parents)},
                              {"searches", searches},
                              {"valid", c.valid}});
    result["rows"].back().update(json_of(s));
  }
  if (!node_seconds.empty() && group.rank() == 0) {
    std::printf("%5d %5d %-10s %45.3f ms, all threads on the whole graph\n", scale, 1, "node-level",
                perf::median(node_seconds) * 1e3);
    result["node_level_seconds"] = perf::spread(node_seconds);
  }
  std::fflush(stdout);
}

int benchmark(const Options& options) {
  const Communicator world = options.common.world();
  Json result = perf::result_frame("bench_delegates", {{"scale", options.scale},
                                                       {"graph", options.name()},
                                                       {"edge_factor", options.edge_factor},
                                                       {"separations", options.separations}});
  result["options"].update(options.common.json(world));
  if (world.rank() == 0 && !options.separations) {
    std::printf("%5s %5s %-10s %6s %8s %7s %7s %8s %8s %8s %8s %8s %8s %11s  %s\n", "scale", "ranks", "variant", "TH",
                "deleg.", "nn", "of 16m", "GTEPS", "ms", "combine", "exchange", "agree", "parents", "bytes", "valid");
  }
  options.common.for_each_group(world, options.scale, [&](const Communicator& group, int grown_scale) {
    run(group, grown_scale, options, result);
  });
  return perf::finish(world, options.common.output, result);
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("The search separated by degree: thresholds, options, scaling, memory");
  Options options;
  options.common.num_roots = 140;
  parser.add_option("--scale", options.scale, "log2 of the number of vertices; with --weak, a rank's");
  parser.add_option("--edge-factor", options.edge_factor, "input edges per vertex");
  parser.add_option("--graph", options.graph, perf::slice_kinds);
  parser.add_option("--file", options.file, "search the graph of this file, as an undirected one, instead");
  options.common.declare(parser);
  parser.add_option("--threshold", options.thresholds, "degree thresholds (default: the suggested one)")
      .comma_or_blank_list();
  parser.add_option("--variant", options.variants, "DO, BR, IR, L, U joined by +; or BFS").comma_or_blank_list();
  parser
      .add_option("--edges", options.edges,
                  "which rank has the edges between delegates: follow-source, each arc with its source, or "
                  "follow-lower-end, both where the end of lower degree is, as the paper has it")
      .one_of({"follow-source", "follow-lower-end"});
  parser.add_option("--dd", options.dd, "direction factors of dd: backward above, forward again below")
      .comma_or_blank_list();
  parser.add_option("--dn", options.dn, "of dn").comma_or_blank_list();
  parser.add_option("--nd", options.nd, "of nd").comma_or_blank_list();
  parser.add_option("--ranks-per-node", options.ranks_per_node, "pretend that so many ranks share a node");
  parser.add_flag("--separations", options.separations, "only what each threshold would make of the graph");
  parser.add_flag("--levels", options.levels, "the levels of the last search");
  parser.add_flag("--node-level", options.node_level, "on one rank: the node-level search in turn");
  return perf::run_benchmark("bench_delegates", parser, argc, argv, [&] {
    perf::check_growth(options.common.weak, {options.file, options.graph});
    return benchmark(options);
  });
}
