// SPDX-License-Identifier: BSD-3-Clause
#include "describe_options.hpp"

namespace dromos::teuchos {
namespace {

constexpr const char* direction_meaning = "Let unvisited vertices look back where that is less work";

std::string contraction_name(Contraction2d value) { return contraction_2d_name(value); }

std::string form_name(FrontierForm2d value) {
  switch (value) {
    case FrontierForm2d::bitmap:
      return "bitmap";
    case FrontierForm2d::list:
      return "list";
    default:
      return "smaller";
  }
}

std::string predecessors_name(Predecessors2d value) {
  return value == Predecessors2d::after_search ? "after search" : "while searching";
}

}  // namespace

void describe(OptionVisitor& visit, Bfs1dOptions& options) {
  auto& [strategy, direction_optimizing, direction, edges_per_part] = options;
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit.flag("direction optimizing", direction_optimizing, direction_meaning);
  visit_sublist(visit, "direction", direction, "When directions change");
  visit_integer(
      visit, "edges per part", edges_per_part, {-1},
      "relabelled-bitmask: a frontier with more edges than this a rank is searched in several parts; -1: by device");
}

void describe(OptionVisitor& visit, Bfs2dOptions& options) {
  auto& [rows, columns, strategy, contraction, form, predecessors, direction_optimizing, direction] = options;
  visit_integer(visit, "rows", rows, {0}, "Rows of the grid of ranks; 0: nearest to a square");
  visit_integer(visit, "columns", columns, {0}, "Columns of the grid of ranks; 0: nearest to a square");
  visit_strategy(visit, "strategy", strategy, strategy_meaning);
  visit_choice(visit, "contraction", contraction, {Contraction2d::wave, Contraction2d::scan}, contraction_name,
               "How the ranks of a row agree on what they found, where bitmaps travel");
  visit_choice(visit, "form", form, {FrontierForm2d::smaller, FrontierForm2d::bitmap, FrontierForm2d::list}, form_name,
               "What travels instead of vertices");
  visit_choice(visit, "predecessors", predecessors, {Predecessors2d::after_search, Predecessors2d::while_searching},
               predecessors_name, "When a rank finds parents for the vertices that were assigned to it");
  visit.flag("direction optimizing", direction_optimizing, direction_meaning);
  visit_sublist(visit, "direction", direction, "When directions change");
}

void describe(OptionVisitor& visit, BfsDelegateOptions& options) {
  auto& [threshold, direction_optimizing, dd, dn, nd, dd_strategy, strategy, overlap_reduction, uniquify,
         local_all_to_all, ranks_per_node] = options;
  visit_integer(visit, "threshold", threshold, {-1},
                "Vertices of more neighbors than this become delegates; -1: chosen by the graph");
  visit.flag("direction optimizing", direction_optimizing, direction_meaning);
  visit_sublist(visit, "dd", dd, "When sweeps from delegates to delegates change their direction");
  visit_sublist(visit, "dn", dn, "When sweeps from delegates to normal vertices change their direction");
  visit_sublist(visit, "nd", nd, "When sweeps from normal vertices to delegates change their direction");
  visit_strategy(visit, "dd strategy", dd_strategy, "How edges between delegates are dealt out to threads");
  visit_strategy(visit, "strategy", strategy, "How all other edges are dealt out to threads");
  visit.flag("overlap reduction", overlap_reduction,
             "Combine visited delegates while normal vertices are still searched for");
  visit.flag("uniquify", uniquify, "Send only one of several found edges to the same vertex of another rank");
  visit.flag("local all to all", local_all_to_all,
             "What ranks of a node found for another node is handed to one of them first");
  visit_integer(visit, "ranks per node", ranks_per_node, {0}, "Ranks that share a node; 0: as the machine has it");
}

void describe(OptionVisitor& visit, DistributedOptions& options) {
  auto& [bfs_1d, delegate, bfs_2d] = options;
  visit_sublist(visit, "bfs 1d", bfs_1d, "Searches of graphs distributed by vertices");
  visit_sublist(visit, "delegate", delegate, "The search separated by degree");
  visit_sublist(visit, "bfs 2d", bfs_2d, "Searches on a grid of ranks");
}

}  // namespace dromos::teuchos
