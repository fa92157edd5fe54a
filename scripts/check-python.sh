#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Python module, built in build-python/, installed, and tested where it was installed: --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOT'
scripts/check-python.sh [options]: builds the Python module for the system's Python in build-python/, installs it into
build-python/prefix, and runs its tests there against SciPy and NetworkX. The program, MPI, HDF5, Teuchos and Kokkos
Kernels are switched off: the module needs none of them.
EOT
}

read_options "$@"
build_folder=build-python
needed_packages=(g++ cmake ninja-build libboost-iostreams-dev libfmt-dev pybind11-dev python3-dev python3-scipy
  python3-networkx python3-pandas)
prepare_packages
choose_jobs
prepare_kokkos

warnings=OFF
if [ -n "${CI:-}" ]; then warnings=ON; fi
# Another Python may come first in PATH, without the packages that were installed for the system's.
python=$(command -v /usr/bin/python3 || command -v python3) || fail "there is no python3"
say "Dromos: configuring in $build_folder/ for $python (warnings as errors: $warnings)"
cmake -S . -B $build_folder -G Ninja -D CMAKE_BUILD_TYPE=Release "${kokkos_options[@]}" \
  -D Dromos_ENABLE_PYTHON=ON -D "Python_EXECUTABLE=$python" -D Dromos_ENABLE_MPI=OFF -D Dromos_ENABLE_HDF5=OFF \
  -D Dromos_ENABLE_KOKKOSKERNELS=OFF -D Dromos_ENABLE_TEUCHOS=OFF -D Dromos_ENABLE_DRIVER=OFF -D Dromos_ENABLE_TESTS=OFF \
  -D Dromos_ENABLE_PERF_TESTS=OFF -D "Dromos_ENABLE_WERROR=$warnings" "${unity_options[@]}" "${cmake_options[@]}" ||
  fail "configuring failed; the reason is above"
say "Dromos: compiling with $jobs jobs"
cmake --build $build_folder -j "$jobs" || fail "compiling failed; the first error is above"
rm -rf $build_folder/prefix
cmake --install $build_folder --prefix $build_folder/prefix >/dev/null || fail "installing failed; the reason is above"
say "Tests: running them against $build_folder/prefix"
export PYTHONPATH=$PWD/$build_folder/prefix/lib/python3/dist-packages OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
"$python" unit_tests/python/python_tests.py
"$python" unit_tests/python/other_tools_tests.py
