// SPDX-License-Identifier: BSD-3-Clause
// The random numbers are judged by what generators rely on: fair bits, independent of the counter, the seed and the
// stream, and integers that are uniform in any range.
#include <dromos/generate/counter_random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace dromos::test {
namespace {

TEST(CounterRandom, EveryOutputBitIsFairAndFollowsTheCounterTheSeedAndTheStream) {
  const int num = 1 << 16;
  std::vector<int> ones(64, 0), changed(64, 0), seed_changed(64, 0), stream_changed(64, 0);
  for (int i = 0; i < num; ++i) {
    const std::uint64_t counter = static_cast<std::uint64_t>(i);
    const std::uint64_t x = CounterRandom(7, 3).bits(counter);
    const std::uint64_t next = x ^ CounterRandom(7, 3).bits(counter + 1);
    const std::uint64_t seed = x ^ CounterRandom(8, 3).bits(counter);
    const std::uint64_t stream = x ^ CounterRandom(7, 4).bits(counter);
    for (int bit = 0; bit < 64; ++bit) {
      ones[bit] += static_cast<int>(x >> bit & 1);
      changed[bit] += static_cast<int>(next >> bit & 1);
      seed_changed[bit] += static_cast<int>(seed >> bit & 1);
      stream_changed[bit] += static_cast<int>(stream >> bit & 1);
    }
  }
  const double six_sigma = 6 * std::sqrt(num / 4.0);
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NEAR(ones[bit], num / 2, six_sigma) << "bit " << bit;
    EXPECT_NEAR(changed[bit], num / 2, six_sigma) << "bit " << bit;
    EXPECT_NEAR(seed_changed[bit], num / 2, six_sigma) << "bit " << bit;
    EXPECT_NEAR(stream_changed[bit], num / 2, six_sigma) << "bit " << bit;
  }
}

TEST(CounterRandom, MultiplyHighIsTheUpperHalfOfTheProduct) {
  const std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(multiply_high(max, max), max - 1);
  EXPECT_EQ(multiply_high(max, 1), 0u);
  EXPECT_EQ(multiply_high(std::uint64_t(1) << 63, 6), 3u);
  EXPECT_EQ(multiply_high(0xffffffffULL << 32, 0xffffffffULL << 32), 0xfffffffe00000001ULL);
  // (x * y) / 2^64 from the low half: x * y = high * 2^64 + low, checked modulo a prime that is not a power of two.
  const std::uint64_t prime = 65521;
  const CounterRandom random(5);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t x = random.bits(2 * i), y = random.bits(2 * i + 1);
    const std::uint64_t two_to_64 = (max % prime + 1) % prime;
    EXPECT_EQ((x % prime) * (y % prime) % prime, ((multiply_high(x, y) % prime) * two_to_64 + (x * y) % prime) % prime);
  }
}

TEST(CounterRandom, BelowIsUniform) {
  const int num_bins = 37, per_bin = 10000;
  std::vector<int> count(num_bins, 0);
  const CounterRandom random(11);
  for (std::uint64_t i = 0; i < num_bins * per_bin; ++i) {
    const std::uint64_t x = random.below(num_bins, i);
    ASSERT_LT(x, static_cast<std::uint64_t>(num_bins));
    ++count[x];
  }
  for (int bin = 0; bin < num_bins; ++bin) EXPECT_NEAR(count[bin], per_bin, 6 * std::sqrt(per_bin)) << "bin " << bin;
}

}  // namespace
}  // namespace dromos::test
