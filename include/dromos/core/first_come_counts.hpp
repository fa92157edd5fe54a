// SPDX-License-Identifier: BSD-3-Clause
// Counts of a thread's own, of numbers of which a few come again and again: a level, a component. A counter that all
// threads raise is as slow as one thread; so each counts a tile of its own here, and tells the others of sums.
//
//   slots 4, keys 5 5 6 9 5:    5 has slot 1 and comes 3 times, 6 has slot 2 and comes once; 9 finds slot 1 taken
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>

namespace dromos {

/// \tparam slots  a key has the slot of its number modulo slots; of several that have the same, the first to come,
///                unless counted by count_often()
template <class Key, int slots>
class FirstComeCounts {
 public:
  struct Slot {
    Key key = 0;
    std::uint64_t count = 0;
    std::uint64_t first = 0;  ///< for whoever gives places to what was counted
  };

  /// The slot of a key, which it takes if nobody has; null: another key has it.
  KOKKOS_FUNCTION Slot* slot_of(Key key) {
    Slot& slot = slots_[static_cast<std::size_t>(key) % slots];
    if (slot.count == 0) slot.key = key;
    return slot.key == key ? &slot : nullptr;
  }
  /// Counts a key. \returns whether it has a slot
  KOKKOS_FUNCTION bool count(Key key) {
    Slot* const slot = slot_of(key);
    if (slot != nullptr) ++slot->count;
    return slot != nullptr;
  }
  /// Counts a key for which a slot is found nearly always, if it comes often: what had it and came less than four
  /// times goes, after it was shown to tell(slot).
  template <class Tell>
  KOKKOS_FORCEINLINE_FUNCTION bool count_often(Key key, const Tell& tell) {
    Slot& slot = slots_[static_cast<std::size_t>(key) % slots];
    if (slot.count == 0 || slot.key != key) {
      if (slot.count >= 4) return false;
      if (slot.count > 0) tell(slot);
      slot = {key, 0, 0};
    }
    ++slot.count;
    return true;
  }
  /// Shows each slot that counted something to show(slot).
  template <class Show>
  KOKKOS_FORCEINLINE_FUNCTION void each(const Show& show) {
    for (Slot& slot : slots_) {
      if (slot.count != 0) show(slot);
    }
  }

 private:
  Slot slots_[slots];
};

}  // namespace dromos
