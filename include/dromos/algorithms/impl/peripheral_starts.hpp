// SPDX-License-Identifier: BSD-3-Clause
// A vertex at the periphery of every component of an undirected graph: where level structures should start to be deep
// and narrow.
//
// From a vertex of smallest degree in each component, one search goes through all components at once. A vertex of
// smallest degree in the last level of a component is tried next, and kept where its search is deeper; where it is not,
// the component is done:
//
//   path 0-1-2-3-4 and edge 5-6     starts 0 5: depths 4 1; next 4 6: depths 4 1, no deeper: starts 0 5
//
// Ties are broken by the smaller number: the same graph has the same starts on any number of threads.
//
// Source: A. George, J. W. H. Liu, "An implementation of a pseudoperipheral node finder", ACM TOMS 1979.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <utility>

namespace dromos::detail {

/// Gives an unreached neighbor the next level.
template <class Memory>
struct ReachLevel {
  Kokkos::View<Level*, Memory> level;
  Level next_level;

  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return atomic_load(&level.data()[v]) == no_level;
  }
  template <class Vertex>
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex, Vertex v, Offset) const {
    const Level none = no_level;  // by reference below: it needs an address
    return Kokkos::atomic_compare_exchange(&level.data()[v], none, next_level) == none;
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep() { ++next_level; }
};

/// Lowers a value; most callers only look, since the smallest is found soon.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void lower_to(T* address, T value) {
  if (atomic_load(address) > value) atomic_fetch_min(address, value);
}
/// Raises it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void raise_to(T* address, T value) {
  if (atomic_load(address) < value) atomic_fetch_max(address, value);
}

/// The candidate of a component that has none.
template <class Vertex>
inline constexpr Vertex nobody = std::numeric_limits<Vertex>::max();
/// A depth that no vertex has as its level.
inline constexpr Level done_depth = no_level - 1;

template <class Graph, class Vertex, class Memory>
struct FindSmallestDegree {
  Graph graph;
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<const Level*, Memory> level, depth;
  Kokkos::View<Offset*, Memory> degree;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex c = component(v);
    if (level(v) == depth(c)) lower_to(&degree(c), graph.degree(static_cast<Vertex>(v)));
  }
};

template <class Graph, class Vertex, class Memory>
struct FindSmallestVertex {
  Graph graph;
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<const Level*, Memory> level, depth;
  Kokkos::View<const Offset*, Memory> degree;
  Kokkos::View<Vertex*, Memory> candidate;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Vertex c = component(v);
    if (level(v) == depth(c) && graph.degree(static_cast<Vertex>(v)) == degree(c)) {
      lower_to(&candidate(c), static_cast<Vertex>(v));
    }
  }
};

template <class Vertex, class Memory>
struct ListStarts {
  Kokkos::View<const Vertex*, Memory> component, of_component;
  Kokkos::View<Vertex*, Memory> starts;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    if (component(v) != v || of_component(v) == nobody<Vertex>) return;
    if (final) starts(sum) = of_component(v);
    ++sum;
  }
};

template <class Graph, class Vertex, class Memory>
struct BeginSearches {
  Graph graph;
  Kokkos::View<const Vertex*, Memory> starts, component;
  Kokkos::View<Vertex*, Memory> queue;
  Kokkos::View<Level*, Memory> level, depth;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& sum) const {
    queue(i) = starts(i);
    level(starts(i)) = 0;
    depth(component(starts(i))) = 0;
    sum += graph.degree(starts(i));
  }
};

template <class Vertex, class Memory>
struct FindDepths {
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<const Level*, Memory> level;
  Kokkos::View<Level*, Memory> depth;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (level(v) != no_level) raise_to(&depth(component(v)), level(v));
  }
};

template <class Vertex, class Memory>
struct KeepDeeper {
  Kokkos::View<const Vertex*, Memory> component;
  Kokkos::View<Level*, Memory> depth, best_depth;
  Kokkos::View<Vertex*, Memory> best, candidate;
  KOKKOS_FUNCTION void operator()(std::int64_t c, std::int64_t& sum) const {
    if (component(c) != c || depth(c) == done_depth) return;
    const bool deeper = depth(c) > best_depth(c);
    if (deeper) {
      best_depth(c) = depth(c);
      best(c) = candidate(c);
    } else {
      candidate(c) = nobody<Vertex>;
    }
    // A component of depth 0 or 1 has no deeper start.
    if (deeper && depth(c) > 1) {
      ++sum;
    } else {
      depth(c) = done_depth;
    }
  }
};

template <class Vertex, class Memory>
struct KeepLevels {
  Kokkos::View<const Vertex*, Memory> component, candidate;
  Kokkos::View<const Level*, Memory> level;
  Kokkos::View<Level*, Memory> best_level;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (level(v) != no_level && candidate(component(v)) != nobody<Vertex>) best_level(v) = level(v);
  }
};

/// `Graph`: a view, as traverse() takes it.
template <class Space, class Graph>
class PeripheralStarts {
 public:
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Ids = Kokkos::View<Vertex*, Memory>;

  /// \param component  the smallest vertex of each vertex's component
  PeripheralStarts(const Space& space, const Graph& graph, const Ids& component, const Strategy& strategy)
      : space_(space),
        graph_(graph),
        strategy_(strategy),
        n_(graph.num_vertices()),
        component_(component),
        frontier_(graph.num_vertices(), graph.num_edges()),
        next_(graph.num_vertices(), graph.num_edges()) {
    const auto n = static_cast<std::size_t>(n_);
    ensure_size(level_, n, "dromos::starts::level");
    ensure_size(best_level_, n, "dromos::starts::best_level");
    ensure_size(depth_, n, "dromos::starts::depth");
    ensure_size(best_depth_, n, "dromos::starts::best_depth");
    ensure_size(degree_, n, "dromos::starts::degree");
    ensure_size(candidate_, n, "dromos::starts::candidate");
    ensure_size(best_, n, "dromos::starts::best");
    ensure_size(starts_, n, "dromos::starts::starts");
  }

  /// Searches from each component at most so often, and returns how often it did.
  int search(int max_searches) {
    // Before the first search everybody is at depth 0: the candidates are the vertices of smallest degree.
    fill(space_, level_, Level(0));
    fill(space_, depth_, Level(0));
    fill(space_, best_depth_, Level(-1));
    find_candidates();
    int num_searches = 0;
    while (num_searches < max_searches) {
      search_from_candidates();
      ++num_searches;
      if (keep_deeper() == 0) break;
      if (num_searches < max_searches) find_candidates();
    }
    list(best_);
    return num_searches;
  }

  /// One vertex of each component, ascending by component.
  const Ids& starts() const { return starts_; }
  /// How far every vertex is from that of its component.
  const Kokkos::View<Level*, Memory>& levels() const { return best_level_; }
  std::int64_t num_starts() const { return num_starts_; }

  /// In each component that is not done, the vertex of smallest degree in its last level.
  void find_candidates() {
    const auto graph = graph_;
    const auto component = component_;
    const auto level = level_;
    const auto depth = depth_;
    const auto degree = degree_;
    fill(space_, degree_, std::numeric_limits<Offset>::max());
    fill(space_, candidate_, nobody<Vertex>);
    for_range("dromos::starts::smallest_degree", space_, n_,
              FindSmallestDegree<Graph, Vertex, Memory>{graph, component, level, depth, degree});
    for_range("dromos::starts::smallest_vertex", space_, n_,
              FindSmallestVertex<Graph, Vertex, Memory>{graph, component, level, depth, degree, candidate_});
  }

  /// starts_: that of every component that has one.
  void list(const Ids& of_component) {
    Kokkos::parallel_scan("dromos::starts::list", Range(space_, 0, n_),
                          ListStarts<Vertex, Memory>{component_, of_component, starts_}, num_starts_);
  }

  /// Levels from the candidates, and the depth of each component.
  void search_from_candidates() {
    list(candidate_);
    const auto level = level_;
    const auto component = component_;
    const auto depth = depth_;
    fill(space_, level_, no_level);
    Offset num_edges = 0;
    reduce_range("dromos::starts::begin", space_, num_starts_,
                 BeginSearches<Graph, Vertex, Memory>{graph_, starts_, component, frontier_.queue(), level, depth},
                 num_edges);
    frontier_.set_counts(num_starts_, num_edges);
    ReachLevel<Memory> reach{level_, 1};
    until_empty(space_, graph_, frontier_, next_, reach, strategy_, &fusion_);
    for_range("dromos::starts::depth", space_, n_, FindDepths<Vertex, Memory>{component, level, depth});
  }

  /// Where the search of a candidate was the deepest so far, it is the start; elsewhere the component is done. Returns
  /// in how many components there may be a deeper one.
  std::int64_t keep_deeper() {
    const auto component = component_;
    const auto candidate = candidate_;
    std::int64_t num_deeper = 0;
    reduce_range("dromos::starts::keep", space_, n_,
                 KeepDeeper<Vertex, Memory>{component, depth_, best_depth_, best_, candidate}, num_deeper);
    for_range("dromos::starts::keep_levels", space_, n_,
              KeepLevels<Vertex, Memory>{component, candidate, level_, best_level_});
    return num_deeper;
  }

 private:
  const Space space_;
  const Graph graph_;
  const Strategy strategy_;
  const std::int64_t n_;
  const Ids component_;
  Frontier<Vertex, Memory> frontier_, next_;
  SweepFusion<Memory> fusion_;
  Kokkos::View<Level*, Memory> level_, best_level_;
  Kokkos::View<Level*, Memory> depth_, best_depth_;  // by component
  Kokkos::View<Offset*, Memory> degree_;             // by component: the smallest of its last level
  Ids candidate_, best_;                             // by component
  Ids starts_;
  std::int64_t num_starts_ = 0;
};

}  // namespace dromos::detail
