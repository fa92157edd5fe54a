// SPDX-License-Identifier: BSD-3-Clause
// What a pass over rows finds, against loops that anyone understands: rows of all lengths, cut anywhere, with every
// fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5/row_findings.hpp"

namespace dromos::test {
namespace {

template <class Vertex>
struct Rows {
  std::vector<Offset> row_map = {0};
  std::vector<Vertex> entries;

  std::int64_t num_vertices() const { return static_cast<std::int64_t>(row_map.size()) - 1; }
  std::int64_t num_arcs() const { return row_map.back(); }
};

/// Both directions of random edges, without self loops and duplicates; some vertices have many.
template <class Vertex>
Rows<Vertex> undirected_rows(std::int64_t num_vertices, std::int64_t num_edges, std::mt19937_64& random) {
  std::vector<std::pair<std::int64_t, std::int64_t>> arcs;
  const auto pick = [&] {
    const std::int64_t v = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(num_vertices));
    return random() % 2 == 0 ? v % (1 + num_vertices / 50) : v;
  };
  for (std::int64_t e = 0; e < num_edges; ++e) {
    const std::int64_t u = pick(), v = pick();
    if (u == v) continue;
    arcs.emplace_back(u, v);
    arcs.emplace_back(v, u);
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  Rows<Vertex> rows;
  rows.row_map.assign(static_cast<std::size_t>(num_vertices) + 1, 0);
  for (const auto& [u, v] : arcs) {
    ++rows.row_map[static_cast<std::size_t>(u) + 1];
    rows.entries.push_back(static_cast<Vertex>(v));
  }
  for (std::size_t u = 1; u < rows.row_map.size(); ++u) rows.row_map[u] += rows.row_map[u - 1];
  return rows;
}

template <class Vertex>
std::int64_t row_of(const Rows<Vertex>& rows, std::int64_t arc) {
  return std::upper_bound(rows.row_map.begin(), rows.row_map.end(), arc) - rows.row_map.begin() - 1;
}

template <class Vertex>
io::RowFindings expected_findings(const Rows<Vertex>& rows, std::int64_t begin, std::int64_t end) {
  io::RowFindings found;
  for (std::int64_t e = begin; e < end; ++e) {
    const Vertex u = static_cast<Vertex>(row_of(rows, e)), v = rows.entries[static_cast<std::size_t>(e)];
    found.outside |= v < 0 || v >= rows.num_vertices();
    found.self_loops |= v == u;
    found.asymmetry += io::asymmetry_of(u, v);
    if (e == begin || row_of(rows, e - 1) != u) continue;
    const Vertex before = rows.entries[static_cast<std::size_t>(e - 1)];
    found.descents |= v < before;
    found.repeated |= v == before;
  }
  return found;
}

template <class Vertex>
io::RowFindings findings(const Rows<Vertex>& rows, std::int64_t begin, std::int64_t end, bool wider_vectors) {
  // In an array of its own, so that a sanitizer notices a look beyond the end.
  const std::vector<Vertex> readable(rows.entries.begin(), rows.entries.begin() + end);
  return io::look_at_rows(rows.row_map.data(), readable.data(), rows.num_vertices(), row_of(rows, begin), begin, end,
                          wider_vectors);
}

template <class Vertex>
void expect_found(const Rows<Vertex>& rows, std::int64_t begin, std::int64_t end, const std::string& what) {
  const io::RowFindings expected = expected_findings(rows, begin, end);
  for (const bool wider_vectors : {false, io::has_wider_vectors()}) {
    const io::RowFindings found = findings(rows, begin, end, wider_vectors);
    const std::string where = what + ", arcs " + std::to_string(begin) + " to " + std::to_string(end);
    EXPECT_EQ(found.outside, expected.outside) << where;
    EXPECT_EQ(found.descents, expected.descents) << where;
    EXPECT_EQ(found.self_loops, expected.self_loops) << where;
    EXPECT_EQ(found.repeated, expected.repeated) << where;
    EXPECT_EQ(found.asymmetry, expected.asymmetry) << where;
  }
}

template <class Vertex>
class RowFindings : public testing::Test {};
using VertexTypes = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(RowFindings, VertexTypes, );

TYPED_TEST(RowFindings, OfSoundRowsAreNone) {
  std::mt19937_64 random(1);
  for (const std::int64_t num_vertices : {2, 17, 400, 3000}) {
    const auto rows = undirected_rows<TypeParam>(num_vertices, 8 * num_vertices, random);
    for (const bool wider_vectors : {false, io::has_wider_vectors()}) {
      const io::RowFindings found = findings(rows, 0, rows.num_arcs(), wider_vectors);
      EXPECT_FALSE(found.outside || found.descents || found.self_loops || found.repeated) << num_vertices;
      EXPECT_EQ(found.asymmetry, 0u) << num_vertices;
    }
  }
}

TYPED_TEST(RowFindings, AreThoseOfSimpleLoopsWhereverRowsAreCut) {
  std::mt19937_64 random(2);
  const auto rows = undirected_rows<TypeParam>(300, 3000, random);
  for (int i = 0; i < 300; ++i) {
    const auto arc = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rows.num_arcs())); };
    std::int64_t begin = arc(), end = arc();
    if (end < begin) std::swap(begin, end);
    if (begin < end) expect_found(rows, begin, end, "cut");
  }
}

TYPED_TEST(RowFindings, NameEveryFaultInRowsOfEveryLength) {
  for (std::int64_t length = 1; length <= 70; ++length) {
    // Row 1 of four has all arcs of interest; those beside it are of one arc.
    Rows<TypeParam> sound;
    sound.row_map = {0, 1, 1 + length, 2 + length};
    for (std::int64_t v = 3; v < 100; ++v) sound.row_map.push_back(2 + length);
    sound.entries.push_back(1);
    for (std::int64_t i = 0; i < length; ++i) sound.entries.push_back(static_cast<TypeParam>(2 + i));
    sound.entries.push_back(1);
    const std::int64_t all = sound.num_arcs();
    expect_found(sound, 0, all, "sound");
    for (std::int64_t i = 1; i <= length; ++i) {
      const auto with = [&](std::int64_t v, const std::string& what) {
        Rows<TypeParam> rows = sound;
        rows.entries[static_cast<std::size_t>(i)] = static_cast<TypeParam>(v);
        expect_found(rows, 0, all, what + " at " + std::to_string(i) + " of " + std::to_string(length));
        EXPECT_NE(findings(rows, 0, all, io::has_wider_vectors()).asymmetry, findings(sound, 0, all, false).asymmetry)
            << what;
      };
      with(1, "self loop");
      with(0, "vertex 0");
      with(-1, "negative");
      with(sound.num_vertices(), "first that is none");
      with(std::numeric_limits<TypeParam>::max(), "largest");
      with(std::numeric_limits<TypeParam>::min(), "smallest");
      with(i > 1 ? i : i + 2, "the one before or behind again");
    }
  }
}

// A descent or a duplicate may lie where one piece ends and the next begins.
TYPED_TEST(RowFindings, OfPiecesAreThoseOfTheWhole) {
  std::mt19937_64 random(4);
  const auto sound = undirected_rows<TypeParam>(60, 500, random);
  for (std::int64_t cut = 1; cut < sound.num_arcs(); ++cut) {
    for (const std::int64_t step : {-1, 0, 1}) {
      auto rows = sound;
      TypeParam& behind = rows.entries[static_cast<std::size_t>(cut)];
      if (step != 1) behind = static_cast<TypeParam>(rows.entries[static_cast<std::size_t>(cut - 1)] + step);
      io::RowInspector<TypeParam> inspector(rows.row_map.data(), rows.entries.data(), rows.num_vertices());
      inspector.look(cut, rows.num_arcs());
      inspector.look(0, cut);
      const io::RowFindings found = inspector.finish(), expected = expected_findings(rows, 0, rows.num_arcs());
      EXPECT_EQ(found.descents, expected.descents) << cut << " " << step;
      EXPECT_EQ(found.repeated, expected.repeated) << cut << " " << step;
      EXPECT_EQ(found.outside, expected.outside) << cut << " " << step;
      EXPECT_EQ(found.asymmetry, expected.asymmetry) << cut << " " << step;
    }
  }
}

/// One direction only of a few edges among small numbers, where sums cancel each other most easily.
TYPED_TEST(RowFindings, MissingReversesAreNoticedAmongSmallGraphs) {
  using Vertex = TypeParam;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    // A closed walk: every vertex has as many arcs to it as from it, so that degrees tell nothing.
    const int length = 3 + static_cast<int>(random() % 6);
    std::vector<Vertex> walk;
    for (int k = 0; k < length; ++k) {
      const Vertex first = static_cast<Vertex>(random() % 3 == 0 ? random() % 1000000 : random() % 12);
      walk.push_back(first);
    }
    std::sort(walk.begin(), walk.end());
    walk.erase(std::unique(walk.begin(), walk.end()), walk.end());
    if (walk.size() < 3) continue;
    std::shuffle(walk.begin(), walk.end(), random);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < walk.size(); ++k) sum += io::asymmetry_of(walk[k], walk[(k + 1) % walk.size()]);
    EXPECT_NE(sum, 0u) << testing::PrintToString(walk);
  }
}

}  // namespace
}  // namespace dromos::test
