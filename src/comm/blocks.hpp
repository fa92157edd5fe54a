// SPDX-License-Identifier: BSD-3-Clause
// What transports ask about blocks.
#pragma once

#include <algorithm>
#include <dromos/comm/transport.hpp>
#include <dromos/core/error.hpp>
#include <string>
#include <vector>

namespace dromos::detail {

inline bool any_bytes(const std::vector<Block>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.size > 0; });
}

/// Throws Error where a rank expects from itself something else than it sends.
inline void check_own_blocks(const std::vector<Block>& sent, const std::vector<Block>& received, int rank) {
  const std::int64_t from = sent[rank].size, to = received[rank].size;
  if (from == to) return;
  throw Error("exchange: rank " + std::to_string(rank) + " sends itself " + std::to_string(from) +
              " bytes and expects " + std::to_string(to));
}

}  // namespace dromos::detail
