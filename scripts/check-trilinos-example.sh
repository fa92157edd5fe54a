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

Installs the packages (Tpetra and what it stands on, and Ifpack2, 13.2, whose Kokkos is Serial), builds the library with the
Kokkos among them, installs it into build-trilinos/prefix, builds the Tpetra applications of examples/trilinos and the tests of
unit_tests/tpetra_test against that, and runs all of them, the tests on 1, 2 and 3 ranks. Each checks its own answer, and what
doc/trilinos.md shows of them is compared with what they print. Exit code 0 means that all of it went well.
EOF
}

read_options "$@"
needed_packages=(g++ cmake ninja-build libboost-iostreams-dev libfmt-dev libopenmpi-dev openmpi-bin libtrilinos-tpetra-dev
  libtrilinos-epetra-dev libtrilinos-teuchos-dev libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev
  libtrilinos-ifpack2-dev libgtest-dev)
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

say "The examples and the tests: building them against $work/prefix"
for project in example=examples/trilinos tests=unit_tests/tpetra_test; do
  cmake -G Ninja -S "${project#*=}" -B "$work/${project%=*}" -D "CMAKE_PREFIX_PATH=$PWD/$work/prefix" "${cmake_options[@]}"
  cmake --build "$work/${project%=*}" -j "$jobs"
done

# What MPI needs to be told to start more ranks than there are cores, as root too.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1

for ranks in 1 2 3; do
  say "mpirun -n $ranks tpetra_tests"
  mpirun -n $ranks $work/tests/tpetra_tests --gtest_brief=1 </dev/null || fail "the tests failed on $ranks ranks"
done

# run RANKS EXPECTED PROGRAM ...: the program must end well and say EXPECTED.
run() {
  local ranks=$1 expected=$2 program=$3
  shift 3
  say "mpirun -n $ranks $program $*"
  output=$(mpirun -n "$ranks" "$work/example/$program" "$@" </dev/null) || fail "$program failed; the reason is above"
  printf '%s\n' "$output"
  grep -qF -- "$expected" <<<"$output" || fail "$program should have said: $expected"
}

# shown RANKS PROGRAM ...: it must print what the page shows of it, line by line.
shown() {
  local ranks=$1 program=$2 page=doc/trilinos.md command line
  shift 2
  command="    \$ mpirun -n $ranks $program $*"
  run "$ranks" checked: "$program" "$@"
  line=$(grep -nxF -- "${command% }" $page | cut -d: -f1) || fail "$page does not show: mpirun -n $ranks $program $*"
  diff <(tail -n "+$((line + 1))" $page | head -n "$(wc -l <<<"$output")") <(sed 's/^/    /' <<<"$output") ||
    fail "$page shows what $program does not print"
}

examples=examples/trilinos
shown 2 block_triangular_form $examples/mixed.mtx
shown 2 block_triangular_form $examples/redundant.mtx
shown 2 block_triangular_form $examples/friendships.mtx
votes=../shared/data/wiki-Vote.txt.xz
if [ -f $votes ]; then
  xz -dc $votes | tr -d '\r' | awk '/^#/ { next }
    { row[++n] = $1 + 0; column[n] = $2 + 0; for (i = 1; i <= 2; ++i) if ($i + 0 > size) size = $i + 0 }
    END { print "%%MatrixMarket matrix coordinate real general"; print size, size, n
          for (k = 1; k <= n; ++k) print row[k], column[k], "1.0" }' >$work/votes.mtx
  shown 2 block_triangular_form $work/votes.mtx
else
  say "There is no $votes: the votes that doc/trilinos.md shows were NOT looked at again"
fi
for ranks in 1 2 3; do
  run $ranks "solved block by block" block_triangular_form $examples/circuit.mtx $examples/options.xml
  run $ranks "6 square blocks on 6 levels" block_triangular_form $examples/mixed.mtx
  run $ranks "not solved: the matrix is not square" block_triangular_form inputs/singular.mtx
  run $ranks "checked: matrix and batch agree" sweeps 8 40
  run $ranks "quadrants: 1 of 4 parts is disconnected" parts
  run $ranks "checked: residuals are small" rcm_before_factorization
done
shown 2 sweeps
shown 2 parts
run 1 "row 11 reaches 12 of 12 rows in 6 steps" influence $examples/circuit.mtx 11
run 3 "row 7 reaches 11 of 12 rows in 4 steps" influence $examples/circuit.mtx 7
say "All applications were built and gave right answers"
