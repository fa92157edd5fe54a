// SPDX-License-Identifier: BSD-3-Clause
// How a rank waits for others. MPI libraries look again and again, without end, for what they wait for: the fastest way
// where every rank has a core. Where ranks outnumber the cores of their machine, a rank that looks keeps the core from
// the one that it waits for until the operating system takes it away, milliseconds later; and each step of a search
// waits.
//
// So where ranks outnumber cores, Dromos asks MPI for the non-blocking flavour of each operation and looks by itself,
// with the core given away in between. (Open MPI can be told to do so, MPICH cannot.) MpiSession finds out, once for
// all ranks; the environment variable DROMOS_YIELD decides where it is set: 1 gives the core away, 0 never does.
#pragma once

#include <mpi.h>

#include <dromos/comm/mpi_check.hpp>

namespace dromos {

/// Does a rank that waits give its core away between two looks?
bool yields_while_waiting();

/// Says so from now on. The same on every rank, at the same time: to MPI, the two flavours are different operations.
void set_yields_while_waiting(bool yields);

namespace detail {

/// Gives the core away where ranks outnumber cores on any machine, or as DROMOS_YIELD says. Collective over
/// MPI_COMM_WORLD.
void choose_how_to_wait();

/// Waits for all of these operations.
void wait_all(MPI_Request* requests, int count, const char* what);

/// A collective that is waited for at once. blocking() and start(&request) are its two flavours; both return MPI's
/// code.
template <class Blocking, class Start>
void run_collective(const char* what, const Blocking& blocking, const Start& start) {
  if (!yields_while_waiting()) {
    check_mpi(blocking(), what);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(start(&request), what);
  wait_all(&request, 1, what);
}

}  // namespace detail

}  // namespace dromos
