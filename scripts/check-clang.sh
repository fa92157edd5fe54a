#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Library, program and tests compiled by Clang; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOF'
scripts/check-clang.sh [options]: does what scripts/test.sh does, in build-clang/, with Debian's Clang and its OpenMP
instead of g++ and with warnings as errors. Lightly optimized (-O1), without the benchmarks and without tests of more than 3 ranks: what is
looked for is that it compiles and is right. Kokkos is the one that scripts/quickstart.sh takes.
EOF
}

build_folder=build-clang
preset=clang
needed_packages+=(clang libomp-dev)
export CI=true
read_options "$@"
[ $cuda = no ] || fail "--cuda has no meaning here; scripts/test.sh --cuda compiles with Kokkos' wrapper of nvcc"
what_to_build=everything
cmake_options=(-D Dromos_ENABLE_PERF_TESTS=OFF "${cmake_options[@]}")
prepare_and_build
run_tests
