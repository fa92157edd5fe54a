// SPDX-License-Identifier: BSD-3-Clause
// --repeat of commands that are over after one run: what is measured runs as often as asked for, what is written is
// written once.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos::driver {

/// Seconds of runs of the same. "12.3 ms", or of several "12.3 ms (median of 5, 11.9 ms to 14.0 ms)".
std::string times_text(const std::vector<double>& seconds);

/// Runs f() so many times, several ones after one that is not measured; returns what the last one made. What another
/// made is gone before the next begins.
///
/// \param seconds  out: of each run
template <class F>
auto run_measured(std::int64_t num_repeats, std::vector<double>& seconds, const F& f) {
  using Made = std::decay_t<decltype(f())>;
  if (num_repeats > 1) static_cast<void>(f());  // touches the memory
  std::optional<Made> made;
  seconds.clear();
  for (std::int64_t repeat = 0; repeat < num_repeats; ++repeat) {
    made.reset();
    const Kokkos::Timer timer;
    made.emplace(f());
    seconds.push_back(timer.seconds());
  }
  return *std::move(made);
}

}  // namespace dromos::driver
