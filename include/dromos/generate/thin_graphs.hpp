// SPDX-License-Identifier: BSD-3-Clause
// Graphs that are hard to search in parallel: thin ones, whose levels have a few vertices each (comb, caterpillar,
// chain of cycles; a ladder is Grid2dEdges(rungs, 2)), and hubs that share all their neighbors.
//
// Each is a generator in the sense of generate/generate_edges.hpp. The thin ones are made of equal groups of vertices,
// numbered group by group: group g of k vertices has g * k .. g * k + k - 1, and its first vertex is joined to that of
// the next group. So edge i belongs to group i / k, one edge a group leads to the next, and the last group has none.
//
//   comb of 3, teeth of 2        caterpillar of 3, 2 legs        chain of 3 cycles of 4
//
//   0 - 3 - 6                    0 ---- 3 ---- 6                   1         5         9
//   |   |   |                   / \    / \    / \                /   \     /   \     /   \     .
//   1   4   7                  1   2  4   5  7   8              0     2 - 4     6 - 8    10
//   |   |   |                                                    \   /     \   /     \   /
//   2   5   8                                                      3         7        11
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <limits>
#include <string>

namespace dromos {

namespace generate_detail {

/// Throws ArgumentError unless `count` groups of `size` vertices, or edges, are not negative and can be numbered.
template <class Vertex>
void check_groups(const char* generator, std::int64_t count, std::int64_t size) {
  constexpr std::int64_t most = max_num_vertices<Vertex>;
  if (count >= 0 && size >= 1 && count <= most / size && count <= std::numeric_limits<Offset>::max() / (size + 1)) {
    return;
  }
  throw ArgumentError(std::string(generator) + ": " + std::to_string(count) + " times " + std::to_string(size) +
                      " vertices; expected at least 0 times at least 1, and at most " + std::to_string(most) +
                      " vertices for " + std::to_string(8 * sizeof(Vertex)) + "-bit vertex ids");
}

}  // namespace generate_detail

/// A path of `spine` vertices, from each of which another path hangs, of `length` more vertices. Directed: along the
/// spine and down the teeth.
template <class Vertex>
class CombEdges {
 public:
  CombEdges(std::int64_t spine, std::int64_t length) : spine_(spine), size_(length + 1) {
    generate_detail::check_groups<Vertex>("comb", spine_, size_);
  }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return spine_ * size_; }
  KOKKOS_FUNCTION Offset num_edges() const { return spine_ == 0 ? 0 : spine_ * size_ - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    const bool along_spine = i % size_ == size_ - 1;
    u = static_cast<Vertex>(along_spine ? i - size_ + 1 : i);
    v = static_cast<Vertex>(i + 1);
  }

 private:
  std::int64_t spine_, size_;
};

/// A path of `spine` vertices, each of which is also joined to `legs` vertices of its own. Directed: along the spine
/// and out to the legs.
template <class Vertex>
class CaterpillarEdges {
 public:
  CaterpillarEdges(std::int64_t spine, std::int64_t legs) : spine_(spine), size_(legs + 1) {
    generate_detail::check_groups<Vertex>("caterpillar", spine_, size_);
  }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return spine_ * size_; }
  KOKKOS_FUNCTION Offset num_edges() const { return spine_ == 0 ? 0 : spine_ * size_ - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = static_cast<Vertex>(i - i % size_);
    v = static_cast<Vertex>(i + 1);
  }

 private:
  std::int64_t spine_, size_;
};

/// `cycles` directed cycles of `length` vertices; an edge leads from each, opposite of where it was entered, to the
/// next. Directed: every cycle is a strongly connected component, and they are to be found one behind the other. (The
/// chain of deep_graphs.hpp is another: blocks of random sizes with random edges to several later ones.)
template <class Vertex>
class CycleChainEdges {
 public:
  CycleChainEdges(std::int64_t cycles, std::int64_t length) : cycles_(cycles), length_(length) {
    generate_detail::check_groups<Vertex>("chain of cycles", cycles_, length_);
  }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return cycles_ * length_; }
  KOKKOS_FUNCTION Offset num_edges() const { return cycles_ == 0 ? 0 : cycles_ * (length_ + 1) - 1; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    const Offset first = i / (length_ + 1) * length_;
    const Offset at = i % (length_ + 1);
    u = static_cast<Vertex>(first + (at == length_ ? length_ / 2 : at));
    v = static_cast<Vertex>(first + (at == length_ ? length_ : (at + 1) % length_));
  }

 private:
  std::int64_t cycles_, length_;
};

/// num_vertices vertices of which the first `hubs` are joined to each of the others: a complete bipartite graph.
/// Directed: away from the hubs. With one hub it is the star.
template <class Vertex>
class BipartiteHubsEdges {
 public:
  BipartiteHubsEdges(std::int64_t hubs, std::int64_t num_vertices)
      : hubs_(hubs), leaves_(generate_detail::checked_num_vertices<Vertex>("bipartite hubs", num_vertices) - hubs) {
    if (hubs < 0 || leaves_ < 0 || (hubs > 0 && leaves_ > std::numeric_limits<Offset>::max() / hubs)) {
      throw ArgumentError("bipartite hubs: " + std::to_string(hubs) + " of " + std::to_string(num_vertices) +
                          " vertices are hubs; expected none negative, no more than there are vertices, and no more "
                          "edges than 64 bits can number");
    }
  }
  KOKKOS_FUNCTION std::int64_t num_vertices() const { return hubs_ + leaves_; }
  KOKKOS_FUNCTION Offset num_edges() const { return hubs_ * leaves_; }
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    u = static_cast<Vertex>(i / leaves_);
    v = static_cast<Vertex>(hubs_ + i % leaves_);
  }

 private:
  std::int64_t hubs_, leaves_;
};

}  // namespace dromos
