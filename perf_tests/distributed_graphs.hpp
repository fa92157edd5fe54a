// SPDX-License-Identifier: BSD-3-Clause
// The graphs that distributed benchmarks run on, a slice of the edges on each rank: generated ones by the name of their
// kind, of 2^scale vertices, or a file that every rank reads.
#pragma once

#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/generate/thin_graphs.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/io/read_graph.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "benchmark.hpp"

namespace dromos::perf {

using Vertex = std::int32_t;

/// What graph_slice() takes, for the help of programs.
inline constexpr const char* slice_kinds =
    "kronecker, erdos-renyi, random-geometric, grid, path, star, comb, cycle-chain, or a file";

/// Throws ArgumentError where graphs are to grow with the number of ranks and one of them is a file.
inline void check_growth(bool weak, const std::vector<std::string>& graphs) {
  for (const std::string& graph : graphs) {
    if (weak && std::filesystem::exists(graph)) {
      throw ArgumentError("--weak makes larger graphs for more ranks, and '" + graph +
                          "' is one graph; give one of the two");
    }
  }
}

/// Graphs of a kind.
struct SliceOptions {
  std::int64_t edge_factor = 16;  ///< input edges per vertex; of random-geometric the expected degree
  std::uint64_t seed = 1;
};

/// A graph to be built undirected, without loops and duplicates.
inline DistributedInput<Vertex> undirected_input(const EdgeList<Vertex, Memory>& slice) {
  DistributedInput<Vertex> input;
  input.slice = slice;
  input.build.symmetrize = input.build.drop_self_loops = input.build.remove_duplicates = true;
  return input;
}

/// This rank's part of a file of any format that the library reads, all of which every rank reads.
inline EdgeList<Vertex, Memory> file_slice(const Communicator& group, const std::string& path) {
  return on_all_ranks(group, [&] {
    const auto edges = read_graph<Vertex>(path).edges;
    const auto range = slice_of(edges.num_edges(), group.rank(), group.size());
    EdgeList<Vertex, Memory> slice(edges.num_vertices, range.second - range.first);
    Kokkos::deep_copy(slice.source, Kokkos::subview(edges.source, range));
    Kokkos::deep_copy(slice.target, Kokkos::subview(edges.target, range));
    return slice;
  });
}

/// This rank's slice of a graph of a kind, of about 2^scale vertices, or of a file. Throws ArgumentError for what is
/// neither, InputError. Collective.
inline EdgeList<Vertex, Memory> graph_slice(const Communicator& group, const std::string& graph, int scale,
                                            const SliceOptions& options) {
  const std::int64_t n = std::int64_t(1) << scale, side = std::int64_t(1) << scale / 2;
  const auto slice = [&](const auto& edges) { return generate_slice<Vertex>(group, Space(), edges); };
  if (graph == "kronecker") {
    KroneckerOptions kronecker;
    kronecker.scale = scale;
    kronecker.edge_factor = options.edge_factor;
    kronecker.seed = options.seed;
    return slice(KroneckerEdges<Vertex>(kronecker));
  }
  if (graph == "erdos-renyi") {
    ErdosRenyiOptions uniform;
    uniform.num_vertices = n;
    uniform.num_edges = options.edge_factor << scale;
    uniform.seed = options.seed;
    return slice(ErdosRenyiEdges<Vertex>(uniform));
  }
  if (graph == "random-geometric") {
    RandomGeometricOptions geometric;
    geometric.num_vertices = n;
    geometric.expected_degree = static_cast<double>(options.edge_factor);
    geometric.seed = options.seed;
    return slice(RandomGeometricEdges<Vertex>(Space(), geometric));
  }
  if (graph == "grid") return slice(Grid2dEdges<Vertex>(n / side, side));
  if (graph == "path") return slice(PathEdges<Vertex>(n));
  if (graph == "star") return slice(StarEdges<Vertex>(n));
  if (graph == "comb") return slice(CombEdges<Vertex>(n / side, side - 1));
  if (graph == "cycle-chain") return slice(CycleChainEdges<Vertex>(n / side, side));
  if (!std::filesystem::exists(graph)) {
    throw ArgumentError("--graph: '" + graph + "' is neither a file nor a kind; there are " + slice_kinds);
  }
  return file_slice(group, graph);
}

/// The same, undirected.
inline DistributedInput<Vertex> generated_input(const Communicator& group, const std::string& graph, int scale,
                                                std::int64_t edge_factor, std::uint64_t seed) {
  return undirected_input(graph_slice(group, graph, scale, {edge_factor, seed}));
}

/// What results call it.
inline std::string graph_name(const std::string& graph) { return std::filesystem::path(graph).filename().string(); }

}  // namespace dromos::perf
