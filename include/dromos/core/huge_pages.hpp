// SPDX-License-Identifier: BSD-3-Clause
// Asks the operating system to back a large array with huge pages. Graph algorithms read memory at random, and with
// pages of 4 KiB nearly every read of a large array also misses the translation cache; pages of 2 MiB remove that miss.
// And hands pages back to it that hold nothing any more, while the array around them stays.
#pragma once

#include <cstddef>

namespace dromos {

/// Of one huge page; the usual size where there are several.
inline constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;

/// A hint: does nothing for small arrays, where the system does not know of huge pages, and for memory that is not the
/// host's (callers may pass any address; the system ignores what is not its own).
void advise_huge_pages(void* address, std::size_t num_bytes) noexcept;

/// What is in these bytes is not needed any more: whole pages of them take no memory until they are written to again.
/// For arrays of the host that nobody else has. A hint as well; what stands there afterwards is not said.
void release_pages(void* address, std::size_t num_bytes) noexcept;

}  // namespace dromos
