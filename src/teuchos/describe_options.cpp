// SPDX-License-Identifier: BSD-3-Clause
#include "describe_options.hpp"

namespace dromos::teuchos {

void describe(OptionVisitor& visit, BfsOptions& options) {
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
  visit.flag("levels", options.levels, "Produce the level of each vertex");
  visit.flag("parents", options.parents, "Produce the parent of each vertex");
}

void describe(OptionVisitor& visit, DirectionOptions& options) {
  visit.number("forward to backward", options.forward_to_backward, {},
               "Search backward when the edges that leave the frontier are more than this times those backward");
  visit.number("backward to forward", options.backward_to_forward, {}, "Search forward again when they are fewer than this times");
  visit_strategy(visit, "backward strategy", options.backward_strategy, "How edges are dealt out in backward sweeps");
}

void describe(OptionVisitor& visit, ColorOptions& options) {
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, ComponentOptions& options) {
  visit_choice(visit, "method", options.method, all_component_methods(), component_method_name, "How components are found");
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
  visit_integer(visit, "sample size", options.sample_size, {1},
                "afforest: vertices that are asked for their component to find the largest one");
}

void describe(OptionVisitor& visit, MultistepOptions& options) {
  visit.number("waste limit", options.waste_limit, {},
               "What parallel steps may waste, as a part of the serial algorithm's time; infinity: no guard");
  visit_integer(visit, "serial cutoff", options.serial_cutoff, {-1},
                "The serial finish takes over when no more vertices than this are left; -1: by the number of threads");
}

void describe(OptionVisitor& visit, SccOptions& options) {
  visit_choice(visit, "method", options.method, all_scc_methods(), scc_method_name, "How components are found");
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
  visit_sublist(visit, "multistep", options.multistep, "Where one step of Multistep gives way to the next");
}

void describe(OptionVisitor& visit, ReachabilityOptions& options) {
  visit.number("push to pull", options.push_to_pull, {},
               "Pull when the edges that leave the frontier are more than this part of what a pull looks at");
  visit.number("pull again", options.pull_again, {},
               "Pull again while a pull reaches more vertices than this times those that stay unreached");
}

void describe(OptionVisitor& visit, SsspOptions& options) {
  double delta = options.delta;
  visit.number("delta", delta, {0, std::numeric_limits<float>::max()}, "Width of a bucket; 0: the mean weight");
  if (delta != static_cast<double>(options.delta)) options.delta = static_cast<float>(delta);
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, PageRankOptions& options) {
  visit.number("damping", options.damping, {0, 1, true}, "Probability that the walk follows an edge");
  visit.number("tolerance", options.tolerance, {}, "Stop when the ranks change by less than this in one iteration");
  visit_integer(visit, "max iterations", options.max_iterations, {1}, "Stop after so many iterations");
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, KcoreOptions& options) {
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, BetweennessOptions& options) {
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, DiameterOptions& options) {
  visit_integer(visit, "max searches", options.max_searches, {3}, "Stop after so many searches");
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, BuildOptions& options) {
  visit.flag("symmetrize", options.symmetrize, "Store every edge in both directions");
  visit.flag("drop self loops", options.drop_self_loops, "Leave out edges from a vertex to itself");
  visit.flag("remove duplicates", options.remove_duplicates, "Keep one of several equal edges");
  visit.flag("sort adjacencies", options.sort_adjacencies, "Neighbors in ascending order");
}

void describe(OptionVisitor& visit, ReadOptions& options) {
  const std::vector<GraphFormat> formats = {GraphFormat::automatic, GraphFormat::matrix_market, GraphFormat::edge_list,
                                            GraphFormat::metis,     GraphFormat::dimacs,        GraphFormat::smat};
  visit_choice(visit, "format", options.format, formats, format_name, "What the file is; automatic: by its content");
  visit.flag("weights", options.weights, "Keep the weights of the edges");
  visit.flag("non negative weights", options.non_negative_weights, "A weight below 0 is an error");
  visit_integer(visit, "chunk bytes", options.chunk_bytes, {1}, "Bytes of text that one thread reads at a time");
}

void describe(OptionVisitor& visit, KroneckerOptions& options) {
  visit_integer(visit, "scale", options.scale, {0, 47}, "The graph has 2^scale vertices");
  visit_integer(visit, "edge factor", options.edge_factor, {0}, "Edges per vertex");
  visit.number("a", options.a, {0, 1}, "Probability of the first quadrant");
  visit.number("b", options.b, {0, 1}, "Probability of the second quadrant");
  visit.number("c", options.c, {0, 1}, "Probability of the third quadrant; what remains to 1 is that of the fourth");
  visit_integer(visit, "seed", options.seed, {0}, "Equal seeds give equal graphs");
  visit.flag("scramble", options.scramble, "Scramble vertex numbers");
}

void describe(OptionVisitor& visit, ErdosRenyiOptions& options) {
  visit_integer(visit, "num vertices", options.num_vertices, {0}, "Number of vertices");
  visit_integer(visit, "num edges", options.num_edges, {0}, "Number of edges");
  visit_integer(visit, "seed", options.seed, {0}, "Equal seeds give equal graphs");
}

void describe(OptionVisitor& visit, ChainOfCyclesOptions& options) {
  visit_integer(visit, "num vertices", options.num_vertices, {0}, "Number of vertices");
  visit_integer(visit, "smallest block", options.smallest_block, {1}, "Vertices of the smallest block");
  visit_integer(visit, "largest block", options.largest_block, {1}, "Vertices of the largest block");
  visit_integer(visit, "degree", options.degree, {1}, "Edges that leave a vertex, one of them along its cycle");
  visit_integer(visit, "reach", options.reach, {0}, "How many blocks ahead edges may lead");
  visit_integer(visit, "seed", options.seed, {0}, "Equal seeds give equal graphs");
}

}  // namespace dromos::teuchos
