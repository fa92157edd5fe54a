// SPDX-License-Identifier: BSD-3-Clause
// Host memory that arrays of a GPU pass through on their way to MPI, kept from operation to operation: pinned memory
// takes longer to allocate than most messages take to travel.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <memory>
#include <vector>

namespace dromos::detail {

/// Buffers of one communicator that nobody uses at the moment.
template <class Memory>
class StagingPool {
 public:
  using Buffer = Kokkos::View<char*, transfer_space<Memory>>;

  static StagingPool& of(const Communicator& communicator) {
    std::shared_ptr<void>& memory = communicator.staging_memory();
    if (!memory) memory = std::make_shared<StagingPool>();
    return *static_cast<StagingPool*>(memory.get());
  }

  /// A buffer of at least so many bytes: the smallest that fits, or a new one in place of the largest that does not.
  Buffer take(std::size_t bytes) {
    auto best = idle_.end();
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
      const bool fits = it->extent(0) >= bytes;
      if (best == idle_.end() || (fits && (best->extent(0) < bytes || it->extent(0) < best->extent(0))) ||
          (!fits && best->extent(0) < bytes && it->extent(0) > best->extent(0))) {
        best = it;
      }
    }
    Buffer buffer;
    if (best != idle_.end()) {
      buffer = *best;
      idle_.erase(best);
    }
    if (buffer.extent(0) < bytes) {
      buffer = Buffer();
      buffer = Buffer(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::comm::staging"), bytes + bytes / 4);
    }
    return buffer;
  }
  void give_back(const Buffer& buffer) { idle_.push_back(buffer); }

 private:
  std::vector<Buffer> idle_;
};

/// Must arrays of this memory space be staged for the communicator's transport?
template <class Memory>
bool must_stage(const Communicator& communicator) {
  return communicator.always_stages() || (!host_accessible<Memory> && !communicator.transport().takes_gpu_memory());
}

}  // namespace dromos::detail
