// SPDX-License-Identifier: BSD-3-Clause
// Sets that ranks call by one of their members get the name of the smallest: whoever owns the member that a set is
// called by learns the numbers of all members, and answers each with the smallest.
//
//   component {2, 5, 9}, called 9: the owner of 9 is told 2 5 9 by the ranks that have those, and answers 2 2 2
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <vector>

namespace dromos::detail {

/// On its way to the owner of what its set is called by.
template <class Global>
struct SetMember {
  std::int64_t name_at_owner;
  Global number;
  LocalVertex vertex;  ///< on the sender
};

template <class Global, class Memory>
struct MembersToOwners {
  Kokkos::View<const LocalVertex*, Memory> list;
  std::int64_t count;
  Kokkos::View<const Global*, Memory> name, numbers;
  Partition1d partition;
  KOKKOS_FUNCTION std::int64_t size() const { return count; }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    const LocalVertex v = list(i);
    const Place place = partition.place(name(v));
    f(place.rank, SetMember<Global>{place.local, numbers(v), v});
  }
};

/// In two passes: any member, then the smallest.
template <class Global, class Memory>
struct FindSmallestMembers {
  Kokkos::View<const SetMember<Global>*, Memory> members;
  Kokkos::View<Global*, Memory> smallest;  ///< by own vertex
  bool begins;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Global* const slot = &smallest(members(i).name_at_owner);
    if (begins) {
      atomic_store(slot, members(i).number);
    } else if (atomic_load(slot) > members(i).number) {
      atomic_fetch_min(slot, members(i).number);
    }
  }
};
template <class Global, class Memory>
struct AnswerMembers {
  Kokkos::View<const SetMember<Global>*, Memory> members;
  Kokkos::View<const Global*, Memory> smallest;
  Kokkos::View<Global*, Memory> answer;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { answer(i) = smallest(members(i).name_at_owner); }
};
template <class Global, class Memory>
struct TakeAnswers {
  Kokkos::View<const SetMember<Global>*, Memory> members;
  Kokkos::View<const Global*, Memory> answer;
  Kokkos::View<Global*, Memory> name;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { name(members(i).vertex) = answer(i); }
};

/// name(v) = the smallest number of a vertex of the same name, for the first `count` vertices of a list; every member
/// of a set is in the list of a rank that has a row of it. Collective.
///
/// \param smallest  memory of a number for each own vertex, sized on first use
template <class Space, class Global, class Memory>
void name_by_smallest(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                      const Kokkos::View<LocalVertex*, Memory>& list, std::int64_t count,
                      const Kokkos::View<Global*, Memory>& name, Kokkos::View<Global*, Memory>& smallest) {
  const ScopedRegion region("dromos::name_by_smallest");
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Member = SetMember<Global>;
  ensure_size(smallest, static_cast<std::size_t>(part.num_own), "dromos::name_by_smallest::smallest");
  const auto asked = sort_by_rank<Member>(
      space, communicator.size(), MembersToOwners<Global, Memory>{list, count, name, part.numbers, part.partition});
  std::vector<std::int64_t> counts;
  for (const Block& block : asked.blocks) counts.push_back(block.size);
  const auto blocks = consecutive_blocks(exchange_counts(communicator, counts));
  const std::int64_t num_members = total_size(blocks);
  const auto members = uninitialized<Member, Memory>("dromos::name_by_smallest::members", num_members);
  alltoallv(communicator, space, asked.items, asked.blocks, members, blocks);
  const Range each(space, 0, num_members);
  for (const bool begins : {true, false}) {
    Kokkos::parallel_for("dromos::name_by_smallest::find", each,
                         FindSmallestMembers<Global, Memory>{members, smallest, begins});
  }
  const auto answer = uninitialized<Global, Memory>("dromos::name_by_smallest::answer", num_members);
  Kokkos::parallel_for("dromos::name_by_smallest::answer", each,
                       AnswerMembers<Global, Memory>{members, smallest, answer});
  const auto answers = uninitialized<Global, Memory>("dromos::name_by_smallest::answers", total_size(asked.blocks));
  alltoallv(communicator, space, answer, blocks, answers, asked.blocks);
  Kokkos::parallel_for("dromos::name_by_smallest::take", Range(space, 0, static_cast<std::int64_t>(answers.extent(0))),
                       TakeAnswers<Global, Memory>{asked.items, answers, name});
  fence(space, "dromos::name_by_smallest");
}

}  // namespace dromos::detail
