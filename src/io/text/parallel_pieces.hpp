// SPDX-License-Identifier: BSD-3-Clause
// Work of readers in parallel on the host, whose pieces may fail: the first failure of a file is the one reported.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <exception>
#include <string>
#include <vector>

namespace dromos::io {

/// Calls body(i) for i = 0 .. count - 1 in parallel on the host and returns when all are done. What a call throws
/// arrives here; of several, that of the smallest i, so that the first error of a file is the one reported.
template <class Body>
void parallel_for_each(const std::string& label, std::int64_t count, const Body& body) {
  if (count == 1) return body(0);  // small files are not worth waking threads for
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Space space;
  std::atomic<std::int64_t> first_failed(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  deal_out(label, space, count, [&](const std::int64_t i) {
    // Nothing beyond a failure matters any more; everything before it does.
    if (i > first_failed.load(std::memory_order_relaxed)) return;
    try {  // because no exception may leave a parallel region
      body(i);
    } catch (...) {
      failures[static_cast<std::size_t>(i)] = std::current_exception();
      std::int64_t first = first_failed.load();
      while (i < first && !first_failed.compare_exchange_weak(first, i)) {
      }
    }
  });
  fence(space, label);
  if (first_failed.load() < count) std::rethrow_exception(failures[static_cast<std::size_t>(first_failed.load())]);
}

/// Calls body(begin, end) for pieces of 0 .. count - 1 in parallel; for loops over edges and tables.
template <class Body>
void parallel_for_ranges(const std::string& label, std::int64_t count, const Body& body) {
  constexpr std::int64_t piece = std::int64_t(1) << 16;
  parallel_for_each(label, (count + piece - 1) / piece,
                    [&](const std::int64_t i) { body(i * piece, std::min(count, (i + 1) * piece)); });
}

}  // namespace dromos::io
