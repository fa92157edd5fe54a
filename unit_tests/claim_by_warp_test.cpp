// SPDX-License-Identifier: BSD-3-Clause
// Bits that warps claim together, against the rule of Bitmap::claim(): of all lanes that want a bit, exactly one is
// told true, and none where it was set before.
#include <dromos/core/claim_by_warp.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <random>
#include <string>
#include <vector>

#include "view_tools.hpp"

namespace {

using dromos::test::Memory;
using dromos::test::Space;

constexpr int at_once = 3;

/// Each thread claims bits of its own list, of which those are not wanted that are below 0: bit number ~b is not.
template <class Vertex>
struct ClaimLists {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  dromos::Bitmap<Memory> bitmap;
  Kokkos::View<const Vertex*, Memory> lists;
  Kokkos::View<int*, Memory> told_true;  ///< by bit: how often
  int per_thread;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t thread = std::int64_t(team.league_rank()) * team.team_size() + team.team_rank();
    for (int j = 0; j < per_thread; j += at_once) {
      Vertex v[at_once];
      bool joins[at_once];
      for (int i = 0; i < at_once; ++i) {
        const Vertex entry = lists(thread * per_thread + j + i);
        joins[i] = entry >= 0;
        v[i] = entry >= 0 ? entry : ~entry;
      }
      dromos::claim_by_warp(bitmap, v, joins, team.team_rank() % dromos::warp_width);
      for (int i = 0; i < at_once; ++i) {
        if (joins[i]) Kokkos::atomic_fetch_add(&told_true(v[i]), 1);
      }
    }
  }
};

template <class Vertex>
class ClaimByWarpTest : public ::testing::Test {};
using VertexTypes = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ClaimByWarpTest, VertexTypes, );

/// Lists in which neighbors lie far apart, in few words, in one, and in rising runs of any length; with and without
/// some that are not wanted.
TYPED_TEST(ClaimByWarpTest, TellsExactlyOneLaneOfEachBit) {
  constexpr int num_teams = 7, per_thread = 4 * at_once;
  constexpr int team_size = dromos::has_warps<Space> ? 64 : 1;
  const int num_threads = num_teams * team_size;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto num_bits = static_cast<TypeParam>(seed % 4 == 0 ? 1 << 20 : seed % 4 == 1 ? 100 : 32 * (1 + seed % 40));
    std::vector<TypeParam> lists(static_cast<std::size_t>(num_threads) * per_thread);
    for (int place = 0; place < per_thread; ++place) {  // what lanes beside each other have at the same time
      TypeParam bit = 0;
      for (int thread = 0; thread < num_threads; ++thread) {
        bit = random() % 8 == 0 ? static_cast<TypeParam>(random() % static_cast<std::uint64_t>(num_bits))
                                : static_cast<TypeParam>((bit + static_cast<TypeParam>(random() % 3)) % num_bits);
        lists[static_cast<std::size_t>(thread) * per_thread + place] = seed % 3 == 0 || random() % 3 != 0 ? bit : ~bit;
      }
    }
    std::vector<int> expected(static_cast<std::size_t>(num_bits), 0);
    for (const TypeParam entry : lists) {
      if (entry >= 0 && entry % 5 != 0) expected[static_cast<std::size_t>(entry)] = 1;
    }
    const dromos::Bitmap<Memory> bitmap(num_bits);
    const auto words = Kokkos::create_mirror_view(bitmap.words());
    Kokkos::deep_copy(words, 0u);
    for (TypeParam bit = 0; bit < num_bits; bit += 5) {
      words(dromos::Bitmap<Memory>::word_of(bit)) |= dromos::Bitmap<Memory>::mask(bit);
    }
    Kokkos::deep_copy(bitmap.words(), words);
    const Kokkos::View<int*, Memory> told_true("test::told_true", static_cast<std::size_t>(num_bits));
    Kokkos::parallel_for("test::claim_by_warp", Kokkos::TeamPolicy<Space>(num_teams, team_size),
                         ClaimLists<TypeParam>{bitmap, dromos::test::to_view(lists), told_true, per_thread});
    EXPECT_EQ(dromos::test::to_vector(told_true), expected);
    // And no other bit is set than those.
    Kokkos::deep_copy(words, bitmap.words());
    for (TypeParam bit = 0; bit < num_bits; ++bit) {
      const bool is_set = (words(dromos::Bitmap<Memory>::word_of(bit)) & dromos::Bitmap<Memory>::mask(bit)) != 0;
      ASSERT_EQ(is_set, bit % 5 == 0 || expected[static_cast<std::size_t>(bit)] == 1) << "bit " << bit;
    }
  }
}

}  // namespace
