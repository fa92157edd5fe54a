// SPDX-License-Identifier: BSD-3-Clause
// The rows of parts: every edge of the graph is on one rank, and stands where sweeps want it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/component_forest.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

#include "part_case.hpp"
#include "part_cases.hpp"

namespace dromos::test {
namespace {

using HostRows = CsrView<LocalVertex, Kokkos::HostSpace>;

/// How often each edge of the whole graph is on this rank. The whole graph's rows are ascending.
template <class Vertex>
std::vector<std::int64_t> count_edges(const CsrView<Vertex, Kokkos::HostSpace>& whole, const HostRows& rows,
                                      const std::vector<Vertex>& numbers) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(whole.num_edges()), 0);
  for (LocalVertex u = 0; u < rows.num_vertices(); ++u) {
    const Vertex source = numbers[u];
    const Vertex* const begin = whole.entries.data() + whole.begin(source);
    const Vertex* const end = whole.entries.data() + whole.end(source);
    for (Offset e = rows.begin(u); e < rows.end(u); ++e) {
      const Vertex target = numbers[rows.neighbor(e)];
      const Vertex* const found = std::lower_bound(begin, end, target);
      if (found == end || *found != target) {
        ADD_FAILURE() << "an edge " << source << " -> " << target << " that the graph has not";
      } else {
        ++counts[static_cast<std::size_t>(found - whole.entries.data())];
      }
    }
  }
  return counts;
}

/// By vertices: own targets, then copies, both ascending. By degree, of an own vertex: delegates, then the others; of
/// a delegate: a few own vertices, delegates, the other own ones.
template <class Vertex>
void expect_order(const PartCase<Vertex>& test, const HostRows& rows, bool is_by_degree) {
  const auto kind = [&](LocalVertex v) { return v < test.part.num_own ? 0 : v < test.part.num_rows() ? 1 : 2; };
  for (LocalVertex u = 0; u < test.part.num_rows(); ++u) {
    for (Offset e = rows.begin(u) + 1; e < rows.end(u); ++e) {
      const LocalVertex before = rows.neighbor(e - 1), v = rows.neighbor(e);
      if (!is_by_degree) {
        ASSERT_LT(before, v) << test.name << ": row " << u;
      } else if (u < test.part.num_own || e - rows.begin(u) > detail::edges_of_root) {
        ASSERT_TRUE(kind(v) != 1 || kind(before) == 1) << test.name << ": row " << u;
      }
    }
  }
}

template <class Vertex>
class GraphPartRows : public ::testing::Test {};
TYPED_TEST_SUITE(GraphPartRows, PartVertexTypes, );

TYPED_TEST(GraphPartRows, HaveEveryEdgeOnceAndInOrder) {
  const Communicator world(MPI_COMM_WORLD);
  for_each_part(world, [&](const ZooGraph& zoo, Offset threshold, std::uint64_t) {
    const PartCase<TypeParam> test(world, zoo, threshold);
    const auto whole = copy_to<Kokkos::HostSpace>(test.whole);
    const auto numbers = to_vector(test.part.numbers);
    const auto rows = copy_to<Kokkos::HostSpace>(test.part.out_edges);
    auto counts = count_edges(whole.view(), rows.view(), numbers);
    sum_in_place(world, counts.data(), static_cast<int>(counts.size()));
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), static_cast<std::ptrdiff_t>(counts.size())) << test.name;
    const bool is_by_degree = threshold != by_vertices && threshold != in_blocks;
    expect_order(test, rows.view(), is_by_degree);
    expect_order(test, copy_to<Kokkos::HostSpace>(test.part.in_edges).view(), is_by_degree);
  });
}

}  // namespace
}  // namespace dromos::test
