// SPDX-License-Identifier: BSD-3-Clause
// The program's standard streams: what was said on stdout has arrived somewhere, or the program says that it has not.
#pragma once

#include <string>

namespace dromos::driver {

/// Where a standard stream was closed when the program started, the next file that is opened would take its number, and
/// what is printed would go into that file. Such numbers are taken here, by something that cannot be written to.
void keep_standard_streams_apart();

/// Says something on stderr. Where that cannot be written to either, nothing happens: whoever calls this has an exit
/// code to tell.
void say_error(const std::string& text) noexcept;

/// Writes out what stdout still holds. Throws Error, which says why, where anything of it was lost.
void finish_standard_output();

}  // namespace dromos::driver
