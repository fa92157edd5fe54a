// SPDX-License-Identifier: BSD-3-Clause
// Kernels over the vertices of bitmaps: sizes around that of a word, of a team's share and beyond what all teams of a
// GPU hold at once.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <string>
#include <vector>

namespace dromos::test {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Words = BitmapWords<Memory>;

/// One in seven, and all of the second word.
KOKKOS_FUNCTION bool wanted(std::int64_t v) { return v % 7 == 3 || v / 32 == 1; }

struct IsWanted {
  KOKKOS_FUNCTION bool operator()(std::int64_t v) const { return wanted(v); }
};
struct IsWantedAndAdded {
  KOKKOS_FUNCTION bool operator()(std::int64_t v, std::int64_t& sum) const {
    sum += v;  // of all, whatever is said of them
    return wanted(v);
  }
};
struct CountEach {
  Words words;
  Kokkos::View<int*, Memory> calls;
  KOKKOS_FUNCTION std::uint32_t word(std::int64_t w) const { return words(w); }
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { Kokkos::atomic_fetch_add(&calls(v), 1); }
};
struct AddEach {
  Words words;
  KOKKOS_FUNCTION std::uint32_t word(std::int64_t w) const { return ~words(w); }  // those that are not set
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum) const { sum += v; }
};

class BitWords : public ::testing::TestWithParam<std::int64_t> {
 protected:
  const std::int64_t size = GetParam();
  const std::int64_t num_words = (size + 31) / 32;
  /// With a word more, which is nobody's, and all bits set before.
  const Words words{"words", static_cast<std::size_t>(num_words) + 1};

  void SetUp() override { Kokkos::deep_copy(words, ~0u); }
  void expect_wanted() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), words);
    for (std::int64_t v = 0; v < 32 * num_words; ++v) {
      ASSERT_EQ((host(v / 32) >> v % 32 & 1u) != 0, v < size && wanted(v)) << "bit " << v << " of " << size;
    }
    EXPECT_EQ(host(num_words), ~0u);
  }
};

TEST_P(BitWords, AreWhatIsSaidOfEachVertex) {
  write_bits("test::write", Space(), words.data(), size, IsWanted{});
  expect_wanted();
}

TEST_P(BitWords, AreWrittenBesideAReduction) {
  std::int64_t sum = -1;
  write_bits("test::write", Space(), words.data(), size, IsWantedAndAdded{}, Kokkos::Sum<std::int64_t>(sum));
  expect_wanted();
  EXPECT_EQ(sum, size * (size - 1) / 2);
}

TEST_P(BitWords, AreVisitedWhereTheyAreSet) {
  write_bits("test::write", Space(), words.data(), size, IsWanted{});
  const Kokkos::View<int*, Memory> calls("calls", size);
  for_bits("test::visit", Space(), num_words, CountEach{words, calls});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), calls);
  for (std::int64_t v = 0; v < size; ++v) ASSERT_EQ(host(v), wanted(v) ? 1 : 0) << v << " of " << size;
}

TEST_P(BitWords, AreAddedUpWhereTheWordSaysSo) {
  write_bits("test::write", Space(), words.data(), size, IsWanted{});
  std::int64_t sum = -1, expected = 0;
  reduce_bits("test::reduce", Space(), num_words, AddEach{words}, Kokkos::Sum<std::int64_t>(sum));
  for (std::int64_t v = 0; v < 32 * num_words; ++v) expected += v < size && wanted(v) ? 0 : v;
  EXPECT_EQ(sum, expected);
}

TEST_P(BitWords, AreCopiedToAnotherPlaceAndNothingBesideThem) {
  for (const std::int64_t first : {0, 1, 17, 32, 63}) {
    const Words from("from", static_cast<std::size_t>((first + size + 31) / 32));  // ends where the range does
    write_bits("test::write", Space(), from.data(), first + size, IsWanted{});
    for (const std::int64_t at : {0, 5, 31, 64}) {
      const Words to("to", static_cast<std::size_t>((at + size) / 32) + 1);
      Kokkos::deep_copy(to, at % 2 == 0 ? ~0u : 0u);
      copy_bits("test::copy", Space(), from.data(), first, to.data(), at, size);
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
      for (std::int64_t v = 0; v < 32 * static_cast<std::int64_t>(host.extent(0)); ++v) {
        const bool expected = v < at || v >= at + size ? at % 2 == 0 : wanted(first + v - at);
        ASSERT_EQ((host(v / 32) >> v % 32 & 1u) != 0, expected)
            << "bit " << v << " of " << size << " from " << first << " to " << at;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BitWords,
                         ::testing::Values<std::int64_t>(0, 1, 31, 32, 33, 64, 255, 256, 257, 8192, 10007, 2000003),
                         [](const auto& tested) { return "Of" + std::to_string(tested.param); });

}  // namespace
}  // namespace dromos::test
