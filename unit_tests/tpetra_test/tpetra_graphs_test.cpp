// SPDX-License-Identifier: BSD-3-Clause
// Sets, colors, components and parts of the rows of distributed Tpetra matrices, on any number of ranks: those of one
// rank, judged by their definitions over the entries.
#include <dromos/interop/tpetra_parts.hpp>
#include <dromos/interop/tpetra_sets.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "distributed_matrix.hpp"

namespace dromos::test {
namespace {

/// Neighbors in A + A^T, by global index; every row is there.
std::map<Global, std::set<Global>> neighbors_of(const MatrixCase& c) {
  std::map<Global, std::set<Global>> neighbors;
  for (const Global row : c.rows) neighbors[row];
  for (const auto& [at, value] : c.entries) {
    if (at.first == at.second) continue;
    neighbors[at.first].insert(at.second);
    neighbors[at.second].insert(at.first);
  }
  return neighbors;
}

/// The pieces of every part, row by row: by a depth-first search on the host.
std::vector<PartPieces> pieces_one_by_one(const MatrixCase& c, const std::map<Global, std::int64_t>& part_of) {
  const auto neighbors = neighbors_of(c);
  std::set<Global> seen;
  std::map<std::int64_t, PartPieces> parts;
  for (const Global start : c.rows) {
    const std::int64_t part = part_of.at(start);
    if (part < 0 || !seen.insert(start).second) continue;
    std::vector<Global> stack = {start};
    std::int64_t size = 0;
    while (!stack.empty()) {
      const Global u = stack.back();
      stack.pop_back();
      ++size;
      for (const Global v : neighbors.at(u)) {
        if (part_of.at(v) == part && seen.insert(v).second) stack.push_back(v);
      }
    }
    PartPieces& each = parts.try_emplace(part, PartPieces{part, 0, 0, 0}).first->second;
    each.num_vertices += size;
    each.num_pieces += 1;
    each.largest = std::max(each.largest, size);
  }
  std::vector<PartPieces> result;
  for (const auto& [number, each] : parts) result.push_back(each);
  return result;
}

void expect_same(const std::vector<PartPieces>& found, const std::vector<PartPieces>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].part, expected[i].part);
    EXPECT_EQ(found[i].num_vertices, expected[i].num_vertices) << "part " << found[i].part;
    EXPECT_EQ(found[i].num_pieces, expected[i].num_pieces) << "part " << found[i].part;
    EXPECT_EQ(found[i].largest, expected[i].largest) << "part " << found[i].part;
  }
}

class TpetraGraphs : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
  const Communicator self{MPI_COMM_SELF};
};

TEST_F(TpetraGraphs, SetsAndColorsAreThoseOfOneRank) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks()), alone = c.build(one_rank());
    const auto neighbors = neighbors_of(c);

    const auto set = tpetra::mis2(*matrix);
    const auto member = all_values(world, *set.is_member);
    ASSERT_EQ(member, all_values(self, *tpetra::mis2(*alone).is_member));
    std::int64_t num_members = 0;
    for (const auto& [row, is_member] : member) {
      num_members += is_member;
      std::set<Global> near = neighbors.at(row);
      for (const Global v : neighbors.at(row)) near.insert(neighbors.at(v).begin(), neighbors.at(v).end());
      near.erase(row);
      const bool has_one = std::any_of(near.begin(), near.end(), [&](Global v) { return member.at(v) == 1; });
      EXPECT_EQ(has_one, is_member == 0) << "row " << row;
    }
    EXPECT_EQ(set.num_members, num_members);

    const auto colors = tpetra::color_vertices(*matrix);
    const auto color = all_values(world, *colors.color);
    ASSERT_EQ(color, all_values(self, *tpetra::color_vertices(*alone).color));
    for (const auto& [row, own] : color) {
      EXPECT_TRUE(own >= 0 && own < colors.num_colors);
      for (const Global v : neighbors.at(row)) EXPECT_NE(color.at(v), own);
    }
    if (HasFailure()) return;
  }
}

TEST_F(TpetraGraphs, CondensationsAreThoseOfOneRank) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto found = tpetra::condensation(*c.build(all_ranks()));
    const auto alone = tpetra::condensation(*c.build(one_rank()));
    const auto component = all_values(world, *found.component), level = all_values(world, *found.level);
    ASSERT_EQ(component, all_values(self, *alone.component));
    ASSERT_EQ(level, all_values(self, *alone.level));
    EXPECT_EQ(found.num_components, alone.num_components);
    EXPECT_EQ(found.num_levels, alone.num_levels);
    EXPECT_EQ(found.largest_component, alone.largest_component);
    // Reachability both ways, from every row.
    std::map<Global, std::set<Global>> reached;
    for (const Global start : c.rows) {
      std::vector<Global> stack = {start};
      reached[start].insert(start);
      while (!stack.empty()) {
        const Global u = stack.back();
        stack.pop_back();
        for (auto e = c.entries.lower_bound({u, -1}); e != c.entries.end() && e->first.first == u; ++e) {
          if (reached[start].insert(e->first.second).second) stack.push_back(e->first.second);
        }
      }
    }
    for (const Global u : c.rows) {
      for (const Global v : c.rows) {
        EXPECT_EQ(component.at(u) == component.at(v), reached[u].count(v) + reached[v].count(u) == 2);
      }
    }
    for (const auto& [at, value] : c.entries) {
      if (component.at(at.first) == component.at(at.second)) {
        EXPECT_EQ(level.at(at.first), level.at(at.second));
      } else {
        EXPECT_LT(level.at(at.first), level.at(at.second));
      }
    }
    if (HasFailure()) return;
  }
}

/// Can all rows be put in order so that every entry leads to a later one?
bool has_no_cycle(const std::vector<Global>& rows, const std::set<std::pair<Global, Global>>& entries) {
  std::map<Global, std::int64_t> num_before;
  for (const auto& [row, column] : entries) ++num_before[column];
  std::vector<Global> ready;
  for (const Global row : rows) {
    if (num_before[row] == 0) ready.push_back(row);
  }
  std::size_t num_done = 0;
  for (; !ready.empty(); ++num_done) {
    const Global row = ready.back();
    ready.pop_back();
    for (auto e = entries.lower_bound({row, std::numeric_limits<Global>::min()}); e != entries.end() && e->first == row;
         ++e) {
      if (--num_before[e->second] == 0) ready.push_back(e->second);
    }
  }
  return num_done == rows.size();
}

TEST_F(TpetraGraphs, WithoutFeedbackEdgesNothingIsOnACycle) {
  std::int64_t num_cut = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    const auto cut = tpetra::feedback_edges(*matrix);
    for (const auto& [row, column] : cut.entries) EXPECT_TRUE(matrix->getRangeMap()->isNodeGlobalElement(row));
    struct Entry {
      Global row, column;
    };
    std::vector<Entry> own;
    for (const auto& [row, column] : cut.entries) own.push_back({row, column});
    std::set<std::pair<Global, Global>> all, rest;
    for (const Entry& e : gather_values(world, own)) all.emplace(e.row, e.column);
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), cut.num_entries);
    const auto alone = tpetra::feedback_edges(*c.build(one_rank()));
    EXPECT_EQ(all, (std::set<std::pair<Global, Global>>(alone.entries.begin(), alone.entries.end())));
    for (const auto& [at, value] : c.entries) {
      if (at.first != at.second && all.erase(at) == 0) rest.insert(at);
    }
    EXPECT_TRUE(all.empty()) << "entries that the matrix does not have";
    EXPECT_TRUE(has_no_cycle(c.rows, rest));
    EXPECT_LE(2 * cut.num_entries, cut.num_inside);
    num_cut += cut.num_entries;
    if (HasFailure()) return;
  }
  EXPECT_GT(num_cut, 60);
  Teuchos::ParameterList list("cut");
  list.sublist("options").set("seed", 7);
  EXPECT_NE(tpetra::feedback_edges(*random_case(5, true).build(all_ranks()), list).how.find("gathered"),
            std::string::npos);
}

TEST_F(TpetraGraphs, RowsOfRanksInPieces) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    std::map<Global, std::int64_t> rank_of;
    for (std::size_t i = 0; i < c.rows.size(); ++i) rank_of[c.rows[i]] = c.row_owner[i] % world.size();
    auto expected = pieces_one_by_one(c, rank_of);
    for (int r = 0; r < world.size(); ++r) {
      const auto at = std::find_if(expected.begin(), expected.end(), [&](const PartPieces& p) { return p.part >= r; });
      if (at == expected.end() || at->part != r) expected.insert(at, PartPieces{r, 0, 0, 0});
    }
    expect_same(tpetra::components_of_parts(*c.build(all_ranks())).parts, expected);
    if (HasFailure()) return;
  }
}

TEST_F(TpetraGraphs, PartsOfAVectorInPieces) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const MatrixCase c = random_case(seed, true);
    SCOPED_TRACE(c.name);
    const auto matrix = c.build(all_ranks());
    std::mt19937_64 random(seed);
    const std::int64_t num_parts = 1 + static_cast<std::int64_t>(random() % 4);
    std::map<Global, std::int64_t> part_of;
    for (const Global row : c.rows) {
      part_of[row] = 10 * static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(num_parts)) -
                     10 * static_cast<std::int64_t>(seed % 2);
    }
    Tpetra::Vector<int> part(matrix->getRowMap());
    Tpetra::Vector<Global> wide(matrix->getRowMap());
    for (const Global row : tpetra::local_elements(*part.getMap())) {
      part.replaceGlobalValue(row, static_cast<int>(part_of.at(row)));
      wide.replaceGlobalValue(row, part_of.at(row));
    }
    const auto expected = pieces_one_by_one(c, part_of);
    expect_same(tpetra::components_of_parts(*matrix, part).parts, expected);
    expect_same(tpetra::components_of_parts(*matrix, wide, Teuchos::ParameterList()).parts, expected);
    if (HasFailure()) return;
  }
}

TEST_F(TpetraGraphs, SaysWhichRanksAreInPieces) {
  // A path over all ranks, of which each has two ends that are not next to each other; but the last, which has three.
  MatrixCase c;
  const int per_rank = 4;
  for (int i = 0; i < per_rank * world.size(); ++i) {
    c.rows.push_back(i);
    c.row_owner.push_back(i / 2 % world.size());
    if (i > 0) c.entries[{i - 1, i}] = 1;
  }
  c.columns = c.rows;
  const auto parts = tpetra::components_of_parts(*c.build(all_ranks()));
  if (world.size() == 1) {
    EXPECT_EQ(parts.message(), "the part is connected");
  } else {
    const std::string start = std::to_string(world.size()) + " of " + std::to_string(world.size()) +
                              " parts are disconnected: part 0 (2 pieces, largest 2 of 4 rows)";
    EXPECT_EQ(parts.message().substr(0, start.size()), start);
  }
  EXPECT_NE(parts.how.find("local"), std::string::npos);
}

TEST_F(TpetraGraphs, EveryRankRefusesWhatIsNoGraph) {
  MatrixCase c = random_case(1, true);
  const auto square = c.build(all_ranks());
  c.columns.push_back(c.columns.back() + 1);
  c.column_owner.push_back(0);
  c.entries[{c.rows.front(), c.columns.back()}] = 1;
  const auto wide = c.build(all_ranks());
  EXPECT_THROW(tpetra::mis2(*wide), ArgumentError);
  EXPECT_THROW(tpetra::color_vertices(*wide), ArgumentError);
  EXPECT_THROW(tpetra::condensation(*wide), ArgumentError);
  const Tpetra::Vector<int> part(wide->getRowMap());
  EXPECT_THROW(tpetra::components_of_parts(*wide, part), ArgumentError);
  const Tpetra::Vector<int> elsewhere(wide->getDomainMap());
  EXPECT_THROW(tpetra::components_of_parts(*wide, elsewhere), ArgumentError);
  ComponentOptions color;
  color.method = ComponentMethod::color;
  EXPECT_THROW(tpetra::components_of_parts(*square, Tpetra::Vector<int>(square->getRowMap()), color), ArgumentError);
  Teuchos::ParameterList list("colors");
  list.sublist("options").set("sed", 3);
  EXPECT_THROW(tpetra::color_vertices(*square, list), ArgumentError);
  EXPECT_THROW(tpetra::mis2(*square, list), ArgumentError);
}

TEST_F(TpetraGraphs, SeedsComeFromLists) {
  const auto matrix = random_case(4, true).build(all_ranks());
  Teuchos::ParameterList list("mis2");
  list.sublist("options").set("seed", 5);
  Mis2Options options;
  options.seed = 5;
  EXPECT_EQ(all_values(world, *tpetra::mis2(*matrix, list).is_member),
            all_values(world, *tpetra::mis2(*matrix, options).is_member));
  EXPECT_GT(tpetra::condensation(*matrix, Teuchos::ParameterList()).num_components, 0);
}

TEST_F(TpetraGraphs, EmptyMatrices) {
  const auto matrix = MatrixCase().build(all_ranks());
  EXPECT_EQ(tpetra::mis2(*matrix).num_members, 0);
  EXPECT_EQ(tpetra::color_vertices(*matrix).num_colors, 0);
  EXPECT_EQ(tpetra::condensation(*matrix).num_levels, 0);
  EXPECT_TRUE(tpetra::components_of_parts(*matrix).all_connected());
  EXPECT_TRUE(tpetra::components_of_parts(*matrix, Tpetra::Vector<int>(matrix->getRowMap())).parts.empty());
}

}  // namespace
}  // namespace dromos::test
