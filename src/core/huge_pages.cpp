// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <dromos/core/huge_pages.hpp>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace dromos {

void advise_huge_pages([[maybe_unused]] void* address, [[maybe_unused]] std::size_t num_bytes) noexcept {
#ifdef __linux__
  constexpr std::uintptr_t huge_page = huge_page_bytes;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + num_bytes) / huge_page * huge_page;
  // A refusal is no error: the array then stays in small pages.
  if (first < last) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#endif
}

}  // namespace dromos
