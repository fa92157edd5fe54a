// SPDX-License-Identifier: BSD-3-Clause
// Orders of distributed Tpetra matrices, on any number of ranks: the permuted matrix has every entry of the given one
// in its new place and no other, and the orders are those of one rank.
#include <dromos/interop/tpetra_orders.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <Teuchos_ParameterList.hpp>
#include <cstdlib>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <set>
#include <string>
#include <vector>

#include "distributed_matrix.hpp"

namespace dromos::test {
namespace {

using tpetra::OrderingOf;

class TpetraOrders : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
  const Communicator self{MPI_COMM_SELF};

  /// Is it an order of these indices, and do its three parts say the same?
  std::map<Global, Global> check_ordering(const OrderingOf<Matrix>& ordering, const std::vector<Global>& indices,
                                          Global base) {
    const auto order = all_indices(world, *ordering.order);
    const auto places = all_indices(world, *ordering.places);
    const auto place = all_values(world, *ordering.place);
    EXPECT_EQ(std::set<Global>(order.begin(), order.end()), std::set<Global>(indices.begin(), indices.end()));
    EXPECT_EQ(order.size(), indices.size());
    EXPECT_EQ(places.size(), indices.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(places[i], base + static_cast<Global>(i));
      EXPECT_EQ(place.at(order[i]), places[i]);
    }
    EXPECT_EQ(tpetra::num_local_elements(*ordering.order), tpetra::num_local_elements(*ordering.places));
    EXPECT_FALSE(ordering.how.empty());
    return place;
  }

  void check_reindexed(const Matrix& matrix, const OrderingOf<Matrix>& rows, const OrderingOf<Matrix>& columns,
                       const MatrixCase& c) {
    const auto row_place = check_ordering(rows, c.rows, c.index_base);
    const auto column_place = check_ordering(columns, c.columns, c.index_base);
    Entries expected;
    for (const auto& [at, value] : c.entries) expected[{row_place.at(at.first), column_place.at(at.second)}] = value;
    const auto permuted = tpetra::reindexed(matrix, rows, columns);
    ASSERT_EQ(all_entries(world, *permuted), expected);
    EXPECT_TRUE(permuted->getDomainMap()->isSameAs(*columns.places));
    EXPECT_TRUE(permuted->getRangeMap()->isSameAs(*rows.places));
  }

  /// The distance from the diagonal and the envelope of A + A^T, by a pass over the entries.
  static std::pair<std::int64_t, std::int64_t> spread_of(const Entries& entries) {
    std::int64_t bandwidth = 0, profile = 0;
    std::map<Global, Global> first;
    for (const auto& [at, value] : entries) {
      bandwidth = std::max<std::int64_t>(bandwidth, std::abs(at.first - at.second));
      const Global low = std::min(at.first, at.second), high = std::max(at.first, at.second);
      const auto found = first.emplace(high, low).first;
      found->second = std::min(found->second, low);
    }
    for (const auto& [row, column] : first) profile += row - column;
    return {bandwidth, profile};
  }
};

TEST_F(TpetraOrders, RcmIsThatOfOneRank) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    const auto found = tpetra::rcm(*matrix);
    check_reindexed(*matrix, found.ordering, found.ordering, c);
    const auto alone = tpetra::rcm(*c.build(one_rank()));
    ASSERT_EQ(all_values(world, *found.ordering.place), all_values(self, *alone.ordering.place));
    const auto after = spread_of(all_entries(world, *tpetra::reindexed(*matrix, found.ordering)));
    EXPECT_EQ(found.bandwidth_after, after.first);
    EXPECT_EQ(found.profile_after, after.second);
    EXPECT_EQ(found.bandwidth_before, alone.bandwidth_before);
    EXPECT_EQ(found.profile_before, alone.profile_before);
    EXPECT_EQ(found.num_components, alone.num_components);
    EXPECT_NE(found.ordering.how.find("gathered"), std::string::npos);
    if (HasFailure()) return;
  }
}

TEST_F(TpetraOrders, GraphsAreOrderedAsMatricesAre) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MatrixCase c = random_case(seed, false);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    const auto& graph = *matrix->getCrsGraph();
    const auto form = tpetra::block_triangular_form(graph);
    const auto permuted = tpetra::reindexed(graph, form.rows, form.columns);
    Matrix with_values(permuted);
    with_values.setAllToScalar(0);
    with_values.fillComplete(permuted->getDomainMap(), permuted->getRangeMap());
    Entries expected;
    const auto of_matrix = tpetra::reindexed(*matrix, form.rows, form.columns);
    for (const auto& [at, value] : all_entries(world, *of_matrix)) expected[at] = 0;
    EXPECT_EQ(all_entries(world, with_values), expected);
    if (!c.is_square()) continue;
    EXPECT_EQ(all_values(world, *tpetra::rcm(graph).ordering.place),
              all_values(world, *tpetra::rcm(*matrix).ordering.place));
  }
}

TEST_F(TpetraOrders, RowsOfSeveralRanksAreUnited) {
  const MatrixCase c = random_case(11, true);
  const auto matrix = c.build(all_ranks());
  // Every rank has all rows, and of each some of its entries.
  const Map everywhere(Teuchos::OrdinalTraits<std::size_t>::invalid(),
                       Teuchos::ArrayView<const Global>(c.rows.data(), c.rows.size()), c.index_base, all_ranks());
  Matrix overlapping(rcp(new Map(everywhere)), c.columns.size());
  for (const auto& [at, value] : c.entries) {
    if ((at.first + at.second) % world.size() != world.rank()) continue;
    overlapping.insertGlobalValues(at.first, 1, &value, &at.second);
  }
  overlapping.fillComplete(matrix->getDomainMap(), matrix->getRangeMap());
  const auto found = tpetra::rcm(overlapping);
  EXPECT_EQ(all_values(world, *found.ordering.place), all_values(world, *tpetra::rcm(*matrix).ordering.place));
  EXPECT_EQ(tpetra::block_triangular_form(overlapping).row_begin, tpetra::block_triangular_form(*matrix).row_begin);
  if (world.size() == 1) return;
  EXPECT_THROW(tpetra::reindexed(overlapping, found.ordering), ArgumentError);
}

TEST_F(TpetraOrders, LocalRcmKeepsRowsOnTheirRanks) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    const auto found = tpetra::rcm(*matrix, {}, tpetra::Where::local);
    check_reindexed(*matrix, found.ordering, found.ordering, c);
    for (const Global row : tpetra::local_elements(*found.ordering.order)) {
      ASSERT_TRUE(matrix->getRowMap()->isNodeGlobalElement(row));
    }
    // The blocks of all ranks, by entries between rows of one rank.
    const auto permuted = all_entries(world, *tpetra::reindexed(*matrix, found.ordering));
    const auto begins = gather_values(
        world, std::vector<Global>{static_cast<Global>(tpetra::num_local_elements(*found.ordering.places))});
    std::vector<int> rank_of;
    for (std::size_t r = 0; r < begins.size(); ++r) rank_of.insert(rank_of.end(), begins[r], static_cast<int>(r));
    Entries inside;
    for (const auto& [at, value] : permuted) {
      if (rank_of[at.first - c.index_base] == rank_of[at.second - c.index_base]) inside[at] = value;
    }
    EXPECT_EQ(found.bandwidth_after, spread_of(inside).first);
    EXPECT_EQ(found.profile_after, spread_of(inside).second);
    EXPECT_NE(found.ordering.how.find("local"), std::string::npos);
    if (HasFailure()) return;
  }
}

TEST_F(TpetraOrders, VectorsGoThereAndBack) {
  const MatrixCase c = random_case(3, true);
  const auto matrix = c.build(all_ranks());
  const auto found = tpetra::rcm(*matrix);
  Tpetra::Vector<double> x(matrix->getDomainMap()), y(matrix->getRangeMap());
  for (const Global row : tpetra::local_elements(*x.getMap())) x.replaceGlobalValue(row, 1.0 + 3.0 * row);
  matrix->apply(x, y);
  const auto new_x = tpetra::to_new_places(x, found.ordering);
  Tpetra::Vector<double> new_y(found.ordering.places);
  tpetra::reindexed(*matrix, found.ordering)->apply(*new_x, new_y);
  const auto back = tpetra::to_old_places(new_y, found.ordering);
  const auto expected = all_values(world, y);
  for (const auto& [row, value] : all_values(world, *back)) EXPECT_NEAR(value, expected.at(row), 1e-9 * (1 + value));
  EXPECT_EQ(all_values(world, *tpetra::to_old_places(*new_x, found.ordering)), all_values(world, x));

  const Tpetra::MultiVector<double> several(matrix->getDomainMap(), 3);
  EXPECT_EQ(tpetra::to_new_places(several, found.ordering)->getNumVectors(), 3u);
}

TEST_F(TpetraOrders, MatchingsAreMaximumMatchings) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, false);
    SCOPED_TRACE(c.name);
    const auto matching = tpetra::maximum_matching(*c.build(all_ranks()));
    const auto column_of = all_values(world, *matching.column_of_row);
    const auto row_of = all_values(world, *matching.row_of_column);
    ASSERT_EQ(column_of.size(), c.rows.size());
    ASSERT_EQ(row_of.size(), c.columns.size());
    std::int64_t num_matched = 0;
    for (const auto& [row, column] : column_of) {
      if (column == -1) continue;
      ++num_matched;
      EXPECT_EQ(row_of.at(column), row);
      EXPECT_EQ(c.entries.count({row, column}), 1u);
    }
    for (const auto& [column, row] : row_of) {
      if (row == -1) continue;
      EXPECT_EQ(column_of.at(row), column);
    }
    EXPECT_EQ(matching.num_matched, num_matched);
    EXPECT_EQ(num_matched, tpetra::maximum_matching(*c.build(one_rank())).num_matched);
    EXPECT_EQ(matching.has_zero_free_diagonal(),
              c.rows.size() == c.columns.size() && num_matched == static_cast<std::int64_t>(c.rows.size()));
    if (HasFailure()) return;
  }
}

TEST_F(TpetraOrders, BlockTriangularFormsAreThoseOfOneRank) {
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    const MatrixCase c = random_case(seed, seed % 3 == 0);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    const auto form = tpetra::block_triangular_form(*matrix);
    check_reindexed(*matrix, form.rows, form.columns, c);
    ASSERT_EQ(form.row_begin.size(), form.column_begin.size());
    const auto block_of = [&](const std::vector<Global>& begin, Global index) {
      return std::upper_bound(begin.begin(), begin.end(), index) - begin.begin() - 1;
    };
    const auto permuted = all_entries(world, *tpetra::reindexed(*matrix, form.rows, form.columns));
    for (const auto& [at, value] : permuted) {
      EXPECT_LE(block_of(form.row_begin, at.first), block_of(form.column_begin, at.second)) << "left of its block";
    }
    for (std::int64_t b = 1; b + 1 < form.num_blocks(); ++b) {
      ASSERT_EQ(form.row_begin[b + 1] - form.row_begin[b], form.column_begin[b + 1] - form.column_begin[b]);
      for (Global i = form.row_begin[b]; i < form.row_begin[b + 1]; ++i) {
        EXPECT_EQ(permuted.count({i, form.column_begin[b] + i - form.row_begin[b]}), 1u) << "a zero on the diagonal";
      }
    }
    const auto alone = tpetra::block_triangular_form(*c.build(one_rank()));
    EXPECT_EQ(form.row_begin, alone.row_begin);
    EXPECT_EQ(form.column_begin, alone.column_begin);
    EXPECT_EQ(form.statistics.num_matched, alone.statistics.num_matched);
    EXPECT_EQ(form.statistics.num_square_blocks, alone.statistics.num_square_blocks);
    EXPECT_EQ(form.is_structurally_nonsingular(),
              form.statistics.num_square_rows == std::int64_t(c.rows.size()) && c.rows.size() == c.columns.size());
    // Which rows a block has does not depend on the ranks.
    const auto place = all_values(world, *form.rows.place), alone_place = all_values(self, *alone.rows.place);
    for (const auto& [row, at] : place) {
      EXPECT_EQ(block_of(form.row_begin, at), block_of(form.row_begin, alone_place.at(row)));
    }
    if (HasFailure()) return;
  }
}

TEST_F(TpetraOrders, EmptyMatrices) {
  MatrixCase c;
  const auto matrix = c.build(all_ranks());
  const auto found = tpetra::rcm(*matrix);
  EXPECT_EQ(found.bandwidth_after, 0);
  EXPECT_EQ(tpetra::reindexed(*matrix, found.ordering)->getGlobalNumRows(), 0u);
  EXPECT_EQ(tpetra::rcm(*matrix, {}, tpetra::Where::local).num_components, 0);
  EXPECT_EQ(tpetra::maximum_matching(*matrix).num_matched, 0);
  const auto form = tpetra::block_triangular_form(*matrix);
  EXPECT_EQ(form.num_blocks(), 2);
  EXPECT_TRUE(form.is_structurally_nonsingular());
}

/// f throws an ArgumentError that says this, on every rank.
template <class F>
void expect_refusal(const F& f, const std::string& text) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown; expected: " << text;
  } catch (const ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST_F(TpetraOrders, EveryRankRefusesWhatCannotBeOrdered) {
  MatrixCase wide = random_case(1, true);
  wide.columns.push_back(wide.columns.back() + 1);
  wide.column_owner.push_back(0);
  const auto matrix = wide.build(all_ranks());
  expect_refusal([&] { tpetra::rcm(*matrix); }, "the rows and columns of a graph are the same");
  RcmOptions options;
  options.max_searches = 0;
  const auto square = random_case(1, true).build(all_ranks());
  expect_refusal([&] { tpetra::rcm(*square, options); }, "max_searches is 0");
  const auto other = tpetra::rcm(*random_case(2, true).build(all_ranks()));
  expect_refusal([&] { tpetra::reindexed(*square, other.ordering); }, "not on the same map");
  Matrix open(square->getRowMap(), 1);
  expect_refusal([&] { tpetra::block_triangular_form(open); }, "not fill-complete");
}

TEST_F(TpetraOrders, OptionsComeFromLists) {
  const auto matrix = random_case(5, true).build(all_ranks());
  Teuchos::ParameterList list("rcm");
  list.set("where", std::string("local"));
  list.sublist("options").set("max searches", 2);
  EXPECT_NE(tpetra::rcm(*matrix, list).ordering.how.find("local"), std::string::npos);
  list.set("where", std::string("locally"));
  expect_refusal([&] { tpetra::rcm(*matrix, list); }, "did you mean local");
  Teuchos::ParameterList wrong("rcm");
  wrong.set("wehre", std::string("local"));
  expect_refusal([&] { tpetra::rcm(*matrix, wrong); }, "did you mean where");
  Teuchos::ParameterList inside("matching");
  inside.sublist("options").set("strat", false);
  expect_refusal([&] { tpetra::maximum_matching(*matrix, inside); }, "there is no parameter 'strat'");
  Teuchos::ParameterList start("matching");
  start.sublist("options").set("start", false);
  EXPECT_EQ(tpetra::maximum_matching(*matrix, start).num_matched, tpetra::maximum_matching(*matrix).num_matched);
  EXPECT_GE(tpetra::block_triangular_form(*matrix, Teuchos::ParameterList()).num_blocks(), 2);
}

}  // namespace
}  // namespace dromos::test
