// SPDX-License-Identifier: BSD-3-Clause
// The thread that Kokkos lives on: it initializes Kokkos, does one call after the other, and finalizes Kokkos at the
// end.
//
// Python may call from any of its threads, and several may call at once; Kokkos' OpenMP backend belongs to the thread
// that initialized it. So callers hand their work over and wait, without Python's lock:
//
//   on_kokkos_thread([&] { statistics = bfs(Space(), graph, root, scratch, result); });
//
// What the work throws, its caller gets. A process that was forked from one that had begun has no such thread: calls
// there throw Error, where they would otherwise wait for ever.
#pragma once

#include <functional>

namespace dromos::python {

/// Begins with so many threads; 0: as the environment says (OMP_NUM_THREADS), else one for each core. Throws
/// ArgumentError where it has begun with another number, or this Kokkos cannot have as many.
void begin_kokkos(int num_threads);

/// Does the work there and waits for it; begins first, where nobody has. Without Python's lock.
void on_kokkos_thread(const std::function<void()>& work);

/// Finalizes Kokkos; calls after this throw Error. For the exit of the interpreter. Without Python's lock.
void end_kokkos();

}  // namespace dromos::python
