// SPDX-License-Identifier: BSD-3-Clause
// What `dromos bfs` is asked to do; shared by the search on one rank and the one on many.
#pragma once

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/io/results.hpp>
#include <string>
#include <vector>

#include "driver/base/strategy_options.hpp"
#include "driver/base/talking.hpp"
#include "driver/commands/bfs_run.hpp"
#include "driver/distributed/partition_options.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/graphs/root_options.hpp"
#include "driver/reports/json_report.hpp"
#include "driver/reports/memory_report.hpp"
#include "driver/reports/plot.hpp"
#include "driver/reports/vertex_lines.hpp"
#include "driver/reports/vertex_results.hpp"

namespace dromos::driver {

struct BfsCommand {
  GraphOptions graph;
  RootOptions roots;
  StrategyOptions strategies;
  JsonReport report;
  PlotOptions plot;
  std::string output;
  std::string distributed;  ///< the search on several ranks; empty: relabelled-bitmask
  std::string transport = "auto";
  PartitionOptions partition;    ///< of ranks, for searches that have one
  std::int64_t num_repeats = 1;  ///< searches from each root
  bool direction_optimizing = false;
  bool fuse_small_levels = true;
  bool validate = false;
  bool show_levels = false;

  /// Throws ArgumentError for options that contradict each other or cannot be met; before anything is read.
  void check() const;

  /// Text for people: not where results take stdout.
  bool talks() const { return report.leaves_stdout() && may_talk_beside(output); }
};

/// The roots as the file numbers them.
template <class Vertex>
std::vector<std::int64_t> names_of_vertices(const NamedGraph<Vertex>& graph, const std::vector<Vertex>& vertices) {
  std::vector<std::int64_t> names;
  for (const Vertex v : vertices) names.push_back(graph.name(v));
  return names;
}

/// --output as HDF5: columns of the vertices in the file's own order, of all of them or of a block of them.
template <class Vertex>
ResultTable bfs_table(const NamedGraph<Vertex>& graph, Vertex root, const ResultValues<Vertex>& parent,
                      const ResultValues<Level>& level) {
  ResultTable table = result_table(graph, "bfs");
  table.numbers = {{"root", graph.place_in_file(root)}};
  table.columns = {{"parent", "vertex", "from which a vertex was reached; -1: not reached, the root: itself", parent},
                   {"level", "edge", "distance from the root; -1: not reached", level}};
  return table;
}

/// --output: a line "vertex parent level" for every vertex, in the file's numbers, -1 -1 where the root does not reach;
/// or an HDF5 file, where the name asks for one.
template <class Vertex, class Memory>
void write_bfs_result(const std::string& path, const NamedGraph<Vertex>& graph, Vertex root,
                      const Kokkos::View<const Vertex*, Memory>& device_parent,
                      const Kokkos::View<const Level*, Memory>& device_level) {
  const auto parent = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_parent);
  const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_level);
  if (names_hdf5(path)) {
    const std::int64_t n = graph.summary().num_vertices;
    const Kokkos::View<Vertex*, Kokkos::HostSpace> parent_in_file("dromos::driver::parent", n);
    const Kokkos::View<Level*, Kokkos::HostSpace> level_in_file("dromos::driver::level", n);
    for (std::int64_t i = 0; i < n; ++i) {
      const Vertex v = graph.in_file_order(static_cast<Vertex>(i));
      level_in_file(i) = level(v);
      parent_in_file(i) = parent(v) == no_vertex<Vertex> ? no_vertex<Vertex> : graph.place_in_file(parent(v));
    }
    write_results(path,
                  bfs_table(graph, root, ResultValues<Vertex>(parent_in_file), ResultValues<Level>(level_in_file)));
    return;
  }
  write_vertex_lines(path, graph, [&](fmt::memory_buffer& lines, Vertex v) {
    const std::int64_t parent_name = parent(v) == no_vertex<Vertex> ? -1 : graph.name(parent(v));
    append_line(lines, graph.name(v), parent_name, level(v));
  });
}

/// The searches that were asked for.
struct BfsSeries {
  std::size_t num_strategies = 1;
  std::size_t num_roots = 1;
  int signal = 0;  ///< that stopped the program, perhaps before all were done
};

/// Writes the report of all runs and what stands below their table, and names those that are wrong; returns the exit
/// code.
int report_bfs(BfsCommand& command, const std::vector<BfsRun>& runs, const BfsSeries& series,
               const GraphSummary& summary);

/// The searches on every rank that the launcher started. Collective.
int run_distributed_bfs(BfsCommand& command);

}  // namespace dromos::driver
