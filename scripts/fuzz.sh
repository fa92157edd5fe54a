#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Feeds the readers what nobody would write; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_help() {
  cat <<'EOF'
scripts/fuzz.sh [--seconds N] [READER ...]: libFuzzer on the readers of graph files, each for N seconds of its CPU time
(default 600), one after the other, on one core. Builds the fuzzers in build-fuzz/ with Clang first.

Readers: automatic edge-list matrix-market metis dimacs smat decompression hdf5 (default: all of them)

A crash, a sanitizer's report, ten seconds or 300 MB for one input (hdf5: 1 GB in use), or a rule of
unit_tests/check_reader.hpp broken is a finding: the input is kept in build-fuzz/found/, and the exit code is 1. What is
learned stays in build-fuzz/corpus/.
EOF
}

seconds=600
readers=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h)
      show_help
      exit 0
      ;;
    --seconds)
      seconds=${2:?--seconds needs a number}
      shift
      ;;
    -*) fail "unknown option '$1'; --help lists the options" ;;
    *) readers+=("$1") ;;
  esac
  shift
done
[ ${#readers[@]} -gt 0 ] || readers=(automatic edge-list matrix-market metis dimacs smat csv adjacency-list gapbs graph500
  decompression hdf5)
[[ $seconds =~ ^[0-9]+$ ]] || fail "expected a whole number after --seconds, found '$seconds'"

build_folder=build-fuzz
needed_packages+=(clang libomp-dev)
prepare_packages
choose_jobs
prepare_kokkos
say "Fuzzers: building in $build_folder/"
cmake -G Ninja -S . -B $build_folder "${kokkos_options[@]}" -D CMAKE_CXX_COMPILER=clang++ -D Dromos_ENABLE_FUZZING=ON \
  -D Dromos_ENABLE_TESTS=OFF -D Dromos_ENABLE_PERF_TESTS=OFF -D Dromos_ENABLE_DRIVER=OFF -D Dromos_ENABLE_MPI=OFF \
  -D Dromos_ENABLE_KOKKOSKERNELS=OFF -D Dromos_ENABLE_TEUCHOS=OFF
cmake --build $build_folder -j "$jobs" --target fuzzers

export OMP_NUM_THREADS=1
mkdir -p $build_folder/found
found=no
for reader in "${readers[@]}"; do
  fuzzer=$build_folder/bin/fuzz_$reader
  [ -x "$fuzzer" ] || fail "there is no reader '$reader'; --help lists them"
  corpus=$build_folder/corpus/$reader
  log=$build_folder/fuzz-$reader.log
  mkdir -p "$corpus"
  : >"$log"
  largest=4096
  largest_request=300
  export ASAN_OPTIONS=
  if [ "$reader" = hdf5 ]; then
    largest=16384  # HDF5 takes kilobytes to say little
    # Of what HDF5 cannot read it forgets parts. What damaged files say of sizes (32 bits in places) it asks for before it
    # looks, and is right when it gets nothing.
    largest_request=1000
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=900
  fi
  say "$reader: $seconds s of CPU time (all that libFuzzer says is in $log)"
  # libFuzzer counts seconds of the clock; slices of them until the CPU time is spent.
  used=0
  while [ "$used" -lt "$seconds" ]; do
    slice=$((seconds - used < 60 ? seconds - used : 60))
    TIMEFORMAT=%U
    if ! spent=$({ time "$fuzzer" -max_total_time=$slice -max_len=$largest -timeout=10 -rss_limit_mb=1024 \
      -malloc_limit_mb=$largest_request -dict=fuzz/graphs.dict -artifact_prefix=$build_folder/found/"$reader"- "$corpus" inputs \
      unit_tests/reader_cases/* >>"$log" 2>&1; } 2>&1); then
      tail -n 40 "$log" >&2
      say "$reader: FOUND something; the input is the newest in $build_folder/found/"
      found=yes
      break
    fi
    used=$((used + (${spent%.*} > 0 ? ${spent%.*} : 1)))
  done
  say "$reader: $used s, $(grep -c '' < <(ls "$corpus")) inputs that reach something of their own"
done
[ $found = no ] || exit 1
say "Nothing was found"
