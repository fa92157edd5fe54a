// SPDX-License-Identifier: BSD-3-Clause
// Whether a graph fits, asked before it is built (dromos/core/available_memory.hpp says what is there).
#pragma once

#include <string>

namespace dromos::driver {

/// Throws MemoryError when `purpose` needs more than is available.
void check_host_memory(const std::string& purpose, double bytes_needed);

}  // namespace dromos::driver
