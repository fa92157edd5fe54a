// SPDX-License-Identifier: BSD-3-Clause
// How much parallel work an algorithm may waste before it gives the rest to a serial one: what makes "never slower than
// so many times the serial algorithm" true by construction and not by luck.
//
// Parallel methods lose badly where a graph is deep: a sweep that visits three edges costs a kernel launch all the
// same. So every sweep is paid for before it runs, and when the next one would exceed the limit, the serial algorithm
// takes over. A price is a time in nanoseconds, but it is looked up, not measured, so that a run can be repeated:
//
//   limit 0.3 S, S the price of the whole graph in serial: at worst 0.3 S is spent in vain, then S: 1.3 times serial
//
// The table holds what was measured on graphs that fit the cache and have good locality, where the serial algorithm is
// at its best compared with sweeps. On larger ones everything is slower, a depth-first search most of all: where
// neighbors lie anywhere (impl/near_numbers.hpp), it waits for each of them, and prices are those of serial_far().
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <limits>

namespace dromos {

/// A limit on work, and what was spent of it. Counts on the host, deterministically.
class WorkBudget {
 public:
  /// No limit.
  WorkBudget() = default;
  explicit WorkBudget(double limit) : limit_(limit) {}

  /// Spends `price` if that much is left; otherwise spends nothing and answers false, now and ever after.
  bool spend(double price) {
    if (exhausted_ || price > left()) {
      exhausted_ = true;
      return false;
    }
    spent_ += price;
    return true;
  }
  /// Allows this much from now on; what is exhausted stays so.
  void set_limit(double limit) { limit_ = limit; }
  double limit() const { return limit_; }
  double left() const { return limit_ - spent_; }
  double spent() const { return spent_; }
  bool exhausted() const { return exhausted_; }

 private:
  double limit_ = std::numeric_limits<double>::infinity();
  double spent_ = 0;
  bool exhausted_ = false;
};

/// What things cost, in nanoseconds.
struct WorkPrices {
  /// Depth-first search by one host thread.
  double serial_vertex = 8;
  double serial_edge = 4;
  /// Sweeps by one thread: an edge that is pushed along, an edge that is pulled along, a vertex of the work set or of a
  /// pass over arrays, a vertex of a bitmap.
  double push_edge = 6;
  double pull_edge = 2;
  double vertex = 2;
  double bit = 0.0625;
  /// A sweep however small: its kernels launched, synchronised, the size of the next work set read.
  double launch = 20000;
  /// One of several sweeps in the same launch.
  double fused = 40;
  /// The same where neighbors lie anywhere: each of the few things it reads is waited for.
  double fused_far = 400;
  /// And has at most so many edges: for more, threads are woken on a CPU.
  Offset most_edges_fused = 1024;
  /// How much faster than one thread all of them are, in a sweep over at least `large` vertices.
  double speedup = 1;
  std::int64_t large = 4096;

  double serial(std::int64_t num_vertices, Offset num_edges) const {
    return serial_vertex * static_cast<double>(num_vertices) + serial_edge * static_cast<double>(num_edges);
  }
  /// The same where neighbors lie anywhere, as dear compared with sweeps, which take longer there as well. Uniform
  /// graphs of 2^17, 2^20 and 2^22 vertices and 2 to 12 edges each took 4 to 17 times serial() on two threads of a CPU;
  /// and where 0.75 of serial() could be spent on searches, 1 of it with 2 edges, Multistep was done in 0.04 to 0.5 of
  /// that time; but for 2^17 vertices with 2 edges, where 1.5 of it was needed.
  double serial_far(std::int64_t num_vertices, Offset num_edges) const {
    constexpr std::int64_t beyond_caches = 1 << 18;
    return (num_vertices < beyond_caches ? 2.5 : 3.5) * serial(num_vertices, num_edges);
  }
  double push(std::int64_t num_vertices, Offset num_edges) const {
    return sweep(num_vertices, push_edge * static_cast<double>(num_edges));
  }
  /// The same for a sweep in the launch of the one before.
  double fused_push(std::int64_t num_vertices, Offset num_edges) const {
    return push(num_vertices, num_edges) - launch + fused;
  }
  double pull(std::int64_t num_vertices, double num_edges) const { return sweep(num_vertices, pull_edge * num_edges); }
  /// A pass over an array.
  double pass(std::int64_t num_vertices) const { return sweep(num_vertices, 0); }

 private:
  double sweep(std::int64_t num_vertices, double edges) const {
    return launch + (edges + vertex * static_cast<double>(num_vertices)) / (num_vertices < large ? 1 : speedup);
  }
};

namespace detail {

/// Nanoseconds of sweeps that are always paid for, where any are: not worth giving up.
inline constexpr double sweeps_not_worth_giving_up = 1e6;

}  // namespace detail

/// The prices in an execution space: host threads are counted at three quarters, and eight of them at most, because
/// they share the memory; a GPU is as fast as many host threads, even in small sweeps.
template <class Space>
WorkPrices work_prices(const Space& space) {
  WorkPrices prices;
  if (is_gpu<Space>) {
    prices.speedup = 50;
    prices.large = 0;
    prices.launch = 20000;
    prices.fused = 3500;
    prices.most_edges_fused = std::numeric_limits<Offset>::max();
  } else if (space.concurrency() > 1) {
    prices.speedup = 0.75 * dromos::min(static_cast<int>(space.concurrency()), 8);
  }
  return prices;
}

}  // namespace dromos
