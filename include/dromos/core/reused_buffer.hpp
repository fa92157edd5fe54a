// SPDX-License-Identifier: BSD-3-Clause
// Memory for what is needed for a moment, again and again, of sizes that are not known beforehand: it grows and stays.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>

namespace dromos::detail {

template <class Memory>
class ReusedBuffer {
 public:
  explicit ReusedBuffer(const char* label = "dromos::reused_buffer") : label_(label) {}

  /// Room for so many elements, with nothing written. Valid until the next call; what is still being done with the last
  /// one must be over.
  template <class T>
  Kokkos::View<T*, Memory> of(std::int64_t size) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    if (bytes_.extent(0) < bytes) {
      bytes_ = {};  // free first: the old and the new one need not both fit
      bytes_ = Kokkos::View<char*, Memory>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label_)),
                                           bytes + bytes / 4);
      if constexpr (host_accessible<Memory>) advise_huge_pages(bytes_.data(), bytes_.extent(0));
    }
    return Kokkos::View<T*, Memory>(reinterpret_cast<T*>(bytes_.data()), size);
  }

 private:
  const char* label_;
  Kokkos::View<char*, Memory> bytes_;
};

}  // namespace dromos::detail
