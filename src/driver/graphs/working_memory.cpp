// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/working_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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
      {"sssp", {3, 17, 0, 0}},
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
      {"path", {4, 17, 0, 0}},
      // the order and its inverse, parents, levels, children counted, the starts found before, the lists of three
      // searches
      {"rcm", {14, 25, 0, 0}},
      // as scc; the components' own numbers and edges
      {"condense", {11, 25, 1, 0}},
      // labels or core numbers, the new numbers, and the edges of the part
      {"subgraph", {6, 13, 1, 0}},
  };
  const auto found = table.find(command);
  return found == table.end() ? WorkingMemory() : found->second;
}

double peak_bytes(const PlannedGraph& graph, const WorkingMemory& working) {
  const double id = graph.id_bytes, weight = graph.weighted ? sizeof(float) : 0;
  const double num_arcs = graph.num_edges * (graph.mirrored ? 2 : 1);
  const double row_map = graph.num_vertices * sizeof(Offset);
  const double list = graph.has_edges ? 0 : graph.num_edges * (2 * id + weight);
  // The rows are there twice before duplicates are gone (graph/build_csr.hpp).
  const double building = list + row_map + 2 * num_arcs * (id + weight);
  const double there = graph.has_edges ? graph.num_edges * (2 * id + weight) : 0;  // and gone by then
  const double searching = row_map + num_arcs * (id + weight) +
                           graph.num_vertices * (working.ids_a_vertex * id + working.bytes_a_vertex) +
                           num_arcs * (working.ids_an_arc * id + working.bytes_an_arc) - there;
  return graph.is_ready ? searching : std::max(building, searching);
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
  const double vertices = graph.num_vertices * available / std::max(1.0, peak_bytes(graph, working));
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(1.0, vertices))) - 1));
  const auto fitting = static_cast<std::int64_t>(std::floor(vertices / unit) * unit);
  return fmt::format("{} with as many edges each would fit", counted(fitting, "vertex", "vertices"));
}

}  // namespace

void check_peak(const std::string& source, const PlannedGraph& graph, const WorkingMemory& working, int scale) {
  check_host_memory("the graph of " + source + ", with the work on it,", peak_bytes(graph, working),
                    [&](double available) { return what_would_fit(graph, working, available, scale); });
}

}  // namespace dromos::driver
