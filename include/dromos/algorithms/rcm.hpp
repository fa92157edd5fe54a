// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee: an order of the vertices in which neighbors stand close together, for solvers whose memory or
// caches want a small bandwidth.
//
// Cuthill-McKee numbers a component level by level of a breadth-first search, and inside a level by (place of the first
// parent, degree, number). A level is ordered without a serial pass:
//
//   sweep     every edge (u, v) into the next level offers v the index of u in its level; the smallest offer wins
//   count     children of each parent, then a scan: where the children of each parent begin
//   scatter   children to their parent's part, and each part is sorted by (degree, number)
//
//   level A B, edges A-x A-y B-y B-z, degrees x 3, y 2, z 1     parents x A, y A, z B     next level y x | z
//
// Where all rows are short, the levels of the search for the start are kept: vertices are listed by level beforehand,
// and each looks for the smallest index next to it by itself, so that no level waits for the host. Parts are short but
// for hubs; where one is long the whole level is sorted by keys instead. All components are numbered at once: a level
// holds the vertices at that distance from the start of their own component, and since the children of a parent are of
// its component, components stay together inside a level.
//
// The start of a component is a vertex at its periphery: from a vertex of smallest degree, search, go on to a vertex of
// smallest degree in the last level, and again as long as searches grow deeper. Nothing depends on who wins a race: the
// same graph gives the same order on any number of threads and on every backend. On the host one thread does all of it
// where levels are small (rcm_serial.hpp).
//
// Source: E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969; A. George, J. W. H. Liu,
// "An implementation of a pseudoperipheral node finder", ACM TOMS 1979; in parallel: K. I. Karantasis et al.,
// "Parallelization of reordering algorithms for bandwidth and wavefront reduction", SC 2014.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/peripheral_starts.hpp>
#include <dromos/algorithms/rcm_serial.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/traverse.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dromos {

struct RcmOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
  /// Searches for the start of a component at most. More rarely find a better start; 1 takes vertices of smallest
  /// degree as they are.
  int max_searches = 8;
  /// On the host: one thread does all of it, as long as no level has more edges than this; then all threads begin
  /// anew, level by level. Negative: no limit for up to 4 threads, 32,768 edges for more. 0: never alone.
  std::int64_t most_serial_edges = -1;
};

/// The order, in both directions: num_vertices elements each, sized on first use.
template <class Vertex, class Memory>
struct RcmResult {
  Kokkos::View<Vertex*, Memory> new_id;  ///< by vertex: its place
  Kokkos::View<Vertex*, Memory> old_id;  ///< by place: the vertex
};

struct RcmStatistics {
  std::int64_t num_components = 0;
  std::int64_t num_levels = 0;  ///< of the deepest component
  int num_searches = 0;         ///< for the start of the component that took most
  double seconds = 0;
};

namespace detail {

/// Offers v its parent by the parent's index in its level. A vertex that has its place has parent -1, so that it takes
/// no offer; the first of all offers makes v join the next level.
template <class Vertex, class Memory>
struct OfferParent {
  static constexpr Vertex unseen = std::numeric_limits<Vertex>::max();
  Kokkos::View<Vertex*, Memory> parent, index;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex u, Vertex v, Offset) const {
    return atomic_load(&parent.data()[v]) > index.data()[u];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return Kokkos::atomic_fetch_min(&parent.data()[v], index.data()[u]) == unseen;
  }
};

/// Degrees as keys have 32 bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t degree_key(Offset degree) {
  return dromos::min<std::uint64_t>(static_cast<std::uint64_t>(degree), 0xffffffffULL);
}

/// Numbers all components level by level; memory of one call.
template <class Space, class Vertex, class Memory, class = EachSource>
class LevelOrder {
 public:
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Ids = Kokkos::View<Vertex*, Memory>;

  LevelOrder(const Space& space, const CsrGraph<Vertex, Memory>& graph, const Ids& component, const Strategy& strategy)
      : space_(space),
        graph_(graph.view()),
        strategy_(strategy),
        n_(graph.num_vertices()),
        component_(component),
        frontier_(graph.num_vertices(), graph.num_edges()),
        next_(graph.num_vertices(), graph.num_edges()),
        long_part_("dromos::rcm::long_part", 1) {
    for (Ids* const ids : {&parent_, &index_, &level_, &begin_, &filled_, &placed_, &first_}) {
      ensure_size(*ids, static_cast<std::size_t>(n_) + 1, "dromos::rcm::level_order");
    }
    fill(space_, parent_, OfferParent<Vertex, Memory>::unseen);
    fill(space_, filled_, Vertex(0));
  }

  /// \param starts  queue of the vertices that the components start from, ascending by component
  /// \param place   out: where the vertices stand, not yet reversed
  /// \returns the number of levels
  std::int64_t number(const Ids& starts, std::int64_t num_starts, const Ids& place) {
    num_components_ = num_starts;
    if (num_starts > 1) find_room();
    Kokkos::deep_copy(space_, Kokkos::subview(level_, Kokkos::make_pair(std::int64_t(0), num_starts)),
                      Kokkos::subview(starts, Kokkos::make_pair(std::int64_t(0), num_starts)));
    std::int64_t num_placed = 0, num_levels = 0;
    settle(num_starts, sum_of_degrees(num_starts), num_placed, place);
    while (true) {
      num_placed += frontier_.num_vertices();
      ++num_levels;
      const std::int64_t num_parents = frontier_.num_vertices();
      traverse(space_, graph_, frontier_, next_, OfferParent<Vertex, Memory>{parent_, index_}, strategy_);
      if (next_.empty()) return num_levels;
      order(num_parents);
      settle(next_.num_vertices(), next_.num_edges(), num_placed, place);
    }
  }

  /// Is no part of a level long, whatever the order?
  bool rows_are_short() const { return largest_degree() <= longest_part; }
  Offset largest_degree() const {
    const auto graph = graph_;
    Offset largest = 0;
    Kokkos::parallel_reduce(
        "dromos::rcm::largest_degree", Range(space_, 0, n_),
        KOKKOS_LAMBDA(const std::int64_t v, Offset& most) {
          most = dromos::max(most, graph.degree(static_cast<Vertex>(v)));
        },
        Kokkos::Max<Offset>(largest));
    return largest;
  }

  /// Room of each component in the whole order, as by ascending smallest vertex.
  void find_room() {
    const auto component = component_;
    const auto size = begin_;
    const auto placed = placed_;
    fill(space_, size, Vertex(0));
    Kokkos::parallel_for(
        "dromos::rcm::sizes", Range(space_, 0, n_),
        KOKKOS_LAMBDA(const std::int64_t v) { atomic_fetch_add(&size(component(v)), Vertex(1)); });
    Kokkos::parallel_scan(
        "dromos::rcm::room", Range(space_, 0, n_), KOKKOS_LAMBDA(const std::int64_t c, Vertex& sum, const bool final) {
          if (final) placed(c) = sum;
          sum += size(c);
        });
  }

  Offset sum_of_degrees(std::int64_t count) const {
    const auto graph = graph_;
    const auto level = level_;
    Offset num_edges = 0;
    Kokkos::parallel_reduce(
        "dromos::rcm::degrees", Range(space_, 0, count),
        KOKKOS_LAMBDA(const std::int64_t i, Offset& sum) { sum += graph.degree(level(i)); }, num_edges);
    return num_edges;
  }

  /// level_: its members by parent. filled_: where parts end, that were where they begin.
  void scatter(const Ids& members, std::int64_t count) {
    const auto parent = parent_;
    const auto filled = filled_;
    const auto level = level_;
    Kokkos::parallel_for(
        "dromos::rcm::scatter", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = members(i);
          level(atomic_fetch_add(&filled(parent(v)), Vertex(1))) = v;
        });
  }

  /// A part of a level by (degree, number): by insertion, since parts are short and mostly of one or two vertices.
  static KOKKOS_FORCEINLINE_FUNCTION void sort_part(const CsrView<Vertex, Memory>& graph, const Ids& level,
                                                    Vertex begin, Vertex end) {
    for (Vertex i = begin + 1; i < end; ++i) {
      const Vertex v = level(i);
      const std::uint64_t degree = degree_key(graph.degree(v));
      Vertex to = i;
      for (; to > begin; --to) {
        const Vertex before = level(to - 1);
        const std::uint64_t other = degree_key(graph.degree(before));
        if (other < degree || (other == degree && before < v)) break;
        level(to) = before;
      }
      level(to) = v;
    }
  }

  /// As number(), where all rows are short and the level of each vertex is known: the host knows how large levels are
  /// and asks the device nothing. A vertex looks for its parent by itself.
  std::int64_t number_short_rows(const Ids& starts, std::int64_t num_starts,
                                 const Kokkos::View<const Level*, Memory>& level_of, const Ids& place) {
    num_components_ = num_starts;
    if (num_starts > 1) find_room();
    const std::vector<std::int64_t> begins = list_levels(level_of);
    const auto num_levels = static_cast<std::int64_t>(begins.size()) - 1;
    Kokkos::deep_copy(space_, Kokkos::subview(level_, Kokkos::make_pair(std::int64_t(0), num_starts)),
                      Kokkos::subview(starts, Kokkos::make_pair(std::int64_t(0), num_starts)));
    settle(num_starts, unknown_edges, 0, place);
    for (std::int64_t k = 1; k < num_levels; ++k) {
      const std::size_t at = static_cast<std::size_t>(k);
      const std::int64_t num_parents = begins[at] - begins[at - 1];
      const std::int64_t count = begins[at + 1] - begins[at];
      const Ids members = Kokkos::subview(next_.queue(), Kokkos::make_pair(begins[at], begins[at + 1]));
      find_parents(level_of, static_cast<Level>(k), members, count);
      begin_parts(num_parents);
      scatter(members, count);
      if (num_starts == 1) {
        sort_and_settle(num_parents, begins[at], place);
      } else {
        sort_parts(num_parents);
        settle(count, unknown_edges, begins[at], place);
      }
    }
    return num_levels;
  }

  /// next_.queue(): all vertices by level, in any order inside of one; returns where levels begin, and n.
  std::vector<std::int64_t> list_levels(const Kokkos::View<const Level*, Memory>& level_of) {
    Level deepest = 0;
    Kokkos::parallel_reduce(
        "dromos::rcm::deepest", Range(space_, 0, n_),
        KOKKOS_LAMBDA(const std::int64_t v, Level& most) { most = dromos::max(most, level_of(v)); },
        Kokkos::Max<Level>(deepest));
    const std::size_t num_levels = static_cast<std::size_t>(deepest) + 1;
    const Kokkos::View<std::uint64_t*, Memory> next_place("dromos::rcm::level_sizes", num_levels);
    Kokkos::parallel_for(
        "dromos::rcm::level_sizes", Range(space_, 0, n_),
        KOKKOS_LAMBDA(const std::int64_t v) { take_number(&next_place(level_of(v))); });
    fence(space_, "dromos::rcm::level_sizes");
    const auto sizes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next_place);
    std::vector<std::int64_t> begins(num_levels + 1, 0);
    for (std::size_t k = 0; k < num_levels; ++k) begins[k + 1] = begins[k] + static_cast<std::int64_t>(sizes(k));
    for (std::size_t k = 0; k < num_levels; ++k) sizes(k) = static_cast<std::uint64_t>(begins[k]);
    Kokkos::deep_copy(next_place, sizes);
    const auto list = next_.queue();
    Kokkos::parallel_for(
        "dromos::rcm::list_levels", Range(space_, 0, n_),
        KOKKOS_LAMBDA(const std::int64_t v) { list(take_number(&next_place(level_of(v)))) = static_cast<Vertex>(v); });
    return begins;
  }

  /// parent_ of the members of level k, and filled_: how many children each parent has.
  void find_parents(const Kokkos::View<const Level*, Memory>& level_of, Level k, const Ids& members,
                    std::int64_t count) {
    const auto graph = graph_;
    const auto parent = parent_;
    const auto index = index_;
    const auto filled = filled_;
    Kokkos::parallel_for(
        "dromos::rcm::find_parents", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
          constexpr int batch = 8;  // asked for together, or each would wait for the one before
          const Vertex v = members(i);
          const Offset end = graph.end(v);
          Vertex first = OfferParent<Vertex, Memory>::unseen;
          for (Offset e = graph.begin(v); e < end; e += batch) {
            Vertex u[batch], place[batch];
            Level level[batch];
            for (int b = 0; b < batch; ++b) u[b] = graph.neighbor(dromos::min<Offset>(e + b, end - 1));
            for (int b = 0; b < batch; ++b) level[b] = level_of(u[b]);
            for (int b = 0; b < batch; ++b) place[b] = index(u[b]);
            for (int b = 0; b < batch; ++b) {
              if (level[b] == k - 1) first = dromos::min(first, place[b]);
            }
          }
          parent(v) = first;
          atomic_fetch_add(&filled(first), Vertex(1));
        });
  }

  /// Every part of a level in order.
  void sort_parts(std::int64_t num_parents) {
    const auto graph = graph_;
    const auto level = level_;
    const auto begin = begin_;
    const auto filled = filled_;
    Kokkos::parallel_for(
        "dromos::rcm::sort_parts", Range(space_, 0, num_parents), KOKKOS_LAMBDA(const std::int64_t p) {
          sort_part(graph, level, begin(p), filled(p));
          filled(p) = 0;
        });
  }

  /// The same of one component, and its vertices have their places.
  void sort_and_settle(std::int64_t num_parents, std::int64_t num_placed, const Ids& place) {
    const auto graph = graph_;
    const auto level = level_;
    const auto begin = begin_;
    const auto filled = filled_;
    const auto index = index_;
    Kokkos::parallel_for(
        "dromos::rcm::sort_and_settle", Range(space_, 0, num_parents), KOKKOS_LAMBDA(const std::int64_t p) {
          const Vertex first = begin(p), last = filled(p);
          sort_part(graph, level, first, last);
          for (Vertex i = first; i < last; ++i) {
            const Vertex v = level(i);
            index(v) = i;
            place(v) = static_cast<Vertex>(num_placed + i);
          }
          filled(p) = 0;
        });
  }

  /// begin_ and filled_: where the part of each parent begins, of the numbers of children that filled_ has.
  void begin_parts(std::int64_t num_parents) {
    const auto begin = begin_;
    const auto filled = filled_;
    if constexpr (has_warps<Space>) {
      // Of a level that one team scans sooner than a scan of Kokkos' begins.
      constexpr int team_size = 512;
      if (num_parents <= 64 * team_size) {
        using Policy = Kokkos::TeamPolicy<Space>;
        Policy policy(space_, 1, team_size);
        policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(team_size / warp_width * sizeof(Offset) + 8));
        Kokkos::parallel_for(
            "dromos::rcm::parts_by_team", policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
              Offset* const totals = team_array<Offset>(team, team_size / warp_width);
              constexpr int rounds = 16;  // whose numbers are read together
              Offset sum = 0;
              for (std::int64_t tile = 0; tile < num_parents; tile += rounds * team_size) {
                Vertex children[rounds];
                for (int r = 0; r < rounds; ++r) {
                  const std::int64_t p = tile + r * team_size + team.team_rank();
                  children[r] = p < num_parents ? filled(p) : 0;
                }
                for (int r = 0; r < rounds && tile + r * team_size < num_parents; ++r) {
                  const std::int64_t p = tile + r * team_size + team.team_rank();
                  const Offset sum_so_far = sum;
                  const Offset before = sum_so_far + team_sum_before(team, children[r], totals, sum);
                  if (p < num_parents) begin(p) = filled(p) = static_cast<Vertex>(before);
                }
              }
            });
        return;
      }
    }
    Kokkos::parallel_scan(
        "dromos::rcm::begin_parts", Range(space_, 0, num_parents),
        KOKKOS_LAMBDA(const std::int64_t p, Vertex& sum, const bool final) {
          const Vertex children = filled(p);
          if (final) begin(p) = filled(p) = sum;
          sum += children;
        });
  }

  /// level_: the vertices of next_, by (parent, degree, number).
  void order(std::int64_t num_parents) {
    const auto begin = begin_;
    const auto filled = filled_;
    const auto long_part = long_part_;
    const std::int64_t count = next_.num_vertices();
    Kokkos::parallel_for(
        "dromos::rcm::no_children", Range(space_, 0, num_parents + 1), KOKKOS_LAMBDA(const std::int64_t p) {
          filled(p) = 0;
          if (p == 0) long_part(0) = 0;
        });
    const auto parent = parent_;
    const auto queue = next_.queue();
    Kokkos::parallel_for(
        "dromos::rcm::count_children", Range(space_, 0, count),
        KOKKOS_LAMBDA(const std::int64_t i) { atomic_fetch_add(&filled(parent(queue(i))), Vertex(1)); });
    Kokkos::parallel_scan(
        "dromos::rcm::parts", Range(space_, 0, num_parents + 1),
        KOKKOS_LAMBDA(const std::int64_t p, Vertex& sum, const bool final) {
          const Vertex children = filled(p);
          if (final) {
            begin(p) = sum;
            filled(p) = sum;
            if (children > longest_part) atomic_store(&long_part(0), 1);
          }
          sum += children;
        });
    int has_long_part = 0;
    Kokkos::deep_copy(space_, Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&has_long_part),
                      Kokkos::subview(long_part_, 0));
    fence(space_, "dromos::rcm::parts");
    if (has_long_part != 0) return order_by_keys(count, num_parents);
    scatter(queue, count);
    sort_parts(num_parents);
  }

  /// The same for levels with a long part: keys of (parent, rank by degree and number) tell the whole order.
  void order_by_keys(std::int64_t count, std::int64_t num_parents) {
    if (rank_.extent(0) == 0) rank_by_degree();
    const int bits = FrontierCounts::bits_for(n_);
    SortBuffers<std::uint64_t, Memory> keys = make_keys(count);
    SortBuffers<Vertex, Memory> nothing;
    const auto key = keys.current;
    const auto queue = next_.queue();
    const auto parent = parent_;
    const auto rank = rank_;
    Kokkos::parallel_for(
        "dromos::rcm::keys", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = queue(i);
          key(i) = static_cast<std::uint64_t>(parent(v)) << bits | static_cast<std::uint64_t>(rank(v));
        });
    sort_by_key(space_, keys, nothing, bits + FrontierCounts::bits_for(num_parents));
    const auto sorted = keys.current;
    const auto by_rank = by_rank_;
    const auto level = level_;
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    Kokkos::parallel_for(
        "dromos::rcm::from_keys", Range(space_, 0, count),
        KOKKOS_LAMBDA(const std::int64_t i) { level(i) = by_rank(sorted(i) & mask); });
  }

  /// All vertices by (degree, number).
  void rank_by_degree() {
    const int bits = FrontierCounts::bits_for(n_);
    SortBuffers<std::uint64_t, Memory> keys = make_keys(n_);
    SortBuffers<Vertex, Memory> nothing;
    ensure_size(rank_, static_cast<std::size_t>(n_), "dromos::rcm::rank");
    ensure_size(by_rank_, static_cast<std::size_t>(n_), "dromos::rcm::by_rank");
    const auto key = keys.current;
    const auto graph = graph_;
    Kokkos::parallel_for(
        "dromos::rcm::degree_keys", Range(space_, 0, n_), KOKKOS_LAMBDA(const std::int64_t v) {
          key(v) = degree_key(graph.degree(static_cast<Vertex>(v))) << bits | static_cast<std::uint64_t>(v);
        });
    sort_by_key(space_, keys, nothing, 64);
    const auto sorted = keys.current;
    const auto rank = rank_;
    const auto by_rank = by_rank_;
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    Kokkos::parallel_for(
        "dromos::rcm::ranks", Range(space_, 0, n_), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = static_cast<Vertex>(sorted(i) & mask);
          by_rank(i) = v;
          rank(v) = static_cast<Vertex>(i);
        });
  }

  SortBuffers<std::uint64_t, Memory> make_keys(std::int64_t count) const {
    const auto size = static_cast<std::size_t>(count);
    const auto allocate = Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::rcm::keys"));
    SortBuffers<std::uint64_t, Memory> keys;
    keys.current = Kokkos::View<std::uint64_t*, Memory>(allocate, size);
    if (!host_accessible<Memory>) keys.spare = Kokkos::View<std::uint64_t*, Memory>(allocate, size);
    return keys;
  }

  /// The ordered level becomes the frontier, and its vertices have their places.
  void settle(std::int64_t count, Offset num_edges, std::int64_t num_placed, const Ids& place) {
    const auto level = level_;
    const auto queue = frontier_.queue();
    const auto parent = parent_;
    const auto index = index_;
    const auto component = component_;
    const auto first = first_;
    const auto placed = placed_;
    const bool alone = num_components_ == 1;
    Kokkos::parallel_for(
        "dromos::rcm::settle", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
          const Vertex v = level(i);
          queue(i) = v;
          parent(v) = -1;
          index(v) = static_cast<Vertex>(i);
          if (alone) {
            place(v) = static_cast<Vertex>(num_placed + i);
          } else if (i == 0 || component(level(i - 1)) != component(v)) {
            first(component(v)) = static_cast<Vertex>(i);
          }
        });
    if (!alone) {
      Kokkos::parallel_for(
          "dromos::rcm::place", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
            const Vertex v = level(i);
            place(v) = placed(component(v)) + static_cast<Vertex>(i) - first(component(v));
          });
      Kokkos::parallel_for(
          "dromos::rcm::placed", Range(space_, 0, count), KOKKOS_LAMBDA(const std::int64_t i) {
            const Vertex c = component(level(i));
            if (i + 1 == count || component(level(i + 1)) != c) placed(c) += static_cast<Vertex>(i) + 1 - first(c);
          });
    }
    frontier_.set_counts(count, num_edges);
  }

 private:
  /// Beyond this, one thread would be long at sorting the children of one parent.
  static constexpr int longest_part = 48;

  const Space space_;
  const CsrView<Vertex, Memory> graph_;
  const Strategy strategy_;
  const std::int64_t n_;
  const Ids component_;
  Frontier<Vertex, Memory> frontier_, next_;
  Ids parent_;  ///< index of the parent in its level; -1: has its place
  Ids index_;   ///< of a vertex in its own level
  Ids level_;   ///< the level being ordered
  Ids begin_, filled_;
  Ids placed_;  ///< by component: where its next vertex stands
  Ids first_;   ///< by component: where it begins in the level
  Ids rank_, by_rank_;
  Kokkos::View<int*, Memory> long_part_;
  std::int64_t num_components_ = 0;
};

/// Of a level, as RcmOptions::most_serial_edges says.
template <class Space>
Offset most_serial_edges(const Space& space, const RcmOptions& options) {
  if (options.most_serial_edges >= 0) return options.most_serial_edges;
  return space.concurrency() <= 4 ? std::numeric_limits<Offset>::max() : Offset(1) << 15;
}

/// By one thread of the host; false where levels are too large.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE bool order_serially(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                          const RcmResult<Vertex, Memory>& result, const RcmOptions& options,
                                          RcmStatistics& statistics) {
  const Offset most_edges = most_serial_edges(space, options);
  if (most_edges == 0) return false;
  SerialRcm<Vertex> serial(CsrView<Vertex, Kokkos::HostSpace>{graph.row_map, graph.entries}, most_edges);
  if (!serial.number(options.max_searches)) return false;
  const auto n = static_cast<std::int64_t>(result.old_id.extent(0));
  const Vertex* const order = serial.order();
  const auto new_id = result.new_id;
  const auto old_id = result.old_id;
  Kokkos::parallel_for("dromos::rcm::reverse_serial",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
                       [=](const std::int64_t place) {
                         const Vertex v = order[n - 1 - place];
                         old_id(place) = v;
                         new_id(v) = static_cast<Vertex>(place);
                       });
  fence(space, "dromos::rcm::reverse_serial");
  statistics.num_components = serial.num_components();
  statistics.num_levels = serial.num_levels();
  statistics.num_searches = serial.num_searches();
  return true;
}

/// By all threads.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void order_by_levels(const Space& space, const CsrGraph<Vertex, Memory>& graph,
                                           const RcmResult<Vertex, Memory>& result, const RcmOptions& options,
                                           RcmStatistics& statistics) {
  ComponentScratch<Vertex, Memory> component_scratch(graph);
  ComponentResult<Vertex, Memory> components;
  ComponentOptions component_options;
  component_options.strategy = options.strategy;
  connected_components(space, graph, component_scratch, components, component_options);
  PeripheralStarts<Space, Vertex, Memory> starts(space, graph, components.component, options.strategy);
  statistics.num_searches = starts.search(options.max_searches);
  statistics.num_components = starts.num_starts();
  LevelOrder<Space, Vertex, Memory> order(space, graph, components.component, options.strategy);
  statistics.num_levels =
      is_gpu<Space> && order.rows_are_short()
          ? order.number_short_rows(starts.starts(), starts.num_starts(), starts.levels(), result.new_id)
          : order.number(starts.starts(), starts.num_starts(), result.new_id);
  const std::int64_t n = graph.num_vertices();
  const auto new_id = result.new_id;
  const auto old_id = result.old_id;
  Kokkos::parallel_for(
      "dromos::rcm::reverse", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(const std::int64_t v) {
        const Vertex place = static_cast<Vertex>(n - 1) - new_id(v);
        new_id(v) = place;
        old_id(place) = static_cast<Vertex>(v);
      });
}

}  // namespace detail

/// Finds the reverse Cuthill-McKee order of all components.
///
/// \param space    execution space instance; its memory space holds graph and result
/// \param graph    undirected. Self loops and parallel edges only count as degrees
/// \param result   out: resized on first use, then reused. Components stand one after the other
/// \param options  strategy, searches for the starts
/// \throws ArgumentError for a directed graph, one of 2^32 vertices or more, and max_searches below 1
///
/// Cost: connected components, the searches for the starts, and one more pass over the edges; in all of them a few
/// launches a level. By one thread of the host (RcmOptions::most_serial_edges): the searches alone, mostly two, and one
/// more where the first was not the deepest. Memory of the call: about 14 ids a vertex; by one thread two and two
/// bytes.
template <class Space, class Vertex, class Memory>
RcmStatistics rcm(const Space& space, const CsrGraph<Vertex, Memory>& graph, RcmResult<Vertex, Memory>& result,
                  const RcmOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the graph must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::rcm");
  const std::int64_t n = graph.num_vertices();
  if (graph.directed) {
    throw ArgumentError(
        "rcm: the order is that of a symmetric pattern, and this graph is directed; build it with symmetrize for the "
        "pattern of A + A^T");
  }
  if (n >= std::int64_t(1) << 32) {
    throw ArgumentError("rcm: " + std::to_string(n) + " vertices; it numbers up to 4294967295");
  }
  if (options.max_searches < 1) {
    throw ArgumentError("rcm: max_searches is " + std::to_string(options.max_searches) + "; it must be at least 1");
  }
  detail::ensure_size(result.new_id, static_cast<std::size_t>(n), "dromos::rcm::new_id");
  detail::ensure_size(result.old_id, static_cast<std::size_t>(n), "dromos::rcm::old_id");
  RcmStatistics statistics;
  if (n == 0) return statistics;
  fence(space, "dromos::rcm::start");

  const Kokkos::Timer timer;
  bool alone = false;
  if constexpr (host_accessible<Memory>) alone = detail::order_serially(space, graph, result, options, statistics);
  if (!alone) detail::order_by_levels(space, graph, result, options, statistics);
  fence(space, "dromos::rcm::end");
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/rcm.cpp.
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);
extern template RcmStatistics rcm(const Kokkos::DefaultExecutionSpace&,
                                  const CsrGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  RcmResult<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
                                  const RcmOptions&);

}  // namespace dromos
