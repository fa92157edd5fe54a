// SPDX-License-Identifier: BSD-3-Clause
// Contraction of a directed graph that keeps its strong components: a few kernels a round, whose number does not depend
// on how deep the graph is. Two kinds of vertices vanish into another one, their head:
//
//   certain     every vertex picks one of its neighbors on one side; who comes back to itself by following the picks
//               lies on a cycle, and all of the cycle become its member of highest rank
//   tentative   a vertex with a single in-neighbor is reached from wherever that is reached, so paths between others
//               lose nothing when it becomes part of it. In the next round the same with out-neighbors.
//
//   in-round:   0 -> 1 -> 2 -> 3, 3 -> 0, 2 -> 4, 4 <-> 5, 5 -> 4      0 1 2 3: a cycle; 4: picks 2 or 5
//               where 4 picks 5 that is a cycle as well; where it picks 2, 5 goes into 4, tentatively
//
// Heads of heads form trees. A tentative vertex is in the component of its root exactly if it, or one below it in the
// tree, has an edge to that component: every way to it leads through the root. Those edges are written down, as
// evidence, before they are contracted. When the components of the contracted graph are known, the rounds are undone
// from the last to the first: evidence that turns out to hold brings in a vertex and all above it, and who is not
// brought in is a component alone.
//
// A vertex with no neighbor on one side is a component alone and goes with its edges, and the tree below it too, since
// no evidence for that can hold. Duplicate edges do no harm: "a single neighbor" means that the smallest and the
// largest are the same. On a long cycle of tentative vertices heads would lead round and round; so a vertex with a
// chain of more than `window` behind it in which it has the highest rank stays. Ranks are pseudo-random, and chains get
// shorter by a factor of about `window` a round.
//
// On planar graphs, whose picks have many short cycles, a round leaves three quarters of the vertices (measured on
// randomly oriented lattices); on graphs without short cycles it may leave nearly all. Those are shallow.
//
// Sources: H. Levy, D. W. Low, "A contraction algorithm for finding small cycle cutsets", Journal of Algorithms 1988
// (vertices with one in- or out-edge); picked edges and the trees they make as in Boruvka's algorithm. G. Alabandi,
// W. Sands, G. Biros, M. Burtscher, "A GPU algorithm for detecting strongly connected components", SC 2023, treat the
// same kind of graph in another way, by numbers that spread along all edges at once.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/for_numbered.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/generate/counter_random.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace dromos::scc_detail {

template <class Vertex>
struct alignas(2 * sizeof(Vertex)) Arc {
  Vertex source, target;
};

/// What a vertex may pick: the least and the greatest of its neighbors on one side. Together, since who follows picks
/// from vertex to vertex asks each for all of it.
template <class Vertex>
struct alignas(4 * sizeof(Vertex)) Picked {
  static constexpr Vertex above_all = std::numeric_limits<Vertex>::max();
  Vertex least, greatest;
  Vertex has_other;  ///< 1: neighbors on the other side as well

  /// On no cycle.
  KOKKOS_FORCEINLINE_FUNCTION bool dead() const { return greatest == no_vertex<Vertex> || has_other == 0; }
  KOKKOS_FORCEINLINE_FUNCTION bool single() const { return least == greatest; }
  /// One of the two neighbors of `v`, whose picks these are; another one in another round perhaps.
  KOKKOS_FORCEINLINE_FUNCTION Vertex pick(Vertex v, int round) const {
    const bool coin = (mix_bits(static_cast<std::uint64_t>(v) + (static_cast<std::uint64_t>(round) << 48)) & 1) != 0;
    return coin ? greatest : least;
  }
};

/// Who the neighbors of each vertex are on the side on which they are picked, and whether it has any on the other.
template <class Vertex, class Memory>
struct PickedSide {
  Kokkos::View<Picked<Vertex>*, Memory> picks;

  void ensure_size(std::size_t n) { detail::ensure_size(picks, n, "dromos::contraction::picks"); }
  KOKKOS_FORCEINLINE_FUNCTION Picked<Vertex> of(Vertex v) const { return picks.data()[v]; }
  KOKKOS_FORCEINLINE_FUNCTION void forget(Vertex v) const {
    picks.data()[v] = {Picked<Vertex>::above_all, no_vertex<Vertex>, 0};
  }
  /// `picker` may pick `picked`. Reads before it writes: most edges change nothing.
  KOKKOS_FORCEINLINE_FUNCTION void add(Vertex picker, Vertex picked) const {
    Picked<Vertex>& mine = picks.data()[picker];
    if (atomic_load(&mine.least) > picked) atomic_fetch_min(&mine.least, picked);
    if (atomic_load(&mine.greatest) < picked) atomic_fetch_max(&mine.greatest, picked);
    Vertex& other = picks.data()[picked].has_other;
    if (atomic_load(&other) == 0) atomic_store(&other, Vertex(1));
  }
  /// The same for an edge, where in-neighbors are picked or out-neighbors.
  KOKKOS_FORCEINLINE_FUNCTION void add(const Arc<Vertex>& arc, bool inward) const {
    inward ? add(arc.target, arc.source) : add(arc.source, arc.target);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool dead(Vertex v) const { return of(v).dead(); }
};

/// What a round appended to the lists that all rounds share.
struct ContractionRound {
  std::int64_t first_contracted = 0, last_contracted = 0;
  std::int64_t first_evidence = 0, last_evidence = 0;
};

/// A graph that is being contracted. Vertices keep their numbers, 0 .. n - 1; allocated on first use for n vertices and
/// m edges: 60 bytes a vertex and 32 an edge (116 and 64 with 64-bit ids).
template <class Vertex, class Memory>
struct Contraction {
  static constexpr int merged = -1;  ///< stage of a vertex that is in the component of its root for certain
  static constexpr int never = -2;   ///< stage of a vertex that is still there
  static constexpr int window = 16;  ///< steps that are followed to find a cycle
  enum Count { num_vertices_count, num_arcs_count, num_contracted_count, num_evidence_count, num_counts };

  /// The graph as it is now: `num_arcs` edges between `num_vertices` vertices.
  Kokkos::View<Vertex*, Memory> vertices;
  Kokkos::View<Arc<Vertex>*, Memory> arcs;
  std::int64_t num_vertices = 0, num_arcs = 0;
  /// By vertex: what it vanished into and the root of that tree. Not changed once it is gone.
  Kokkos::View<Vertex*, Memory> head, root;
  /// By vertex: the round in which it vanished tentatively, or one of the constants above.
  Kokkos::View<int*, Memory> stage;
  /// By vertex: a vertex of its component, the same for all of it; of use once the rounds are undone.
  Kokkos::View<Vertex*, Memory> label;
  PickedSide<Vertex, Memory> side;

  /// Room for the next graph.
  Kokkos::View<Vertex*, Memory> next_vertices;
  Kokkos::View<Arc<Vertex>*, Memory> next_arcs;
  PickedSide<Vertex, Memory> next_side;
  /// What vanished, round after round; the evidence: a vertex that vanished, and the root of a neighbor.
  Kokkos::View<Vertex*, Memory> contracted;
  Kokkos::View<Arc<Vertex>*, Memory> evidence;
  std::vector<ContractionRound> rounds;
  std::int64_t num_contracted = 0, num_evidence = 0;  ///< in all rounds
  DeviceCounts<Memory> counts;                        ///< of a round

  void ensure_size(std::size_t n, std::size_t m) {
    detail::ensure_size(vertices, n, "dromos::contraction::vertices");
    detail::ensure_size(next_vertices, n, "dromos::contraction::vertices");
    detail::ensure_size(contracted, n, "dromos::contraction::contracted");
    detail::ensure_size(head, n, "dromos::contraction::head");
    detail::ensure_size(root, n, "dromos::contraction::root");
    detail::ensure_size(label, n, "dromos::contraction::label");
    detail::ensure_size(stage, n, "dromos::contraction::stage");
    detail::ensure_size(arcs, m, "dromos::contraction::arcs");
    detail::ensure_size(next_arcs, m, "dromos::contraction::arcs");
    detail::ensure_size(evidence, 2 * m, "dromos::contraction::evidence");
    side.ensure_size(n);
    next_side.ensure_size(n);
    if (counts.on_device().extent(0) == 0) counts = DeviceCounts<Memory>(num_counts, "dromos::contraction::counts");
  }
  /// Are in-neighbors picked in this round?
  KOKKOS_FUNCTION static constexpr bool inward(int round) { return round % 2 == 0; }
  /// Different for different vertices.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t rank(Vertex v) { return mix_bits(static_cast<std::uint64_t>(v)); }
  int num_rounds() const { return static_cast<int>(rounds.size()); }
};

/// Brings the counts to the host. Waits.
template <class Space, class Vertex, class Memory>
void read_counts(const Space& space, Contraction<Vertex, Memory>& contraction) {
  using C = Contraction<Vertex, Memory>;
  contraction.counts.read(space);
  contraction.num_vertices = static_cast<std::int64_t>(contraction.counts[C::num_vertices_count]);
  contraction.num_arcs = static_cast<std::int64_t>(contraction.counts[C::num_arcs_count]);
  contraction.num_contracted += static_cast<std::int64_t>(contraction.counts[C::num_contracted_count]);
  contraction.num_evidence += static_cast<std::int64_t>(contraction.counts[C::num_evidence_count]);
}

template <class Vertex, class Memory>
struct StartContraction {
  using C = Contraction<Vertex, Memory>;
  Kokkos::View<Vertex*, Memory> vertices, label;
  Kokkos::View<int*, Memory> stage;
  PickedSide<Vertex, Memory> side;
  Kokkos::View<std::uint64_t*, Memory> counts;
  std::int64_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = static_cast<Vertex>(i);
    vertices(i) = label(i) = v;
    stage(i) = C::never;
    side.forget(v);
    if (i == 0) counts(C::num_vertices_count) = static_cast<std::uint64_t>(n);
  }
};

/// Begins with all n vertices and no edges. The caller then appends edges that are not loops, at most m, to `arcs`,
/// tells `side` of each with inward(0), adds up their number in counts(num_arcs_count), and calls read_counts().
template <class Space, class Vertex, class Memory>
void start_contraction(const Space& space, Contraction<Vertex, Memory>& contraction, std::int64_t n, Offset m) {
  contraction.ensure_size(static_cast<std::size_t>(n), static_cast<std::size_t>(m));
  contraction.rounds.clear();
  contraction.num_contracted = contraction.num_evidence = 0;
  contraction.counts.open(space);
  for_range("dromos::contraction::start", space, n,
            StartContraction<Vertex, Memory>{contraction.vertices, contraction.label, contraction.stage,
                                             contraction.side, contraction.counts.on_device(), n});
}

template <class Vertex, class Memory>
struct ChooseHeads {
  using C = Contraction<Vertex, Memory>;
  int round;
  Kokkos::View<const Vertex*, Memory> vertices;
  Kokkos::View<Vertex*, Memory> head;
  Kokkos::View<int*, Memory> stage;
  PickedSide<Vertex, Memory> side, next_side;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = vertices(i);
    next_side.forget(v);
    head(v) = v;
    const Picked<Vertex> own = side.of(v);
    if (own.dead()) return;
    const bool single = own.single();
    bool chain = single;  // nobody on the way had a choice
    Vertex highest = v;
    Vertex at = v;
    Picked<Vertex> picks = own;
    for (int step = 0; step < C::window; ++step) {
      at = picks.pick(at, round);
      if (at == v) {
        if (highest != v) {
          head(v) = highest;
          stage(v) = C::merged;
        }
        return;
      }
      picks = side.of(at);
      if (picks.dead()) {
        chain = false;
        break;
      }
      chain = chain && picks.single();
      if (C::rank(at) > C::rank(highest)) highest = at;
    }
    // On a cycle of tentative vertices too long to be noticed, the one of the highest rank stays.
    if (single && !(chain && highest == v)) {
      head(v) = own.pick(v, round);
      stage(v) = round;
    }
  }
};

/// Says of every vertex that is still there what it vanishes into in this round, itself if it stays, and makes ready
/// for the next graph.
template <class Space, class Vertex, class Memory>
void choose_heads(const Space& space, const Contraction<Vertex, Memory>& contraction) {
  for_range("dromos::contraction::heads", space, contraction.num_vertices,
            ChooseHeads<Vertex, Memory>{contraction.num_rounds(), contraction.vertices, contraction.head,
                                        contraction.stage, contraction.side, contraction.next_side});
}

template <class Vertex, class Memory>
struct FindRoots {
  using C = Contraction<Vertex, Memory>;
  enum { vanishes, stays, num_counters };
  struct Item {
    std::uint32_t asks;
    Vertex vertex;
  };
  Kokkos::View<const Vertex*, Memory> vertices, head;
  Kokkos::View<Vertex*, Memory> root;
  PickedSide<Vertex, Memory> side;
  Kokkos::View<Vertex*, Memory> contracted, next_vertices;
  std::int64_t num_contracted;  ///< in rounds before
  Kokkos::View<std::uint64_t*, Memory> counts;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* counter(int k) const {
    return &counts(k == vanishes ? C::num_contracted_count : C::num_vertices_count);
  }
  KOKKOS_FORCEINLINE_FUNCTION Item look_at(std::int64_t i) const {
    const Vertex v = vertices(i);
    Vertex top = v;
    for (Vertex above = head(top); above != top; above = head(top)) top = above;
    root(v) = top;
    if (top != v) return {1u << vanishes, v};
    return {side.dead(v) ? 0u : 1u << stays, v};
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(const Item& item, int k, std::uint64_t number) const {
    if (k == vanishes) {
      contracted(num_contracted + static_cast<std::int64_t>(number)) = item.vertex;
    } else {
      next_vertices(number) = item.vertex;
    }
  }
};

/// Follows heads to their roots, and sorts the vertices: contracted, still there, or dead and forgotten.
template <class Space, class Vertex, class Memory>
void find_roots(const Space& space, const Contraction<Vertex, Memory>& contraction) {
  for_numbered("dromos::contraction::roots", space, contraction.num_vertices,
               FindRoots<Vertex, Memory>{contraction.vertices, contraction.head, contraction.root, contraction.side,
                                         contraction.contracted, contraction.next_vertices, contraction.num_contracted,
                                         contraction.counts.on_device()});
}

template <class Vertex, class Memory>
struct ContractArcs {
  using C = Contraction<Vertex, Memory>;
  enum { is_evidence, stays, num_counters };
  struct Item {
    std::uint32_t asks;
    Vertex picked;
    Arc<Vertex> next;
  };
  int round;
  Kokkos::View<Arc<Vertex>*, Memory> arcs;
  Kokkos::View<const Vertex*, Memory> root;
  Kokkos::View<const int*, Memory> stage;
  PickedSide<Vertex, Memory> side, next_side;
  Kokkos::View<Arc<Vertex>*, Memory> next_arcs, evidence;
  std::int64_t num_evidence;  ///< in rounds before
  Kokkos::View<std::uint64_t*, Memory> counts;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* counter(int k) const {
    return &counts(k == is_evidence ? C::num_evidence_count : C::num_arcs_count);
  }
  KOKKOS_FORCEINLINE_FUNCTION Item look_at(std::int64_t i) const {
    const bool inward = C::inward(round);
    const Arc<Vertex> arc = arcs(i);
    Item item{0, inward ? arc.source : arc.target, {root(arc.source), root(arc.target)}};
    if (side.dead(item.next.source) || side.dead(item.next.target)) return item;
    // The only edge into a tentative vertex is the one of the tree (out of it, where out-neighbors are picked).
    const Vertex picker = inward ? arc.target : arc.source;
    if (stage(item.picked) == round && stage(picker) != round) item.asks |= 1u << is_evidence;
    if (item.next.source != item.next.target) {
      item.asks |= 1u << stays;
      next_side.add(item.next, !inward);
    }
    return item;
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(const Item& item, int k, std::uint64_t number) const {
    if (k == is_evidence) {
      const Vertex root_of_neighbor = C::inward(round) ? item.next.target : item.next.source;
      evidence(num_evidence + static_cast<std::int64_t>(number)) = {item.picked, root_of_neighbor};
    } else {
      next_arcs(number) = item.next;
    }
  }
};

/// The edges between the roots, but for loops and those of dead vertices; and the evidence.
template <class Space, class Vertex, class Memory>
void contract_arcs(const Space& space, const Contraction<Vertex, Memory>& contraction) {
  const int round = contraction.num_rounds();
  for_numbered(
      "dromos::contraction::arcs", space, contraction.num_arcs,
      ContractArcs<Vertex, Memory>{round, contraction.arcs, contraction.root, contraction.stage, contraction.side,
                                   contraction.next_side, contraction.next_arcs, contraction.evidence,
                                   contraction.num_evidence, contraction.counts.on_device()});
}

/// One round. Waits.
template <class Space, class Vertex, class Memory>
void contract_once(const Space& space, Contraction<Vertex, Memory>& contraction) {
  ContractionRound round;
  round.first_contracted = contraction.num_contracted;
  round.first_evidence = contraction.num_evidence;
  contraction.counts.open(space);
  choose_heads(space, contraction);
  find_roots(space, contraction);
  contract_arcs(space, contraction);
  std::swap(contraction.vertices, contraction.next_vertices);
  std::swap(contraction.arcs, contraction.next_arcs);
  std::swap(contraction.side, contraction.next_side);
  read_counts(space, contraction);
  round.last_contracted = contraction.num_contracted;
  round.last_evidence = contraction.num_evidence;
  contraction.rounds.push_back(round);
}

/// Contracts until at most `cutoff` vertices with edges are left, or another round is not worth it. Returns the number
/// of rounds. Waits.
template <class Space, class Vertex, class Memory>
std::int64_t contract(const Space& space, Contraction<Vertex, Memory>& contraction, std::int64_t cutoff) {
  constexpr double worth = 15.0 / 16;  // two rounds, one on each side, must leave less than that
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  while (contraction.num_arcs > 0 && contraction.num_vertices > cutoff) {
    if (contraction.num_rounds() % 2 == 0) {
      if (static_cast<double>(contraction.num_vertices) > worth * static_cast<double>(before)) break;
      before = contraction.num_vertices;
    }
    const std::int64_t room = static_cast<std::int64_t>(contraction.evidence.extent(0)) - contraction.num_evidence;
    if (contraction.num_arcs > room) break;
    contract_once(space, contraction);
  }
  return contraction.num_rounds();
}

/// Brings in who vanished in this round tentatively, and everybody on the way to its root.
template <class Vertex, class Memory>
struct ActOnEvidence {
  using C = Contraction<Vertex, Memory>;
  int round;
  Kokkos::View<Arc<Vertex>*, Memory> evidence;
  Kokkos::View<const Vertex*, Memory> label, root, head;
  Kokkos::View<int*, Memory> stage;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Vertex v = evidence(i).source;
    if (label(evidence(i).target) != label(root(v))) return;
    for (; atomic_load(&stage(v)) == round; v = head(v)) atomic_store(&stage(v), C::merged);
  }
};

template <class Vertex, class Memory>
struct ExpandLabels {
  using C = Contraction<Vertex, Memory>;
  Kokkos::View<const Vertex*, Memory> contracted, root;
  Kokkos::View<const int*, Memory> stage;
  Kokkos::View<Vertex*, Memory> label;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex v = contracted(i);
    if (stage(v) == C::merged) label(v) = label(root(v));
  }
};

/// Undoes the rounds: from the labels of the vertices that are left to those of all. Does not wait.
template <class Space, class Vertex, class Memory>
void expand_labels(const Space& space, const Contraction<Vertex, Memory>& contraction) {
  const auto root = contraction.root;
  const auto stage = contraction.stage;
  const auto label = contraction.label;
  for (int round = contraction.num_rounds() - 1; round >= 0; --round) {
    const ContractionRound& made = contraction.rounds[round];
    // Several threads may climb the same path: each that finds a vertex brought in leaves the rest to whoever did it.
    for_range("dromos::contraction::evidence", space, {made.first_evidence, made.last_evidence},
              ActOnEvidence<Vertex, Memory>{round, contraction.evidence, label, root, contraction.head, stage});
    for_range("dromos::contraction::expand", space, {made.first_contracted, made.last_contracted},
              ExpandLabels<Vertex, Memory>{contraction.contracted, root, stage, label});
  }
}

}  // namespace dromos::scc_detail
