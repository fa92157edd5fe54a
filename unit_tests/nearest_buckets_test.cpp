// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/impl/nearest_buckets.hpp>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace {

template <class Distance>
using Buckets = dromos::detail::NearestBuckets<Distance, std::int32_t>;

template <class Distance>
std::vector<Distance> taken_out(Buckets<Distance>& queue) {
  std::vector<Distance> order;
  for (; !queue.empty(); queue.pop()) order.push_back(queue.top().first);
  return order;
}

TEST(NearestBuckets, TakesOutBucketByBucketAsTheyCame) {
  Buckets<std::int64_t> queue(10);
  for (const std::int64_t d : {3, 1, 28, 15, 12}) queue.emplace(d, 0);
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(queue.top().first, 3);
  queue.pop();
  queue.emplace(9, 0);
  EXPECT_EQ(taken_out(queue), (std::vector<std::int64_t>{1, 9, 15, 12, 28}));
  EXPECT_EQ(queue.num_rounds(), 4);  // 3 1 | 9 | 15 12 | 28
}

TEST(NearestBuckets, NearerThanTheBucketIsTakenOutWithIt) {
  Buckets<std::int64_t> queue(10);
  for (const std::int64_t d : {15, 28}) queue.emplace(d, 0);
  EXPECT_EQ(queue.top().first, 15);
  queue.pop();
  queue.emplace(3, 0);
  EXPECT_EQ(taken_out(queue), (std::vector<std::int64_t>{3, 28}));
}

TEST(NearestBuckets, IsAHeapInExactOrder) {
  Buckets<double> queue(0, {{7, 1}, {2.5, 2}});
  for (const double d : {9.0, 1.0, 2.0}) queue.emplace(d, 0);
  EXPECT_EQ(taken_out(queue), (std::vector<double>{1, 2, 2.5, 7, 9}));
}

TEST(NearestBuckets, OrdersExactlyFromNowOn) {
  Buckets<std::int64_t> queue(10, {{5000, 1}});
  for (const std::int64_t d : {5, 3, 1, 28, 25}) queue.emplace(d, 0);
  EXPECT_EQ(queue.top().first, 5);
  queue.pop();
  queue.order_exactly();
  queue.emplace(2, 0);
  EXPECT_EQ(queue.size(), 6u);
  EXPECT_EQ(taken_out(queue), (std::vector<std::int64_t>{1, 2, 3, 25, 28, 5000}));
}

/// Further than any number of buckets, too: what is far waits for its turn, and nothing is lost.
TEST(NearestBuckets, FarDistancesComeInTheirTurn) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - 1;
  Buckets<std::int64_t> queue(1, {{most, 1}, {3, 2}});
  for (const std::int64_t d : {std::int64_t(1) << 40, std::int64_t(300), std::int64_t(2)}) queue.emplace(d, 0);
  EXPECT_EQ(taken_out(queue), (std::vector<std::int64_t>{2, 3, 300, std::int64_t(1) << 40, most}));
  Buckets<double> of_floats(1);
  for (const double d : {1e300, 0.5}) of_floats.emplace(d, 0);
  EXPECT_EQ(taken_out(of_floats), (std::vector<double>{0.5, 1e300}));
}

TEST(NearestBuckets, NoBucketIsTakenOutBeforeANearerOne) {
  constexpr int width = 7;
  std::mt19937 random(1);
  Buckets<std::int64_t> queue(width);
  std::int64_t num_put = 1, num_taken = 0, last = 0;
  for (queue.emplace(0, 0); !queue.empty(); ++num_taken) {
    const std::int64_t d = queue.top().first;
    queue.pop();
    EXPECT_GE(d / width, last / width);
    last = std::max(last, d);
    // Now and then so far that it does not find a place in the ring.
    for (unsigned i = random() % 4; i > 0 && num_put < 10000; --i, ++num_put) {
      queue.emplace(d + static_cast<std::int64_t>(random() % (random() % 50 == 0 ? 9000 : 60)), 0);
    }
    if (queue.empty() && num_put < 10000) queue.emplace(d + 1, (++num_put, 0));
  }
  EXPECT_EQ(num_taken, num_put);
}

}  // namespace
