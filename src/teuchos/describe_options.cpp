// SPDX-License-Identifier: BSD-3-Clause
#include "describe_options.hpp"

#include <limits>

namespace dromos::teuchos {

void describe(OptionVisitor& visit, BfsOptions& options) {
  auto& [strategy, levels, parents, fuse_small_levels, late_updates] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.flag("levels", levels, "Produce the level of each vertex");
  visit.flag("parents", parents, "Produce the parent of each vertex");
  visit.flag("fuse small levels", fuse_small_levels,
             "Search levels of few edges one after the other without a launch for each");
  visit.flag("late updates", late_updates,
             "On GPUs, search levels of many edges without a queue and write their results afterwards");
}

void describe(OptionVisitor& visit, DirectionOptions& options) {
  auto& [forward_to_backward, backward_to_forward, fewest_edges_backward] = options;
  const NumberRange factor{-1, std::numeric_limits<double>::infinity()};
  visit.number("forward to backward", forward_to_backward, factor,
               "Search backward when the edges that leave the frontier are more than this times those backward; below "
               "zero: chosen for the search");
  visit.number("backward to forward", backward_to_forward, factor,
               "Search forward again when they are fewer than this times; below zero: chosen for the search");
  visit_integer(visit, "fewest edges backward", fewest_edges_backward, {-1, std::numeric_limits<Offset>::max()},
                "Never search backward when fewer edges leave the frontier; -1: chosen for the device");
}

void describe(OptionVisitor& visit, ColorOptions& options) {
  auto& [strategy, waste_limit] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.number("waste limit", waste_limit, {},
               "What sweeps may cost, as a part of the serial algorithm's time; infinity: no guard");
}

void describe(OptionVisitor& visit, ComponentOptions& options) {
  auto& [method, strategy, sample_size, waste_limit] = options;
  visit_choice(visit, "method", method, all_component_methods(), component_method_name, "How components are found");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "sample size", sample_size, {1},
                "afforest: vertices that are asked for their component to find the largest one");
  visit.number("waste limit", waste_limit, {},
               "color: what sweeps may cost, as a part of the serial algorithm's time; infinity: no guard");
}

void describe(OptionVisitor& visit, MultistepOptions& options) {
  auto& [waste_limit, serial_cutoff, contraction_cutoff] = options;
  visit.number("waste limit", waste_limit, {},
               "What parallel steps may waste, as a part of the serial algorithm's time; infinity: no guard");
  visit_integer(visit, "serial cutoff", serial_cutoff, {-1},
                "The serial finish takes over when no more vertices than this are left; -1: by the number of threads");
  visit_integer(visit, "contraction cutoff", contraction_cutoff, {-1},
                "Contraction goes on while more vertices than this are left; -1: on GPUs alone");
}

void describe(OptionVisitor& visit, SccOptions& options) {
  auto& [method, strategy, multistep, waste_limit] = options;
  visit_choice(visit, "method", method, all_scc_methods(), scc_method_name, "How components are found");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.number("waste limit", waste_limit, {},
               "forward-backward, coloring: what steps may cost, as a part of the serial algorithm's time; infinity: "
               "no guard");
  visit_sublist(visit, "multistep", multistep, "Where one step of Multistep gives way to the next");
}

void describe(OptionVisitor& visit, ReachabilityOptions& options) {
  auto& [push_to_pull, pull_again, push_edge, fused, limit_if_well] = options;
  visit.number("push to pull", push_to_pull, {},
               "Pull when the edges that leave the frontier are more than this part of what a pull looks at");
  visit.number("pull again", pull_again, {},
               "Pull again while a pull reaches more vertices than this times those that stay unreached");
  visit.number("push edge", push_edge, {}, "Price of an edge that is pushed along; 0: that of the scratch");
  visit.number("fused", fused, {}, "Price of a sweep in the launch of the one before; 0: that of the scratch");
  visit.number("limit if well", limit_if_well, {},
               "Limit of the budget, if larger than its own, while the search would visit all edges within it");
}

void describe(OptionVisitor& visit, SsspOptions& options) {
  auto& [delta, strategy, most_edges_together] = options;
  visit_float(visit, "delta", delta, {}, "Width of a bucket; 0: chosen, and wider while buckets have few edges");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "most edges together", most_edges_together, {0},
                "From a sweep of more edges on, a bucket leaves heavy ones to a sweep of their own; 0: chosen");
}

void describe(OptionVisitor& visit, PageRankOptions& options) {
  auto& [damping, tolerance, max_iterations, strategy, share_order, single_precision_first] = options;
  visit.number("damping", damping, {0, 1, true}, "Probability that the walk follows an edge");
  visit.number("tolerance", tolerance, {}, "Stop when the ranks change by less than this in one iteration");
  visit_integer(visit, "max iterations", max_iterations, {1}, "Stop after so many iterations");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_choice(visit, "share order", share_order, all_share_orders(), share_order_name,
               "Where the shares of vertices lie that edges ask for");
  visit.flag("single precision first", single_precision_first,
             "Shares are of single precision while the ranks change by much");
}

void describe(OptionVisitor& visit, KcoreOptions& options) {
  auto& [strategy] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, BetweennessOptions& options) {
  auto& [strategy, share_launches] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.flag("share launches", share_launches, "Consecutive levels of few edges share a launch on the way back");
}

void describe(OptionVisitor& visit, DiameterOptions& options) {
  auto& [max_searches, strategy] = options;
  visit_integer(visit, "max searches", max_searches, {3}, "Stop after so many searches");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, RcmOptions& options) {
  auto& [strategy, max_searches, most_serial_edges] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "max searches", max_searches, {1}, "Searches for the start of a component at most");
  visit_integer(visit, "most serial edges", most_serial_edges, {-1},
                "On the host, one thread numbers while no level has more edges; -1: as suits the number of threads");
}

void describe(OptionVisitor& visit, ColoringOptions& options) {
  auto& [strategy, seed] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal colorings");
}

void describe(OptionVisitor& visit, Mis2Options& options) {
  auto& [strategy, seed] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal sets");
}

void describe(OptionVisitor& visit, MatchingOptions& options) {
  auto& [strategy, start] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.flag("start", start, "Match vertices with one free neighbor, and greedily, before the phases");
}

void describe(OptionVisitor& visit, BlockTriangularOptions& options) {
  auto& [strategy] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, TopologicalOptions& options) {
  auto& [strategy] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
}

void describe(OptionVisitor& visit, FeedbackOptions& options) {
  auto& [strategy, seed, serial_cutoff] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal sets of edges");
  visit_integer(visit, "serial cutoff", serial_cutoff, {0},
                "One host thread orders the vertices on cycles when no more than this are left");
}

void describe(OptionVisitor& visit, BuildOptions& options) {
  auto& [symmetrize, drop_self_loops, remove_duplicates, sort_adjacencies] = options;
  visit.flag("symmetrize", symmetrize, "Store every edge in both directions");
  visit.flag("drop self loops", drop_self_loops, "Leave out edges from a vertex to itself");
  visit.flag("remove duplicates", remove_duplicates, "Keep one of several equal edges");
  visit.flag("sort adjacencies", sort_adjacencies, "Neighbors in ascending order");
}

void describe(OptionVisitor& visit, ReadOptions& options) {
  // Columns and separator are those of one file, and no parameters; what is called before reading is none either.
  [[maybe_unused]] auto& [format, weights, non_negative_weights, rows, rectangular, columns, separator, words,
                          before_reading, chunk_bytes] = options;
  const std::vector<GraphFormat> formats = {
      GraphFormat::automatic, GraphFormat::matrix_market, GraphFormat::edge_list,   GraphFormat::metis,
      GraphFormat::dimacs,    GraphFormat::smat,          GraphFormat::csv,         GraphFormat::adjacency_list,
      GraphFormat::gapbs,     GraphFormat::graph500,      GraphFormat::graph500_64, GraphFormat::graphml,
      GraphFormat::parquet,   GraphFormat::hdf5};
  visit_choice(visit, "format", format, formats, format_name, "What the file is; automatic: by its content");
  visit.flag("weights", weights, "Keep the weights of the edges");
  visit.flag("non negative weights", non_negative_weights, "A weight below 0 is an error");
  visit.flag("rows", rows, "Leave a graph that the file has by rows (HDF5) in rows");
  visit.flag("rectangular", rectangular, "Take a matrix (Matrix Market) of other rows than columns");
  visit.flag("words", words, "Of a table: vertices are called by words");
  visit_integer(visit, "chunk bytes", chunk_bytes, {1}, "Bytes of text that one thread reads at a time");
}

void describe(OptionVisitor& visit, KroneckerOptions& options) {
  auto& [scale, edge_factor, a, b, c, seed, scramble] = options;
  visit_integer(visit, "scale", scale, {0, 47}, "The graph has 2^scale vertices");
  visit_integer(visit, "edge factor", edge_factor, {0}, "Edges per vertex");
  visit.number("a", a, {0, 1}, "Probability of the first quadrant");
  visit.number("b", b, {0, 1}, "Probability of the second quadrant");
  visit.number("c", c, {0, 1}, "Probability of the third quadrant; what remains to 1 is that of the fourth");
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal graphs");
  visit.flag("scramble", scramble, "Scramble vertex numbers");
}

void describe(OptionVisitor& visit, ErdosRenyiOptions& options) {
  auto& [num_vertices, num_edges, seed] = options;
  visit_integer(visit, "num vertices", num_vertices, {0}, "Number of vertices");
  visit_integer(visit, "num edges", num_edges, {0}, "Number of edges");
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal graphs");
}

void describe(OptionVisitor& visit, RandomGeometricOptions& options) {
  auto& [num_vertices, expected_degree, seed] = options;
  visit_integer(visit, "num vertices", num_vertices, {0}, "Number of vertices");
  visit.number("expected degree", expected_degree, {0}, "Neighbors of a vertex far from the border, on average");
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal graphs");
}

void describe(OptionVisitor& visit, ChainOfCyclesOptions& options) {
  auto& [num_vertices, smallest_block, largest_block, degree, reach, seed] = options;
  visit_integer(visit, "num vertices", num_vertices, {0}, "Number of vertices");
  visit_integer(visit, "smallest block", smallest_block, {1}, "Vertices of the smallest block");
  visit_integer(visit, "largest block", largest_block, {1}, "Vertices of the largest block");
  visit_integer(visit, "degree", degree, {1}, "Edges that leave a vertex, one of them along its cycle");
  visit_integer(visit, "reach", reach, {0}, "How many blocks ahead edges may lead");
  visit_integer(visit, "seed", seed, {0}, "Equal seeds give equal graphs");
}

}  // namespace dromos::teuchos
