// SPDX-License-Identifier: BSD-3-Clause
// How long threads of the CPU spin while they wait for each other, before they sleep.
//
// Between two sweeps threads wait for a few microseconds, and GNU's OpenMP spins for up to 3 ms first. On cores that
// others use as well, whoever spins keeps the thread that is waited for from running: a region that takes 8 us alone
// then takes 8 ms. Asleep at once (OMP_WAIT_POLICY=passive) every sweep pays for waking up, alone or not. Between the
// two is a spin that outlasts the gaps of sweeps and little more; doc/user-guide.md has what was measured.
#pragma once

namespace dromos::driver {

/// Spins of GNU's runtime, some 10 ns each.
inline constexpr const char* default_spins = "3000";

/// Has threads spin for default_spins, unless the environment says how they wait, or that there is one thread. The
/// runtime reads its environment when it is loaded, so that this runs the program again in its own place; before
/// anything else. Returns where nothing is to do, or it cannot be done.
void run_with_short_spins(char** argv);

}  // namespace dromos::driver
