// SPDX-License-Identifier: BSD-3-Clause
// Bits gathered from chosen places: every pattern of few places in a word, and bitmaps with few, half and nearly all of
// them, over many items.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/gathered_bits.hpp>
#include <random>
#include <vector>

namespace dromos::test {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;

std::uint32_t gathered_one_by_one(std::uint32_t places, std::uint32_t bits) {
  std::uint32_t result = 0;
  int count = 0;
  for (int i = 0; i < 32; ++i)
    if ((places >> i & 1u) != 0) result |= (bits >> i & 1u) << count++;
  return result;
}

TEST(GatheredBits, OfAWordComeTogetherInOrder) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> patterns = {0, 1, 0x80000000u, ~0u, 0xaaaaaaaau, 0x55555555u, 0xffff0000u, 0x0000ffffu};
  for (int i = 0; i < 500; ++i) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    for (const std::uint32_t each : {a, a & b, a | b}) patterns.push_back(each);
  }
  for (const std::uint32_t places : patterns) {
    detail::GatheredWord word;
    word.plan(places);
    for (const std::uint32_t bits : patterns) {
      ASSERT_EQ(word.gather(bits), gathered_one_by_one(places, bits)) << std::hex << places << " of " << bits;
    }
  }
}

TEST(GatheredBits, OfABitmapFollowEachOther) {
  std::mt19937_64 random(5);
  for (const std::int64_t size : {0, 1, 31, 32, 33, 8191, 8192, 8193, 40000}) {
    for (const unsigned one_in : {1u, 2u, 9u, 300u}) {
      const Bitmap<Memory> places(size, "places"), bits(size, "bits");
      std::vector<bool> expected;
      for (std::int64_t v = 0; v < size; ++v) {
        const bool bit = random() % 2 == 0;
        if (bit) bits.set(v);
        if (random() % one_in != 0) continue;
        places.set(v);
        expected.push_back(bit);
      }
      const detail::GatheredBits<Memory> gathering(Space(), places);
      ASSERT_EQ(gathering.size(), static_cast<std::int64_t>(expected.size()));
      const std::size_t num_words = (expected.size() + 31) / 32;
      std::vector<std::uint32_t> result(num_words + 1, ~0u);  // the last one is nobody's
      gathering.gather("test::gather", Space(), bits, result.data());
      Space().fence();
      for (std::size_t i = 0; i < 32 * num_words; ++i) {
        ASSERT_EQ((result[i / 32] >> i % 32 & 1u) != 0, i < expected.size() && expected[i])
            << "place " << i << " of " << expected.size() << " in " << size << " bits";
      }
      EXPECT_EQ(result.back(), ~0u);
    }
  }
}

}  // namespace
}  // namespace dromos::test
