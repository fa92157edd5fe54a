// SPDX-License-Identifier: BSD-3-Clause
#include "io/text/temporary_names.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dromos/io/replaced_file.hpp>

namespace dromos {
namespace {

constexpr int num_slots = 32;
std::atomic<char*> slots[num_slots];
static_assert(std::atomic<char*>::is_always_lock_free, "a signal handler reads the names");

}  // namespace

namespace io {

TemporaryName::TemporaryName(const std::string& path) {
  char* const name = strdup(path.c_str());
  if (name == nullptr) return;
  for (int slot = 0; slot < num_slots; ++slot) {
    char* none = nullptr;
    if (!slots[slot].compare_exchange_strong(none, name)) continue;
    slot_ = slot;
    return;
  }
  std::free(name);
}

TemporaryName::~TemporaryName() {
  if (slot_ >= 0) std::free(slots[slot_].exchange(nullptr));
}

}  // namespace io

void remove_temporary_files() noexcept {
  for (std::atomic<char*>& slot : slots) {
    // Not freed: a handler may not.
    if (const char* const name = slot.exchange(nullptr)) unlink(name);
  }
}

}  // namespace dromos
