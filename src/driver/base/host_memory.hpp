// SPDX-License-Identifier: BSD-3-Clause
// Whether a graph fits, asked before it is built: systems that promise more memory than they have end a program
// without a word when it uses what it was promised.
#pragma once

#include <cstdint>
#include <string>

namespace dromos::driver {

/// Bytes of main memory that this process may still take, as far as the system and its control group say; the largest
/// number where they say nothing.
std::int64_t available_host_memory();

/// Throws MemoryError when `purpose` needs more than is available.
void check_host_memory(const std::string& purpose, double bytes_needed);

}  // namespace dromos::driver
