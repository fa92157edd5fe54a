// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "comm/shared/control_words.hpp"
#include "comm/shared/peer_memory.hpp"

namespace dromos::detail {
namespace {

/// Copies are done when the call returns: who waits for a piece has nothing better to do.
class HostPeerMemory : public PeerMemory {
 public:
  explicit HostPeerMemory(const ControlWords& words) : words_(words) {}

  char* data(int owner) const override { return words_.data(owner); }

  std::unique_ptr<PendingCopy> copy_out(char* to, const char* from, std::int64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return nullptr;
  }
  std::unique_ptr<PendingCopy> copy_in(char* to, const char* from, std::int64_t bytes) override {
    return copy_out(to, from, bytes);
  }
  std::unique_ptr<PendingCopy> unite(char* to, const char* from, std::int64_t bytes) override {
    auto* const words = reinterpret_cast<std::uint32_t*>(to);
    const auto* const others = reinterpret_cast<const std::uint32_t*>(from);
    for (std::int64_t i = 0; i < bytes / 4; ++i) words[i] |= others[i];
    return nullptr;
  }

 private:
  const ControlWords& words_;
};

}  // namespace

std::unique_ptr<PeerMemory> make_host_peer_memory(const ControlWords& words) {
  return std::make_unique<HostPeerMemory>(words);
}

}  // namespace dromos::detail
