// SPDX-License-Identifier: BSD-3-Clause
// Rows by the threads that take them together: every edge once, and votes that keep their order.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/graph/for_rows.hpp>
#include <vector>

#include "view_tools.hpp"

namespace dromos::test {
namespace {

/// Puts the edges of each row whose numbers are no multiples of three first, in order, and the others behind them.
struct PartEdges {
  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<Offset*, Memory> to;
  Kokkos::View<int*, Memory> visits;  ///< by edge

  KOKKOS_FUNCTION static bool is_first(Offset e) { return e % 3 != 0; }
  KOKKOS_FUNCTION void operator()(std::int64_t u, const Lanes<Space>& lanes) const {
    const Offset begin = row_map(u), end = row_map(u + 1);
    std::int64_t num_first = 0;
    for (Offset e = begin + lanes.lane; e < end; e += lanes.width) {
      atomic_fetch_add(&visits(e), 1);
      num_first += is_first(e);
    }
    Offset first_to = begin, other_to = begin + lanes.sum(num_first);
    for (Offset e = begin + lanes.lane; e - lanes.lane < end; e += lanes.width) {
      const bool first = e < end && is_first(e), other = e < end && !first;
      const std::uint32_t firsts = lanes.votes(first), others = lanes.votes(other);
      if (first) to(first_to + lanes.before(firsts)) = e;
      if (other) to(other_to + lanes.before(others)) = e;
      first_to += lanes.count(firsts);
      other_to += lanes.count(others);
    }
  }
};

TEST(ForRows, TakesEveryEdgeOnceAndKeepsItsOrder) {
  std::vector<Offset> row_map = {0};
  for (int turn = 0; turn < 40; ++turn) {
    for (const Offset degree : {0, 1, 2, 31, 32, 33, 64, 100, turn == 20 ? 50'000 : 3}) {
      row_map.push_back(row_map.back() + degree);
    }
  }
  const std::int64_t num_rows = static_cast<std::int64_t>(row_map.size()) - 1;
  const Kokkos::View<Offset*, Memory> to("to", row_map.back());
  const Kokkos::View<int*, Memory> visits("visits", row_map.back());
  for_rows("for_rows_test", Space(), num_rows, PartEdges{to_view(row_map), to, visits});
  fence(Space(), "for_rows_test");
  EXPECT_EQ(to_vector(visits), std::vector<int>(static_cast<std::size_t>(row_map.back()), 1));
  std::vector<Offset> expected;
  for (std::int64_t u = 0; u < num_rows; ++u) {
    for (const bool first : {true, false}) {
      for (Offset e = row_map[u]; e < row_map[u + 1]; ++e) {
        if (PartEdges::is_first(e) == first) expected.push_back(e);
      }
    }
  }
  EXPECT_EQ(to_vector(to), expected);
}

TEST(ForRows, NoRowsAreNoWork) {
  const Kokkos::View<Offset*, Memory> nothing;
  for_rows("for_rows_test", Space(), 0, PartEdges{nothing, nothing, {}});
}

}  // namespace
}  // namespace dromos::test
