// SPDX-License-Identifier: BSD-3-Clause
// Arrays that are sized on first use and reused afterwards: results and scratch memory of algorithms.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>

namespace dromos::detail {

/// Gives `view` this size, with nothing written, unless it has it already.
template <class T, class Memory>
void ensure_size(Kokkos::View<T*, Memory>& view, std::size_t size, const char* label) {
  if (view.extent(0) != size) {
    view = Kokkos::View<T*, Memory>();  // free first: the old and the new one need not both fit
    view = Kokkos::View<T*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
    if constexpr (host_accessible<Memory>) advise_huge_pages(view.data(), size * sizeof(T));
  }
}

}  // namespace dromos::detail
