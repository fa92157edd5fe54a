// SPDX-License-Identifier: BSD-3-Clause
// What errors say of bytes: in the units in which machines have them.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/core/allocation_failure.hpp>
#include <dromos/core/error.hpp>
#include <limits>
#include <new>
#include <stdexcept>
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

std::string memory_error_of(const std::exception& error) {
  const auto found = as_memory_error(error);
  return found ? found->what() : "none";
}

TEST(Errors, MemoryThatRanOutIsToldInALine) {
  // What Kokkos 3.4 says, and 4.5.
  const std::string old =
      "Kokkos failed to allocate memory for label \"dromos::bfs::parent\".  Allocation using MemorySpace named "
      "\"Host\" failed with the following error:  Allocation of size 7.451 G failed, likely due to insufficient "
      "memory.  (The allocation mechanism was standard malloc().)\n\nTraceback functionality not available\n";
  const std::string current = "Kokkos ERROR: Cuda memory space failed to allocate 512 MiB (label=\"rows\").";
  const std::string message = memory_error_of(std::runtime_error(old));
  EXPECT_EQ(message.find("out of memory: no 7.45 GiB for dromos::bfs::parent; "), 0u) << message;
  EXPECT_NE(message.find(" are available; use a smaller graph"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_EQ(memory_error_of(std::runtime_error(current)),
            "out of memory: no 512 MiB for rows; use a smaller graph, --ids 32, more ranks, or a machine with more "
            "memory");
  EXPECT_EQ(memory_error_of(std::runtime_error("Kokkos failed to allocate something")).find("out of memory; use"), 0u);
  EXPECT_EQ(memory_error_of(std::bad_alloc()).find("out of memory; "), 0u);
  EXPECT_EQ(memory_error_of(std::runtime_error("something else")), "none");
}

}  // namespace
}  // namespace dromos
