// SPDX-License-Identifier: BSD-3-Clause
// What communication cost: calls, bytes and seconds by kind of operation. A search takes a snapshot before and after
// each level; the difference is the level's.
#pragma once

#include <array>
#include <cstdint>

namespace dromos {

enum class CommKind { exchange, allgather, broadcast, bitwise_or, reduction };
inline constexpr int num_comm_kinds = 5;

/// Of one kind, on this rank.
struct CommCount {
  std::int64_t calls = 0;
  std::int64_t messages = 0;        ///< to other ranks; of collectives that the library routes, one a call
  std::int64_t bytes_sent = 0;      ///< to other ranks
  std::int64_t bytes_received = 0;  ///< from other ranks
  double seconds = 0;               ///< inside the operations, waiting included

  CommCount& operator+=(const CommCount& other) {
    calls += other.calls;
    messages += other.messages;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    seconds += other.seconds;
    return *this;
  }
};

/// What happened between two snapshots.
inline CommCount operator-(const CommCount& later, const CommCount& earlier) {
  return {later.calls - earlier.calls, later.messages - earlier.messages, later.bytes_sent - earlier.bytes_sent,
          later.bytes_received - earlier.bytes_received, later.seconds - earlier.seconds};
}

/// Of all kinds; a plain value that can be kept and subtracted.
struct CommCounters {
  std::array<CommCount, num_comm_kinds> by_kind;

  CommCount& operator[](CommKind kind) { return by_kind[static_cast<std::size_t>(kind)]; }
  const CommCount& operator[](CommKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }

  CommCount total() const {
    CommCount sum;
    for (const CommCount& count : by_kind) sum += count;
    return sum;
  }
};

inline CommCounters operator-(const CommCounters& later, const CommCounters& earlier) {
  CommCounters difference;
  for (std::size_t k = 0; k < num_comm_kinds; ++k) difference.by_kind[k] = later.by_kind[k] - earlier.by_kind[k];
  return difference;
}

}  // namespace dromos
