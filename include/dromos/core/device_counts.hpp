// SPDX-License-Identifier: BSD-3-Clause
// A few counters that kernels raise and the host waits for: the size of the next work set, the one answer that a level
// of a search has to give before the next can be launched.
//
// Copying the counters from a GPU, waiting for the copy and making them zero for the next sweep are three requests;
// here one small kernel behind the sweep does all three, by a message to the host (core/device_message.hpp).
//
// Counters are zero when they are made and again after each read().
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <string>

namespace dromos {

namespace detail {

/// When all counters have been raised.
struct PublishCounts {
  std::uint64_t* device;
  MessageSender host;
  int count;  ///< the first ones; those behind are zero

  /// One thread, which asks for several before it waits for the first.
  KOKKOS_FUNCTION void operator()(int) const {
    constexpr int batch = 4;
    for (int first = 0; first < count; first += batch) {
      std::uint64_t values[batch] = {};
      for (int k = 0; k < batch; ++k) {
        if (first + k < count) values[k] = atomic_load(&device[first + k]);
      }
      for (int k = 0; k < batch; ++k) {
        if (first + k >= count) break;
        host.write(first + k, values[k]);
        device[first + k] = 0;
      }
    }
    host.send();
  }
  /// One counter of several whose threads wait for each other before one of them sends.
  KOKKOS_FORCEINLINE_FUNCTION void publish(int i) const {
    host.write(i, atomic_load(&device[i]));
    device[i] = 0;
  }
};

}  // namespace detail

/// For a kernel that publishes its counters itself, by the last of its teams that is done.
struct CountsPublisher {
  detail::PublishCounts publish;
  std::uint64_t* teams_done;

  /// By one thread of each team, once all that its team had to raise is raised: is it the last?
  KOKKOS_FUNCTION bool last_team_done(int num_teams) const {
    Kokkos::memory_fence();
    if (atomic_fetch_add(teams_done, std::uint64_t(1)) + 1 != static_cast<std::uint64_t>(num_teams)) return false;
    *teams_done = 0;
    Kokkos::memory_fence();
    return true;
  }
  /// The same; the last one publishes.
  KOKKOS_FUNCTION void team_done(int num_teams) const {
    if (last_team_done(num_teams)) publish(0);
  }
};

/// Copyable handle; copies are shallow, as those of Kokkos Views are.
template <class Memory>
class DeviceCounts {
 public:
  using Word = std::uint64_t;

  DeviceCounts() = default;
  DeviceCounts(int size, const std::string& label)
      : size_(size), device_(label, size + 1), host_(label, size + 1), message_(size, label) {}

  /// The counters, for kernels; one element more is none of theirs.
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
    } else if constexpr (sends_messages<Space>) {
      const CountsPublisher own = publisher();
      publish(space, own);
      read(space, own);
    } else {
      Kokkos::deep_copy(space, Kokkos::subview(host_, Kokkos::make_pair(0, size_)),
                        Kokkos::subview(device_, Kokkos::make_pair(0, size_)));
      fill(space, device_, Word(0));
      fence(space, "dromos::device_counts::read");
    }
    raised() = 0;
  }

  /// For the kernel that is launched next, in a space that sends_messages.
  ///
  /// \param count  of those that it raises, the first ones; what read() says of the others means nothing
  CountsPublisher publisher(int count) const {
    return {{device_.data(), message_.expect(), count}, device_.data() + size_};
  }
  CountsPublisher publisher() const { return publisher(size_); }

  /// Enqueues a kernel that does nothing else.
  template <class Space>
  void publish(const Space& space, const CountsPublisher& publisher) {
    Kokkos::parallel_for("dromos::device_counts::publish", Kokkos::RangePolicy<Space>(space, 0, 1), publisher.publish);
  }

  /// Kernels that would have raised them did nothing, and nobody will read them.
  void stay_zero() { raised() = 0; }

  /// As read(space), where that kernel publishes; waits for its answer, not for its end.
  template <class Space>
  void read(const Space& space, const CountsPublisher& publisher) {
    message_.wait(space, publisher.publish.host);
    for (int i = 0; i < size_; ++i) host_(i) = message_[i];
    raised() = 0;
  }

  /// What counter i was when read() returned.
  Word operator[](int i) const { return host_(i); }

 private:
  /// Were they given to kernels and not read since? Beside the values, so that copies agree on it.
  Word& raised() const { return host_(size_); }

  int size_ = 0;
  Kokkos::View<Word*, Memory> device_;           // the counters, and how many teams are done
  Kokkos::View<Word*, Kokkos::HostSpace> host_;  // the values, and raised()
  DeviceMessage<Memory> message_;
};

}  // namespace dromos
