// SPDX-License-Identifier: BSD-3-Clause
// What does the pattern of A + A^T cost as a view of the matrix (graph/symmetric_pattern.hpp), and what as a merged
// graph? Milliseconds to make it and to order it, in turn, and the memory beside the matrix that stays.
//
//   bench_symmetric_pattern --side 1024 --opposite 50
//
// The matrix is that of a square mesh whose vertices are shuffled; of so many in a hundred of its edges both entries
// are there, of the others one. Both ways must find the same order.
#include <cstdio>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <random>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "benchmark_program.hpp"
#include "command_line/argument_parser.hpp"

namespace {

using namespace dromos;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Vertex = std::int32_t;
using Graph = CsrGraph<Vertex, Memory>;
using Pattern = SymmetricPattern<Vertex, Memory>;

struct PatternOptions {
  int side = 1024;
  int opposite = 50;
  int runs = 9;
};

/// With its diagonal, as matrices have it.
Graph mesh_matrix(const PatternOptions& options) {
  const Vertex side = options.side, n = side * side;
  std::mt19937_64 random(1);
  std::vector<Vertex> row, column;
  const auto enter = [&](Vertex u, Vertex v) {
    row.push_back(u);
    column.push_back(v);
  };
  const auto join = [&](Vertex u, Vertex v) {
    const bool both = static_cast<int>(random() % 100) < options.opposite, turned = random() % 2 != 0;
    if (both || !turned) enter(u, v);
    if (both || turned) enter(v, u);
  };
  for (Vertex v = 0; v < n; ++v) {
    enter(v, v);
    if (v % side + 1 < side) join(v, v + 1);
    if (v + side < n) join(v, v + side);
  }
  EdgeList<Vertex, Kokkos::HostSpace> edges(n, static_cast<Offset>(row.size()));
  for (std::size_t e = 0; e < row.size(); ++e) {
    edges.source(e) = row[e];
    edges.target(e) = column[e];
  }
  shuffle_vertices(edges, 1);
  return build_csr(Space(), copy_to<Memory>(edges));
}

Graph merge(const Graph& matrix) {
  BuildOptions build;
  build.symmetrize = build.remove_duplicates = true;
  return build_csr(Space(), edge_list_of(Space(), matrix), build);
}

double megabytes(const Graph& graph) {
  return 1e-6 *
         static_cast<double>(graph.row_map.extent(0) * sizeof(Offset) + graph.entries.extent(0) * sizeof(Vertex));
}

template <class F>
double milliseconds(const F& f) {
  const Kokkos::Timer timer;
  f();
  Kokkos::fence();
  return 1e3 * timer.seconds();
}

void run(const PatternOptions& options) {
  const Space space;
  const Graph matrix = mesh_matrix(options);
  Graph merged;
  RcmResult<Vertex, Memory> of_merged, of_pattern;
  std::vector<double> merging, pairing, serial[2], by_levels[2];
  double beside = 0;
  RcmOptions levels;
  levels.most_serial_edges = 0;
  for (int turn = 0; turn < options.runs; ++turn) {
    merged = Graph();
    merging.push_back(milliseconds([&] { merged = merge(matrix); }));
    const Kokkos::Timer timer;
    const Pattern pattern(space, matrix);
    pairing.push_back(1e3 * timer.seconds());
    beside = megabytes(pattern.more());
    serial[0].push_back(milliseconds([&] { rcm(space, merged, of_merged); }));
    serial[1].push_back(milliseconds([&] { rcm(space, pattern, of_pattern); }));
    by_levels[0].push_back(milliseconds([&] { rcm(space, merged, of_merged, levels); }));
    by_levels[1].push_back(milliseconds([&] { rcm(space, pattern, of_pattern, levels); }));
  }
  const auto expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_merged.new_id);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_pattern.new_id);
  for (std::size_t v = 0; v < expected.extent(0); ++v) {
    if (expected(v) != found(v))
      throw Error("vertex " + std::to_string(v) + " has another place than in the merged graph");
  }
  std::printf("%d rows, %lld entries (%.1f MB), %d%% of edges with both; %d threads\n", matrix.num_vertices(),
              static_cast<long long>(matrix.num_edges()), megabytes(matrix), options.opposite,
              Kokkos::DefaultHostExecutionSpace().concurrency());
  std::printf("                     made   rcm()   by levels   beside the matrix\n");
  const auto tell = [&](const char* name, const std::vector<double>& making, int which, double memory) {
    std::printf("  %-14s %7.1f %7.1f  %7.1f ms  %9.1f MB\n", name, perf::median(making), perf::median(serial[which]),
                perf::median(by_levels[which]), memory);
  };
  tell("merged graph", merging, 0, megabytes(merged));
  tell("view", pairing, 1, beside);
}

void declare(ArgumentParser& parser, PatternOptions& options) {
  parser.add_option("--side", options.side, "of the square mesh").in_range(1, 30000);
  parser.add_option("--opposite", options.opposite, "in a hundred edges: how many have both entries").in_range(0, 100);
  parser.add_option("--runs", options.runs, "measured runs of both, in turn").in_range(1);
}

}  // namespace

int main(int argc, char** argv) {
  return dromos::perf::run_with_options<PatternOptions>(
      "bench_symmetric_pattern", "The pattern of A + A^T as a view and as a merged graph", argc, argv, declare, run);
}
