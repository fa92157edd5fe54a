// SPDX-License-Identifier: BSD-3-Clause
// A few words that a kernel says to the host while the host waits, without a copy and without the end of the kernel.
//
// The words lie in memory of the host that kernels can write to, behind them a sequence number that the sender raises
// when all are written. The host looks at it until it changes:
//
//   kernel   words 7 12, then sequence 4 -> 5
//   host     looks at the sequence: 4 4 4 5, then reads 7 12
//
// For execution spaces whose kernels can do that (sends_messages<Space>); others copy what they want to know.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <string>
#include <type_traits>

namespace dromos {

/// Can kernels of this execution space write to transfer_space<Memory>, and the host see it at once?
template <class Space>
inline constexpr bool sends_messages = false;
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool sends_messages<Kokkos::Cuda> = true;
#endif

/// What one kernel needs to send one message; made by DeviceMessage::expect().
struct MessageSender {
  volatile std::uint64_t* words;
  int size;
  std::uint64_t sequence;

  /// Word i, in [0, size). Any thread, before send().
  KOKKOS_FORCEINLINE_FUNCTION void write(int i, std::uint64_t word) const { words[i] = word; }

  /// By one thread, which wrote all words or knows that they are written. The kernel may go on, but what the host
  /// launches upon the message runs after it.
  KOKKOS_FORCEINLINE_FUNCTION void send() const {
#if defined(__CUDA_ARCH__)
    __threadfence_system();
#endif
    words[size] = sequence;
  }
};

/// Copyable handle; copies are shallow, as those of Kokkos Views are.
template <class Memory>
class DeviceMessage {
 public:
  using Word = std::uint64_t;

  DeviceMessage() = default;
  DeviceMessage(int size, const std::string& label) : size_(size), host_(label, static_cast<std::size_t>(size) + 1) {}

  int size() const { return size_; }

  /// For the kernel that is launched next and will send.
  MessageSender expect() const { return {host_.data(), size_, sequence() + 1}; }

  /// Waits for the message of that kernel.
  ///
  /// \throws Error when everything enqueued in `space` has ended and there was none
  template <class Space>
  void wait(const Space& space, const MessageSender& sender) const {
    for (int looks = 1; sequence() != sender.sequence; ++looks) {
      // A kernel that failed never answers: asked now and then, the stream says so.
      if (looks % looks_between_questions == 0 && ended(space)) break;
    }
    if (sequence() == sender.sequence) return;
    fence(space, "dromos::device_message::wait");  // which throws what went wrong
    if (sequence() != sender.sequence) throw Error("a kernel ended without its answer (" + host_.label() + ")");
  }

  /// Word i of the last message.
  Word operator[](int i) const { return host_(i); }

 private:
  static constexpr int looks_between_questions = 1 << 14;

  /// Read anew each time, and before anything that is read after it.
  Word sequence() const { return __atomic_load_n(&host_.data()[size_], __ATOMIC_ACQUIRE); }

  template <class Space>
  static bool ended([[maybe_unused]] const Space& space) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return cudaStreamQuery(space.cuda_stream()) != cudaErrorNotReady;
#endif
    return true;
  }

  int size_ = 0;
  Kokkos::View<Word*, transfer_space<Memory>> host_;
};

}  // namespace dromos
