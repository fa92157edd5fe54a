// SPDX-License-Identifier: BSD-3-Clause
// Whether a graph fits, asked before it is built (dromos/core/available_memory.hpp says what is there).
#pragma once

#include <functional>
#include <string>

namespace dromos::driver {

/// Throws MemoryError when `purpose` needs more than is available.
///
/// \param what_would_fit  with the bytes that are available: "scale 21 would fit", for the message
void check_host_memory(const std::string& purpose, double bytes_needed,
                       const std::function<std::string(double)>& what_would_fit = nullptr);

/// Arrays of 4 MiB and more, from now on, go back to the system when they are freed. Otherwise glibc takes the size of
/// what was freed for a sign that so much will be asked for again, and keeps up to 32 MiB each: a graph of ranks took a
/// quarter more than its arrays.
void give_freed_arrays_back();

/// Bytes of this process that are in main memory: now, and at the most so far. 0 where the system does not say.
struct ResidentMemory {
  double now = 0;
  double peak = 0;
};
ResidentMemory resident_memory();

}  // namespace dromos::driver
