// SPDX-License-Identifier: BSD-3-Clause
// Host memory that arrays of a GPU pass through on their way to MPI, kept from operation to operation: pinned memory
// takes longer to allocate than most messages take to travel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comm/copies/pending_copy.hpp"

namespace dromos::detail {

class StagingMemory : public Copies {
 public:
  struct Buffer {
    char* data = nullptr;
    std::int64_t size = 0;
  };

  /// Must what lies there be copied before MPI may see it?
  virtual bool is_needed_for(const void* data) const = 0;

  /// A buffer of at least so many bytes that nobody uses.
  Buffer take(std::int64_t bytes) {
    auto best = idle_.end();
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
      if (it->size >= bytes && (best == idle_.end() || it->size < best->size)) best = it;
    }
    if (best == idle_.end()) {
      std::int64_t size = smallest_buffer;
      while (size < bytes) size *= 2;
      return {allocate(size), size};
    }
    const Buffer buffer = *best;
    idle_.erase(best);
    return buffer;
  }
  void give_back(const Buffer& buffer) { idle_.push_back(buffer); }

 protected:
  /// Freed with this object.
  virtual char* allocate(std::int64_t bytes) = 0;

 private:
  static constexpr std::int64_t smallest_buffer = 4096;

  std::vector<Buffer> idle_;
};

/// Pinned memory, and copies that a GPU does by itself. Defined where Dromos is compiled for CUDA.
std::unique_ptr<StagingMemory> make_pinned_staging_memory();

/// Of the host, needed for every array.
std::unique_ptr<StagingMemory> make_host_staging_memory();

}  // namespace dromos::detail
