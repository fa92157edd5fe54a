// SPDX-License-Identifier: BSD-3-Clause
// A few counters that kernels raise and the host waits for: the size of the next work set, the one answer that a level
// of a search has to give before the next can be launched.
//
// Copying the counters from a GPU, waiting for the copy and making them zero for the next sweep are three requests;
// here one small kernel behind the sweep does all three, and writes to memory of the host, which looks at a sequence
// number there until it changes:
//
//   device   counters 7 12    publish: values 7 12, then sequence 4 -> 5, counters 0 0
//   host     looks at the sequence: 4 4 4 5, then reads 7 12
//
// Counters are zero when they are made and again after each read().
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <string>
#include <type_traits>

namespace dromos {

namespace detail {

/// One thread behind the kernels that raised the counters.
struct PublishCounts {
  std::uint64_t* device;
  volatile std::uint64_t* host;  ///< the values, and then the sequence number
  int size;
  std::uint64_t sequence;

  KOKKOS_FUNCTION void operator()(int) const {
    for (int i = 0; i < size; ++i) {
      host[i] = device[i];
      device[i] = 0;
    }
#if defined(__CUDA_ARCH__)
    __threadfence_system();
#endif
    host[size] = sequence;
  }
};

}  // namespace detail

/// Copyable handle; copies are shallow, as those of Kokkos Views are.
template <class Memory>
class DeviceCounts {
 public:
  using Word = std::uint64_t;

  DeviceCounts() = default;
  DeviceCounts(int size, const std::string& label) : size_(size), device_(label, size), host_(label, size + 2) {}

  /// The counters, for kernels.
  const Kokkos::View<Word*, Memory>& on_device() const { return device_; }

  /// Makes them zero unless they are, and says that kernels will raise them. Enqueued in `space`.
  template <class Space>
  void open(const Space& space) {
    if constexpr (host_accessible<Memory>) fence(space, "dromos::device_counts::open");
    if (raised() != 0) {
      if constexpr (host_accessible<Memory>) {
        for (int i = 0; i < size_; ++i) device_(i) = 0;  // waking every thread for that would cost more
      } else {
        fill(space, device_, Word(0));
      }
    }
    raised() = 1;
  }

  /// Waits for everything enqueued in `space`, after which operator[] says what the counters were and they are zero.
  template <class Space>
  void read(const Space& space) {
    if constexpr (host_accessible<Memory>) {
      fence(space, "dromos::device_counts::read");
      for (int i = 0; i < size_; ++i) {
        host_(i) = device_(i);
        device_(i) = 0;
      }
    } else {
      bring(space);
    }
    raised() = 0;
  }

  /// What counter i was when read() returned.
  Word operator[](int i) const { return host_(i); }

 private:
  /// Were they given to kernels and not read since? Beside the values, so that copies agree on it.
  Word& raised() const { return host_(size_ + 1); }

  template <class Space>
  void bring(const Space& space) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
      const Word before = sequence();
      Kokkos::parallel_for("dromos::device_counts::publish", Kokkos::RangePolicy<Space>(space, 0, 1),
                           detail::PublishCounts{device_.data(), host_.data(), size_, before + 1});
      for (int looks = 1; sequence() == before; ++looks) {
        // A kernel that failed never answers: asked now and then, the stream says so.
        if (looks % looks_between_questions == 0 && cudaStreamQuery(space.cuda_stream()) != cudaErrorNotReady) break;
      }
      if (sequence() != before) return;
    }
#endif
    const Kokkos::View<Word*, transfer_space<Memory>> values =
        Kokkos::subview(host_, Kokkos::make_pair(0, size_));
    Kokkos::deep_copy(space, values, device_);
    fill(space, device_, Word(0));
    fence(space, "dromos::device_counts::read");
  }

#ifdef KOKKOS_ENABLE_CUDA
  static constexpr int looks_between_questions = 1 << 14;

  /// Read anew each time, and before anything that is read after it.
  Word sequence() const { return __atomic_load_n(&host_.data()[size_], __ATOMIC_ACQUIRE); }
#endif

  int size_ = 0;
  Kokkos::View<Word*, Memory> device_;
  /// The values, a sequence number, and raised().
  Kokkos::View<Word*, transfer_space<Memory>> host_;
};

}  // namespace dromos
