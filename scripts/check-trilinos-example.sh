#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds examples/trilinos on Debian's own Trilinos 13.2 packages and runs it; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOF'
scripts/check-trilinos-example.sh [options]: Dromos for applications on Debian's Trilinos packages.

Installs the packages (Tpetra and what it stands on, 13.2, whose Kokkos is Serial), builds the library with the Kokkos
among them, installs it into build-trilinos/prefix, builds the two Tpetra applications of examples/trilinos against that, and
runs both. Each checks its own answer. Exit code 0 means that all of it went well.
EOF
}

read_options "$@"
needed_packages=(g++ cmake ninja-build libboost-iostreams-dev libfmt-dev libopenmpi-dev openmpi-bin libtrilinos-tpetra-dev
  libtrilinos-epetra-dev libtrilinos-teuchos-dev libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev)
mapfile -t missing < <(list_missing_packages)
if [ ${#missing[@]} -gt 0 ]; then
  [ $install_packages = yes ] || fail "these packages are missing: ${missing[*]}"
  refresh_package_lists
  is_packaged libtrilinos-tpetra-dev || {
    say "This distribution has no package libtrilinos-tpetra-dev: the Trilinos example was NOT checked"
    exit 0
  }
  say "Debian packages: installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" \
    >/dev/null </dev/null
fi
choose_jobs

work=build-trilinos
kokkos_dir=$(dpkg-query -L libtrilinos-kokkos-dev | sed -n 's#/KokkosConfig\.cmake$##p')
say "Dromos: the library alone, with the Kokkos of Trilinos in $kokkos_dir"
cmake -G Ninja -S . -B $work/library -D CMAKE_BUILD_TYPE=Release -D "Kokkos_DIR=$kokkos_dir" \
  -D "CMAKE_INSTALL_PREFIX=$PWD/$work/prefix" -D Dromos_ENABLE_HDF5=OFF -D Dromos_ENABLE_DRIVER=OFF \
  -D Dromos_ENABLE_TESTS=OFF -D Dromos_ENABLE_PERF_TESTS=OFF "${cmake_options[@]}"
cmake --build $work/library -j "$jobs" --target install

say "The example: building it against $work/prefix"
cmake -G Ninja -S examples/trilinos -B $work/example -D "CMAKE_PREFIX_PATH=$PWD/$work/prefix" "${cmake_options[@]}"
cmake --build $work/example -j "$jobs"

# What MPI needs to be told to start more ranks than there are cores, as root too.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1

# run RANKS EXPECTED PROGRAM ...: the program must end well and say EXPECTED.
run() {
  local ranks=$1 expected=$2 program=$3 output
  shift 3
  say "mpirun -n $ranks $program $*"
  output=$(mpirun -n "$ranks" "$work/example/$program" "$@" </dev/null) || fail "$program failed; the reason is above"
  printf '%s\n' "$output"
  grep -qF -- "$expected" <<<"$output" || fail "$program should have said: $expected"
}

matrix=examples/trilinos/circuit.mtx
run 1 "12 rows, 30 entries: 6 diagonal blocks" block_triangular_form $matrix
run 3 "12 rows, 30 entries: 6 diagonal blocks" block_triangular_form $matrix examples/trilinos/serial.xml
run 1 "row 11 reaches 12 of 12 rows in 6 steps" influence $matrix 11
run 3 "row 7 reaches 11 of 12 rows in 4 steps" influence $matrix 7
say "Both applications were built and gave right answers"
