// SPDX-License-Identifier: BSD-3-Clause
// Whole algorithms on graphs of more than 2^32 arcs, without the time or, on a host, the memory that these take: the
// first vertex has almost all of them, so that every other row begins beyond 2^32, and no search comes to it. What is
// never written of its row, the system does not provide.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/degree_stats.hpp>
#include <dromos/validate/reference.hpp>
#include <exception>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::CsrGraph;
using dromos::Level;
using dromos::Offset;
using dromos::test::Memory;
using dromos::test::Space;
using dromos::test::to_vector;

template <class Vertex>
using Rows = std::vector<std::vector<Vertex>>;

/// An undirected graph of random edges among all vertices but the first, and one edge to that where it is `joined`.
template <class Vertex>
Rows<Vertex> random_rows(std::size_t num_vertices, bool joined) {
  Rows<Vertex> rows(num_vertices);
  std::mt19937 random(7);
  const auto connect = [&](std::size_t u, std::size_t v) {
    rows[u].push_back(static_cast<Vertex>(v));
    rows[v].push_back(static_cast<Vertex>(u));
  };
  for (std::size_t i = 0; i < 2 * num_vertices; ++i) {
    const std::size_t u = 1 + random() % (num_vertices - 1), v = 1 + random() % (num_vertices - 1);
    if (u != v) connect(u, v);
  }
  if (joined) connect(0, rows[1].empty() ? 2 : 1);
  return rows;
}

/// Room for many elements: addresses on a host, where a page becomes memory once it is written; memory on a GPU.
template <class T>
class WideArray {
 public:
  /// Without room: empty.
  explicit WideArray(std::size_t size) : bytes_(size * sizeof(T)) {
    if constexpr (dromos::host_accessible<Memory>) {
      address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (address_ != MAP_FAILED) view_ = Kokkos::View<T*, Memory>(static_cast<T*>(address_), size);
    } else {
      try {
        view_ = Kokkos::View<T*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "test::wide"), size);
      } catch (const std::exception&) {  // which one is up to the version of Kokkos
      }
    }
  }
  WideArray(const WideArray&) = delete;
  WideArray& operator=(const WideArray&) = delete;
  ~WideArray() {
    if (address_ != MAP_FAILED) munmap(address_, bytes_);
  }

  const Kokkos::View<T*, Memory>& view() const { return view_; }

 private:
  std::size_t bytes_;
  void* address_ = MAP_FAILED;
  Kokkos::View<T*, Memory> view_;
};

/// The same graph, whose first vertex has so many arcs more, in a wide array; what is in these is not said.
template <class Vertex>
CsrGraph<Vertex, Memory> with_far_rows(const Rows<Vertex>& rows, Offset more, const WideArray<Vertex>& room) {
  std::vector<Offset> row_map = {0};
  for (const auto& row : rows) {
    row_map.push_back(row_map.back() + static_cast<Offset>(row.size()) + (row_map.size() == 1 ? more : 0));
  }
  CsrGraph<Vertex, Memory> graph;
  graph.row_map = dromos::test::to_view(row_map);
  graph.entries = Kokkos::subview(room.view(), std::pair<Offset, Offset>(0, row_map.back()));
  for (std::size_t u = 0; u < rows.size(); ++u) {
    if (rows[u].empty()) continue;
    const Offset first = row_map[u];
    Kokkos::deep_copy(
        Kokkos::subview(graph.entries, std::pair<Offset, Offset>(first, first + static_cast<Offset>(rows[u].size()))),
        dromos::test::to_view(rows[u]));
  }
  graph.directed = false;
  return graph;
}

template <class Vertex>
class FarRowsTest : public ::testing::Test {
 protected:
  static constexpr std::size_t num_vertices = 3000;
  static constexpr Offset more = (Offset(1) << 32) + 5;

  /// The graph in both forms; false where the memory of this device is too small for the second.
  bool make(bool joined) {
    const auto rows = random_rows<Vertex>(num_vertices, joined);
    plain_ = dromos::test::make_graph(rows, false);
    host_ = dromos::copy_to<Kokkos::HostSpace>(plain_);
    room_ = std::make_unique<WideArray<Vertex>>(static_cast<std::size_t>(plain_.num_edges() + more));
    if (room_->view().extent(0) == 0) return false;
    far_ = with_far_rows(rows, more, *room_);
    return true;
  }
  void TearDown() override { far_ = {}; }

  std::unique_ptr<WideArray<Vertex>> room_;
  CsrGraph<Vertex, Memory> plain_, far_;
  CsrGraph<Vertex, Kokkos::HostSpace> host_;
};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(FarRowsTest, VertexTypes, );

constexpr const char* too_small = "a row of 2^32 arcs does not fit the memory here";

TYPED_TEST(FarRowsTest, SearchesFindTheSameLevels) {
  if (!this->make(false)) GTEST_SKIP() << too_small;
  dromos::BfsScratch<TypeParam, Memory> scratch(this->far_);
  dromos::BfsDirectionScratch<TypeParam, Memory> both_ways(Space(), this->far_, this->far_);
  dromos::BfsResult<TypeParam, Memory> result;
  for (const TypeParam root : {1, 17, 2999}) {
    const std::vector<Level> expected = dromos::reference::bfs_levels(this->host_, root);
    const auto statistics = dromos::bfs(Space(), this->far_, root, scratch, result);
    EXPECT_EQ(to_vector(result.level), expected);
    EXPECT_EQ(statistics.edges_reached, dromos::bfs(Space(), this->plain_, root, scratch, result).edges_reached);
    dromos::bfs_direction_optimizing(Space(), this->far_, root, both_ways, result);
    EXPECT_EQ(to_vector(result.level), expected);
  }
}

TYPED_TEST(FarRowsTest, BetweennessIsTheSame) {
  if (!this->make(false)) GTEST_SKIP() << too_small;
  const std::vector<TypeParam> roots = {1, 17, 2999};
  const auto centrality = [&](const CsrGraph<TypeParam, Memory>& graph) {
    dromos::BetweennessScratch<TypeParam, Memory> scratch(graph);
    Kokkos::View<double*, Memory> values;
    dromos::betweenness(Space(), graph, roots, scratch, values);
    return to_vector(values);
  };
  const auto far = centrality(this->far_), plain = centrality(this->plain_);
  ASSERT_EQ(far.size(), plain.size());
  for (std::size_t v = 0; v < far.size(); ++v) EXPECT_NEAR(far[v], plain[v], 1e-9 * (1 + plain[v]));
}

/// The first vertex is of the giant component by its first arc, so that nobody looks at the others.
TYPED_TEST(FarRowsTest, ComponentsAreTheSame) {
  if (!this->make(true)) GTEST_SKIP() << too_small;
  // Its second arc is looked at as well.
  Kokkos::deep_copy(Kokkos::subview(this->far_.entries, std::pair<Offset, Offset>(1, 64)), TypeParam(0));
  dromos::ComponentScratch<TypeParam, Memory> scratch(this->far_);
  dromos::ComponentResult<TypeParam, Memory> result;
  dromos::connected_components(Space(), this->far_, scratch, result);
  EXPECT_EQ(to_vector(result.component), dromos::reference::weak_components(this->host_));
}

TYPED_TEST(FarRowsTest, DegreesAreCountedIn64Bits) {
  if (!this->make(false)) GTEST_SKIP() << too_small;
  const auto plain = dromos::degree_stats(Space(), this->plain_), far = dromos::degree_stats(Space(), this->far_);
  EXPECT_EQ(far.max, this->more);
  EXPECT_EQ(far.histogram[33], 1);  // from 2^32 on
  EXPECT_EQ(far.num_isolated, plain.num_isolated - 1);
  EXPECT_DOUBLE_EQ(far.mean, plain.mean + static_cast<double>(this->more) / this->num_vertices);
}

}  // namespace
