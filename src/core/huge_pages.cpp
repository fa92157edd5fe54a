// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <dromos/core/huge_pages.hpp>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dromos {
namespace {

/// Tells the system about the whole pages of a size among these bytes. A refusal is no error: all stays as it was.
#ifdef __linux__
void advise(void* address, std::size_t num_bytes, std::uintptr_t page, int advice) noexcept {
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + num_bytes) / page * page;
  if (first < last) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, advice));
}
#endif

}  // namespace

void advise_huge_pages([[maybe_unused]] void* address, [[maybe_unused]] std::size_t num_bytes) noexcept {
#ifdef __linux__
  advise(address, num_bytes, huge_page_bytes, MADV_HUGEPAGE);
#endif
}

void release_pages([[maybe_unused]] void* address, [[maybe_unused]] std::size_t num_bytes) noexcept {
#ifdef __linux__
  advise(address, num_bytes, static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)), MADV_DONTNEED);
#endif
}

}  // namespace dromos
