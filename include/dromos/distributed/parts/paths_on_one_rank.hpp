// SPDX-License-Identifier: BSD-3-Clause
// The serial finish of shortest paths on ranks: where sweeps stay thin, each costs the ranks a round of messages, and
// one rank that has all edges needs none. Rows, weights and distances so far go to the first rank, in the order of
// ranks and there of their own vertices, and distances come back by the same way.
//
//   ranks have rows of   2 0 | 3 1     gathered as   2 0 3 1     place of vertex 3: 2
//
// Only graphs of few edges are gathered, and none with delegates, of whose rows every rank has a part.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/impl/nearest_first.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <optional>
#include <type_traits>
#include <vector>

namespace dromos::detail {

/// Arcs of all ranks together that the first one takes at the most.
inline constexpr std::int64_t most_arcs_on_one_rank = std::int64_t(1) << 22;

/// Arrays in host memory that go to the first rank, and one that comes back.
template <class Space>
class OnFirstRank {
 public:
  OnFirstRank(const Communicator& communicator, const Space& space, std::int64_t own)
      : communicator_(communicator),
        space_(space),
        all_(consecutive_blocks(gather_counts(communicator, own))),
        leaving_(all_.size()),
        is_first_(communicator.rank() == 0) {
    leaving_[0] = {0, own};
  }

  std::int64_t total() const { return total_size(all_); }
  /// Of all ranks; empty elsewhere than on the first.
  template <class T>
  Kokkos::View<T*, Kokkos::HostSpace> take(const Kokkos::View<T*, Kokkos::HostSpace>& own) const {
    Kokkos::View<T*, Kokkos::HostSpace> taken;
    on_all_ranks(communicator_, [&] {
      taken = uninitialized<T, Kokkos::HostSpace>("dromos::paths_on_one_rank::taken", is_first_ ? total() : 0);
    });
    alltoallv(communicator_, space_, own, leaving_, taken, is_first_ ? all_ : nothing());
    return taken;
  }
  template <class T>
  void give_back(const Kokkos::View<T*, Kokkos::HostSpace>& taken,
                 const Kokkos::View<T*, Kokkos::HostSpace>& own) const {
    alltoallv(communicator_, space_, taken, is_first_ ? all_ : nothing(), own, leaving_);
  }

 private:
  std::vector<Block> nothing() const { return std::vector<Block>(all_.size()); }

  const Communicator& communicator_;
  const Space& space_;
  std::vector<Block> all_, leaving_;
  bool is_first_;
};

/// Rows that follow each other, by place. Targets are vertices.
template <class Global>
struct GatheredRows {
  using vertex_type = Global;
  std::vector<Offset> first;
  std::vector<Global> place_of;
  Kokkos::View<Global*, Kokkos::HostSpace> target;

  Offset begin(Global place) const { return first[static_cast<std::size_t>(place)]; }
  Offset end(Global place) const { return first[static_cast<std::size_t>(place) + 1]; }
  Offset degree(Global place) const { return end(place) - begin(place); }
  Global neighbor(Offset e) const { return place_of[static_cast<std::size_t>(target(e))]; }
};

/// Dijkstra's algorithm on all rows, from those who wait. Returns how many edges it looked at.
///
/// \param degree  of each place; targets are vertices, and number says which vertex has each place
template <class Global, class Distance>
Offset shorten_all(std::int64_t num_vertices, const Kokkos::View<Global*, Kokkos::HostSpace>& number,
                   const Kokkos::View<Offset*, Kokkos::HostSpace>& degree,
                   const Kokkos::View<Global*, Kokkos::HostSpace>& target,
                   const Kokkos::View<float*, Kokkos::HostSpace>& weight,
                   const Kokkos::View<Global*, Kokkos::HostSpace>& waiting,
                   const Kokkos::View<Distance*, Kokkos::HostSpace>& distance) {
  const std::size_t num_places = number.extent(0);
  GatheredRows<Global> rows{std::vector<Offset>(num_places + 1, 0),
                            std::vector<Global>(static_cast<std::size_t>(num_vertices)), target};
  for (std::size_t p = 0; p < num_places; ++p) {
    rows.place_of[static_cast<std::size_t>(number(p))] = static_cast<Global>(p);
    rows.first[p + 1] = rows.first[p] + degree(p);
  }
  NearestHeap<Distance, Global> heap;
  for (std::size_t i = 0; i < waiting.extent(0); ++i) {
    const Global p = rows.place_of[static_cast<std::size_t>(waiting(i))];
    heap.emplace(distance(p), p);
  }
  return relax_from_heap(heap, rows, weight, distance, [](Global, Distance) { return true; }).num_edges;
}

/// Distances of all own vertices become those that one rank finds, from `waiting`, whose edges have not been looked at
/// since their distance shrank. Collective, in host memory.
///
/// \returns how many edges it looked at; nothing, and distances as they were, where the graph is not to be gathered
template <class Halo, class Space, class Rows, class Distance>
std::optional<Offset> shorten_on_one_rank(const Halo& halo, const Space& space, const Rows& rows,
                                          const Kokkos::View<const float*, Kokkos::HostSpace>& weights,
                                          const Kokkos::View<LocalVertex*, Kokkos::HostSpace>& waiting,
                                          std::int64_t num_waiting,
                                          const Kokkos::View<Distance*, Kokkos::HostSpace>& distance) {
  const Communicator& communicator = halo.communicator();
  const auto& part = halo.part();
  using Global = typename std::decay_t<decltype(part.numbers)>::non_const_value_type;
  const auto num_own = static_cast<LocalVertex>(part.num_own);
  std::int64_t num_arcs = 0;
  for (LocalVertex v = 0; v < num_own; ++v) num_arcs += rows.degree(v);
  const OnFirstRank vertices(communicator, space, std::int64_t(num_own));
  const OnFirstRank arcs(communicator, space, num_arcs);
  // What arrives, and as much again for what is made of it.
  const double bytes = static_cast<double>(arcs.total()) * (sizeof(Global) + sizeof(float)) +
                       static_cast<double>(vertices.total()) * 2 * (sizeof(Global) + sizeof(Offset) + sizeof(Distance));
  const bool fits = part.num_delegates == 0 && arcs.total() <= most_arcs_on_one_rank &&
                    2 * bytes < static_cast<double>(available_host_memory());
  if (halo.min(std::int64_t(fits)) == 0) return std::nullopt;

  const ScopedRegion region("dromos::paths_on_one_rank");
  Kokkos::View<Global*, Kokkos::HostSpace> number, target, who_waits;
  Kokkos::View<Offset*, Kokkos::HostSpace> degree;
  Kokkos::View<float*, Kokkos::HostSpace> weight;
  halo.agree([&] {
    number = uninitialized<Global, Kokkos::HostSpace>("dromos::paths_on_one_rank::number", num_own);
    degree = uninitialized<Offset, Kokkos::HostSpace>("dromos::paths_on_one_rank::degree", num_own);
    target = uninitialized<Global, Kokkos::HostSpace>("dromos::paths_on_one_rank::target", num_arcs);
    weight = uninitialized<float, Kokkos::HostSpace>("dromos::paths_on_one_rank::weight", num_arcs);
    who_waits = uninitialized<Global, Kokkos::HostSpace>("dromos::paths_on_one_rank::waiting", num_waiting);
  });
  std::int64_t at = 0;
  for (LocalVertex v = 0; v < num_own; ++v) {
    number(v) = part.numbers(v);
    degree(v) = rows.degree(v);
    for (Offset e = rows.begin(v); e < rows.end(v); ++e, ++at) {
      target(at) = part.numbers(rows.neighbor(e));
      weight(at) = weights(e);
    }
  }
  for (std::int64_t i = 0; i < num_waiting; ++i) who_waits(i) = part.numbers(waiting(i));
  const Kokkos::View<Distance*, Kokkos::HostSpace> own =
      Kokkos::subview(distance, Kokkos::make_pair(std::int64_t(0), std::int64_t(num_own)));
  const auto all_numbers = vertices.take(number);
  const auto all_degrees = vertices.take(degree);
  const auto all_distances = vertices.take(own);
  const auto all_targets = arcs.take(target);
  const auto all_weights = arcs.take(weight);
  const auto all_waiting = OnFirstRank(communicator, space, num_waiting).take(who_waits);
  Offset num_edges = 0;
  halo.agree([&] {
    if (communicator.rank() != 0) return;
    num_edges = shorten_all(part.num_vertices(), all_numbers, all_degrees, all_targets, all_weights, all_waiting,
                            all_distances);
  });
  vertices.give_back(all_distances, own);
  return halo.sum(num_edges);
}

}  // namespace dromos::detail
