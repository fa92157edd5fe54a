// SPDX-License-Identifier: BSD-3-Clause
// The layouts of binary files of edges, for those who read and those who write them. All numbers are little-endian.
//
//   GAP Benchmark Suite (.sg; .wsg with weights), the rows of a graph:
//     byte 0       1: directed, 0: not
//     byte 1       arcs, m: 8 bytes
//     byte 9       vertices, n: 8 bytes
//     byte 17      n + 1 offsets of 8 bytes, then m neighbors: 4 bytes each, with a weight of 4 bytes behind each in
//     .wsg directed:    offsets and neighbors of the reversed graph likewise
//
//   Graph500, packed: 4 low bytes of one end, 4 of the other, and 4 with the high 16 bits of the first and of the
//   second Graph500, plain:  8 bytes of one end, 8 of the other
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace dromos::io {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "binary files of edges are read as they lie in memory");

/// The number at this byte, wherever it is.
template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <class T>
void append_number(std::string& bytes, T value) {
  char copy[sizeof(T)];
  std::memcpy(copy, &value, sizeof(T));
  bytes.append(copy, sizeof(T));
}

constexpr std::size_t gapbs_header_bytes = 17;
constexpr std::size_t packed_edge_bytes = 12;
constexpr std::size_t plain_edge_bytes = 16;
/// Of packed edges. The last of the 48 bits is the sign.
constexpr std::int64_t largest_packed_id = (std::int64_t(1) << 47) - 1;

}  // namespace dromos::io
