// SPDX-License-Identifier: BSD-3-Clause
// What errors say of bytes: in the units in which machines have them.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/core/error.hpp>
#include <limits>
#include <string>

namespace dromos {
namespace {

TEST(Errors, SayBytesAsPeopleReadThem) {
  EXPECT_EQ(binary_bytes(0), "0 bytes");
  EXPECT_EQ(binary_bytes(1), "1 byte");
  EXPECT_EQ(binary_bytes(1023), "1023 bytes");
  EXPECT_EQ(binary_bytes(1024), "1.00 KiB");
  EXPECT_EQ(binary_bytes(1 << 20), "1.00 MiB");
  EXPECT_EQ(binary_bytes((1 << 20) - 1), "1.00 MiB") << "not 1024 KiB";
  EXPECT_EQ(binary_bytes(std::uint64_t(3) << 29), "1.50 GiB");
  EXPECT_EQ(binary_bytes(std::uint64_t(125) << 30), "125 GiB");
  EXPECT_EQ(binary_bytes(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
  const MemoryError error("a graph", std::uint64_t(3) << 30, 1 << 29);
  EXPECT_EQ(
      std::string(error.what()),
      "a graph needs 3.00 GiB of memory, and 512 MiB are available; use a smaller graph or a machine with more memory");
  EXPECT_EQ(error.bytes_needed(), std::uint64_t(3) << 30);
}

}  // namespace
}  // namespace dromos
