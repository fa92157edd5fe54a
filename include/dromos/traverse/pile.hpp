// SPDX-License-Identifier: BSD-3-Clause
// Vertices that wait for their turn: a bitmap of those who do, and what each waits by, its priority. Buckets are taken
// out of it, one after the other, each the vertices whose priorities lie in a range: distances of delta-stepping,
// remaining neighbors of k-core.
//
// A vertex may be settled before its bucket is taken, by what the sweeps of an earlier one did to its priority. Whoever
// looks at the pile knows it by that: what lies below the bucket is done with, and is dropped.
//
//   bucket [2, 3), waiting 4 5 7 with distances 3.1 1.4 4.0     5 was settled before; smallest that waits 3.1
//   bucket [3.1, 4.1) takes 4 and 7                             nobody waits any more
//
// An operator (traverse/edge_operator.hpp) whose work sets come out of a pile offers
//
//   Pile<Priority, Memory> pile;
//   KOKKOS_FUNCTION void begin_bucket(Priority least);   // the next bucket: pile.from and pile.to; nobody waits by
//   less KOKKOS_FUNCTION void taken(Vertex v) const;          // v is taken out for the bucket static constexpr bool
//   refills = true;                // fused sweeps go on to the next bucket by themselves
//
// Source: L. Dhulipala, G. Blelloch, J. Shun, "Julienne: a framework for parallel graph algorithms using work-efficient
// bucketing", SPAA 2017, where buckets are lists; here a look at the bitmap is cheap, and to move a vertex is free.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/team_reserve.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <limits>
#include <type_traits>
#include <utility>

namespace dromos {

/// What nobody waits by: infinity, and of whole numbers the largest there is.
template <class Priority>
inline constexpr Priority no_priority = std::numeric_limits<Priority>::has_infinity
                                            ? std::numeric_limits<Priority>::infinity()
                                            : std::numeric_limits<Priority>::max();

/// Copyable handle. Priorities are not negative, so that they are ordered as their bits are.
template <class Priority_, class Memory>
struct Pile {
  using Priority = Priority_;
  using Word = typename Bitmap<Memory>::Word;

  Bitmap<Memory> waiting;
  Kokkos::View<Priority*, Memory> priority;  ///< of every vertex
  Priority from = 0, to = 0;                 ///< the bucket
  Offset num_edges = 0;                      ///< of its sweeps so far
  bool may_refill = true;

  /// What a look at one word of the bitmap finds.
  struct Found {
    Word taken = 0, still = 0;
    Priority least = no_priority<Priority>;  ///< of those who wait on
  };
  KOKKOS_FORCEINLINE_FUNCTION Found look(std::int64_t w) const {
    Found found;
    for (Word rest = atomic_load(&waiting.words().data()[w]); rest != 0; rest &= rest - 1) {
      const Word bit = rest & (~rest + 1);
      const Priority p = atomic_load(&priority.data()[w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest)]);
      if (p >= to) {
        found.still |= bit;
        found.least = dromos::min(found.least, p);
      } else if (p >= from) {
        found.taken |= bit;
      }
    }
    return found;
  }

  /// As a word that is larger for smaller priorities, and 0 for nobody's.
  static KOKKOS_FUNCTION std::uint64_t word_of(Priority p) {
    if (p == no_priority<Priority>) return 0;
    Bits bits;
    memcpy(&bits, &p, sizeof bits);
    return ~static_cast<std::uint64_t>(bits);
  }
  static KOKKOS_FUNCTION Priority of_word(std::uint64_t word) {
    if (word == 0) return no_priority<Priority>;
    const auto bits = static_cast<Bits>(~word);
    Priority p;
    memcpy(&p, &bits, sizeof p);
    return p;
  }

 private:
  using Bits = std::conditional_t<sizeof(Priority) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
};

namespace detail {

/// Do fused sweeps of this operator go on to the next bucket?
template <class Operator, class = void>
struct Refills : std::false_type {};
template <class Operator>
struct Refills<Operator, std::enable_if_t<Operator::refills>> : std::true_type {};

template <class Operator, class = void>
struct HasPile : std::false_type {};
template <class Operator>
struct HasPile<Operator, std::void_t<decltype(std::declval<Operator&>().pile)>> : std::true_type {};

template <class Operator, class = void>
struct HasMostEdges : std::false_type {};
template <class Operator>
struct HasMostEdges<Operator, std::void_t<decltype(std::declval<const Operator&>().most_edges())>> : std::true_type {};

template <class Operator, class Vertex, class = void>
struct HasTaken : std::false_type {};
template <class Operator, class Vertex>
struct HasTaken<Operator, Vertex, std::void_t<decltype(std::declval<const Operator&>().taken(std::declval<Vertex>()))>>
    : std::true_type {};

template <class Operator, class Vertex>
KOKKOS_FORCEINLINE_FUNCTION void tell_taken([[maybe_unused]] const Operator& op, [[maybe_unused]] Vertex v) {
  if constexpr (HasTaken<Operator, Vertex>::value) op.taken(v);
}

/// Counts a sweep of so many edges for the bucket.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION void count_in_bucket([[maybe_unused]] Operator& op, [[maybe_unused]] Offset num_edges) {
  if constexpr (HasPile<Operator>::value) op.pile.num_edges += num_edges;
}

/// One team's words of the pile.
template <class Space, class Graph, class Operator>
struct TakeFromPile {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  using AnyPile = std::decay_t<decltype(std::declval<Operator>().pile)>;
  static constexpr int team_size = is_gpu<Space> ? 256 : 1;
  static constexpr int words_per_thread = is_gpu<Space> ? 1 : 256;

  Graph graph;
  Operator op;
  Kokkos::View<Vertex*, Memory> queue;
  /// How many are taken, their edges, and the least priority of those who wait on, as Pile::word_of().
  Kokkos::View<std::uint64_t*, Memory> counts;
  CountsPublisher publisher;  ///< where kernels send messages

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto words = op.pile.waiting.words();
    const std::int64_t tile = static_cast<std::int64_t>(team.team_size()) * words_per_thread;
    const std::int64_t first = team.league_rank() * tile + team.team_rank();
    const std::int64_t last = dromos::min<std::int64_t>(team.league_rank() * tile + tile, words.extent(0));
    typename AnyPile::Found found[words_per_thread];
    std::int64_t num_taken = 0;
    std::uint64_t edges = 0, least = 0;
    for (std::int64_t w = first, i = 0; w < last; w += team.team_size(), ++i) {
      const auto& at = found[i % words_per_thread] = op.pile.look(w);
      num_taken += population_count(at.taken);
      least = dromos::max(least, AnyPile::word_of(at.least));
    }
    Vertex* put = queue.data() + team_reserve(team, num_taken, &counts.data()[0]);
    for (std::int64_t w = first, i = 0; w < last; w += team.team_size(), ++i) {
      const auto& at = found[i % words_per_thread];
      if (at.still != words.data()[w]) words.data()[w] = at.still;
      for (auto rest = at.taken; rest != 0; rest &= rest - 1) {
        const auto v = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
        *put++ = v;
        edges += static_cast<std::uint64_t>(graph.degree(v));
        tell_taken(op, v);
      }
    }
    if constexpr (has_warps<Space>) {
      edges = warp_sum(edges);
      least = warp_max(least);
      if (team.team_rank() % warp_width != 0) edges = least = 0;
    }
    if (edges > 0) atomic_fetch_add(&counts.data()[1], edges);
    if (least > atomic_load(&counts.data()[2])) atomic_fetch_max(&counts.data()[2], least);
    if constexpr (sends_messages<Space>) {
      team.team_barrier();
      if (team.team_rank() == 0) publisher.team_done(team.league_size());
    }
  }
};

/// Takes the operator's bucket out of its pile, in any order. Waits. \returns the least priority of those who wait on
template <class Space, class Graph, class Vertex, class Memory, class Operator>
auto take_bucket(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier, const Operator& op,
                 DeviceCounts<Memory>& counts) {
  using Kernel = TakeFromPile<Space, Graph, Operator>;
  using AnyPile = typename Kernel::AnyPile;
  const auto num_words = static_cast<std::int64_t>(op.pile.waiting.words().extent(0));
  const std::int64_t tile = Kernel::team_size * Kernel::words_per_thread;
  frontier.set_counts(0);
  if (num_words == 0) return no_priority<typename AnyPile::Priority>;
  counts.open(space);
  CountsPublisher publisher{};
  if constexpr (sends_messages<Space>) publisher = counts.publisher();
  Kokkos::parallel_for("dromos::traverse::take_bucket",
                       as_argument<Space>(typename Kernel::Policy(
                           space, static_cast<int>((num_words + tile - 1) / tile), Kernel::team_size)),
                       Kernel{graph, op, frontier.queue(), counts.on_device(), publisher});
  if constexpr (sends_messages<Space>) {
    counts.read(space, publisher);
  } else {
    counts.read(space);
  }
  frontier.set_counts(static_cast<std::int64_t>(counts[0]), static_cast<Offset>(counts[1]));
  return AnyPile::of_word(counts[2]);
}

}  // namespace detail

/// The operator's bucket is done with; the one behind it begins.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION void end_bucket(Operator& op) {
  op.end_bucket();
  op.pile.num_edges = 0;
}

/// Nobody comes to wait but by sweeps.
struct NobodyElseComes {
  template <class Priority>
  bool operator()(Priority) const {
    return false;
  }
};

/// Makes the next bucket out of which somebody is taken the work set, from the operator's bucket on. Waits.
///
/// \param op      in and out: at the bucket that is asked first, and then at the one taken
/// \param counts  three of them
/// \param halo    where the graph is a part of a distributed one: that of the part; buckets are those of all ranks
/// \param others_come  others_come(least) is asked before a bucket begins at the least priority that waits, or where
///                nobody does: true where it has begun another one instead, for which others may have come to wait
/// \returns false when nobody waits any more
///
/// Cost: a pass over the bitmap and the priorities of those who wait, twice where nobody was in the bucket.
template <class Space, class Graph, class Vertex, class Memory, class Operator, class AnyHalo = NoHalo,
          class OthersCome = NobodyElseComes>
bool next_bucket(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier, Operator& op,
                 DeviceCounts<Memory>& counts, const AnyHalo& halo = {}, const OthersCome& others_come = {}) {
  using Priority = typename std::decay_t<decltype(op.pile)>::Priority;
  // What ranks can compare.
  using Wide = std::conditional_t<std::is_integral_v<Priority>, std::int64_t, double>;
  for (;;) {
    const Priority least = detail::take_bucket(space, graph, frontier, op, counts);
    // Ranks ask each other both at once: has anybody somebody, and who waits by least?
    const auto ask = [&](Priority by) {
      Wide asked[2] = {frontier.empty() ? Wide(1) : Wide(0), static_cast<Wide>(by)};
      halo.min_in_place(asked, 2);
      return std::make_pair(asked[0] == 0, static_cast<Priority>(asked[1]));
    };
    const auto [somebody, least_of_all] = ask(least);
    if (somebody) return true;
    // Before buckets are passed by, what has not been told yet: it may bring somebody into this one.
    if (halo.tell_what_waits(space, graph, frontier, op)) {
      if (ask(least).first) return true;
      continue;
    }
    if (others_come(least_of_all)) continue;
    if (least_of_all == no_priority<Priority>) return false;
    op.begin_bucket(least_of_all);
  }
}

}  // namespace dromos
