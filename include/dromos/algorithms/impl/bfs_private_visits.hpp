// SPDX-License-Identifier: BSD-3-Clause
// A level of the top-down search that has many edges, on a CPU: every thread marks what it finds in a bitmap of its
// own.
//
// With one bitmap for all, nearly every vertex that a thread finds takes the cache line of its bit away from the other
// threads, which then wait for it at their next test. So each thread begins the level with a copy of the visited set,
// tests and sets bits of that copy without atomics, and afterwards the copies are united. A vertex that several threads
// found keeps the parent that was written last, which is as right as the others. The vertices that are new in the union
// are the next frontier, in ascending order: the next level reads their rows almost in order of memory, and their
// levels are written in that order, too.
//
//   visited 0011, thread 0 finds vertex 2, thread 1 finds 2 and 3 (vertex 0 on the right):
//   0111 | 1111 = 1111, and 1111 & ~0011 = 1100 is the next frontier
//
// Copying and uniting is a pass over num_vertices / 8 bytes a thread; a level of few edges is done sooner.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/two_sums.hpp>
#include <dromos/core/types.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/traverse.hpp>

namespace dromos::detail {

/// The memory of such levels, allocated when the first comes: num_vertices / 8 bytes, and as much for every thread.
template <class Memory>
struct PrivateVisits {
  using Word = typename Bitmap<Memory>::Word;

  Kokkos::View<Word**, Kokkos::LayoutRight, Memory> words;  ///< by thread: the words of its bitmap, and some between
  Bitmap<Memory> before;                                    ///< what was visited before the level
  bool up_to_date = false;                                  ///< is every thread's bitmap equal to the visited set?
};

/// Claims unvisited neighbors for one thread.
template <class Space, class Vertex, class Memory>
struct DiscoverPrivately {
  using Words = Bitmap<Memory>;
  using Word = typename Words::Word;

  Kokkos::View<Word**, Kokkos::LayoutRight, Memory> words;
  Kokkos::View<Vertex*, Memory> parent;
  bool with_parents;
  ThreadNumbers<Space> threads;
  Word* mine = nullptr;

  KOKKOS_FUNCTION DiscoverPrivately on_thread() const {
    DiscoverPrivately here = *this;
    here.mine = words.data() + static_cast<std::size_t>(threads.acquire()) * words.extent(1);
    return here;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return ((mine[Words::word_of(v)] >> (static_cast<Word>(v) % Words::bits_per_word)) & 1) == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset e) const {
    if (!may_join(u, v, e)) return false;
    mine[Words::word_of(v)] |= Words::mask(v);
    return true;
  }
  /// Other threads that found v write, too.
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const {
    if (with_parents) atomic_store(&parent.data()[v], u);
  }
};

/// Is a level of so many edges worth the copies? With very many threads they would need too much memory.
template <class Space>
bool worth_private_visits(std::int64_t num_vertices, Offset frontier_edges) {
  if constexpr (is_gpu<Space>) {
    return false;
  } else {
    constexpr int most_threads = 64;  // 8 bytes a vertex
    const int num_threads = ThreadNumbers<Space>().size();
    return num_threads <= most_threads && frontier_edges > num_vertices / 64 * (8 + num_threads);
  }
}

template <class Memory>
struct TouchFirst {
  decltype(PrivateVisits<Memory>::words) words;
  KOKKOS_FUNCTION void operator()(int thread) const {
    for (std::size_t w = 0; w < words.extent(1); ++w) words(thread, w) = 0;
  }
};

template <class Space, class Memory>
void allocate(const Space& space, std::int64_t num_vertices, PrivateVisits<Memory>& visits) {
  using Word = typename Bitmap<Memory>::Word;
  if (visits.before.size() == num_vertices) return;
  visits.before = Bitmap<Memory>(num_vertices, "dromos::bfs::visited_before");
  const std::size_t between = 64 / sizeof(Word);  // two threads' bitmaps share no cache line
  const std::size_t num_words = visits.before.words().extent(0) + between;
  const int num_threads = ThreadNumbers<Space>().size();
  visits.words = decltype(visits.words)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::bfs::private_visits"),
                                        num_threads, num_words);
  const auto words = visits.words;
  advise_huge_pages(words.data(), words.size() * sizeof(Word));
  Kokkos::parallel_for(  // each by its thread, so that it lies in that thread's memory
      "dromos::bfs::first_touch", Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>(space, 0, num_threads),
      TouchFirst<Memory>{words});
}

template <class Memory>
struct CopyVisited {
  decltype(PrivateVisits<Memory>::words) words;
  BitmapWords<Memory> united;
  int num_threads;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    for (int thread = 0; thread < num_threads; ++thread) words(thread, w) = united(w);
  }
};

template <class Graph, class Vertex, class Memory, class Discover>
struct UniteVisits {
  using Word = typename Bitmap<Memory>::Word;
  Graph graph;
  decltype(PrivateVisits<Memory>::words) words;
  BitmapWords<Memory> united, before;
  int num_threads;
  Discover discover;

  KOKKOS_FUNCTION void operator()(std::int64_t w, TwoSums& sums) const {
    const Word old = united(w);
    Word all = old;
    for (int thread = 0; thread < num_threads; ++thread) all |= words(thread, w);
    before(w) = old;
    if (all == old) return;
    united(w) = all;
    for (int thread = 0; thread < num_threads; ++thread) words(thread, w) = all;
    sums.first += static_cast<std::uint64_t>(population_count(all & ~old));
    for (Word rest = all & ~old; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
      sums.second += static_cast<std::uint64_t>(graph.degree(v));
      if (discover.with_levels) discover.level.data()[v] = discover.next_level;
    }
  }
};

/// One level, from `frontier` to `next`. Waits.
///
/// \param visited   in and out
/// \param discover  where the results of the search lie, and the level of what is found
template <class Space, class Graph, class Vertex, class Memory, class Discover>
void traverse_privately(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                        Frontier<Vertex, Memory>& next, const Bitmap<Memory>& visited, PrivateVisits<Memory>& visits,
                        const Discover& discover, const Strategy& strategy) {
  using AllWords = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  allocate(space, visited.size(), visits);
  const auto united = visited.words();
  const auto words = visits.words;
  const std::int64_t num_words = static_cast<std::int64_t>(united.extent(0));
  const int num_threads = static_cast<int>(words.extent(0));
  if (!visits.up_to_date) {
    for_range("dromos::bfs::copy_visited", space, num_words, CopyVisited<Memory>{words, united, num_threads});
  }
  traverse(space, graph, frontier,
           DiscoverPrivately<Space, Vertex, Memory>{words, discover.parent, discover.with_parents, {}}, strategy);
  TwoSums found;
  Kokkos::parallel_reduce(
      "dromos::bfs::unite", AllWords(space, 0, num_words),
      UniteVisits<Graph, Vertex, Memory, Discover>{graph, words, united, visits.before.words(), num_threads, discover},
      Kokkos::Sum<TwoSums>(found));
  visits.up_to_date = true;
  compact_difference(space, visited, visits.before, next.queue());
  next.set_counts(static_cast<std::int64_t>(found.first), static_cast<Offset>(found.second));
}

}  // namespace dromos::detail
