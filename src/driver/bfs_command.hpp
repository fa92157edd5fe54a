// SPDX-License-Identifier: BSD-3-Clause
// What `dromos bfs` is asked to do; shared by the search on one rank and the one on many.
#pragma once

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <string>
#include <vector>

#include "bfs_run.hpp"
#include "json_report.hpp"
#include "load_graph.hpp"
#include "partition_options.hpp"
#include "root_options.hpp"
#include "strategy_options.hpp"
#include "vertex_lines.hpp"

namespace dromos::driver {

struct BfsCommand {
  GraphOptions graph;
  RootOptions roots;
  StrategyOptions strategies;
  JsonReport report;
  std::string output;
  std::string distributed = "relabelled-bitmask";  ///< the search on several ranks
  std::string transport = "auto";
  PartitionOptions partition;  ///< of ranks, for searches that have one
  bool direction_optimizing = false;
  bool validate = false;
  bool show_levels = false;

  /// Throws ArgumentError for options that contradict each other or cannot be met; before anything is read.
  void check() const;

  /// Text for people: not where JSON takes stdout.
  bool talks() const { return !report.on_stdout(); }
};

/// --output: a line "vertex parent level" for every vertex, in the file's numbers; -1 -1 where the root does not reach.
template <class Vertex, class Memory>
void write_bfs_result(const std::string& path, const LoadedGraph<Vertex>& loaded,
                      const Kokkos::View<const Vertex*, Memory>& device_parent,
                      const Kokkos::View<const Level*, Memory>& device_level) {
  const auto parent = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_parent);
  const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_level);
  write_vertex_lines(path, loaded, [&](fmt::memory_buffer& lines, Vertex v) {
    const std::int64_t parent_name = parent(v) == no_vertex<Vertex> ? -1 : loaded.name(parent(v));
    append_line(lines, loaded.name(v), parent_name, level(v));
  });
}

/// Writes the report and the tables of all runs, and names those that are wrong; returns the exit code.
int report_bfs(BfsCommand& command, const std::vector<BfsRun>& runs, std::size_t num_roots,
               const GraphSummary& summary);

/// The searches on every rank that the launcher started. Collective.
int run_distributed_bfs(BfsCommand& command);

}  // namespace dromos::driver
