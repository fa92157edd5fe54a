// SPDX-License-Identifier: BSD-3-Clause
// How long threads of the CPU spin while they wait for each other, before they sleep.
//
// Between two sweeps threads wait for a few microseconds, and GNU's OpenMP spins for up to 3 ms first. On cores that
// others use as well, whoever spins keeps the thread that is waited for from running: a region that takes 8 us alone
// then takes 8 ms. Asleep at once (OMP_WAIT_POLICY=passive) every sweep pays for waking up, alone or not. Between the
// two is a spin that outlasts the gaps of sweeps and little more; doc/user-guide.md has what was measured.
//
// The runtime reads its environment when it is loaded, before main() and before anything that a program does first.
// Only what the C library calls before it starts any library comes earlier (.preinit_array of System V's ABI), and
// there the environment is still the array that the kernel has laid out: nothing can be added, but one entry can stand
// in place of another, until main() puts that back. Which one nobody asks for that early: `_`, OLDPWD or SHLVL, of
// shells. Where there is none, or another C library, the program starts once more in its own place, which takes 10 ms.
#pragma once

namespace dromos::driver {

/// Has threads spin for a moment, unless the environment says how they wait, or that there is one thread; where that
/// was not done before the runtime started, by running the program again. Before anything else. Returns where nothing
/// is to do, or it cannot be done.
void run_with_short_spins(char** argv);

/// Puts back what stood in the environment in place of the number of spins. At the beginning of main().
void put_back_environment();

}  // namespace dromos::driver
