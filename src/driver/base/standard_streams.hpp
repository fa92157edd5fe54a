// SPDX-License-Identifier: BSD-3-Clause
// The program's standard streams: what was said on stdout has arrived somewhere, or the program says that it has not.
#pragma once

#include <string>
#include <system_error>

namespace dromos::driver {

/// Where a standard stream was closed when the program started, the next file that is opened would take its number, and
/// what is printed would go into that file. Such numbers are taken here, by something that cannot be written to.
void keep_standard_streams_apart();

/// Says something on stderr. Where that cannot be written to either, nothing happens: whoever calls this has an exit
/// code to tell.
void say_error(const std::string& text) noexcept;

/// Shows what was printed so far. Where stdout cannot take it, finish_standard_output() says so, and why.
void flush_standard_output() noexcept;

/// Prints a text that was asked for on stdout. Throws Error, which says why, where it cannot be written.
void print_output(const std::string& text);

/// What a message says of text that could not be printed.
std::string describe_output_failure(const std::system_error& error);

/// Writes out what stdout still holds. Throws Error, which says why, where anything of it was lost.
void finish_standard_output();

}  // namespace dromos::driver
