// SPDX-License-Identifier: BSD-3-Clause
// Directed graphs that are deep: long chains of strongly connected components, long cycles, components inside what
// looks like one. Level-synchronous methods need thousands of sweeps on them, which is what they are for.
//
// Made on the host, edge after edge; equal arguments give equal graphs. Vertices are numbered along the chain;
// shuffle_vertices() gives them random numbers, which also takes the locality away.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dromos {

namespace generate_detail {

/// Random numbers one after the other.
class HostRandom {
 public:
  explicit HostRandom(std::uint64_t seed) : random_(seed) {}
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound), counter_++));
  }

 private:
  CounterRandom random_;
  std::uint64_t counter_ = 0;
};

template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> to_edge_list(std::int64_t num_vertices,
                                                 const std::vector<std::pair<Vertex, Vertex>>& pairs) {
  EdgeList<Vertex, Kokkos::HostSpace> edges(static_cast<Vertex>(num_vertices), static_cast<Offset>(pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    edges.source(i) = pairs[i].first;
    edges.target(i) = pairs[i].second;
  }
  return edges;
}

}  // namespace generate_detail

struct ChainOfCyclesOptions {
  std::int64_t num_vertices = 1 << 20;
  /// Sizes of the blocks, drawn uniformly; the last takes what is left.
  std::int64_t smallest_block = 8;
  std::int64_t largest_block = 256;
  /// Edges that leave a vertex: one along the cycle of its block, the others to random vertices of the next blocks.
  int degree = 4;
  /// How many blocks ahead edges may lead.
  std::int64_t reach = 8;
  std::uint64_t seed = 1;
};

/// Blocks of vertices, each closed to one directed cycle; every other edge leads to a nearby later block. Every block
/// is a component.
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> chain_of_cycles(const ChainOfCyclesOptions& options) {
  const std::int64_t n = generate_detail::checked_num_vertices<Vertex>("chain of cycles", options.num_vertices);
  if (options.smallest_block < 1 || options.largest_block < options.smallest_block || options.degree < 1 ||
      options.reach < 1) {
    throw ArgumentError("chain of cycles: blocks of " + std::to_string(options.smallest_block) + " to " +
                        std::to_string(options.largest_block) + " vertices, degree " + std::to_string(options.degree) +
                        ", reach " + std::to_string(options.reach) + "; expected ascending sizes and nothing below 1");
  }
  generate_detail::HostRandom random(options.seed);
  std::vector<std::int64_t> begin{0};
  while (begin.back() < n) {
    const std::int64_t end =
        begin.back() + options.smallest_block + random.below(options.largest_block - options.smallest_block + 1);
    begin.push_back(n - end < options.smallest_block ? n : end);
  }
  const std::int64_t num_blocks = static_cast<std::int64_t>(begin.size()) - 1;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (std::int64_t block = 0; block < num_blocks; ++block) {
    for (std::int64_t v = begin[block]; v < begin[block + 1]; ++v) {
      edges.emplace_back(v, v + 1 < begin[block + 1] ? v + 1 : begin[block]);
      for (int i = 1; i < options.degree; ++i) {
        const std::int64_t to = block + 1 + random.below(options.reach);
        if (to < num_blocks) edges.emplace_back(v, begin[to] + random.below(begin[to + 1] - begin[to]));
      }
    }
  }
  return generate_detail::to_edge_list<Vertex>(n, edges);
}

/// A path on which pieces of 4, 16, 64, ... vertices, up to a quarter of all, are closed to cycles, two of three of
/// them: components that overlap become one, others stay inside a gap between larger ones.
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> nested_cycles(std::int64_t num_vertices, std::uint64_t seed = 1) {
  const std::int64_t n = generate_detail::checked_num_vertices<Vertex>("nested cycles", num_vertices);
  generate_detail::HostRandom random(seed);
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (std::int64_t v = 0; v + 1 < n; ++v) edges.emplace_back(v, v + 1);
  for (std::int64_t length = 4; length <= n / 4; length *= 4) {
    for (std::int64_t first = 0; first + length <= n; first += length) {
      if (random.below(3) != 0) edges.emplace_back(first + length - 1, first);
    }
  }
  return generate_detail::to_edge_list<Vertex>(n, edges);
}

/// A square lattice of side x side vertices, each edge in a random direction.
template <class Vertex = DefaultVertex>
EdgeList<Vertex, Kokkos::HostSpace> oriented_lattice(std::int64_t side, std::uint64_t seed = 1) {
  const std::int64_t n = generate_detail::checked_num_vertices<Vertex>("oriented lattice", side * side);
  generate_detail::HostRandom random(seed);
  std::vector<std::pair<Vertex, Vertex>> edges;
  const auto add = [&](std::int64_t u, std::int64_t v) {
    if (random.below(2) == 0) std::swap(u, v);
    edges.emplace_back(u, v);
  };
  for (std::int64_t v = 0; v < n; ++v) {
    if (v % side + 1 < side) add(v, v + 1);
    if (v + side < n) add(v, v + side);
  }
  return generate_detail::to_edge_list<Vertex>(n, edges);
}

/// Gives every vertex another number, at random; in place.
template <class Vertex>
void shuffle_vertices(const EdgeList<Vertex, Kokkos::HostSpace>& edges, std::uint64_t seed) {
  generate_detail::HostRandom random(seed);
  std::vector<Vertex> name(static_cast<std::size_t>(edges.num_vertices));
  std::iota(name.begin(), name.end(), Vertex(0));
  for (std::int64_t i = static_cast<std::int64_t>(name.size()) - 1; i > 0; --i) {
    std::swap(name[i], name[random.below(i + 1)]);
  }
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    edges.source(e) = name[edges.source(e)];
    edges.target(e) = name[edges.target(e)];
  }
}

}  // namespace dromos
