// SPDX-License-Identifier: BSD-3-Clause
// Own vertices that have joined a work set, told to the ranks that have copies of them: there the copies join, whose
// rows lead to vertices of those ranks. So an edge is swept where its end is at home, and no value of a copy has to
// travel; each vertex is told once, in 4 bytes, where parts of a sum would go to it as often as it has neighbors.
//
//   rank 0 owns 5 and 7, rank 1 has copies of both, its numbers 12 and 13    7 joins: 13 goes to rank 1
//
// Kernels put down what is to be told at the moment the vertex joins, behind what they told before: there is room for
// every copy once, so that nothing is packed and no cursor is set back before the next run of an algorithm.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <vector>

namespace dromos {

namespace detail {

/// A copy on another rank, by its number there.
struct CopyElsewhere {
  std::int32_t rank;
  LocalVertex number;
};

/// Counts the copies of each own vertex.
template <class Memory>
struct CountCopies {
  Kokkos::View<const LocalVertex*, Memory> lent;
  Kokkos::View<Offset*, Memory> count;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { atomic_fetch_add(&count.data()[lent(i)], Offset(1)); }
};

template <class Memory>
struct BeginsOfCopies {
  Kokkos::View<Offset*, Memory> first;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& sum, bool final) const {
    const Offset count = first(v);
    if (final) first(v) = sum;
    sum += count;
  }
};

/// Puts down the copies of one rank behind those that are there; afterwards an element of `next` is where its vertex's
/// end.
template <class Memory>
struct PlaceCopies {
  Kokkos::View<const LocalVertex*, Memory> lent;
  Block block;
  CopyElsewhere first;  ///< of the block
  Kokkos::View<Offset*, Memory> next;
  Kokkos::View<CopyElsewhere*, Memory> copies;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex v = lent(block.offset + i);
    copies(atomic_fetch_add(&next.data()[v], Offset(1))) = {first.rank, static_cast<LocalVertex>(first.number + i)};
  }
};

}  // namespace detail

/// For kernels: told of every vertex of a part that joins, once a run.
template <class Memory>
struct Announcer {
  Kokkos::View<const Offset*, Memory> end;  ///< by own vertex, of its copies, which begin where the one before ends
  Kokkos::View<const detail::CopyElsewhere*, Memory> copies;
  detail::RankCursors<Memory> cursors;
  LocalVertex* outbox;

  /// Delegates are known everywhere.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(LocalVertex v) const {
    if (v >= static_cast<LocalVertex>(end.extent(0))) return;
    const Offset last = end.data()[v];
    for (Offset i = v == 0 ? 0 : end.data()[v - 1]; i < last; ++i) {
      outbox[cursors.take(copies.data()[i].rank)] = copies.data()[i].number;
    }
  }
};

namespace detail {

/// By rank, the number there of the first copy that it has of an own vertex. Collective.
template <class Global, class Memory>
std::vector<std::int64_t> first_copies_elsewhere(const Communicator& communicator,
                                                 const GraphPart<Global, Memory>& part) {
  std::vector<std::int64_t> here;
  for (const Block& block : part.copies) here.push_back(part.num_rows() + block.offset);
  return exchange_counts(communicator, here);
}

/// Of one part.
template <class Space, class Global>
class AnnouncedVertices {
 public:
  using Memory = typename Space::memory_space;

  /// \param first  first_copies_elsewhere()
  AnnouncedVertices(const Space& space, const GraphPart<Global, Memory>& part, const std::vector<std::int64_t>& first)
      : end_("dromos::announced::end", part.num_own),
        copies_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::announced::copies"),
                part.lent_vertices.extent(0)),
        outbox_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::announced::outbox"),
                part.lent_vertices.extent(0)),
        inbox_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::announced::inbox"), part.num_copies),
        cursors_("dromos::announced::cursors", first.size()) {
    using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    const auto num_lent = static_cast<std::int64_t>(part.lent_vertices.extent(0));
    Kokkos::parallel_for("dromos::announced::count", Range(space, 0, num_lent),
                         CountCopies<Memory>{part.lent_vertices, end_});
    Kokkos::parallel_scan("dromos::announced::begins", Range(space, 0, part.num_own), BeginsOfCopies<Memory>{end_});
    for (std::size_t r = 0; r < part.lent.size(); ++r) {
      Kokkos::parallel_for("dromos::announced::place", Range(space, 0, part.lent[r].size),
                           PlaceCopies<Memory>{part.lent_vertices,
                                               part.lent[r],
                                               {static_cast<std::int32_t>(r), static_cast<LocalVertex>(first[r])},
                                               end_,
                                               copies_});
    }
    fence(space, "dromos::announced");
  }

  /// Nothing is told yet.
  void begin(const Space& space, const GraphPart<Global, Memory>& part) {
    told_ = part.lent;
    for (Block& block : told_) block.size = 0;
    num_arrived_ = 0;
    cursors_.put_behind(space, told_);
  }
  Announcer<Memory> announcer() const { return {end_, copies_, cursors_.cursors(), outbox_.data()}; }

  /// What kernels have told each rank since. Waits for them.
  const std::vector<Block>& look(const Space& space) { return told_ = cursors_.written_behind(space, told_); }

  /// Tells it. Collective. What arrived is there for what is enqueued in `space` next.
  ///
  /// \param counts   from each rank
  /// \param longest  of any two ranks
  Kokkos::View<const LocalVertex*, Memory> exchange(const Communicator& communicator, const Space& space,
                                                    const std::vector<std::int64_t>& counts, std::int64_t longest) {
    std::vector<Block> receive;
    const std::int64_t begin = num_arrived_;
    for (const std::int64_t count : counts) {
      receive.push_back({num_arrived_, count});
      num_arrived_ += count;
    }
    alltoallv(communicator, space, outbox_, told_, inbox_, receive, longest);
    return Kokkos::subview(inbox_, Kokkos::make_pair(begin, num_arrived_));
  }

 private:
  Kokkos::View<Offset*, Memory> end_;
  Kokkos::View<CopyElsewhere*, Memory> copies_;
  Kokkos::View<LocalVertex*, Memory> outbox_, inbox_;
  RankCursorsOwner<Space> cursors_;
  std::vector<Block> told_;
  std::int64_t num_arrived_ = 0;
};

/// Does an operator announce who joins?
template <class Operator, class = void>
struct Announces : std::false_type {};
template <class Operator>
struct Announces<Operator, std::enable_if_t<Operator::announces>> : std::true_type {};

}  // namespace detail

}  // namespace dromos
