// SPDX-License-Identifier: BSD-3-Clause
// The edge operators of a search separated by degree, one for each way that a vertex can be found; all of them run on
// the one loop nest. Forward (traverse/traverse.hpp), u is in the frontier and v is found; backward
// (traverse/find_first.hpp), u is unvisited and finds itself a parent.
//
//   found      who finds      forward over           backward over
//   delegate   delegate       dd: DiscoverDelegates  dd: FindParentIn
//   delegate   normal vertex  nd: DiscoverDelegates  dn: FindParentIn
//   normal     delegate       dn: DiscoverNormal     nd: FindNormalParent
//   normal     normal vertex  nn: DiscoverOrPost
//
// A delegate that is found is marked on this rank alone until the ranks have combined what they found; whose level it
// is becomes known then, its parent is any that found it. Where normal vertices are marked like that, too, and a pass
// over the marks follows (distributed/by_degree/take_found.hpp), MarkFound is forward over nd, dd and dn, MarkOrPost
// over nn, and FindParentIn backward over all: nobody claims anything or waits for an answer.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/normal_outbox.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/graph/partition_1d.hpp>

namespace dromos::detail {

/// Global ids of what finds: of delegates by a table, of own normal vertices by the partition.
template <class Vertex, class Memory>
struct DelegateNames {
  static constexpr bool looks_up = true;
  Kokkos::View<const Vertex*, Memory> global;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(LocalVertex u) const { return global.data()[u]; }
};
template <class Vertex>
struct NormalNames {
  static constexpr bool looks_up = false;
  Partition1d partition;
  int rank;
  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(LocalVertex u) const {
    return static_cast<Vertex>(partition.global_id(rank, u));
  }
};

/// What is written of a normal vertex by whoever claimed it.
template <class Vertex, class Memory>
struct NormalResults {
  Bitmap<Memory> visited;
  Kokkos::View<Vertex*, Memory> parent;
  Kokkos::View<Level*, Memory> level;
  Level next_level;

  KOKKOS_FORCEINLINE_FUNCTION void write(LocalVertex v, Vertex parent_of_v) const {
    parent.data()[v] = parent_of_v;
    level.data()[v] = next_level;
  }
};

/// dd and nd forward. Names: of the source.
template <class Vertex, class Memory, class Names>
struct DiscoverDelegates {
  Bitmap<Memory> found;
  Kokkos::View<Vertex*, Memory> parent;  // by delegate
  Names names;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(LocalVertex, LocalVertex v, Offset) const { return !found.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(LocalVertex, LocalVertex v, Offset) const { return found.claim(v); }
  KOKKOS_FORCEINLINE_FUNCTION void joined(LocalVertex u, LocalVertex v) const { parent.data()[v] = names(u); }
};

/// Backward: a vertex whose level is written later looks for a parent that was visited before this level.
template <class Vertex, class Memory, class Names>
struct FindParentIn {
  static constexpr bool found_looks_up = Names::looks_up;
  const typename Bitmap<Memory>::Word* visited;
  Kokkos::View<Vertex*, Memory> parent;
  Names names;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(LocalVertex, LocalVertex v) const {
    return (visited[Bitmap<Memory>::word_of(v)] & Bitmap<Memory>::mask(v)) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void found(LocalVertex u, LocalVertex v) const { parent.data()[u] = names(v); }
};

/// dn forward.
template <class Vertex, class Memory>
struct DiscoverNormal {
  NormalResults<Vertex, Memory> results;
  DelegateNames<Vertex, Memory> names;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(LocalVertex, LocalVertex v, Offset) const {
    return !results.visited.test(v);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(LocalVertex, LocalVertex v, Offset) const { return results.visited.claim(v); }
  KOKKOS_FORCEINLINE_FUNCTION void joined(LocalVertex u, LocalVertex v) const { results.write(v, names(u)); }
};

/// dn backward, over the edges of nd: an unvisited normal vertex looks for a delegate visited before this level.
template <class Vertex, class Memory>
struct FindNormalParent {
  static constexpr bool found_looks_up = true;
  Bitmap<Memory> delegate_visited;
  NormalResults<Vertex, Memory> results;
  DelegateNames<Vertex, Memory> names;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(LocalVertex, LocalVertex v) const { return delegate_visited.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION void found(LocalVertex u, LocalVertex v) const { results.write(u, names(v)); }
};

/// What both ways over nn share: own vertices are found, others posted to their owners. Targets are counted from this
/// rank on. Results: of this rank's normal vertices.
template <class Vertex, class Memory, class Results>
struct OwnOrPost {
  Results results;
  NormalNames<Vertex> names;
  NormalOutbox<Memory> outbox;
  BlockIds<Vertex> ids;

  KOKKOS_FORCEINLINE_FUNCTION bool is_own(Vertex v) const { return ids.rank(v) == 0; }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return !is_own(v) || !results.visited.test(v);
  }
  KOKKOS_FORCEINLINE_FUNCTION void post(Vertex u, Vertex v) const {
    outbox.post(ids, v, static_cast<std::uint32_t>(u));
  }
};

/// nn forward: claims own vertices.
template <class Vertex, class Memory>
struct DiscoverOrPost : OwnOrPost<Vertex, Memory, NormalResults<Vertex, Memory>> {
  /// On a CPU.
  KOKKOS_FUNCTION DiscoverOrPost on_thread() const {
    DiscoverOrPost mine = *this;
    if constexpr (host_accessible<Memory>) mine.outbox.pairs = this->outbox.pairs.on_thread();
    return mine;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (this->is_own(v)) return this->results.visited.claim(v);
    this->post(u, v);
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION void joined(LocalVertex u, LocalVertex v) const {
    this->results.write(v, this->names(u));
  }
};

/// Results of normal vertices whose levels are written later.
template <class Vertex, class Memory>
struct MarkedNormal {
  Bitmap<Memory> visited;
  Kokkos::View<Vertex*, Memory> parent;

  KOKKOS_FORCEINLINE_FUNCTION void write(LocalVertex v, Vertex parent_of_v) const {
    atomic_store(&parent.data()[v], parent_of_v);
  }
};

/// Forward: marks v. Whoever finds it unmarked is a parent, and the last to write stays. Names: of the source.
template <class Vertex, class Memory, class Names>
struct MarkFound {
  Bitmap<Memory> marks;
  Kokkos::View<Vertex*, Memory> parent;
  Names names;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(LocalVertex, LocalVertex v, Offset) const { return !marks.test(v); }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(LocalVertex u, LocalVertex v, Offset) const {
    marks.mark(v);
    atomic_store(&parent.data()[v], names(u));
    return false;
  }
};

/// nn forward: marks own vertices.
template <class Vertex, class Memory>
struct MarkOrPost : OwnOrPost<Vertex, Memory, MarkedNormal<Vertex, Memory>> {
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    if (this->is_own(v)) {
      this->results.visited.mark(v);
      this->results.write(static_cast<LocalVertex>(v), this->names(static_cast<LocalVertex>(u)));
    } else {
      this->post(u, v);
    }
    return false;
  }
};

}  // namespace dromos::detail
