// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/device_message.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using dromos::DeviceMessage;
using dromos::MessageSender;

// Kernels stand outside TEST bodies, which are private functions, where CUDA allows no device lambdas.

/// One message: word i is factor * (i + 1).
void send_multiples(const MessageSender& sender, std::uint64_t factor) {
  Kokkos::parallel_for(
      "test::send", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(const int) {
        for (int i = 0; i < sender.size; ++i) sender.write(i, factor * static_cast<std::uint64_t>(i + 1));
        sender.send();
      });
}

TEST(DeviceMessage, TellsWhatTheKernelWroteEveryTime) {
  if (!dromos::sends_messages<Space>) GTEST_SKIP() << "kernels of " << Space::name() << " send no messages";
  const Space space;
  const DeviceMessage<Memory> message(5, "test::message");
  const DeviceMessage<Memory> copy = message;  // shallow
  for (std::uint64_t factor = 1; factor < 500; ++factor) {
    const MessageSender sender = (factor % 2 == 0 ? message : copy).expect();
    send_multiples(sender, factor);
    message.wait(space, sender);
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(message[i], factor * static_cast<std::uint64_t>(i + 1));
      ASSERT_EQ(copy[i], message[i]);
    }
  }
}

/// Nobody waits forever for a kernel that does not send.
TEST(DeviceMessage, ThatIsNotSentIsAnError) {
  const Space space;
  const DeviceMessage<Memory> message(1, "test::silent");
  try {
    message.wait(space, message.expect());
    FAIL() << "a message came";
  } catch (const dromos::Error& error) {
    EXPECT_NE(std::string(error.what()).find("test::silent"), std::string::npos) << error.what();
  }
}

}  // namespace
