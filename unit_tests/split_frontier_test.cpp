// SPDX-License-Identifier: BSD-3-Clause
// The work set of a search separated by degree on CPUs: each of the three ways in which it is filled holds the same
// vertices and knows the same numbers as a loop over all of them finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/distributed/by_degree/split_frontier.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/traverse/find_first.hpp>
#include <string>
#include <vector>

namespace dromos::test {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using HostMemory = Host::memory_space;
using detail::PartWork;
using detail::SplitFrontier;
using detail::SplitRows;

/// Rows of both kinds, many of them empty, and who was found before and is found now.
struct FoundCase {
  std::int64_t n;
  Kokkos::View<std::uint32_t*, HostMemory> row_maps;
  SplitRows<HostMemory> rows;
  Bitmap<HostMemory> before, now;

  /// \param percent  so many are found now
  FoundCase(std::int64_t size, int percent, std::uint64_t seed)
      : n(size),
        row_maps("row_maps", 2 * (size + 1)),
        rows{{row_maps.data()}, Bitmap<HostMemory>(size), Bitmap<HostMemory>(size)},
        before(size),
        now(size) {
    const auto random = [&](std::int64_t v, std::uint64_t what, std::uint64_t below) {
      return CounterRandom(seed).below(below, static_cast<std::uint64_t>(v) * 8 + what);
    };
    for (std::int64_t v = 0; v < n; ++v) {
      const std::uint64_t to_normal = random(v, 0, 3) == 0 ? random(v, 1, 5) : 0;
      const std::uint64_t to_delegate = random(v, 2, 3) != 0 ? random(v, 3, 9) : 0;
      row_maps(2 * v + 2) = row_maps(2 * v) + static_cast<std::uint32_t>(to_normal);
      row_maps(2 * v + 3) = row_maps(2 * v + 1) + static_cast<std::uint32_t>(to_delegate);
      if (to_normal > 0) rows.has_normal.set(v);
      if (to_delegate > 0) rows.has_delegate.set(v);
      if (random(v, 4, 4) == 0) before.set(v);
      if (before.test(v) || static_cast<int>(random(v, 5, 100)) < percent) now.set(v);
    }
  }
  bool is_fresh(std::int64_t v) const { return now.test(v) && !before.test(v); }

  void expect(SplitFrontier<HostMemory>& frontier, const std::string& what) const {
    std::vector<std::int32_t> with_normal, with_delegate;
    std::int64_t count = 0;
    PartWork to_normal, to_delegate;
    for (std::int64_t v = 0; v < n; ++v) {
      if (!is_fresh(v)) continue;
      ++count;
      const auto of = rows.degrees(v);
      to_normal.edges += of.to_normal;
      to_delegate.edges += of.to_delegate;
      if (of.to_normal > 0) with_normal.push_back(static_cast<std::int32_t>(v));
      if (of.to_delegate > 0) with_delegate.push_back(static_cast<std::int32_t>(v));
    }
    EXPECT_EQ(frontier.num_vertices(), count) << what;
    EXPECT_EQ(frontier.empty(), count == 0) << what;
    EXPECT_EQ(frontier.to_normal().edges, to_normal.edges) << what;
    EXPECT_EQ(frontier.to_delegate().edges, to_delegate.edges) << what;
    EXPECT_EQ(frontier.to_normal().sources, static_cast<std::int64_t>(with_normal.size())) << what;
    EXPECT_EQ(frontier.to_delegate().sources, static_cast<std::int64_t>(with_delegate.size())) << what;
    for (const char* const turn : {"", ", again"}) {
      frontier.list_with_normal(Host());
      frontier.list_with_delegate(Host());
      expect_list(frontier.with_normal(), with_normal, to_normal.edges, what + turn);
      expect_list(frontier.with_delegate(), with_delegate, to_delegate.edges, what + turn);
    }
  }

 private:
  static void expect_list(const Frontier<LocalVertex, HostMemory>& list, const std::vector<std::int32_t>& expected,
                          Offset num_edges, const std::string& what) {
    std::vector<std::int32_t> listed(list.queue().data(), list.queue().data() + list.num_vertices());
    std::sort(listed.begin(), listed.end());  // threads list as they come
    EXPECT_EQ(listed, expected) << what;
    EXPECT_EQ(list.num_edges(), num_edges) << what;
  }
};

/// Not a lambda: the sink is one of GPUs as well.
struct FoundVertices {
  const std::int32_t* vertices;
  KOKKOS_FUNCTION std::int32_t operator()(int k) const { return vertices[k]; }
};

template <class F>
void for_each_case(const F& f) {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 300, 511, 512, 513, 2048, 5000}) {
    for (const int percent : {0, 1, 50, 97, 100}) {
      const FoundCase test(n, percent, static_cast<std::uint64_t>(n + percent));
      const FoundCase other(n, 70, 7);  // of what it held before, nothing stays
      SplitFrontier<HostMemory> frontier(test.rows);
      frontier.take_fresh(Host(), other.now, other.before);
      f(test, frontier, std::to_string(n) + " vertices, " + std::to_string(percent) + "%");
    }
  }
}

TEST(SplitFrontier, HoldsWhatJoinsItsSink) {
  for_each_case([](const FoundCase& test, SplitFrontier<HostMemory>& frontier, const std::string& what) {
    const auto sink = frontier.open(Host());
    Kokkos::parallel_for(Kokkos::RangePolicy<Host>(0, (test.n + 2) / 3), [&](const int i) {
      std::int32_t found[3];
      int count = 0;
      for (std::int64_t v = 3 * i; v < std::min<std::int64_t>(3 * i + 3, test.n); ++v) {
        if (test.is_fresh(v)) found[count++] = static_cast<std::int32_t>(v);
      }
      if (count == 1) {
        sink.enqueue(found[0]);
      } else if (count > 1) {
        sink.take(count, FoundVertices{found});
      }
    });
    frontier.collect(Host());
    test.expect(frontier, what);
  });
}

TEST(SplitFrontier, HoldsWhatIsNewInABitmap) {
  for_each_case([](const FoundCase& test, SplitFrontier<HostMemory>& frontier, const std::string& what) {
    frontier.take_fresh(Host(), test.now, test.before);
    test.expect(frontier, what);
  });
}

TEST(SplitFrontier, HoldsWhatIsNewAndWasCountedWhenItWasFound) {
  for_each_case([](const FoundCase& test, SplitFrontier<HostMemory>& frontier, const std::string& what) {
    const auto sink = frontier.open_counting(Host());
    Kokkos::parallel_for(Kokkos::RangePolicy<Host>(0, test.n), [&](const int v) {
      if (test.is_fresh(v)) sink.enqueue(v);
    });
    frontier.take_counted(Host(), test.now, test.before);
    test.expect(frontier, what);
  });
}

TEST(SplitFrontier, IsEmptyWhenCleared) {
  const FoundCase test(100, 50, 1), nothing(100, 0, 1);
  SplitFrontier<HostMemory> frontier(test.rows);
  frontier.take_fresh(Host(), test.now, test.before);
  frontier.clear();
  nothing.expect(frontier, "cleared");
}

}  // namespace
}  // namespace dromos::test
