// SPDX-License-Identifier: BSD-3-Clause
// Memory that ran out where nobody had asked beforehand, whoever met it.
//
// Kokkos says so in its own ways: up to 4.4 by a std::runtime_error of several lines with a trace of calls, later by
// one of a single line, and inside by a std::bad_alloc; the standard library by a std::bad_alloc without a word.
#pragma once

#include <dromos/core/error.hpp>
#include <exception>
#include <optional>

namespace dromos {

/// The error as a MemoryError, in one line that says what could not be allocated and how much that was, as far as it is
/// known, and how much main memory is available; nothing where it is about something else.
std::optional<MemoryError> as_memory_error(const std::exception& error);

}  // namespace dromos
