// SPDX-License-Identifier: BSD-3-Clause
// The neighbors of a hub are of one component before any edge is linked, and where edges gather at few vertices nearly
// everybody has one of them for a neighbor, or is one: in a Kronecker graph by a row that is a small part of all edges.
// So Afforest's start (component_forest.hpp) puts all these below one neighbor of a hub, by a look at a bitmap that
// stays in the cache; who is left are few roots, and trees are flat. Neighbors of the hub that are hubs themselves
// bring theirs, too.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_limits.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/launch_teams.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/graph/graph_view.hpp>
#include <limits>

namespace dromos::detail {

/// What kernels know of a hub and its neighbors.
template <class Vertex, class Memory>
struct HubNeighborhood {
  static constexpr Vertex none = std::numeric_limits<Vertex>::max();

  Bitmap<Memory> members;
  /// One of them, the smallest where rows are sorted; `none`: there is no hub. One element.
  Kokkos::View<Vertex*, Memory> root;

  KOKKOS_FORCEINLINE_FUNCTION Vertex root_of_hub() const { return *root.data(); }
  /// May u point to the root? Its edge to v says that it is of the hub's component.
  KOKKOS_FORCEINLINE_FUNCTION bool has(Vertex u, Vertex v) const {
    return root_of_hub() <= u && (members.test(v) || members.test(u));
  }
};

/// The hubs are the neighbors with the most edges of vertices drawn at random. (Who has many edges is drawn the more
/// often.) Notes their neighbors, of the first hub and of those that it is seen to be a neighbor of. Every team draws
/// the same ones, so that none waits for another, and notes a piece of each row.
template <class Space, class Rows, class Vertices>
struct NoteHubs {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = TeamMember<Policy>;
  using Vertex = typename Rows::vertex_type;
  using Memory = typename Rows::memory_space;
  static constexpr bool gpu = is_gpu<Space>;
  static constexpr int num_drawn = gpu ? max_gpu_team_size : 256;
  /// More were measured on CPUs only.
  static constexpr int most_hubs = gpu ? 4 : 16;
  /// Among the drawn. Where numbers are such that hardly anybody starts as a root, there is nothing to spare.
  static constexpr int fewest_roots = num_drawn / 16;
  static constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();  // for nvcc no call

  Rows rows;  ///< a neighbor that has none here is no hub
  Vertices vertices;
  HubNeighborhood<Vertex, Memory> hub;
  Kokkos::View<Vertex*, Memory> parent;
  Offset fewest;                                      ///< edges of the first hub
  Offset enough;                                      ///< edges of all hubs
  CounterRandom random = CounterRandom(0, 0x687562);  // a stream of its own: "hub"

  struct Scratch {
    std::int64_t key[num_drawn];  ///< edges of whom the draw found, above the number of the draw; -1: nobody
    std::int64_t most;
    int num_roots;
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    if (team.team_rank() == 0) scratch.num_roots = 0;
    team.team_barrier();
    for (int i = team.team_rank(); i < num_drawn; i += team.team_size()) {
      const Vertex v = drawn(i);
      scratch.key[i] = v == no_vertex<Vertex> ? -1 : std::int64_t(rows.degree(v)) * num_drawn + i;
      if (starts_as_root(drawer(i))) Kokkos::atomic_fetch_add(&scratch.num_roots, 1);
    }
    const std::int64_t first = largest_key(team, scratch, no_bound);
    if (first < fewest * num_drawn || scratch.num_roots < fewest_roots) return;
    const Vertex first_hub = hub_of(first);
    const Vertex root = dromos::min(first_hub, neighbor_of(rows, first_hub, rows.begin(first_hub)));
    if (team.league_rank() == 0 && team.team_rank() == 0) {
      hub.members.set(first_hub);
      hub.root(0) = root;
      parent.data()[root] = root;
    }
    Vertex last_noted = first_hub;
    Offset num_noted = note(team, first_hub, root);
    std::int64_t key = first;
    for (int num_hubs = 1; num_hubs < most_hubs && num_noted < enough;) {
      key = largest_key(team, scratch, key);
      if (key < num_drawn) return;  // nobody, or nobody with an edge
      const Vertex u = hub_of(key);
      if (u == last_noted || !is_joined(u, first_hub)) continue;
      num_noted += note(team, u, root);
      last_noted = u;
      ++num_hubs;
    }
  }

 private:
  KOKKOS_FUNCTION Vertex drawer(int i) const {
    const auto n = static_cast<std::uint64_t>(rows.num_vertices());
    return static_cast<Vertex>(random.below(n, static_cast<std::uint64_t>(2 * i)));
  }
  /// Has it no smaller neighbor to start below? (Rows are sorted.)
  KOKKOS_FUNCTION bool starts_as_root(Vertex u) const {
    if (rows.degree(u) == 0) return false;
    const Vertex v = neighbor_of(rows, u, rows.begin(u));
    return v > u || vertices.is_away(v);
  }
  /// Whom the i-th draw finds; no_vertex: nobody with a row.
  KOKKOS_FUNCTION Vertex drawn(int i) const {
    const Vertex u = drawer(i);
    const Offset degree = rows.degree(u);
    if (degree == 0) return no_vertex<Vertex>;
    const auto place = random.below(static_cast<std::uint64_t>(degree), static_cast<std::uint64_t>(2 * i + 1));
    Vertex v = neighbor_of(rows, u, rows.begin(u) + static_cast<Offset>(place));
    // Of a part most neighbors may be copies, and rows begin with those that are not.
    if (v >= rows.num_vertices()) v = neighbor_of(rows, u, rows.begin(u));
    return v < rows.num_vertices() ? v : Vertex(no_vertex<Vertex>);
  }
  KOKKOS_FUNCTION Vertex hub_of(std::int64_t key) const { return drawn(static_cast<int>(key % num_drawn)); }

  /// The largest key below a bound, -1 where there is none; to the whole team, which calls it together.
  KOKKOS_FUNCTION std::int64_t largest_key(const Member& team, Scratch& scratch, std::int64_t bound) const {
    team.team_barrier();  // keys are there, and the last answer has been read
    if (team.team_rank() == 0) scratch.most = -1;
    team.team_barrier();
    for (int i = team.team_rank(); i < num_drawn; i += team.team_size()) {
      if (scratch.key[i] < bound) Kokkos::atomic_fetch_max(&scratch.most, scratch.key[i]);
    }
    team.team_barrier();
    return scratch.most;
  }

  /// Is there an edge from u to v? Where the row of u is not sorted, no may be said instead of yes.
  KOKKOS_FUNCTION bool is_joined(Vertex u, Vertex v) const {
    Offset low = rows.begin(u), behind = rows.end(u);
    while (behind - low > 1) {
      const Offset middle = low + (behind - low) / 2;
      (neighbor_of(rows, u, middle) <= v ? low : behind) = middle;
    }
    return neighbor_of(rows, u, low) == v;
  }

  /// Of a hub, this thread's neighbors. Returns how many there are for all.
  KOKKOS_FUNCTION Offset note(const Member& team, Vertex u, Vertex root) const {
    const std::int64_t t = std::int64_t(team.league_rank()) * team.team_size() + team.team_rank();
    const std::int64_t num_threads = std::int64_t(team.league_size()) * team.team_size();
    const Offset begin = rows.begin(u), degree = rows.degree(u);
    // Neighboring threads take neighboring edges on GPUs, a run of edges each on CPUs.
    const Offset step = gpu ? num_threads : 1, end = gpu ? degree : degree * (t + 1) / num_threads;
    for (Offset e = gpu ? t : degree * t / num_threads; e < end; e += step) {
      const Vertex v = neighbor_of(rows, u, begin + e);
      hub.members.set(v);
      // It has no row, or one that is not gone through: nobody else says where it starts.
      if (vertices.is_away(v)) parent.data()[v] = root;
    }
    return degree;
  }
};

/// Memory of a hub's neighborhood, made on first use: a bit a vertex.
template <class Vertex, class Memory>
struct HubScratch {
  Bitmap<Memory> members;
  Kokkos::View<Vertex*, Memory> root;
};

/// A vertex is a hub from this part of all on: less would cost every vertex a look, and spare few.
constexpr Offset vertices_a_hub = 256;

/// So many vertices for an edge of the hubs are few enough to look no further.
template <class Space>
constexpr Offset enough_of_hubs = is_gpu<Space> ? 8 : 2;

/// With fewer, all edges cost less than what there is to know before.
constexpr Offset fewest_edges_with_hub = 1 << 14;

/// The neighborhood of a vertex with many edges, where there is one. Does not wait.
///
/// \param rows    of the first vertices of a graph
/// \param parent  of all vertices; out: away neighbors of the hub point to the root
template <class Space, class Rows, class Vertex, class Memory, class Vertices>
HubNeighborhood<Vertex, Memory> find_hub(const Space& space, const Rows& rows,
                                         const Kokkos::View<Vertex*, Memory>& parent, const Vertices& vertices,
                                         HubScratch<Vertex, Memory>& scratch) {
  using Neighborhood = HubNeighborhood<Vertex, Memory>;
  using Kernel = NoteHubs<Space, Rows, Vertices>;
  const auto num_vertices = static_cast<std::int64_t>(parent.extent(0));
  if (scratch.members.size() != num_vertices || scratch.root.extent(0) == 0) {
    scratch.members = Bitmap<Memory>(num_vertices, "dromos::components::near_hub");
    scratch.root = Kokkos::View<Vertex*, Memory>("dromos::components::root_of_hub", 1);
  }
  const Neighborhood hub{scratch.members, scratch.root};
  const Vertex none = Neighborhood::none;
  Kokkos::deep_copy(space, hub.root, none);
  if (rows.num_edges() < fewest_edges_with_hub || rows.num_vertices() == 0) return hub;
  clear(space, hub.members);
  const int num_teams = is_gpu<Space> ? 64 : static_cast<int>(space.concurrency());
  launch_teams<typename Kernel::Policy>(
      "dromos::components::note_hubs", space,
      {num_teams, is_gpu<Space> ? Kernel::num_drawn : 1, Kernel::scratch_bytes()},
      Kernel{rows, vertices, hub, parent, dromos::max<Offset>(1, rows.num_vertices() / vertices_a_hub),
             rows.num_vertices() / enough_of_hubs<Space>});
  return hub;
}

}  // namespace dromos::detail
