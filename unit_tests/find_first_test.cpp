// SPDX-License-Identifier: BSD-3-Clause
// find_first() against a loop on the host: rows of any length, whoever looks, wherever what is found goes.
#include <dromos/traverse/find_first.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/transfer.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <random>
#include <string>
#include <vector>

#include "view_tools.hpp"

// Not without a name: kernels are instantiated with what is in it.
namespace find_first_test {

using dromos::Bitmap;
using dromos::CountingSink;
using dromos::CsrView;
using dromos::Frontier;
using dromos::Looking;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

using Bools = std::vector<bool>;

Bitmap<Memory> to_bitmap(const Bools& bits) {
  const Bitmap<Memory> bitmap(static_cast<std::int64_t>(bits.size()));
  const auto host = Kokkos::create_mirror_view(bitmap.words());
  for (std::size_t i = 0; i < bits.size(); ++i) host(i / 32) |= bits[i] ? Bitmap<Memory>::mask(i) : 0u;
  Kokkos::deep_copy(bitmap.words(), host);
  return bitmap;
}

Bools to_bools(const Bitmap<Memory>& bitmap) {
  const auto words = to_vector(bitmap.words());
  Bools bits(static_cast<std::size_t>(bitmap.size()));
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = (words[i / 32] & Bitmap<Memory>::mask(i)) != 0;
  return bits;
}

template <class Vertex>
using Rows = std::vector<std::vector<Vertex>>;

/// Notes what it is told.
template <class Vertex>
struct Note {
  Bitmap<Memory> holding;
  Kokkos::View<int*, Memory> times;
  Kokkos::View<Vertex*, Memory> end;

  KOKKOS_FUNCTION bool holds(Vertex, Vertex v) const { return holding.test(v); }
  KOKKOS_FUNCTION void found(Vertex u, Vertex v) const {
    Kokkos::atomic_fetch_add(&times(u), 1);
    end(u) = v;
  }
};

/// And of whom it is told that they found nothing.
template <class Vertex>
struct NoteMissing : Note<Vertex> {
  Kokkos::View<int*, Memory> missing;
  bool tells_not_found = true;

  explicit NoteMissing(const Note<Vertex>& note) : Note<Vertex>(note), missing("missing", note.times.extent(0)) {}
  KOKKOS_FUNCTION void not_found(Vertex u) const { missing(u) = 1; }
};

/// Rows of 0, 1, 2, ... neighbors, of which some are longer than any group, chunk or team of threads.
template <class Vertex>
Rows<Vertex> rows_of_any_length(std::size_t num_vertices, std::mt19937& random) {
  Rows<Vertex> rows(num_vertices);
  for (std::size_t u = 0; u < num_vertices; ++u) {
    const std::size_t length = u % 41 == 40 ? 9000 + u : u % 13 == 12 ? 250 + u % 20 : u % 13;
    for (std::size_t i = 0; i < length; ++i) rows[u].push_back(static_cast<Vertex>(random() % num_vertices));
  }
  return rows;
}

/// What there is to find.
template <class Vertex>
struct Case {
  Rows<Vertex> rows;
  Bools could, done, holding;
  dromos::CsrGraph<Vertex, Memory> graph;

  Case(const Rows<Vertex>& all_rows, std::mt19937& random, double part_holding)
      : rows(all_rows), graph(dromos::test::make_graph(rows)) {
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t u = 0; u < rows.size(); ++u) {
      could.push_back(uniform(random) < 0.8);
      done.push_back(uniform(random) < 0.3);
      holding.push_back(uniform(random) < part_holding);
    }
  }

  bool looks(std::size_t u) const { return could[u] && !done[u]; }
  bool finds(std::size_t u) const {
    return looks(u) && std::any_of(rows[u].begin(), rows[u].end(), [&](Vertex v) { return holding[v]; });
  }
  std::vector<Vertex> finders() const {
    std::vector<Vertex> all;
    for (std::size_t u = 0; u < rows.size(); ++u) {
      if (finds(u)) all.push_back(static_cast<Vertex>(u));
    }
    return all;
  }
  Offset edges_of_finders() const {
    Offset sum = 0;
    for (const Vertex u : finders()) sum += static_cast<Offset>(rows[u].size());
    return sum;
  }
  Note<Vertex> note() const {
    return {to_bitmap(holding), Kokkos::View<int*, Memory>("times", rows.size()),
            Kokkos::View<Vertex*, Memory>("end", rows.size())};
  }

  void expect_found(const Note<Vertex>& note, const Bitmap<Memory>& after) const {
    const auto times = to_vector(note.times);
    const auto end = to_vector(note.end);
    const Bools bits = to_bools(after);
    for (std::size_t u = 0; u < rows.size(); ++u) {
      ASSERT_EQ(times[u], finds(u) ? 1 : 0) << "vertex " << u << " of " << rows[u].size() << " neighbors";
      ASSERT_EQ(bits[u], done[u] || finds(u)) << "vertex " << u;
      if (!finds(u)) continue;
      const auto holds = [&](Vertex v) { return bool(holding[v]); };
      ASSERT_TRUE(holds(end[u]));
      if (dromos::is_gpu<Space>) {  // one of the first few
        ASSERT_NE(std::find(rows[u].begin(), rows[u].end(), end[u]), rows[u].end());
      } else {
        ASSERT_EQ(end[u], *std::find_if(rows[u].begin(), rows[u].end(), holds));
      }
    }
  }
};

template <class Vertex>
class FindFirst : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(FindFirst, VertexTypes, );

TYPED_TEST(FindFirst, FindsInRowsOfAnyLengthIntoEverySink) {
  using View = CsrView<TypeParam, Memory>;
  std::mt19937 random(1);
  for (const std::size_t n : {0, 1, 31, 32, 33, 255, 256, 257, 700}) {
    const auto rows = rows_of_any_length<TypeParam>(n, random);
    for (const double part_holding : {0.0, 0.001, 0.05, 0.5, 1.0}) {
      SCOPED_TRACE(std::to_string(n) + " vertices, of which hold " + std::to_string(part_holding));
      const Case<TypeParam> test(rows, random, part_holding);
      const View view = test.graph.view();
      const auto could = to_bitmap(test.could);

      const Bitmap<Memory> after(static_cast<std::int64_t>(n));
      auto note = test.note();
      find_first(Space(), view, dromos::looking<TypeParam>(could, to_bitmap(test.done), after), dromos::NoSink{}, note);
      test.expect_found(note, after);
      if (this->HasFatalFailure()) return;

      const auto done = to_bitmap(test.done);  // and here who found joins it
      const auto in_place = dromos::looking<TypeParam>(could, done, done);
      Frontier<TypeParam, Memory> joined(static_cast<std::int64_t>(n), test.graph.num_edges());
      note = test.note();
      find_first(Space(), view, in_place, joined.open(Space(), view, false), note);
      joined.collect(Space());
      test.expect_found(note, done);
      if (this->HasFatalFailure()) return;
      auto list = to_vector(joined.queue(), static_cast<std::size_t>(joined.num_vertices()));
      std::sort(list.begin(), list.end());
      EXPECT_EQ(list, test.finders());
      EXPECT_EQ(joined.num_edges(), test.edges_of_finders());

      dromos::DeviceCounts<Memory> counts(3, "counts");
      counts.open(Space());
      note = test.note();
      find_first(Space(), view, dromos::looking<TypeParam>(could, to_bitmap(test.done), after),
                 CountingSink<View, false>{view, counts.on_device().data()}, note);
      counts.read(Space());
      test.expect_found(note, after);
      EXPECT_EQ(counts[0], test.finders().size());
      EXPECT_EQ(counts[1], static_cast<std::uint64_t>(test.edges_of_finders()));
    }
  }
}

/// Of a hub only the last neighbor holds; others of its word are short, and one of them finds nothing in a long row.
TYPED_TEST(FindFirst, LooksThroughAHubToItsLastNeighbor) {
  std::mt19937 random(2);
  for (const std::size_t hub : {std::size_t(0), std::size_t(77), std::size_t(299)}) {
    Rows<TypeParam> rows(300);
    for (std::size_t u = 0; u < rows.size(); ++u) rows[u] = {static_cast<TypeParam>(u)};
    rows[hub].assign(60000, static_cast<TypeParam>(5));
    rows[150].assign(60000, static_cast<TypeParam>(5));
    rows[hub].push_back(9);
    Case<TypeParam> test(rows, random, 0);
    test.could.assign(300, true);
    test.done.assign(300, false);
    test.holding[9] = true;
    const Bitmap<Memory> after(300);
    const auto note = test.note();
    find_first(Space(), test.graph.view(),
               dromos::looking<TypeParam>(to_bitmap(test.could), to_bitmap(test.done), after), dromos::NoSink{}, note);
    test.expect_found(note, after);
    EXPECT_EQ(test.finders().size(), 2u);  // and 9 itself
  }
}

/// Whether they could look or not; with warps of some that find, too, before they do.
TYPED_TEST(FindFirst, TellsWhoIsNotDoneAfterwards) {
  std::mt19937 random(4);
  for (const std::size_t n : {1, 31, 32, 33, 500, 777}) {
    const Case<TypeParam> test(rows_of_any_length<TypeParam>(n, random), random, 0.05);
    const std::int64_t num_words = (static_cast<std::int64_t>(n) + 31) / 32;
    for (const std::int64_t begin : {std::int64_t(0), num_words / 2}) {
      NoteMissing<TypeParam> note(test.note());
      const auto done = to_bitmap(test.done);
      const auto part = dromos::looking<TypeParam>(to_bitmap(test.could), done, done).part(begin, num_words);
      for (const bool tells : {false, true}) {
        note.tells_not_found = tells;
        find_first(Space(), test.graph.view(), part, dromos::NoSink{}, note);
        const auto missing = to_vector(note.missing);
        const Bools is_done = to_bools(done);
        for (std::size_t u = 0; u < n; ++u) {
          const bool told = tells && static_cast<std::int64_t>(u) >= 32 * begin && !is_done[u];
          if (dromos::is_gpu<Space> && is_done[u]) continue;
          ASSERT_EQ(missing[u], told ? 1 : 0) << "vertex " << u << " of " << n;
        }
      }
    }
  }
}

/// Vertices of one part of the bitmaps look, and those of the others neither look nor are touched.
TYPED_TEST(FindFirst, LooksInAPartOfTheBitmaps) {
  std::mt19937 random(3);
  const auto rows = rows_of_any_length<TypeParam>(500, random);
  for (std::int64_t begin = 0; begin <= 16; begin += 5) {
    for (std::int64_t end = begin; end <= 16; ++end) {
      Case<TypeParam> test(rows, random, 0.2);
      const auto all = dromos::looking<TypeParam>(to_bitmap(test.could), to_bitmap(test.done), to_bitmap(test.done));
      auto in_place = all;
      in_place.after = in_place.done;
      const auto part = in_place.part(begin, end);
      std::uint64_t num_looking = 0, num_edges = 0;
      for (std::size_t u = 0; u < rows.size(); ++u) {
        if (static_cast<std::int64_t>(u) < begin * 32 || static_cast<std::int64_t>(u) >= end * 32) {
          test.could[u] = false;  // as the oracle sees it
        } else if (test.looks(u)) {
          ++num_looking;
          num_edges += rows[u].size();
        }
      }
      const auto looking = count_looking(Space(), test.graph.view(), part);
      EXPECT_EQ(looking.first, num_looking);
      EXPECT_EQ(looking.second, num_edges);
      const auto note = test.note();
      find_first(Space(), test.graph.view(), part, dromos::NoSink{}, note);
      Bitmap<Memory> after(500);
      Kokkos::deep_copy(after.words(), in_place.done);
      test.expect_found(note, after);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// Holds what is done: by itself a search without levels.
template <class Vertex>
struct HoldsDone {
  Bitmap<Memory> done;
  KOKKOS_FUNCTION bool holds(Vertex, Vertex v) const { return done.test(v); }
  KOKKOS_FUNCTION void found(Vertex, Vertex) const {}
};

/// The same of whichever bitmap is the one of a sweep.
template <class Vertex>
struct HoldsDoneNow {
  const typename Bitmap<Memory>::Word* done;
  KOKKOS_FUNCTION bool holds(Vertex, Vertex v) const {
    return (done[Bitmap<Memory>::word_of(v)] & Bitmap<Memory>::mask(v)) != 0;
  }
  KOKKOS_FUNCTION void found(Vertex, Vertex) const {}
  KOKKOS_FUNCTION void begin_several() {}
  KOKKOS_FUNCTION void go_on(const typename Bitmap<Memory>::Word* now) { done = now; }
};

TYPED_TEST(FindFirst, WhatIsFoundServesWhoLooksLater) {
  constexpr std::size_t n = 2000;
  std::mt19937 random(4);
  Rows<TypeParam> rows(n);
  for (std::size_t u = 1; u < n; ++u) {  // every vertex can reach a smaller one; those of the last part only each other
    for (int i = 0; i < 3; ++i) {
      rows[u].push_back(static_cast<TypeParam>(u < 1900 ? random() % u : 1900 + random() % 100));
    }
  }
  const auto graph = dromos::test::make_graph(rows);
  Bools done(n, false);
  done[0] = true;
  const auto reached = to_bitmap(done);
  const auto who = dromos::looking<TypeParam>(to_bitmap(Bools(n, true)), reached, reached);
  int sweeps = 0;
  for (std::uint64_t left = n, before = 0; left != before; ++sweeps) {
    const Bools old = to_bools(reached);
    before = left;
    find_first(Space(), graph.view(), who, dromos::NoSink{}, HoldsDone<TypeParam>{reached});
    left = count_looking(Space(), graph.view(), who).first;
    const Bools now = to_bools(reached);
    for (std::size_t u = 0; u < n; ++u) {
      const bool has_done = std::any_of(rows[u].begin(), rows[u].end(), [&](TypeParam v) { return bool(old[v]); });
      ASSERT_TRUE(now[u] || !(old[u] || has_done)) << "sweep " << sweeps << ", vertex " << u;
    }
  }
  Bools expected(n, true);
  std::fill(expected.begin() + 1900, expected.end(), false);
  EXPECT_EQ(to_bools(reached), expected);
  if constexpr (!dromos::is_gpu<Space>) {
    EXPECT_LT(sweeps, 20);
  }
}

/// Rows as few as are tried at once, some more, and more than a few threads look at together: of vertices that follow
/// each other, and some of any.
template <class Vertex>
Rows<Vertex> rows_of_all_lengths(std::size_t n) {
  std::mt19937 random(5);
  Rows<Vertex> rows(n);
  for (std::size_t u = 0; u < n; ++u) {
    const std::size_t first = u / 100 * 100;
    const int degree = u % 11 == 0 ? 1 : u % 11 == 1 ? 2 : u % 997 == 3 ? 700 : 3;
    for (int i = 0; i < degree; ++i) {
      rows[u].push_back(static_cast<Vertex>(u % 50 == 7 ? random() % n : (first + random() % 200) % n));
    }
  }
  rows[4321].clear();
  return rows;
}

/// A search of nothing but backward levels, each from what the one before left.
TYPED_TEST(FindFirst, AgainAndAgainFindsLevelByLevel) {
  constexpr std::size_t n = 5000;
  const auto rows = rows_of_all_lengths<TypeParam>(n);
  const auto graph = dromos::test::make_graph(rows);
  auto scratch = dromos::detail::prepare_find_again(Space(), graph.view(), graph.view());
  const Bitmap<Memory> could(n);
  EXPECT_EQ(mark_vertices_with_edges(Space(), graph.view(), could), static_cast<std::int64_t>(n - 1));
  const Kokkos::View<TypeParam*, Memory> queues[] = {Kokkos::View<TypeParam*, Memory>("found", n),
                                                     Kokkos::View<TypeParam*, Memory>("found", n)};
  // Never forward again, so that a GPU goes on as long as there is something to find.
  dromos::DirectionRule backward(dromos::DirectionOptions{0.5, 0});
  ASSERT_TRUE(backward.turns({1000, 1000, 1}));
  // Few are left from the beginning, or once half of the edges are; then one launch goes on for several levels.
  const auto few_left = [](std::int64_t few) {
    dromos::DirectionRule rule(dromos::DirectionOptions{0.5, 0}, 0, few);
    EXPECT_TRUE(rule.turns({1000, 1000, 1}));
    return rule;
  };
  const Offset num_edges = graph.num_edges();
  for (int search = 0; search < 6; ++search) {
    SCOPED_TRACE("search " + std::to_string(search));
    const bool goes_on = search % 2 != 0 || search == 4;
    const bool in_one_launch = search >= 4;
    const dromos::DirectionRule rule = in_one_launch ? few_left(search == 4 ? num_edges : num_edges / 8) : backward;
    int num_ahead = 0, num_made = 0;
    std::size_t queue_of_launch = 0;
    scratch.start();
    Bools expected(n, false);
    expected[10] = true;
    Bitmap<Memory> visited = to_bitmap(expected), before(n);
    for (;;) {
      Bools next = expected;
      std::vector<TypeParam> fresh;
      Offset edges_looking = 0, edges_found = 0, looked_at = 0;
      std::int64_t num_looking = 0;
      for (std::size_t u = 0; u < n; ++u) {
        if (expected[u]) continue;
        edges_looking += static_cast<Offset>(rows[u].size());
        num_looking += rows[u].empty() ? 0 : 1;
        const auto first = std::find_if(rows[u].begin(), rows[u].end(), [&](TypeParam v) { return bool(expected[v]); });
        next[u] = first != rows[u].end();
        looked_at += (first - rows[u].begin()) + (next[u] ? 1 : 0);
        if (!next[u]) continue;
        fresh.push_back(static_cast<TypeParam>(u));
        edges_found += static_cast<Offset>(rows[u].size());
      }
      if constexpr (dromos::host_accessible<Memory>) {
        const auto who = dromos::looking<TypeParam>(could, visited, visited);
        const double asked =
            would_look_at(graph.view(), who, num_looking, edges_looking, 64, HoldsDone<TypeParam>{visited});
        EXPECT_LE(asked, 4.0 * static_cast<double>(looked_at));
        EXPECT_GE(asked, 0.25 * static_cast<double>(looked_at));
      }
      dromos::detail::SweepAhead when;
      when.rule = rule;
      when.work = {0, edges_looking, num_looking};
      when.most_fused_vertices = search == 3 ? 3 : -1;
      when.most_fused_edges = 100;
      const auto after_that = [&](const auto& make_operator) {
        return dromos::detail::GoesOnBackward{true, when, queues[(queue_of_launch + 1) % 2], make_operator};
      };
      if (!scratch.is_made()) queue_of_launch = (queue_of_launch + 1) % 2;
      const auto& found = queues[queue_of_launch];
      num_made += scratch.is_made() ? 1 : 0;
      const HoldsDone<TypeParam> holds{visited};
      const HoldsDoneNow<TypeParam> holds_now{visited.words().data()};
      const dromos::detail::NothingBehind nothing;
      const auto counts =
          in_one_launch
              ? find_first_again(Space(), graph.view(), graph.view(), scratch, could, visited, before, found,
                                 edges_looking, holds_now, nothing, after_that([](const Bitmap<Memory>& asked) {
                                   return HoldsDoneNow<TypeParam>{asked.words().data()};
                                 }))
          : goes_on
              ? find_first_again(Space(), graph.view(), graph.view(), scratch, could, visited, before, found,
                                 edges_looking, holds, nothing,
                                 after_that([](const Bitmap<Memory>& asked) { return HoldsDone<TypeParam>{asked}; }))
              : find_first_again(Space(), graph.view(), graph.view(), scratch, could, visited, before, found,
                                 edges_looking, holds);
      num_ahead += scratch.next_runs ? 1 : 0;
      // Of few found, whose edges are few, the search would choose something else.
      const bool few = counts.num_found <= when.most_fused_vertices && counts.edges_found <= when.most_fused_edges;
      EXPECT_FALSE(scratch.next_runs && (fresh.empty() || (few && !in_one_launch)));
      EXPECT_EQ(counts.looked_at, dromos::host_accessible<Memory> ? looked_at : 0);
      EXPECT_EQ(counts.num_found, static_cast<std::int64_t>(fresh.size()));
      EXPECT_EQ(counts.edges_found, edges_found);
      // A launch of several sweeps may have gone on already.
      const bool settled = !(in_one_launch && scratch.next_runs);
      if (settled) {
        EXPECT_EQ(to_bools(visited), next);
      }
      if (settled && scratch.found_listed) {
        auto list = to_vector(found, fresh.size());
        std::sort(list.begin(), list.end());
        EXPECT_EQ(list, fresh);
      } else if (settled) {
        EXPECT_EQ(to_bools(before), expected);
      }
      if (fresh.empty() || this->HasFailure()) break;
      expected = next;
    }
    if (goes_on && dromos::has_warps<Space>) {
      EXPECT_GT(num_ahead, 1);
    } else {
      EXPECT_EQ(num_ahead, 0);
    }
    if (in_one_launch && dromos::has_warps<Space>) {
      EXPECT_GT(num_made, 1);
    } else {
      EXPECT_EQ(num_made, 0);
    }
  }
}

/// The same, where other sweeps visit vertices between these, and the host learns afterwards who is left.
TYPED_TEST(FindFirst, OfThoseLeftFindsLevelByLevel) {
  constexpr std::size_t n = 5000;
  const auto rows = rows_of_all_lengths<TypeParam>(n);
  const auto graph = dromos::test::make_graph(rows);
  const auto likely = dromos::detail::find_likely_ends(Space(), graph.view(), graph.view());
  const Bitmap<Memory> could(n);
  mark_vertices_with_edges(Space(), graph.view(), could);
  dromos::detail::LeftVertices<TypeParam, Memory> left(n);
  for (int search = 0; search < 2; ++search) {
    SCOPED_TRACE("search " + std::to_string(search));
    left.listed = false;
    Bools expected(n, false);
    expected[10] = true;
    for (std::size_t other = 0;; other += 3) {
      expected[other] = true;
      Bools next = expected;
      std::int64_t num_left = 0;
      for (std::size_t u = 0; u < n; ++u) {
        if (expected[u] || rows[u].empty()) continue;
        next[u] = std::any_of(rows[u].begin(), rows[u].end(), [&](TypeParam v) { return bool(expected[v]); });
        num_left += next[u] ? 0 : 1;
      }
      const auto before = to_bitmap(expected), visited = to_bitmap(expected);
      const Kokkos::View<std::uint64_t*, Memory> counter("left", 1);
      dromos::detail::find_first_left(Space(), graph.view(), likely,
                                      dromos::looking<TypeParam>(could, visited, visited), left, counter.data(),
                                      dromos::NoSink{}, HoldsDone<TypeParam>{before});
      ASSERT_EQ(to_bools(visited), next) << "vertex " << other;
      left.size = static_cast<std::int64_t>(to_vector(counter)[0]);
      if constexpr (dromos::is_gpu<Space>) {
        ASSERT_EQ(left.size, num_left) << "vertex " << other;
      }
      if (next == expected) break;
      expected = next;
    }
  }
}

/// One vertex of every word looks, so that a sample of as many is all of them; and of fewer, the first of each part.
TYPED_TEST(FindFirst, ASampleSaysWhatASweepLooksAt) {
  if constexpr (dromos::host_accessible<Memory>) {
    constexpr std::size_t num_words = 40, n = num_words * 32;
    std::vector<std::vector<TypeParam>> rows(n);
    Bools could(n, false), done(n, false);
    Offset looked_at = 0, edges = 0;
    for (std::size_t w = 0; w < num_words; ++w) {
      const std::size_t u = 32 * w + w % 31;
      could[u] = true;
      rows[u].assign(w % 5 + 1, static_cast<TypeParam>(31));
      if (w % 3 == 0) rows[u][w % 5] = static_cast<TypeParam>(63);  // at the last of all finds what holds
      looked_at += static_cast<Offset>(rows[u].size());
      if (w % 2 == 0) rows[u].insert(rows[u].end(), w % 3 == 0 ? 7 : 0, static_cast<TypeParam>(95));
      edges += static_cast<Offset>(rows[u].size());
    }
    done[63] = true;
    const auto graph = dromos::test::make_graph(rows);
    const Bitmap<Memory> who = to_bitmap(could), found = to_bitmap(done);
    const auto ask = [&](std::int64_t num_looking, Offset edges_looking, std::int64_t num_samples) {
      return would_look_at(graph.view(), dromos::looking<TypeParam>(who, found, found), num_looking, edges_looking,
                           num_samples, HoldsDone<TypeParam>{found});
    };
    EXPECT_DOUBLE_EQ(ask(num_words, 0, num_words), static_cast<double>(looked_at));
    EXPECT_DOUBLE_EQ(ask(0, edges, num_words), static_cast<double>(looked_at));
    EXPECT_DOUBLE_EQ(ask(num_words, edges, 1000), static_cast<double>(looked_at));  // parts of no words
    EXPECT_DOUBLE_EQ(ask(8, 0, 1), 8.0);                                            // the first has one edge
  }
}

}  // namespace find_first_test
