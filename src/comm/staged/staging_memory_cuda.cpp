// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/check_cuda.hpp>
#include <optional>

#include "comm/copies/copy_stream_cuda.hpp"
#include "comm/copies/memory_kind_cuda.hpp"
#include "comm/staged/staging_memory.hpp"

namespace dromos::detail {
namespace {

class PinnedStagingMemory : public StagingMemory {
 public:
  ~PinnedStagingMemory() override {
    for (void* buffer : buffers_) cudaFreeHost(buffer);
  }

  bool is_needed_for(const void* data) const override { return is_gpu_memory(data); }
  std::unique_ptr<PendingCopy> copy_out(char* to, const char* from, std::int64_t bytes) override {
    return used(out_).copy(to, from, bytes);
  }
  std::unique_ptr<PendingCopy> copy_in(char* to, const char* from, std::int64_t bytes) override {
    return used(in_).copy(to, from, bytes);
  }

 protected:
  char* allocate(std::int64_t bytes) override {
    void* buffer = nullptr;
    check_cuda(cudaMallocHost(&buffer, static_cast<std::size_t>(bytes)), "cudaMallocHost");
    buffers_.push_back(buffer);
    return static_cast<char*>(buffer);
  }

 private:
  /// Made for the first copy: communicators that never see a GPU's memory may be there before Kokkos is initialized.
  static CopyStream& used(std::optional<CopyStream>& stream) {
    if (!stream) stream.emplace();
    return *stream;
  }

  std::vector<void*> buffers_;
  std::optional<CopyStream> out_, in_;
};

}  // namespace

std::unique_ptr<StagingMemory> make_pinned_staging_memory() { return std::make_unique<PinnedStagingMemory>(); }

}  // namespace dromos::detail
