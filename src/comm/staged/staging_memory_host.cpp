// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "comm/staged/staging_memory.hpp"

namespace dromos::detail {
namespace {

class HostStagingMemory : public StagingMemory {
 public:
  bool is_needed_for(const void* /*data*/) const override { return true; }
  std::unique_ptr<PendingCopy> copy_out(char* to, const char* from, std::int64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return nullptr;
  }
  std::unique_ptr<PendingCopy> copy_in(char* to, const char* from, std::int64_t bytes) override {
    return copy_out(to, from, bytes);
  }

 protected:
  char* allocate(std::int64_t bytes) override {
    buffers_.push_back(std::make_unique<char[]>(static_cast<std::size_t>(bytes)));
    return buffers_.back().get();
  }

 private:
  std::vector<std::unique_ptr<char[]>> buffers_;
};

}  // namespace

std::unique_ptr<StagingMemory> make_host_staging_memory() { return std::make_unique<HostStagingMemory>(); }

}  // namespace dromos::detail
