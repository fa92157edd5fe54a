// SPDX-License-Identifier: BSD-3-Clause
// The most memory that Views of the default memory space had together, by Kokkos' own reports of what it allocates.
// What else a process has (its program, a GPU's context, buffers of transports) is not in it.
#pragma once

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "benchmark.hpp"

namespace dromos::perf {

/// One at a time.
class PeakMemory {
 public:
  PeakMemory() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](const Kokkos::Tools::SpaceHandle space, const char*, const void*, const std::uint64_t bytes) {
          if (!is_ours(space)) return;
          const auto now = static_cast<std::int64_t>(bytes) + now_.fetch_add(static_cast<std::int64_t>(bytes));
          for (std::int64_t before = peak_; before < now && !peak_.compare_exchange_weak(before, now);) {
          }
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](const Kokkos::Tools::SpaceHandle space, const char*, const void*, const std::uint64_t bytes) {
          if (is_ours(space)) now_ -= static_cast<std::int64_t>(bytes);
        });
  }
  ~PeakMemory() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;

  /// Begins anew with what is allocated now.
  void restart() { peak_ = now_.load(); }
  /// Bytes, since restart(); of what was allocated since this was made.
  std::int64_t bytes() const { return peak_; }

 private:
  static bool is_ours(const Kokkos::Tools::SpaceHandle& space) {
    return std::string_view(space.name) == Memory::name();
  }

  static inline std::atomic<std::int64_t> now_{0}, peak_{0};
};

}  // namespace dromos::perf
