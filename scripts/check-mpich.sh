#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The distributed layer with MPICH, in build-mpich/, beside a build with Open MPI: --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOT'
scripts/check-mpich.sh [options]: builds the library and the distributed layer with MPICH in build-mpich/, and runs every
test on several ranks. The MPI that mpicc and mpirun stand for stays what it is.

HDF5 is the one without MPI, and Teuchos is switched off, since those of this machine were built with another MPI; so is
what takes long and knows nothing of MPI: the program, the benchmarks, the other tests. Lightly optimized (-O1): what is
looked for is that it is right.
EOT
}

read_options "$@"
build_folder=build-mpich
needed_packages=(g++ cmake ninja-build libboost-iostreams-dev libfmt-dev nlohmann-json3-dev libgtest-dev libmpich-dev
  mpich libhdf5-dev)
prepare_packages
choose_jobs
prepare_kokkos

# Debian installs MPICH beside Open MPI under names of its own; elsewhere it may be the only one.
mpi_options=()
for name in mpicxx.mpich mpicxx; do
  if command -v "$name" >/dev/null && "$name" -show 2>/dev/null | grep -q -i mpich; then
    launcher=$(command -v "${name/mpicxx/mpiexec}") || fail "$name is there, but no ${name/mpicxx/mpiexec}"
    mpi_options=(-D "MPI_CXX_COMPILER=$(command -v "$name")" -D "MPIEXEC_EXECUTABLE=$launcher")
    break
  fi
done
[ ${#mpi_options[@]} -gt 0 ] || fail "there is no MPICH here (Debian: libmpich-dev and mpich)"

# The HDF5 that CMake finds first is one for several ranks. Debian has the other one in a folder of its own.
hdf5_options=()
if [ -f /usr/include/hdf5/serial/hdf5.h ]; then hdf5_options=(-D Dromos_HDF5_INCLUDE_DIR=/usr/include/hdf5/serial); fi

warnings=OFF
if [ -n "${CI:-}" ]; then warnings=ON; fi
say "Dromos: configuring in $build_folder/ for MPICH (warnings as errors: $warnings)"
cmake -S . -B $build_folder -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
  "${kokkos_options[@]}" "${mpi_options[@]}" "${hdf5_options[@]}" \
  -D Dromos_ENABLE_KOKKOSKERNELS=OFF -D Dromos_ENABLE_TEUCHOS=OFF \
  -D Dromos_ENABLE_DRIVER=OFF -D Dromos_ENABLE_PERF_TESTS=OFF -D "Dromos_ENABLE_WERROR=$warnings" \
  -D Dromos_MPI_TEST_TIMEOUT=600 "${unity_options[@]}" "${cmake_options[@]}" || fail "configuring failed; the reason is above"
say "Dromos: compiling with $jobs jobs"
cmake --build $build_folder -j "$jobs" --target dromos_mpi_tests || fail "compiling failed; the first error is above"
say "Tests: running those of several ranks"
# One after the other: each has as many ranks as this machine has cores, or more.
if ctest --test-dir $build_folder --output-on-failure --no-tests=error -L mpi; then
  say "The distributed layer passed every test with MPICH"
else
  say "Some tests FAILED with MPICH: the list is above, their output above that"
  exit 1
fi
