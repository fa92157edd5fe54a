// SPDX-License-Identifier: BSD-3-Clause
// How much memory a command takes at its peak, said before a graph is generated, read or built: the table of what each
// algorithm keeps beside the graph, and the sum.
#pragma once

#include <cstdint>
#include <dromos/core/types.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace dromos::driver {

/// What there is for every vertex and every stored arc beside the graph, at the most: scratch and results of the
/// library, and what the program makes of them. Ids have 4 or 8 bytes, the rest is in bytes.
struct WorkingMemory {
  double ids_a_vertex = 0;
  double bytes_a_vertex = 0;
  double ids_an_arc = 0;
  double bytes_an_arc = 0;
  /// Weighted rows of 16 edges and more are copied, where there is room for that (algorithms/split_rows.hpp).
  bool splits_rows = false;
  /// Shares lie by degree, where they have more bytes and there is room (PageRankOptions::share_order).
  std::int64_t shares_in_any_order = std::numeric_limits<std::int64_t>::max();
  /// A vertex, of options that are not the default; on several ranks each counts its own.
  double bytes_of_options = 0;
};

/// Of a subcommand with its default options; of one that is not in the table: nothing.
WorkingMemory working_memory_of(const std::string& command);

/// The same of each of several ranks: for every vertex that the rank knows, its own and those that its edges lead to
/// (distributed/parts/graph_part.hpp), for every vertex of the whole graph, and for what all ranks know of others.
struct RanksMemory {
  double bytes_a_local = 0;
  double ids_of_all = 0;
  double bytes_of_all = 0;
  double ids_of_all_copies = 0;
  bool has_part = true;     ///< otherwise rows lead to vertices by their numbers in the whole graph
  bool turns_rows = false;  ///< the part's rows are there a second time, turned round
  /// Of a vertex that all ranks know, for each other rank: what arrives of it at once.
  double bytes_of_other_ranks = 5;
  bool lends_bits = false;  ///< of own vertices, by words (core/gathered_bits.hpp)
};

/// Of a subcommand with its default options.
RanksMemory ranks_memory_of(const std::string& command);

/// A graph to be built of a list of edges, in main memory.
struct PlannedGraph {
  double num_vertices = 0;
  double num_edges = 0;   ///< in the list
  bool mirrored = false;  ///< each edge becomes two arcs
  bool weighted = false;
  int id_bytes = 4;
  bool has_edges = false;      ///< the list, or what is ready, is in memory already
  bool is_ready = false;       ///< there is no list: rows are read as they are searched, num_edges of them
  bool makes_weights = false;  ///< of the weights: they are made when the rows are built
  bool relabeled = false;      ///< the graph is there twice while it is renumbered
  bool is_list = false;        ///< no rows are built: the list is all
};

/// What building rows of so many arcs takes beside the rows (graph/bucketed_rows.hpp).
double bytes_beside_rows(double num_arcs);

/// Bytes at the peak: while the graph is built of its edges, or while the command works on it, whichever is more.
double peak_bytes(const PlannedGraph& graph, const WorkingMemory& working);

/// The same, with what is only taken where there is room for it.
double bytes_with_room(const PlannedGraph& graph, WorkingMemory working);

struct MemoryNeeds;
/// What one rank needs: what it has already, and the graph with the work on it, or what reading took, whichever is
/// more.
MemoryNeeds memory_needs(const std::string& command, const std::string& source, const PlannedGraph& graph,
                         const WorkingMemory& working);

/// Throws MemoryError where the graph and the work on it take more than is available: what it needs, what there is, and
/// what would fit.
///
/// \param source  the file, or the generator with its parameters
/// \param scale   of a Kronecker graph, whose message then has the scale that would fit; below 0: any other graph
void check_peak(const std::string& source, const PlannedGraph& graph, const WorkingMemory& working, int scale = -1);

/// What a command would need, told instead of working (--memory).
struct MemoryNeeds {
  std::string command;
  std::string source;
  double num_vertices = 0;
  double num_edges = 0;  ///< as listed
  int id_bits = 32;
  double bytes = 0;      ///< of one rank at its peak, with the program itself
  int num_ranks = 1;     ///< of this machine, which share what is available
  double available = 0;  ///< to them all, with what they have already

  bool fits() const { return bytes * num_ranks <= available; }
  /// A line for people.
  std::string to_text() const;
  /// The sections "graph" and "memory" of --json.
  nlohmann::ordered_json graph_json() const;
  nlohmann::ordered_json to_json() const;
};

}  // namespace dromos::driver
