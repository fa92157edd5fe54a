// SPDX-License-Identifier: BSD-3-Clause
// How many components a distributed graph has, and how large they are: a component is counted by the owner of the
// vertex it is called by. Who has members of another rank's component adds them up a tile of rows at a time and tells
// of the sums, so that neither a counter nor a message stands for a single member of a large component.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/graph/partition_1d.hpp>

namespace dromos::detail {

/// Members of a component that a rank has, on their way to the owner of the vertex it is called by.
struct MemberCount {
  std::int64_t local;
  std::int64_t count;
};

/// The rows of a part by what they are members of, a tile at a time.
template <class Space, class Global, class Memory>
struct MembersOfParts {
  using Tiles = LabelTiles<is_gpu<Space>>;
  Kokkos::View<const Global*, Memory> label, numbers;
  Bitmap<Memory> counted;
  Partition1d partition;
  std::int64_t num_own, num_rows;

  KOKKOS_FUNCTION std::int64_t num_tiles() const { return Tiles::num_tiles(num_rows); }
  /// f(place, count) of the vertices that components of others' members of this tile are called by.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(std::int64_t tile, const F& f) const {
    Tiles::template add_up<Global>(
        tile, num_rows, [&](std::int64_t v) { return is_called_by_another(v) ? label(v) : Global(no_vertex<Global>); },
        [&](Global name, std::int64_t count) { f(partition.place(name), count); });
  }
  KOKKOS_FORCEINLINE_FUNCTION bool calls_its_own(std::int64_t v) const {
    return v < num_own && counted.test(v) && label(v) == numbers(v);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool is_called_by_another(std::int64_t v) const {
    return counted.test(v) && !calls_its_own(v);
  }
};

/// Adds members to those components that are called by own vertices.
template <class Space, class Global, class Memory>
struct CountOwnMembers {
  MembersOfParts<Space, Global, Memory> members;
  int rank;
  Kokkos::View<std::int64_t*, Memory> size;

  KOKKOS_FUNCTION void operator()(std::int64_t tile) const {
    members.each(tile, [&](const Place& place, std::int64_t count) {
      if (place.rank == rank) atomic_fetch_add(&size(place.local), count);
    });
  }
};

template <class Space, class Global, class Memory>
struct CountNames {
  MembersOfParts<Space, Global, Memory> members;
  Kokkos::View<std::int64_t*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { size(v) = members.calls_its_own(v); }
};

/// Tells the others of their components.
template <class Space, class Global, class Memory>
struct CountsToOwners {
  MembersOfParts<Space, Global, Memory> members;
  int rank;

  KOKKOS_FUNCTION std::int64_t size() const { return members.num_tiles(); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t tile, const F& f) const {
    members.each(tile, [&](const Place& place, std::int64_t count) {
      if (place.rank != rank) f(place.rank, MemberCount{place.local, count});
    });
  }
};

template <class Memory>
struct AddMembers {
  Kokkos::View<const MemberCount*, Memory> arrived;
  Kokkos::View<std::int64_t*, Memory> size;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { atomic_fetch_add(&size(arrived(i).local), arrived(i).count); }
};

/// As summarize_components(), of labels of all ranks. Collective. Memory: 8 bytes for each own vertex, and on the way
/// 16 for each component of another rank that a tile of rows has members of.
template <class Space, class Global, class Memory>
ComponentSummary summarize_part_components(const Communicator& communicator, const Space& space,
                                           const GraphPart<Global, Memory>& part,
                                           const Kokkos::View<Global*, Memory>& label) {
  const auto size = uninitialized<std::int64_t, Memory>("dromos::component_summary::size", part.num_own);
  const MembersOfParts<Space, Global, Memory> members{label,          part.numbers, part.counted,
                                                      part.partition, part.num_own, part.num_rows()};
  for_range("dromos::component_summary::names", space, part.num_own, CountNames<Space, Global, Memory>{members, size});
  for_range("dromos::component_summary::count", space, members.num_tiles(),
            CountOwnMembers<Space, Global, Memory>{members, part.rank, size});
  const Kokkos::View<const MemberCount*, Memory> arrived =
      ship<MemberCount>(communicator, space, CountsToOwners<Space, Global, Memory>{members, part.rank}).items;
  for_range("dromos::component_summary::add", space, arrived.extent(0), AddMembers<Memory>{arrived, size});
  const ComponentSummary mine = summarize_sizes(space, size);
  std::int64_t sums[2] = {mine.num_components, mine.num_nontrivial};
  sum_in_place(communicator, sums, 2);
  return {sums[0], sums[1], max(communicator, mine.largest_component)};
}

}  // namespace dromos::detail
