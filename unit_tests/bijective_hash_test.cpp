// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/generate/bijective_hash.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dromos::test {
namespace {

TEST(BijectiveHash, IsABijectionAtEveryScale) {
  for (int bits = 0; bits <= 20; ++bits) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const BijectiveHash hash(bits, CounterRandom(seed));
      std::vector<bool> hit(std::size_t(1) << bits, false);
      for (std::uint64_t x = 0; x < hit.size(); ++x) {
        const std::uint64_t y = hash(x);
        ASSERT_LT(y, hit.size()) << "bits " << bits;
        ASSERT_FALSE(hit[y]) << "bits " << bits << ", two values go to " << y;
        hit[y] = true;
      }
    }
  }
}

// Where all values cannot be tried, neighbours and far apart values must still not meet.
TEST(BijectiveHash, HasNoCollisionAmongManyValuesOfWideRanges) {
  for (const int bits : {31, 47, 63}) {
    const BijectiveHash hash(bits, CounterRandom(1));
    std::vector<std::uint64_t> inputs, outputs;
    for (std::uint64_t x = 0; x < 20000; ++x) {
      inputs.push_back(x);
      inputs.push_back((std::uint64_t(1) << bits) - 1 - x);
      inputs.push_back(CounterRandom(2).below(std::uint64_t(1) << bits, x));
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (const std::uint64_t x : inputs) outputs.push_back(hash(x));
    std::sort(outputs.begin(), outputs.end());
    EXPECT_LT(outputs.back(), std::uint64_t(1) << bits);
    EXPECT_EQ(std::unique(outputs.begin(), outputs.end()), outputs.end()) << "bits " << bits;
  }
}

// Flipping one input bit must flip each output bit about half of the time, or hubs keep a pattern in their numbers.
TEST(BijectiveHash, MixesEveryBitIntoEveryBit) {
  const int bits = 20, num = 4096;
  const BijectiveHash hash(bits, CounterRandom(1));
  for (int in = 0; in < bits; ++in) {
    std::vector<int> flips(bits, 0);
    for (std::uint64_t i = 0; i < num; ++i) {
      const std::uint64_t x = CounterRandom(3).below(1 << bits, i);
      const std::uint64_t difference = hash(x) ^ hash(x ^ (std::uint64_t(1) << in));
      for (int out = 0; out < bits; ++out) flips[out] += static_cast<int>(difference >> out & 1);
    }
    for (int out = 0; out < bits; ++out) {
      EXPECT_GT(flips[out], num / 4) << "input bit " << in << ", output bit " << out;
      EXPECT_LT(flips[out], num * 3 / 4) << "input bit " << in << ", output bit " << out;
    }
  }
}

}  // namespace
}  // namespace dromos::test
