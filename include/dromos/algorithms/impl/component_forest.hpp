// SPDX-License-Identifier: BSD-3-Clause
// Weak components by a forest: every vertex points to a vertex of its component with a number not above its own, and
// who points to itself is a root. Linking the two ends of an edge hooks the larger root below the smaller one; when all
// edges are linked, there is one root a component, and it is its smallest vertex.
//
//   parent 0 1 2 3   link 3-2: 0 1 2 2   link 2-1: 0 1 1 2   link 3-0: root of 3 is 1, so 0 0 1 2   compress: 0 0 0 0
//
// Afforest does not look at most edges: a few already join most vertices of a large component. The component that is
// most frequent in a sample is taken to be the largest one, and the edges of its vertices are left out: between two of
// them there is nothing to link, and every other edge is also stored at its other end. The few are chosen so that they
// are cheap: every vertex starts below its first neighbor, where that has a smaller number, which takes no atomic and
// no look at the neighbor, or below one of a hub's neighbors, where it has one of them (component_hub.hpp); then the
// vertices that became roots, of the others one in d + 1 where rows are sorted and of length d, link their first few
// edges.
//
// Sources: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling",
// IPDPS 2018 (Afforest); J. Jaiganesh, M. Burtscher, "A High-Performance Connected Components Implementation for GPUs",
// HPDC 2018 (the start below a smaller neighbor); Y. Shiloach, U. Vishkin, "An O(log n) parallel connectivity
// algorithm", 1982 (hooking).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/impl/component_hub.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/regular_views.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/number_vertices.hpp>
#include <dromos/traverse/traverse.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos::detail {

/// A forest that many threads link at once. Unsynchronised reads are safe: a parent is only ever replaced by a vertex
/// further up the same tree, so that a stale one still leads to the root; a root changes by compare-and-exchange alone.
template <class Vertex, class Memory>
struct ComponentForest {
  Kokkos::View<Vertex*, Memory> parent;

  KOKKOS_FORCEINLINE_FUNCTION Vertex parent_of(Vertex v) const { return atomic_load(&parent.data()[v]); }

  /// The root above v.
  KOKKOS_FORCEINLINE_FUNCTION Vertex find(Vertex v) const {
    Vertex above = parent_of(v);
    while (above != v) {
      v = above;
      above = parent_of(v);
    }
    return v;
  }

  /// The same where nobody links meanwhile: a root stays one, and old parents will do. On a GPU, where most vertices
  /// climb past the same few.
  KOKKOS_FORCEINLINE_FUNCTION Vertex find_nearby(Vertex v) const {
    Vertex above = load_nearby(&parent.data()[v]);
    while (above != v) {
      v = above;
      above = load_nearby(&parent.data()[v]);
    }
    return v;
  }

  /// Makes u and v members of one tree. Climbs from the larger one of two vertices at a time, so that it ends at the
  /// first vertex that both have above them, without climbing to the root.
  KOKKOS_FORCEINLINE_FUNCTION void link(Vertex u, Vertex v) const {
    Vertex a = parent_of(u);
    Vertex b = parent_of(v);
    while (a != b) {
      const Vertex high = dromos::max(a, b);
      const Vertex low = dromos::min(a, b);
      const Vertex above = parent_of(high);
      if (above == low) return;
      if (above == high && Kokkos::atomic_compare_exchange(&parent.data()[high], high, low) == high) return;
      a = parent_of(above);  // above < high, unless somebody else has just hooked high; then the next turn climbs
      b = low;
    }
  }

  /// As find(), but not along a whole path: after so many steps whoever is there.
  KOKKOS_FORCEINLINE_FUNCTION Vertex find_within(Vertex v, int steps) const {
    Vertex above = parent_of(v);
    for (; above != v && steps > 0; --steps) {
      v = above;
      above = parent_of(v);
    }
    return v;
  }

  /// As find(), where hardly anybody is more than so many steps below a root: these without a branch, since nobody
  /// could predict who is how far.
  template <int steps = 1>
  KOKKOS_FORCEINLINE_FUNCTION Vertex find_flat(Vertex v) const {
    Vertex above = parent_of(v);
    for (int i = 1; i < steps; ++i) above = parent_of(above);
    const Vertex root = parent_of(above);
    return root == above ? root : find(root);
  }

  /// u, which has pointed to `above`, points to its root afterwards, which is returned; nobody may link meanwhile. On a
  /// CPU a branch would cost more than the store.
  KOKKOS_FORCEINLINE_FUNCTION Vertex compress(Vertex u, Vertex above) const {
    const Vertex root = host_accessible<Memory> ? find_flat(above) : find_nearby(above);
    if (host_accessible<Memory> || root != above) atomic_store(&parent.data()[u], root);
    return root;
  }

  /// As link(), and who is climbed past points further up afterwards: for links that come upon deep trees. Threads may
  /// undo each other's steps, never more: whatever a vertex has pointed to is above it or beside it in one tree.
  KOKKOS_FORCEINLINE_FUNCTION void link_and_shorten(Vertex u, Vertex v) const {
    Vertex a = parent_of(u);
    Vertex b = parent_of(v);
    while (a != b) {
      if (a < b) {
        const Vertex low = a, below_low = u;
        a = b;
        u = v;
        b = low;
        v = below_low;
      }
      Vertex above = parent_of(a);
      if (above == b) return;
      if (above == a) {
        above = Kokkos::atomic_compare_exchange(&parent.data()[a], a, b);
        if (above == a) return;
      }
      if (u != a) atomic_store(&parent.data()[u], above);
      u = a;
      a = above;
    }
  }
};

/// Links the ends of every edge.
template <class Vertex, class Memory>
struct LinkEdges {
  ComponentForest<Vertex, Memory> forest;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    forest.link(u, v);
    return false;
  }
};

/// Over one edge of every vertex: u starts below a smaller neighbor, or below what a neighbor of other ranks, too, is
/// below by then. Who has neither starts as a root and joins; a neighbor of another rank starts below the smallest of
/// these. (A hub would else be the root that all of them link first, one after the other.) But before all that below
/// the root that hubs have brought, where u or its neighbor is a member (component_hub.hpp).
template <class Vertex, class Memory, class Vertices>
struct StartBelowNeighbor {
  ComponentForest<Vertex, Memory> forest;
  Vertices vertices;
  HubNeighborhood<Vertex, Memory> hub;

  KOKKOS_FORCEINLINE_FUNCTION Vertex joining(Vertex u, Vertex) const { return u; }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    Vertex* const parent = forest.parent.data();
    if (hub.has(u, v)) return start_below_hub(u, v);
    // Nobody writes parents of shared vertices meanwhile: their rows are not gone through. That of another rank's
    // vertex only becomes smaller, and whoever it was before has an edge to the vertex, too, and links it as a root.
    const bool away = vertices.is_away(v);
    const Vertex above = dromos::min(u, away ? atomic_load(&parent[v]) : v);
    parent[u] = above;
    if (away && above == u && !vertices.is_shared(v)) atomic_fetch_min(&parent[v], u);
    return above == u && v != u;  // what an away neighbor is below may be u itself
  }

 private:
  /// Also hangs the root itself below a neighbor of a member: its own may all be in its tree.
  KOKKOS_FORCEINLINE_FUNCTION bool start_below_hub(Vertex u, Vertex v) const {
    const Vertex root = hub.root_of_hub();
    Vertex* const of_root = &forest.parent.data()[root];
    if (v < root && atomic_load(of_root) == root) Kokkos::atomic_compare_exchange(of_root, root, v);
    if (u == root) return true;
    forest.parent.data()[u] = root;
    return false;
  }
};

/// Over the edges of the forest: u points to its root afterwards.
template <class Vertex, class Memory>
struct Compress {
  ComponentForest<Vertex, Memory> forest;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex above, Offset) const {
    forest.compress(u, above);
    return false;
  }
};

/// Compress, and u joins unless it is in the tree that is skipped or has no edges at all.
/// `linked`: since that tree was chosen edges have been linked, so that its root may be another.
template <class Graph, class Vertex, class Memory, bool linked = false>
struct CompressAndSelect {
  ComponentForest<Vertex, Memory> forest;
  Graph graph;
  Vertex skipped;                        ///< its root; no_vertex: none
  const Vertex* skipped_root = nullptr;  ///< where a kernel before this one has written it

  KOKKOS_FORCEINLINE_FUNCTION Vertex joining(Vertex u, Vertex) const { return u; }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex above, Offset) const {
    const Vertex root = forest.compress(u, above);
    const bool elsewhere = root != root_of_skipped();
    // On a CPU a product, since of two conditions the first would be a branch, for half of all vertices in some graphs.
    if constexpr (host_accessible<Memory>) return graph.degree(u) * Offset(elsewhere) > 0;
    return elsewhere && graph.degree(u) > 0;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Vertex root_of_skipped() const {
    const Vertex of_it = skipped_root != nullptr ? *skipped_root : skipped;
    return linked ? forest.find_nearby(of_it) : of_it;
  }
};

/// Whoever is drawn looks so far for its root. Trees of random graphs are not that deep; a path may be one tree, which
/// is not found then, so that all edges are linked.
constexpr int steps_of_sample = 256;

/// The roots of vertices drawn at random among the first `num_vertices`.
template <class Vertex, class Memory>
struct DrawRoots {
  ComponentForest<Vertex, Memory> forest;
  std::uint64_t num_vertices;
  CounterRandom random;
  Kokkos::View<Vertex*, Memory> drawn;
  KOKKOS_FUNCTION void operator()(const int i) const {
    drawn(i) = forest.find_within(static_cast<Vertex>(random.below(num_vertices, static_cast<std::uint64_t>(i))),
                                  steps_of_sample);
  }
};

inline CounterRandom random_sample() { return CounterRandom(0, 0x73616d706c65); }  // a stream of its own: "sample"

/// The roots above `sample_size` vertices drawn at random from [0, num_vertices), of which there is one at least.
template <class Space, class Vertex, class Memory>
std::vector<Vertex> sample_roots(const Space& space, const ComponentForest<Vertex, Memory>& forest,
                                 std::int64_t num_vertices, int sample_size) {
  const Kokkos::View<Vertex*, Memory> drawn(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::components::sample"), sample_size);
  Kokkos::parallel_for(
      "dromos::components::sample", Kokkos::RangePolicy<Space>(space, 0, sample_size),
      DrawRoots<Vertex, Memory>{forest, static_cast<std::uint64_t>(num_vertices), random_sample(), drawn});
  fence(space, "dromos::components::sample");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), drawn);
  return std::vector<Vertex>(host.data(), host.data() + sample_size);
}

/// The most frequent of the roots above vertices drawn as by DrawRoots, of several the smallest: by one team, which
/// counts them in a table in its scratch memory, so that nobody waits for an answer.
template <class Space, class Vertex, class Memory>
struct FindMostFrequentRoot {
  using Policy = Kokkos::TeamPolicy<Space>;
  static constexpr int team_size = 512;
  static constexpr int num_slots = 2048;            // a power of two
  static constexpr int most_drawn = num_slots / 2;  // so that every root finds a slot
  ComponentForest<Vertex, Memory> forest;
  std::uint64_t num_vertices;
  CounterRandom random;
  int sample_size;
  Vertex* most_frequent;

  struct Scratch {
    Vertex root[num_slots];
    int count[num_slots];
    int most;
    Vertex smallest;
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& table = *team_array<Scratch>(team, 1);
    const Vertex none = no_vertex<Vertex>;  // by reference below: it needs an address
    for (int i = team.team_rank(); i < num_slots; i += team.team_size()) {
      table.root[i] = none;
      table.count[i] = 0;
    }
    if (team.team_rank() == 0) {
      table.most = 0;
      table.smallest = static_cast<Vertex>(num_vertices);
    }
    team.team_barrier();
    for (int i = team.team_rank(); i < sample_size; i += team.team_size()) {
      const Vertex root = forest.find_within(
          static_cast<Vertex>(random.below(num_vertices, static_cast<std::uint64_t>(i))), steps_of_sample);
      auto slot = static_cast<unsigned>(static_cast<std::uint64_t>(root) * 0x9e3779b97f4a7c15u >> 53);
      for (;; slot = (slot + 1) % num_slots) {
        // Nearly all roots are alike: looking first spares them to wait for each other.
        Vertex there = atomic_load(&table.root[slot]);
        if (there == none) there = Kokkos::atomic_compare_exchange(&table.root[slot], none, root);
        if (there == none || there == root) break;
      }
      Kokkos::atomic_fetch_add(&table.count[slot], 1);
    }
    team.team_barrier();
    for (int i = team.team_rank(); i < num_slots; i += team.team_size()) {
      if (table.count[i] > 0) Kokkos::atomic_fetch_max(&table.most, table.count[i]);
    }
    team.team_barrier();
    for (int i = team.team_rank(); i < num_slots; i += team.team_size()) {
      if (table.count[i] == table.most) atomic_fetch_min(&table.smallest, table.root[i]);
    }
    team.team_barrier();
    if (team.team_rank() == 0) *most_frequent = table.smallest;
  }
};

/// What is there most often, of several the smallest, and how often; no_vertex where there is nothing.
template <class Vertex>
std::pair<Vertex, std::int64_t> most_frequent(std::vector<Vertex> values) {
  std::sort(values.begin(), values.end());
  std::pair<Vertex, std::int64_t> best{no_vertex<Vertex>, 0};
  for (std::size_t first = 0, last = 0; first < values.size(); first = last) {
    while (last < values.size() && values[last] == values[first]) ++last;
    const auto count = static_cast<std::int64_t>(last - first);
    if (count > best.second) best = {values[first], count};
  }
  return best;
}

/// All vertices point to their roots afterwards. Does not wait.
template <class Space, class Vertex, class Memory>
void compress_forest(const Space& space, const ComponentForest<Vertex, Memory>& forest) {
  traverse_all(space, OneNeighbor<Vertex, Memory>{forest.parent}, Compress<Vertex, Memory>{forest}, VertexChunk{});
}

/// Links every edge, in one sweep.
template <class Space, class View, class Vertex, class Memory>
void components_by_hooking(const Space& space, const View& view, const ComponentForest<Vertex, Memory>& forest,
                           const Strategy& strategy) {
  number_vertices(space, forest.parent);
  traverse_all(space, view, LinkEdges<Vertex, Memory>{forest}, strategy);
  compress_forest(space, forest);
}

/// Edges that a root links before the largest component is looked for: enough that nearly all trees of a large
/// component meet.
constexpr int edges_of_root = 3;

/// Afforest begins: every vertex of `rows`, the first of the graph's, below its first neighbor, and a few edges of the
/// roots. `remaining` is a frontier of the graph.
template <class Space, class View, class Vertex, class Memory, class Vertices>
void link_few_edges(const Space& space, const View& graph, const View& rows,
                    const ComponentForest<Vertex, Memory>& forest, const Vertices& vertices,
                    Frontier<Vertex, Memory>& remaining, HubScratch<Vertex, Memory>& hub_scratch) {
  const auto hub = find_hub(space, rows, forest.parent, vertices, hub_scratch);
  // Equal degrees need no balancing: the plain strategy is the right one whatever was asked for. On CPUs in long
  // chunks, of which little is begun without hints far enough ahead.
  VertexChunk in_order;
  if constexpr (!is_gpu<Space>) {
    const std::int64_t of_eight = rows.num_vertices() / (8 * space.concurrency());  // chunks a thread
    in_order.vertices_per_team =
        static_cast<int>(dromos::max<std::int64_t>(256, dromos::min<std::int64_t>(4096, of_eight)));
  }
  const FirstNeighbors<1, View> first_edges{rows, {}};
  sweep(space, first_edges, AllVertices<FirstNeighbors<1, View>>{first_edges}, remaining.open(space, graph, false),
        StartBelowNeighbor<Vertex, Memory, Vertices>{forest, vertices, hub}, in_order);
  remaining.collect(space);
  // Rows of parts begin with own neighbors, and by these alone no tree would have copies that its owner has in its own.
  constexpr bool of_part = !std::is_same_v<Vertices, WholeVertices>;
  const FirstNeighbors<edges_of_root, View, 0, of_part> few_edges{graph, forest.parent};
  if (remaining.empty()) return;
  sweep(space, few_edges, remaining.work(), NoSink{}, LinkEdges<Vertex, Memory>{forest}, VertexChunk{});
}

/// The largest tree, judged by a sample: its root, or where a kernel that is under way will write it.
template <class Space, class Vertex, class Memory>
std::pair<Vertex, const Vertex*> find_largest_tree(const Space& space, const ComponentForest<Vertex, Memory>& forest,
                                                   std::int64_t num_vertices, int sample_size,
                                                   [[maybe_unused]] const Kokkos::View<Vertex*, Memory>& root) {
  if constexpr (is_gpu<Space>) {
    using Kernel = FindMostFrequentRoot<Space, Vertex, Memory>;
    if (sample_size <= Kernel::most_drawn) {
      typename Kernel::Policy policy(space, 1, Kernel::team_size);
      policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
      Kokkos::parallel_for(
          "dromos::components::sample", policy,
          Kernel{forest, static_cast<std::uint64_t>(num_vertices), random_sample(), sample_size, root.data()});
      return {no_vertex<Vertex>, root.data()};
    }
  }
  return {most_frequent(sample_roots(space, forest, num_vertices, sample_size)).first, nullptr};
}

/// All point to roots afterwards; `remaining` holds those of `rows`, the first vertices of the graph, that have edges
/// and are not in the tree of `skipped`. Where these are few with many edges, a few of each are linked, too, and who
/// finds the tree by these is left out as well: of a graph whose degrees are all alike nearly all of them do.
template <class Space, class View, class Vertex, class Memory>
void select_remaining(const Space& space, const View& graph, std::int64_t num_rows,
                      const ComponentForest<Vertex, Memory>& forest, Vertex skipped, const Vertex* skipped_root,
                      Frontier<Vertex, Memory>& remaining) {
  const OneNeighbor<Vertex, Memory> parents{
      Kokkos::subview(forest.parent, Kokkos::make_pair(std::int64_t(0), num_rows))};
  const auto select = [&](const auto& op) {
    sweep(space, parents, AllVertices<OneNeighbor<Vertex, Memory>>{parents}, remaining.open(space, graph, false), op,
          VertexChunk{});
    remaining.collect(space);
  };
  select(CompressAndSelect<View, Vertex, Memory>{forest, graph, skipped, skipped_root});
  const Offset few_edges = edges_of_root * remaining.num_vertices();
  const bool any_tree = skipped != no_vertex<Vertex> || skipped_root != nullptr;
  if (!any_tree || remaining.num_vertices() > num_rows / 4) return;
  if (remaining.num_edges() < num_rows / 2 || remaining.num_edges() < 3 * few_edges) return;
  const FirstNeighbors<edges_of_root, View, 1> others{graph, forest.parent};
  sweep(space, others, remaining.work(), NoSink{}, LinkEdges<Vertex, Memory>{forest}, VertexChunk{});
  select(CompressAndSelect<View, Vertex, Memory, true>{forest, graph, skipped, skipped_root});
}

/// Afforest, of a graph of which `directed` says whether an edge may be at one of its ends only. `remaining` is a
/// frontier of the graph, `root` one element of work space. Returns how many edges it left out.
template <class Space, class View, class Vertex, class Memory>
Offset components_by_afforest(const Space& space, const View& view, bool directed,
                              const ComponentForest<Vertex, Memory>& forest, Frontier<Vertex, Memory>& remaining,
                              const Kokkos::View<Vertex*, Memory>& root, HubScratch<Vertex, Memory>& hub,
                              int sample_size, const Strategy& strategy) {
  link_few_edges(space, view, view, forest, WholeVertices{}, remaining, hub);
  Offset num_left_out = 0;
  if (directed) {
    // An edge out of the skipped component is not stored at its other end, so that none may be left out.
    traverse_all(space, view, LinkEdges<Vertex, Memory>{forest}, strategy);
  } else {
    const auto [skipped, skipped_root] = find_largest_tree(space, forest, view.num_vertices(), sample_size, root);
    select_remaining(space, view, view.num_vertices(), forest, skipped, skipped_root, remaining);
    num_left_out = view.num_edges() - remaining.num_edges();
    if (remaining.empty()) return num_left_out;
    traverse(space, view, remaining, LinkEdges<Vertex, Memory>{forest}, strategy);
  }
  compress_forest(space, forest);
  return num_left_out;
}

}  // namespace dromos::detail
