// SPDX-License-Identifier: BSD-3-Clause
#include "describe_options.hpp"

namespace dromos::teuchos {
namespace {

constexpr const char* direction_meaning = "Let unvisited vertices look back where that is less work";

std::string contraction_name(Contraction2d value) { return contraction_2d_name(value); }

std::string form_name(FrontierForm2d value) {
  switch (value) {
    case FrontierForm2d::bitmap: return "bitmap";
    case FrontierForm2d::list: return "list";
    default: return "smaller";
  }
}

std::string termination_name(TerminationCheck2d value) {
  return value == TerminationCheck2d::blocking ? "blocking" : "overlapped";
}

std::string predecessors_name(Predecessors2d value) {
  return value == Predecessors2d::after_search ? "after search" : "while searching";
}

void visit_factors(OptionVisitor& visit, const std::string& name, DirectionFactors& factors, const std::string& meaning) {
  visit.open(name, meaning);
  visit.number("forward to backward", factors.forward_to_backward, {}, "Backward when FV is more than this times BV");
  visit.number("backward to forward", factors.backward_to_forward, {}, "Forward again when FV is less than this times BV");
  visit.close();
}

}  // namespace

void describe(OptionVisitor& visit, Bfs1dOptions& options) {
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
  visit.flag("direction optimizing", options.direction_optimizing, direction_meaning);
  visit_sublist(visit, "direction", options.direction, "When directions change");
  visit_integer(visit, "edges per part", options.edges_per_part, {1},
                "relabelled-bitmask: a frontier with more edges than this a rank is searched in several parts");
}

void describe(OptionVisitor& visit, Bfs2dOptions& options) {
  visit_integer(visit, "rows", options.rows, {0}, "Rows of the grid of ranks; 0: nearest to a square");
  visit_integer(visit, "columns", options.columns, {0}, "Columns of the grid of ranks; 0: nearest to a square");
  visit_strategy(visit, "strategy", options.strategy, strategy_meaning);
  visit_choice(visit, "contraction", options.contraction, {Contraction2d::wave, Contraction2d::scan}, contraction_name,
               "How the ranks of a row agree on what they found, where bitmaps travel");
  visit_choice(visit, "form", options.form, {FrontierForm2d::smaller, FrontierForm2d::bitmap, FrontierForm2d::list},
               form_name, "What travels instead of vertices");
  visit_choice(visit, "termination", options.termination, {TerminationCheck2d::blocking, TerminationCheck2d::overlapped},
               termination_name, "When the ranks find out that nothing was found");
  visit_choice(visit, "predecessors", options.predecessors,
               {Predecessors2d::after_search, Predecessors2d::while_searching}, predecessors_name,
               "When a rank finds parents for the vertices that were assigned to it");
  visit.flag("direction optimizing", options.direction_optimizing, direction_meaning);
  visit_sublist(visit, "direction", options.direction, "When directions change");
}

void describe(OptionVisitor& visit, BfsDelegateOptions& options) {
  visit_integer(visit, "threshold", options.threshold, {-1},
                "Vertices of more neighbors than this become delegates; -1: chosen by the graph");
  visit.flag("direction optimizing", options.direction_optimizing, direction_meaning);
  visit_factors(visit, "dd", options.dd, "When sweeps from delegates to delegates change their direction");
  visit_factors(visit, "dn", options.dn, "When sweeps from delegates to normal vertices change their direction");
  visit_factors(visit, "nd", options.nd, "When sweeps from normal vertices to delegates change their direction");
  visit_strategy(visit, "dd strategy", options.dd_strategy, "How edges between delegates are dealt out to threads");
  visit_strategy(visit, "strategy", options.strategy, "How all other edges are dealt out to threads");
  visit.flag("overlap reduction", options.overlap_reduction,
             "Combine visited delegates while normal vertices are still searched for");
  visit.flag("uniquify", options.uniquify, "Send only one of several found edges to the same vertex of another rank");
  visit_integer(visit, "ranks per node", options.ranks_per_node, {0}, "Ranks that share a node; 0: as the machine has it");
}

void describe(OptionVisitor& visit, DistributedOptions& options) {
  visit_sublist(visit, "bfs 1d", options.bfs_1d, "Searches of graphs distributed by vertices");
  visit_sublist(visit, "delegate", options.delegate, "The search separated by degree");
  visit_sublist(visit, "bfs 2d", options.bfs_2d, "Searches on a grid of ranks");
}

}  // namespace dromos::teuchos
