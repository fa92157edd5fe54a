// SPDX-License-Identifier: BSD-3-Clause
// How much main memory a process may still take. Asked before large arrays are made: systems that promise more memory
// than they have end a program without a word when it uses what it was promised.
#pragma once

#include <cstdint>

namespace dromos {

/// Bytes that this process may still take: what the system has, what each control group around it leaves (batch systems
/// nest them, and the limit may be any one's), and what its own limit of addresses leaves (ulimit -v). The largest
/// number where nothing says so. Cost: a few small files of the system, some 0.1 ms.
std::int64_t available_host_memory();

}  // namespace dromos
