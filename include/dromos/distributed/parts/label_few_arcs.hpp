// SPDX-License-Identifier: BSD-3-Clause
// The end of a distributed algorithm where few arcs are left between the vertices that have no label yet: every rank
// gets all of them and labels their ends for itself. That is two messages among hosts, where one rank that labels for
// all (distributed/parts/label_on_one_rank.hpp) numbers the vertices first, tells the others, and answers.
//
//   arcs left 7 -> 9, 9 -> 7, 9 -> 3: vertices 3 7 9 are places 0 1 2 of a graph of three, whose labels every rank
//   finds to be 3 7 7; vertex 5, which is in no arc, keeps its own number
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/label_on_one_rank.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

namespace dromos::detail {

/// The arcs between two active vertices, as pairs of numbers, the first `most` of them; counts all.
template <class Global, class Memory>
struct ListFewArcs {
  CsrView<LocalVertex, Memory> rows;
  Bitmap<Memory> active;
  Kokkos::View<const Global*, Memory> numbers;
  std::uint64_t most;
  Kokkos::View<Global*, transfer_space<Memory>> arcs;
  std::uint64_t* count;

  KOKKOS_FUNCTION std::uint32_t word(std::int64_t w) const { return active.words()(w); }
  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    for (Offset e = rows.begin(static_cast<LocalVertex>(u)); e < rows.end(static_cast<LocalVertex>(u)); ++e) {
      const LocalVertex v = rows.neighbor(e);
      if (v == u || !active.test(v)) continue;
      const std::uint64_t at = atomic_fetch_add(count, std::uint64_t(1));
      if (at >= most) continue;
      arcs.data()[2 * at] = numbers.data()[u];
      arcs.data()[2 * at + 1] = numbers.data()[v];
    }
  }
};

/// Of active vertices, those that are named get what stands behind their numbers; the numbers ascend.
template <class Global, class Memory>
struct TakeNamed {
  Bitmap<Memory> active;
  Kokkos::View<const Global*, Memory> numbers;
  Kokkos::View<const Global*, Memory> named;  ///< pairs of number and label
  Kokkos::View<Global*, Memory> label;

  KOKKOS_FUNCTION std::uint32_t word(std::int64_t w) const { return active.words()(w); }
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Global wanted = numbers.data()[v];
    const auto size = static_cast<std::int64_t>(named.extent(0) / 2);
    std::int64_t low = 0, high = size;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (named.data()[2 * middle] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < size && named.data()[2 * low] == wanted) label.data()[v] = named.data()[2 * low + 1];
  }
};

/// Reused from call to call.
template <class Global, class Memory>
struct FewArcs {
  /// Of all ranks together, 128 KiB of 32-bit numbers; 0: nothing is labelled like that.
  std::int64_t most = 1 << 14;
  /// Of the graph. More are not looked through for few arcs.
  std::int64_t most_vertices = 1 << 18;
  Kokkos::View<Global*, transfer_space<Memory>> arcs;
  DeviceCounts<Memory> count;
  ReusedBuffer<Memory> named{"dromos::label_few_arcs::named"};
};

/// label(v) of all active vertices becomes what solve() finds, on every rank that has a row of them. Collective.
///
/// \param active  the vertices that are left, also among the copies; `num_active` of all ranks
/// \param label   in: of those vertices, their own numbers
/// \param solve   solve(graph, numbers, labels): rows in host memory, by vertex its number in the whole graph,
///                ascending; fills labels. Every rank calls it with the same graph
/// \returns false, with nothing done, on every rank, where there are more arcs or vertices than `few` says
template <class Global, class Memory, class Space, class Solve>
bool label_few_arcs(const Communicator& communicator, const Space& space, const GraphPart<Global, Memory>& part,
                    const CsrView<LocalVertex, Memory>& rows, const Bitmap<Memory>& active, std::int64_t num_active,
                    const Kokkos::View<Global*, Memory>& label, FewArcs<Global, Memory>& few, const Solve& solve) {
  if (few.most == 0 || num_active > few.most_vertices) return false;
  const ScopedRegion region("dromos::label_few_arcs");
  using OnHost = Kokkos::View<Global*, Kokkos::HostSpace>;
  if (static_cast<std::int64_t>(few.arcs.extent(0)) < 2 * few.most) {
    on_all_ranks(communicator, [&] {
      few.arcs = Kokkos::View<Global*, transfer_space<Memory>>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::label_few_arcs::arcs"), 2 * few.most);
      few.count = DeviceCounts<Memory>(1, "dromos::label_few_arcs::count");
    });
  }
  const std::int64_t num_words = (part.num_rows() + Bitmap<Memory>::bits_per_word - 1) / Bitmap<Memory>::bits_per_word;
  few.count.open(space);
  for_bits("dromos::label_few_arcs::list", space, num_words,
           ListFewArcs<Global, Memory>{rows, active, part.numbers, static_cast<std::uint64_t>(few.most), few.arcs,
                                       few.count.on_device().data()});
  few.count.read(space);
  fence(space, "dromos::label_few_arcs::list");  // the message is about the counts, not about arcs
  std::vector<std::int64_t> sizes = gather_counts(communicator, 2 * static_cast<std::int64_t>(few.count[0]));
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) total += size;
  if (total > 2 * few.most) return false;
  if (total == 0) return true;

  const std::vector<Global> own(few.arcs.data(), few.arcs.data() + 2 * few.count[0]);
  const std::vector<Global> arcs = gather_values(communicator, own, sizes);
  std::vector<Global> ends = arcs;
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const OnHost numbers("dromos::label_few_arcs::numbers", ends.size());
  std::copy(ends.begin(), ends.end(), numbers.data());
  const OnHost source("dromos::label_few_arcs::source", arcs.size() / 2);
  const OnHost target("dromos::label_few_arcs::target", arcs.size() / 2);
  const auto place = [&](Global number) {
    return static_cast<Global>(std::lower_bound(ends.begin(), ends.end(), number) - ends.begin());
  };
  for (std::size_t i = 0; i < arcs.size(); ++i) (i % 2 == 0 ? source : target)(i / 2) = place(arcs[i]);
  const OnHost labels("dromos::label_few_arcs::labels", ends.size());
  solve(rows_of_arcs<Global>(static_cast<std::int64_t>(ends.size()), source, target), numbers, labels);

  std::vector<Global> named;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (labels(i) != ends[i]) named.insert(named.end(), {ends[i], labels(i)});
  }
  if (named.empty()) return true;
  const auto there = few.named.template of<Global>(static_cast<std::int64_t>(named.size()));
  Kokkos::deep_copy(there, Kokkos::View<const Global*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                               named.data(), named.size()));
  for_bits("dromos::label_few_arcs::take", space, num_words,
           TakeNamed<Global, Memory>{active, part.numbers, there, label});
  fence(space, "dromos::label_few_arcs");
  return true;
}

}  // namespace dromos::detail
