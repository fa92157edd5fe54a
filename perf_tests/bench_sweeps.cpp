// SPDX-License-Identifier: BSD-3-Clause
// How fast are the strong components of all sweep graphs of a mesh, beside a loop over the directions with the Boost
// Graph Library, where it is installed? Milliseconds a direction, median over runs in turn; every label compared. And
// the levels by which cells can be swept, from those components.
//
//   bench_sweeps --side 46 --directions 1000 --twist 0
//
// The loop takes `--sample` of the directions, evenly: it makes a graph of the faces downwind of each, and finds its
// components. Making and finding are measured apart, for Boost's compressed rows and for its adjacency lists.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dromos/algorithms/scc_batch.hpp>
#include <dromos/algorithms/topological_levels_batch.hpp>
#include <dromos/generate/box_mesh.hpp>
#include <utility>
#include <vector>

#include "benchmark.hpp"
#include "benchmark_program.hpp"
#include "command_line/argument_parser.hpp"

#if __has_include(<boost/graph/strong_components.hpp>)
#define DROMOS_HAS_BOOST_GRAPH 1
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#endif

namespace {

using namespace dromos;
using HostSpace = Kokkos::DefaultHostExecutionSpace;
using Labels = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace>;

struct SweepOptions {
  int side = 46;
  int directions = 1000;
  double twist = 0;
  int sample = 20;
  int runs = 3;
};

/// Directions all over the sphere, neighbors in number alike: octant by octant, and inside by cells that halve.
Kokkos::View<double* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> spread_directions(int count) {
  struct Direction {
    double of[3];
    std::int64_t cell;
  };
  std::vector<Direction> all;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, turn = i * 2.399963229728653, r = std::sqrt(1 - z * z);
    Direction d{{r * std::cos(turn), r * std::sin(turn), z}, 0};
    const auto a = static_cast<std::int64_t>(1023 * std::atan2(std::abs(d.of[1]), std::abs(d.of[0])) / 1.5708);
    const auto b = static_cast<std::int64_t>(1023 * std::abs(z));
    for (int bit = 0; bit < 10; ++bit) d.cell |= (a >> bit & 1) << (2 * bit) | (b >> bit & 1) << (2 * bit + 1);
    for (const double x : d.of) d.cell = d.cell << 1 | static_cast<std::int64_t>(x > 0);
    d.cell = (d.cell & 7) << 40 | d.cell >> 3;
    all.push_back(d);
  }
  std::sort(all.begin(), all.end(), [](const Direction& a, const Direction& b) { return a.cell < b.cell; });
  const Kokkos::View<double* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> direction("direction", all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (int k = 0; k < 3; ++k) direction(i, k) = all[i].of[k];
  }
  return direction;
}

#ifdef DROMOS_HAS_BOOST_GRAPH
using Edges = std::vector<std::pair<int, int>>;
using Rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                boost::no_property, int, int>;
using Lists = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Seconds for one direction.
struct LoopSeconds {
  double making = 0, finding = 0;
};

template <class MakeGraph>
LoopSeconds decompose_by_boost(const MakeGraph& make, std::vector<int>& component) {
  const Kokkos::Timer timer;
  const auto graph = make();
  const double made = timer.seconds();
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  return {made, timer.seconds() - made};
}

/// Throws where the labels of direction i are not these components.
void compare_labels(const Labels& label, std::int64_t i, const std::vector<int>& component) {
  std::vector<int> first(component.size(), -1);
  for (std::size_t v = 0; v < component.size(); ++v) {
    int& smallest = first[static_cast<std::size_t>(component[v])];
    if (smallest == -1) smallest = static_cast<int>(v);
    if (label(i, v) != smallest) throw Error("another component than Boost's in direction " + std::to_string(i));
  }
}

/// Both loops over the sample: rows, and lists.
std::pair<LoopSeconds, LoopSeconds> run_loops(const BoxMesh& mesh, const DownwindFaces& faces, const Labels& label,
                                              const SweepOptions& options) {
  const int n = mesh.graph.num_vertices();
  const int sample = std::max(1, std::min(options.sample, options.directions));
  std::vector<int> component(static_cast<std::size_t>(n));
  LoopSeconds rows, lists;
  for (int s = 0; s < sample; ++s) {
    const std::int64_t i = std::int64_t(s) * options.directions / sample;
    const auto downwind = [&] {
      Edges edges;
      for (int u = 0; u < n; ++u) {
        for (Offset e = mesh.graph.row_map(u); e < mesh.graph.row_map(u + 1); ++e) {
          if (faces(i, u, mesh.graph.entries(e), e)) edges.emplace_back(u, mesh.graph.entries(e));
        }
      }
      return edges;
    };
    const LoopSeconds by_rows = decompose_by_boost(
        [&] {
          const Edges edges = downwind();
          return Rows(boost::edges_are_sorted, edges.begin(), edges.end(), static_cast<std::size_t>(n));
        },
        component);
    compare_labels(label, i, component);
    const LoopSeconds by_lists = decompose_by_boost(
        [&] {
          const Edges edges = downwind();
          return Lists(edges.begin(), edges.end(), static_cast<std::size_t>(n));
        },
        component);
    rows.making += by_rows.making / sample;
    rows.finding += by_rows.finding / sample;
    lists.making += by_lists.making / sample;
    lists.finding += by_lists.finding / sample;
  }
  return {rows, lists};
}
#endif

void run(const SweepOptions& options) {
  if (!(options.twist >= 0)) throw ArgumentError("--twist must be 0 or more");
  const BoxMesh mesh = box_mesh({options.side, 0.3, options.twist, 1});
  const DownwindFaces faces{mesh.normal, mesh.center, spread_directions(options.directions)};
  const auto n = static_cast<std::size_t>(mesh.graph.num_vertices());
  const Labels label("label", static_cast<std::size_t>(options.directions), n);
  const Kokkos::View<Level**, Kokkos::LayoutRight, Kokkos::HostSpace> level("level", label.extent(0), n);
  std::vector<double> batch, levels, rows, rows_alone, lists;
  SccBatchStatistics found;
  for (int turn = 0; turn < options.runs; ++turn) {
    found = scc_batch(HostSpace(), mesh.graph, options.directions, faces, label);
    batch.push_back(1e3 * found.seconds / options.directions);
    const auto found_levels =
        topological_levels_batch(HostSpace(), mesh.graph, options.directions, faces, label, level);
    levels.push_back(1e3 * found_levels.seconds / options.directions);
#ifdef DROMOS_HAS_BOOST_GRAPH
    const auto [by_rows, by_lists] = run_loops(mesh, faces, label, options);
    rows_alone.push_back(1e3 * by_rows.finding);
    rows.push_back(1e3 * (by_rows.making + by_rows.finding));
    lists.push_back(1e3 * (by_lists.making + by_lists.finding));
#endif
  }
  const double ours = perf::median(batch);
  std::printf("%zu cells, %d directions, twist %g, %d threads: %lld graphs with cycles, %.2f%% of vertices marked\n", n,
              options.directions, options.twist, HostSpace().concurrency(), static_cast<long long>(found.num_cyclic),
              100 * static_cast<double>(found.num_marked) / (static_cast<double>(n) * options.directions));
  std::printf("  scc_batch                    %8.3f ms a direction\n", ours);
  std::printf("  topological_levels_batch     %8.3f\n", perf::median(levels));
  const auto print = [&](const char* name, const std::vector<double>& times) {
    if (!times.empty()) std::printf("  %-28s %8.3f  %.1fx\n", name, perf::median(times), perf::median(times) / ours);
  };
  print("Boost, adjacency lists", lists);
  print("Boost, compressed rows", rows);
  print("  components alone", rows_alone);
}

void declare(ArgumentParser& parser, SweepOptions& options) {
  parser.add_option("--side", options.side, "cells along each side").in_range(1, 1000);
  parser.add_option("--directions", options.directions, "graphs").in_range(1);
  parser.add_option("--twist", options.twist, "by how much normals of faces are moved, in sides of a box: 0.02");
  parser.add_option("--sample", options.sample, "directions that the loop takes").in_range(1);
  parser.add_option("--runs", options.runs, "measured runs of both, in turn").in_range(1);
}

}  // namespace

int main(int argc, char** argv) {
  return dromos::perf::run_with_options<SweepOptions>(
      "bench_sweeps", "Strong components of the sweep graphs of a mesh, beside a loop over them with Boost", argc, argv,
      declare, run);
}
