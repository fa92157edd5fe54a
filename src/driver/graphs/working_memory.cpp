// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/working_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <dromos/algorithms/split_rows.hpp>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/row_buckets.hpp>

#include "driver/base/host_memory.hpp"
#include "driver/base/number_format.hpp"

namespace dromos::driver {

WorkingMemory working_memory_of(const std::string& command) {
  // {ids a vertex, bytes a vertex, ids an arc, bytes an arc}. What is counted stands behind; where arrays are not there
  // at the same time, those that are more. unit_tests/driver_memory_test.cpp measures every line.
  static const std::map<std::string, WorkingMemory> table = {
      // component labels; two work sets (ComponentScratch)
      {"info", {3, 1, 0, 0}},
      {"cc", {3, 1, 0, 0}},
      // parents, and levels of 4 bytes (BfsResult); two frontiers, two bitmaps (BfsScratch)
      {"bfs", {3, 5, 0, 0}},
      // colors, two work sets, marks; the serial algorithm's list (ColorScratch)
      {"color", {4, 1, 0, 0}},
      // distances in double or 64-bit whole numbers; those of the pile, two work sets, a bitmap (SsspScratch)
      {"sssp", {3, 17, 0, 0, true}},
      // ranks, shares and the ranks of the next iteration in double (PagerankScratch)
      {"pagerank", {1, 24, 0, 0}},
      // levels of 4 bytes; numbers of paths, dependencies and scores in double; the vertices by level, two frontiers
      {"bc", {3, 29, 0, 0}},
      // the edges turned round and their row map; five bitmaps, three lists, colors, labels (SccScratch); the serial
      // finish: four lists, and an offset (SerialSccScratch)
      {"scc", {9, 17, 1, 0}},
      // neighbors left, core numbers, two work sets (KcoreScratch)
      {"kcore", {4, 1, 0, 0}},
      // colors, degrees, priorities, two work sets
      {"coloring", {4, 5, 0, 0}},
      // states and the smallest of two rounds, packed in 8 bytes
      {"mis2", {3, 25, 0, 0}},
      // levels of two searches, two frontiers
      {"diameter", {4, 9, 0, 0}},
      // distances, parents, the path
      {"path", {4, 17, 0, 0, true}},
      // the order and its inverse, parents, levels, children counted, the starts found before, the lists of three
      // searches
      {"rcm", {14, 25, 0, 0}},
      // mates, two frontiers, and the trees of a phase (algorithms/maximum_matching.hpp)
      {"matching", {6, 1, 0, 0}},
      // as matching; the orders and blocks of both sides
      {"btf", {8, 1, 0, 0}},
      // as scc; the components' own numbers and edges
      {"condense", {11, 25, 1, 0}},
      // labels or core numbers, the new numbers, and the edges of the part
      {"subgraph", {6, 13, 1, 0}},
  };
  const auto found = table.find(command);
  return found == table.end() ? WorkingMemory() : found->second;
}

RanksMemory ranks_memory_of(const std::string& command) {
  // As measured, for vertices in 4 bytes: scratch, result, and what the halo holds of both
  // (unit_tests/driver_mpi_test.cpp).
  static const std::map<std::string, RanksMemory> table = {
      // of all: a forest of names, sizes; of copies: names that differ, of which every rank has all (MergeBuffers);
      // kcore: where copies are, and what is announced of them (AnnouncedVertices). What arrives of vertices that all
      // know: names and pairs of them, or values that are added up
      {"info", {20, 2, 0, 2, true, false, 26}},
      {"cc", {20, 2, 0, 2, true, false, 26}},
      {"bfs", {0, 0, 12, 0, false}},
      {"color", {30, 1, 0, 0, true, false, 1}},
      {"scc", {46, 1, 0, 0, true, false, 0, true}},
      {"sssp", {19, 0, 0, 0, true, false, 4}},
      {"pagerank", {25, 0, 0, 0, true, false, 9.5}},
      {"kcore", {22, 0, 0, 0, true, true, 3}},
      {"bc", {66, 0, 0, 0, true, false, 11}},
  };
  const auto found = table.find(command);
  return found == table.end() ? RanksMemory{40, 1, 0, 0} : found->second;
}

// Who builds counts without self loops, and may have fewer than 2^22 where more are told.
constexpr double fewest_in_ranges = 1.05 * (1 << 22);

double bytes_beside_rows(double num_arcs) { return num_arcs * (num_arcs < fewest_in_ranges ? 2 : 0.3); }

double peak_bytes(const PlannedGraph& graph, const WorkingMemory& working) {
  const double id = graph.id_bytes, weight = graph.weighted ? sizeof(float) : 0;
  const double num_arcs = graph.num_edges * (graph.mirrored ? 2 : 1);
  const double row_map = graph.num_vertices * sizeof(Offset);
  const double listed_weight = graph.makes_weights ? 0 : weight;
  const double one_list = graph.num_edges * (2 * id + listed_weight);
  if (graph.is_list) return graph.has_edges ? 0 : one_list;
  const double list = graph.has_edges ? 0 : one_list;
  const double built = row_map + num_arcs * (id + listed_weight);
  double building = list + built + bytes_beside_rows(num_arcs);
  // Of a list of arcs that is used up while rows are built.
  if (!graph.mirrored && num_arcs >= fewest_in_ranges) {
    const double taken = std::min(one_list + built + 2 * num_arcs, detail::most_bytes_of_taken_list(one_list, built));
    building = taken - one_list + list;
  }
  const double rows = row_map + num_arcs * (id + weight);
  // The list is in memory and gone by then; rows that are ready stay.
  const double there = !graph.has_edges ? 0 : graph.is_ready ? rows : one_list;
  const double a_vertex = working.ids_a_vertex * id + working.bytes_a_vertex + working.bytes_of_options;
  const double searching =
      rows + graph.num_vertices * a_vertex + num_arcs * (working.ids_an_arc * id + working.bytes_an_arc) - there;
  const double relabeling = graph.relabeled ? 2 * rows + 3 * graph.num_vertices * id - there : 0;
  return std::max({graph.is_ready ? 0 : building, searching, relabeling});
}

double bytes_with_room(const PlannedGraph& graph, WorkingMemory working) {
  const double num_arcs = graph.num_edges * (graph.mirrored ? 2 : 1);
  if (working.splits_rows && graph.weighted && num_arcs >= 16 * graph.num_vertices) {
    working.ids_an_arc += 1;
    working.bytes_an_arc += sizeof(float);
    working.bytes_a_vertex += (most_weight_classes - 1) * sizeof(Offset);
  }
  if (graph.num_vertices * sizeof(double) > static_cast<double>(working.shares_in_any_order)) {
    working.ids_a_vertex += 1;
    working.ids_an_arc += 1;
  }
  return peak_bytes(graph, working);
}

namespace {

/// A number of bytes that 64 bits hold, whatever was multiplied.
std::int64_t whole(double number) { return static_cast<std::int64_t>(std::min(number, 9.2e18)); }

}  // namespace

MemoryNeeds memory_needs(const std::string& command, const std::string& source, const PlannedGraph& graph,
                         const WorkingMemory& working) {
  const ResidentMemory resident = resident_memory();
  MemoryNeeds needs;
  needs.command = command;
  needs.source = source;
  needs.num_vertices = graph.num_vertices;
  needs.num_edges = graph.num_edges;
  needs.id_bits = 8 * graph.id_bytes;
  needs.bytes = std::max(resident.peak, resident.now + bytes_with_room(graph, working));
  needs.available = resident.now + static_cast<double>(available_host_memory());
  return needs;
}

std::string MemoryNeeds::to_text() const {
  const auto as_bytes = [](double number) { return binary_bytes(static_cast<std::uint64_t>(whole(number))); };
  const std::string ranks = num_ranks > 1 ? fmt::format(" on each of {} ranks of this machine, {} together", num_ranks,
                                                        as_bytes(bytes * num_ranks))
                                          : "";
  return fmt::format("{}: {}, {} listed, ids of {} bits\n{} needs {} of memory at its peak{}; {} are available\n",
                     source, counted(whole(num_vertices), "vertex", "vertices"),
                     counted(whole(num_edges), "edge", "edges"), id_bits, command, as_bytes(bytes), ranks,
                     as_bytes(available));
}

nlohmann::ordered_json MemoryNeeds::graph_json() const {
  return {{"source", source},
          {"num_vertices", whole(num_vertices)},
          {"num_edges_listed", whole(num_edges)},
          {"id_bits", id_bits}};
}

nlohmann::ordered_json MemoryNeeds::to_json() const {
  return {{"bytes", whole(bytes)}, {"num_ranks", num_ranks}, {"available_bytes", whole(available)}, {"fits", fits()}};
}

namespace {

std::string what_would_fit(const PlannedGraph& graph, const WorkingMemory& working, double available, int scale) {
  PlannedGraph smaller = graph;
  if (scale >= 0) {
    for (int s = scale - 1; s >= 0; --s) {
      smaller.num_vertices /= 2;
      smaller.num_edges /= 2;
      if (peak_bytes(smaller, working) <= available) return fmt::format("scale {} would fit", s);
    }
    return "no scale would fit";
  }
  // Everything is in proportion; two digits of the quotient.
  const double part = available / std::max(1.0, peak_bytes(graph, working));
  const auto fitting = [&](double number) {
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(1.0, number * part))) - 1));
    return static_cast<std::int64_t>(std::floor(number * part / unit) * unit);
  };
  const std::int64_t vertices = fitting(graph.num_vertices);
  if (vertices > 0) return fmt::format("{} with as many edges each would fit", counted(vertices, "vertex", "vertices"));
  return fmt::format("{} would fit", counted(fitting(graph.num_edges), "edge", "edges"));
}

}  // namespace

void check_peak(const std::string& source, const PlannedGraph& graph, const WorkingMemory& working, int scale) {
  check_host_memory("the graph of " + source + ", with the work on it,", peak_bytes(graph, working),
                    [&](double available) { return what_would_fit(graph, working, available, scale); });
}

}  // namespace dromos::driver
