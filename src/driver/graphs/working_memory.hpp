// SPDX-License-Identifier: BSD-3-Clause
// How much memory a command takes at its peak, said before a graph is generated, read or built: the table of what each
// algorithm keeps beside the graph, and the sum.
#pragma once

#include <cstdint>
#include <dromos/core/types.hpp>
#include <string>

namespace dromos::driver {

/// What there is for every vertex and every stored arc beside the graph, at the most: scratch and results of the
/// library, and what the program makes of them. Ids have 4 or 8 bytes, the rest is in bytes.
struct WorkingMemory {
  double ids_a_vertex = 0;
  double bytes_a_vertex = 0;
  double ids_an_arc = 0;
  double bytes_an_arc = 0;
};

/// Of a subcommand with its default options; of one that is not in the table: nothing.
WorkingMemory working_memory_of(const std::string& command);

/// A graph to be built of a list of edges, in main memory.
struct PlannedGraph {
  double num_vertices = 0;
  double num_edges = 0;   ///< in the list
  bool mirrored = false;  ///< each edge becomes two arcs
  bool weighted = false;
  int id_bytes = 4;
  bool has_edges = false;  ///< the list is in memory already
  bool is_ready = false;   ///< there is no list: rows are read as they are searched, num_edges of them
};

/// Bytes at the peak: while the graph is built of its edges, or while the command works on it, whichever is more.
double peak_bytes(const PlannedGraph& graph, const WorkingMemory& working);

/// Throws MemoryError where the graph and the work on it take more than is available: what it needs, what there is, and
/// what would fit.
///
/// \param source  the file, or the generator with its parameters
/// \param scale   of a Kronecker graph, whose message then has the scale that would fit; below 0: any other graph
void check_peak(const std::string& source, const PlannedGraph& graph, const WorkingMemory& working, int scale = -1);

}  // namespace dromos::driver
