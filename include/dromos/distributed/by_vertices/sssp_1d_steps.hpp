// SPDX-License-Identifier: BSD-3-Clause
// The steps of the distributed delta-stepping (distributed/by_vertices/sssp_1d.hpp): rows split into light and heavy
// edges, what is known of each vertex, the operator that relaxes edges, and offers on their way.
//
// What a rank knows of a vertex is one 64-bit word: the distance above, below it the local number of the vertex that it
// came over. Distances are not negative, so that their bits are ordered as they are. Own vertices have their results
// there, those of other ranks the best that this rank has offered them.
//
//   distance 2.5 over local vertex 6     0x40200000 | 0x00000006
//
// A word changes only to a strictly smaller distance, in one atomic. So no cycle of parents can come about: distances
// never shrink along an edge, hence all around a cycle they would be equal, and each of its vertices would have got
// that distance after its parent had it.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <dromos/algorithms/distance_buckets.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/by_vertices/sssp_1d.hpp>
#include <dromos/distributed/moving/outbox.hpp>
#include <dromos/graph/block_ids.hpp>
#include <dromos/traverse/frontier.hpp>
#include <utility>

namespace dromos::detail {

/// The light, the heavy or all edges of each row, as a sweep sees them; vertices are block ids.
template <class Vertex, class Memory>
struct RowParts {
  using vertex_type = Vertex;
  using memory_space = Memory;

  Kokkos::View<const Offset*, Memory> row_begin, row_end;
  Kokkos::View<const Vertex*, Memory> entries;
  Vertex first;  ///< the block id of this rank's first vertex

  KOKKOS_FUNCTION Vertex num_vertices() const { return static_cast<Vertex>(row_end.extent(0)); }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FORCEINLINE_FUNCTION Offset begin(Vertex u) const { return row_begin.data()[u - first]; }
  KOKKOS_FORCEINLINE_FUNCTION Offset end(Vertex u) const { return row_end.data()[u - first]; }
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(Vertex u) const { return end(u) - begin(u); }
  KOKKOS_FORCEINLINE_FUNCTION Vertex neighbor(Offset e) const { return entries.data()[e]; }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Vertex u) const {
    prefetch(&row_begin.data()[u - first]);
    prefetch(&row_end.data()[u - first]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Vertex u) const { prefetch(&entries.data()[begin(u)]); }
};

/// Moves the edges of each row that are shorter than delta to its front; element u of the result is where they end.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE Kokkos::View<Offset*, Memory> split_rows(const Space& space, const CsrGraph<Vertex, Memory>& rows,
                                                               float delta) {
  const std::int64_t size = rows.num_vertices();
  const auto light_end = uninitialized<Offset, Memory>("dromos::sssp_1d::light_end", size);
  const auto row_map = rows.row_map;
  const auto entries = rows.entries;
  const auto weights = rows.weights;
  Kokkos::parallel_for(
      "dromos::sssp_1d::split_rows", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
      KOKKOS_LAMBDA(const std::int64_t u) {
        Offset light = row_map(u);
        Offset heavy = row_map(u + 1);  // edges from here on are heavy
        for (;;) {
          while (light < heavy && weights(light) < delta) ++light;
          while (light < heavy && !(weights(heavy - 1) < delta)) --heavy;
          if (light == heavy) break;
          --heavy;
          const Vertex target = entries(light);
          const float weight = weights(light);
          entries(light) = entries(heavy);
          weights(light) = weights(heavy);
          entries(heavy) = target;
          weights(heavy) = weight;
        }
        light_end(u) = light;
      });
  fence(space, "dromos::sssp_1d::split_rows");
  return light_end;
}

/// Has one of the rows an edge?
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE bool has_edges(const Space& space, const RowParts<Vertex, Memory>& rows, std::int64_t num_rows) {
  std::int64_t num_edges = 0;
  Kokkos::parallel_reduce(
      "dromos::sssp_1d::has_edges", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_rows),
      KOKKOS_LAMBDA(const std::int64_t u, std::int64_t& sum) { sum += rows.row_end(u) - rows.row_begin(u); },
      num_edges);
  return num_edges > 0;
}

/// A distance and the local number of the vertex that it came over.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t pack_reach(float distance, std::uint32_t parent) {
  std::uint32_t bits;
  memcpy(&bits, &distance, sizeof(bits));
  return static_cast<std::uint64_t>(bits) << 32 | parent;
}
KOKKOS_FORCEINLINE_FUNCTION float distance_of_reach(std::uint64_t word) {
  const std::uint32_t bits = static_cast<std::uint32_t>(word >> 32);
  float distance;
  memcpy(&distance, &bits, sizeof(distance));
  return distance;
}
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t parent_of_reach(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}

/// Distances of own vertices, by local number: what the pile of waiting vertices asks for.
template <class Memory>
struct OwnDistances {
  Kokkos::View<const std::uint64_t*, Memory> reach;  // of own vertices
  KOKKOS_FORCEINLINE_FUNCTION float operator()(std::int64_t v) const { return distance_of_reach(reach.data()[v]); }
};

/// An offer on the wire.
struct Offer {
  std::uint32_t vertex;  // the receiver's local number
  std::uint32_t parent;  // the sender's
  float distance;
};

/// What a rank knows, and where vertices go whose distance shrank. Taken by kernels.
template <class Vertex, class Memory>
struct Reaches {
  Kokkos::View<std::uint64_t*, Memory> reach;       // by block id
  Kokkos::View<std::int32_t*, Memory> parent_rank;  // of own vertices
  Bitmap<Memory> joined;                            // by block id: in the next work set; of others: in the outbox
  Bitmap<Memory> waiting;                           // own vertices: for a later bucket
  BlockIds<Vertex> ids;
  int rank;
  float bucket_end;

  /// Is this distance strictly smaller than what was known? Then it is known now.
  KOKKOS_FORCEINLINE_FUNCTION bool improve(Vertex v, float distance, std::uint32_t parent) const {
    std::uint64_t* const word = &reach.data()[v];
    std::uint64_t known = atomic_load(word);
    const std::uint64_t offered = pack_reach(distance, parent);
    while (distance < distance_of_reach(known)) {
      const std::uint64_t found = Kokkos::atomic_compare_exchange(word, known, offered);
      if (found == known) return true;
      known = found;
    }
    return false;
  }

  /// An own vertex is offered a distance that came over a vertex of `from_rank`. True: it joins the next work set.
  ///
  /// All offers of one kernel come over the same rank's vertices, so that it does not matter who writes its number.
  KOKKOS_FORCEINLINE_FUNCTION bool offer_own(Vertex v, float distance, std::uint32_t parent, int from_rank) const {
    if (!improve(v, distance, parent)) return false;
    const std::uint32_t local = ids.local(v);
    atomic_store(&parent_rank.data()[local], static_cast<std::int32_t>(from_rank));
    if (distance < bucket_end) return joined.set(v);
    waiting.set(local);
    return false;
  }
};

/// The operator. A distance of u that is stale is too large: whoever made it smaller has put u into the next work set.
template <class Vertex, class Memory>
struct RelaxOrOffer {
  Reaches<Vertex, Memory> reaches;
  Kokkos::View<const float*, Memory> weights;
  Outbox<Offer, Memory> outbox;

  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    const float distance = distance_of_reach(atomic_load(&reaches.reach.data()[u])) + weights.data()[e];
    const std::uint32_t from = reaches.ids.local(u);
    const int owner = reaches.ids.rank(v);
    if (owner == reaches.rank) return reaches.offer_own(v, distance, from, owner);
    // The rest of the offer is written when the sweep is over and knows the best.
    if (reaches.improve(v, distance, from) && reaches.joined.set(v)) outbox.put(owner, {reaches.ids.local(v), 0, 0});
    return false;
  }
};

/// Writes what rank `to` is offered into its block of the outbox, each vertex of which may be put there again.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void complete_offers(const Space& space, const Reaches<Vertex, Memory>& reaches,
                                           const Outbox<Offer, Memory>& outbox, Block block, int to) {
  if (block.size == 0) return;
  Kokkos::parallel_for(
      "dromos::sssp_1d::complete_offers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, block.offset, block.offset + block.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        Offer& offer = outbox.items.data()[i];
        const Vertex v = reaches.ids.id(to, offer.vertex);
        const std::uint64_t word = reaches.reach.data()[v];
        offer.distance = distance_of_reach(word);
        offer.parent = parent_of_reach(word);
        // The other bits of the word are of the same block, so that several threads may store the same zero.
        atomic_store(&reaches.joined.words().data()[Bitmap<Memory>::word_of(v)], typename Bitmap<Memory>::Word(0));
      });
}

/// Takes in what rank `from` offered.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void take_offers(const Space& space, const Reaches<Vertex, Memory>& reaches,
                                       const QueueSink<RowParts<Vertex, Memory>>& sink,
                                       const Kokkos::View<Offer*, Memory>& inbox, Block block, int from) {
  if (block.size == 0) return;
  Kokkos::parallel_for(
      "dromos::sssp_1d::take_offers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, block.offset, block.offset + block.size),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const Offer offer = inbox(i);
        const Vertex v = reaches.ids.id(reaches.rank, offer.vertex);
        if (reaches.offer_own(v, offer.distance, offer.parent, from)) sink.enqueue(v);
      });
}

/// The root has distance 0, is its own parent, and waits.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void start_at(const Space& space, const Reaches<Vertex, Memory>& reaches, Vertex root) {
  Kokkos::parallel_for(
      "dromos::sssp_1d::root", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(const int) {
        const std::uint32_t local = reaches.ids.local(root);
        reaches.reach(root) = pack_reach(0, local);
        reaches.parent_rank(local) = reaches.rank;
        reaches.waiting.set(local);
      });
}

/// Notes the vertices of the frontier, by local number.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void note_settled(const Space& space, const Frontier<Vertex, Memory>& frontier,
                                        const BlockIds<Vertex>& ids, const Bitmap<Memory>& settled) {
  const auto queue = frontier.queue();
  Kokkos::parallel_for(
      "dromos::sssp_1d::note_settled",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, frontier.num_vertices()),
      KOKKOS_LAMBDA(const std::int64_t i) { settled.set(ids.local(queue(i))); });
}

/// What is known of own vertices becomes the result; counts the reached ones and their edges. Waits.
template <class Space, class Vertex, class Memory>
DROMOS_OF_EACH_SOURCE void write_tree(const Space& space, const Kokkos::View<const std::uint64_t*, Memory>& own_reach,
                                      const Kokkos::View<std::int32_t*, Memory>& parent_rank,
                                      const Partition1d& partition, const CsrView<Vertex, Memory>& rows,
                                      const SsspTree<Vertex, Memory>& tree, Sssp1dStatistics& statistics) {
  const auto distance = tree.distance;
  const auto parent = tree.parent;
  Kokkos::parallel_reduce(
      "dromos::sssp_1d::write_tree",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, distance.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t v, std::int64_t& num_reached, std::int64_t& num_arcs) {
        const float d = distance_of_reach(own_reach(v));
        distance(v) = d;
        if (!(d < no_distance)) {
          parent(v) = no_vertex<Vertex>;
          return;
        }
        parent(v) = static_cast<Vertex>(partition.global_id(parent_rank(v), parent_of_reach(own_reach(v))));
        ++num_reached;
        num_arcs += rows.degree(static_cast<Vertex>(v));
      },
      statistics.num_reached, statistics.arcs_reached);
  fence(space, "dromos::sssp_1d::write_tree");
}

}  // namespace dromos::detail
