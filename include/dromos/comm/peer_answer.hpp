// SPDX-License-Identifier: BSD-3-Clause
// The answer of a kernel that meets those of other ranks (comm/peer_mail.hpp).
#pragma once

#include <dromos/comm/transport.hpp>
#include <dromos/core/device_message.hpp>

namespace dromos::detail {

/// Waits for it. Throws Error where it does not come, and names the rank that the kernel waited for.
template <class Space, class Memory>
void wait_for_peers(const Space& space, const DeviceMessage<Memory>& message, const MessageSender& sender,
                    const StreamedOperations& streamed) {
  try {
    message.wait(space, sender);
  } catch (...) {
    streamed.check();
    throw;
  }
}

}  // namespace dromos::detail
