// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/host_memory.hpp"

#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>

namespace dromos::driver {

void check_host_memory(const std::string& purpose, double bytes_needed) {
  const std::int64_t available = available_host_memory();
  if (bytes_needed > static_cast<double>(available)) {
    // 2^63 and more is not a number of bytes that the message could hold.
    const double most = 9.2e18;
    throw MemoryError(purpose, static_cast<std::uint64_t>(bytes_needed < most ? bytes_needed : most),
                      static_cast<std::uint64_t>(available));
  }
}

}  // namespace dromos::driver
