# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What quickstart.sh and test.sh share: everything from a bare machine to the program in build/bin and its first run.
# Sourced by both, from the root of the source; each step says what it does before it does it, and does nothing where
# nothing is left to do. With --cuda everything is that of NVIDIA GPUs, in build-cuda/.
#
#   read_options "$@"    options and help
#   prepare_packages     Debian packages, the only step that wants root
#   prepare_kokkos       one of: a given one, the distribution's, one built into .deps/
#   build                configure and compile into build/ (build-cuda/)
#   run_main_job         a validated search on a graph of inputs/
#   run_tests            every test of the build folder

cuda=no
build_folder=build
preset=openmp
provisioned_kokkos=$PWD/.deps/trilinos-openmp
provision_options=()
first_graph=inputs/squares.mtx

say() { printf '== %s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# --- options -------------------------------------------------------------------------------------------------------

install_packages=yes
cmake_options=()
# programs: the program alone, unless the folder has tests already; everything: tests and benchmarks, too.
what_to_build=programs

show_options() {
  cat <<'EOF'

Options:
  --all             tests and benchmarks as well, which take most of the time and of the disk (scripts/test.sh does so)
  --cuda            for NVIDIA GPUs, in build-cuda/: a Kokkos with CUDA is built into .deps/ unless one is given
  --no-packages     install no Debian package; CMake then says what is missing
  --help            this text
  -- OPTIONS...     all that follows goes to CMake, such as -- -D Dromos_ENABLE_HDF5=OFF

Environment:
  CMAKE_PREFIX_PATH where an installed Kokkos is found, to be used instead of building one
  DROMOS_CUDA_ARCH  compute capability of the GPUs without the dot (default: 90, Hopper), for --cuda
  DROMOS_JOBS       how many compilers run at once (default: one per core, fewer where memory is short)
  CI                when set, warnings are errors
EOF
}

choose_cuda() {
  cuda=yes
  build_folder=build-cuda
  preset=cuda
  provisioned_kokkos=$PWD/.deps/trilinos-cuda
  provision_options=(--cuda)
  # Where the toolkit is installed but not in PATH.
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then PATH=$PATH:/usr/local/cuda/bin; fi
}

# Is there a GPU that programs built here could run on?
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

# Needs show_purpose() of the script that calls it.
read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --all) what_to_build=everything ;;
      --cuda) choose_cuda ;;
      --no-packages) install_packages=no ;;
      --help | -h)
        show_purpose
        show_options
        exit 0
        ;;
      --)
        shift
        cmake_options=("$@")
        return
        ;;
      *) fail "unknown option '$1'; --help lists the options" ;;
    esac
    shift
  done
}

# --- Debian packages -----------------------------------------------------------------------------------------------

needed_packages=(g++ cmake ninja-build libboost-iostreams-dev libfmt-dev libcli11-dev nlohmann-json3-dev libgtest-dev
  libopenmpi-dev openmpi-bin libhdf5-openmpi-dev)
package_lists_are_fresh=no

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

is_packaged() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "this needs root and there is no sudo; run as root: $*"
  fi
}

refresh_package_lists() {
  if [ $package_lists_are_fresh = no ]; then
    say "Debian packages: fetching the current lists (apt-get update)"
    as_root apt-get -qq update ||
      fail "the package lists could not be fetched; check the network, or use --no-packages if all is there"
    package_lists_are_fresh=yes
  fi
}

# Sets kokkos_source to given, distribution or provisioned. Cheap answers first: nothing is asked of the network
# where the answer is on this machine.
choose_kokkos() {
  kokkos_dir=$(find_given_package Kokkos)
  if [ -n "$kokkos_dir" ]; then
    kokkos_source=given
  elif [ $cuda = yes ]; then # no distribution packages a Kokkos with CUDA
    kokkos_source=provisioned
  elif is_installed libkokkos-dev; then
    kokkos_source=distribution
  elif [ -f "$provisioned_kokkos/dromos-stamp" ]; then
    kokkos_source=provisioned
  else
    if [ $install_packages = yes ] && [ $# -gt 0 ]; then refresh_package_lists; fi
    if [ $install_packages = yes ] && is_packaged libkokkos-dev; then
      kokkos_source=distribution
    else
      kokkos_source=provisioned
    fi
  fi
}

list_missing_packages() {
  local package
  for package in "${needed_packages[@]}"; do
    is_installed "$package" || echo "$package"
  done
}

# Where there is no Debian, nothing can be installed.
check_for_debian() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "Packages: this is not Debian, so nothing is installed; CMake will say what is missing"
    install_packages=no
  fi
}

# Installs what is missing of needed_packages.
install_missing_packages() {
  local missing=() log
  if [ $install_packages = no ]; then return; fi
  mapfile -t missing < <(list_missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then
    say "Debian packages: all are installed"
    return
  fi
  refresh_package_lists
  say "Debian packages: installing ${missing[*]}"
  log=$(mktemp)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" \
    >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    fail "apt-get could not install: ${missing[*]} (all it said is in $log)"
  }
  rm -f "$log"
}

prepare_packages() {
  local missing=()
  check_for_debian
  if [ $install_packages = yes ]; then mapfile -t missing < <(list_missing_packages); fi
  choose_kokkos "${missing[@]}"
  if [ $kokkos_source = distribution ]; then needed_packages+=(libkokkos-dev); fi
  install_missing_packages
}

# --- Kokkos, and Kokkos Kernels and Teuchos with it ----------------------------------------------------------------

# Prints the folder of NAME's CMake package in what the user gave: NAME_DIR, NAME_ROOT or CMAKE_PREFIX_PATH.
find_given_package() {
  local name=$1 folder prefix prefixes directory_variable=$1_DIR root_variable=$1_ROOT
  if [ -n "${!directory_variable:-}" ]; then
    echo "${!directory_variable}"
    return
  fi
  IFS=':;' read -r -a prefixes <<<"${!root_variable:-}:${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    if [ -z "$prefix" ]; then continue; fi
    for folder in "$prefix"/lib*/cmake/"$name" "$prefix"/lib/*/cmake/"$name"; do
      if [ -f "$folder/${name}Config.cmake" ]; then
        realpath "$folder"
        return
      fi
    done
  done
}

# Sets kokkos_options: what CMake is told about Kokkos and the two packages that must fit it.
prepare_kokkos() {
  local kernels=OFF teuchos=OFF
  case $kokkos_source in
    given)
      say "Kokkos: the given one, $kokkos_dir"
      if [ -n "$(find_given_package KokkosKernels)" ]; then kernels=ON; fi
      if [ -n "$(find_given_package Teuchos)" ]; then teuchos=ON; fi
      ;;
    distribution)
      say "Kokkos: the distribution's package libkokkos-dev"
      kokkos_dir=$(cmake/provision/debian_kokkos.sh "$PWD/.deps/kokkos-distribution")
      ;;
    provisioned)
      cmake/provision/trilinos.sh "$provisioned_kokkos" "${provision_options[@]}"
      kokkos_dir=$provisioned_kokkos/lib/cmake/Kokkos
      kernels=ON
      teuchos=ON
      ;;
  esac
  if [ $kernels = OFF ]; then say "Kokkos Kernels: none comes with this Kokkos, so it is switched off"; fi
  if [ $teuchos = OFF ]; then say "Teuchos: none comes with this Kokkos, so it is switched off"; fi
  kokkos_options=(-D "Kokkos_DIR=$kokkos_dir" -D "Dromos_ENABLE_KOKKOSKERNELS=$kernels"
    -D "Dromos_ENABLE_TEUCHOS=$teuchos")
  if [ $cuda = yes ]; then
    # Kokkos' wrapper of nvcc lies beside its CMake package: PREFIX/bin and PREFIX/lib*/cmake/Kokkos.
    wrapper=$(realpath "$kokkos_dir/../../..")/bin/nvcc_wrapper
    [ -x "$wrapper" ] || fail "Kokkos in $kokkos_dir has no nvcc_wrapper at $wrapper; give one that was installed with CUDA"
    kokkos_options+=(-D "CMAKE_CXX_COMPILER=$wrapper")
  fi
}

# --- Dromos --------------------------------------------------------------------------------------------------------

# One compiler per core, as long as each has 1.5 GB of memory; where each has 2.2 GB, it is told that it may use them.
compiler_options=()
choose_jobs() {
  local by_cores by_memory kilobytes
  by_cores=$(env -u OMP_NUM_THREADS nproc)  # nproc itself would obey it
  kilobytes=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((kilobytes / 1500000))
  jobs=${DROMOS_JOBS:-$((by_cores < by_memory ? by_cores : by_memory))}
  if [ "$jobs" -lt 1 ]; then jobs=1; fi
  export DROMOS_JOBS=$jobs
  # Not of a folder that there is: everything would be compiled again.
  if [ $((jobs * 2200000)) -le "$kilobytes" ] && [ ! -f $build_folder/CMakeCache.txt ]; then
    compiler_options=(-D Dromos_SPEND_COMPILER_MEMORY=ON)
  fi
}

# What many sources share, headers and templates, is compiled for each of them, so several are compiled as one. Who
# changes sources and compiles again and again is better off without: -- -D CMAKE_UNITY_BUILD=OFF.
unity_options=(-D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=8)

# with_log WHAT NAME COMMAND...: what the command says goes to a file, and its end is shown where it fails. Continuous
# integration sees all of it.
with_log() {
  local what=$1 log=$build_folder/log-$2.txt status=0 start=$SECONDS
  shift 2
  mkdir -p "$build_folder"
  say "$what"
  if [ -n "${CI:-}" ]; then
    "$@"
    return
  fi
  "$@" >"$log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    grep -m 1 -A 5 -E 'error|Error|FAILED' "$log" >&2 || true
    tail -n 15 "$log" >&2
    printf 'error: all it said is in %s\n' "$log" >&2
    return $status
  fi
  say "... done in $((SECONDS - start)) s"
}

build() {
  local fresh=() warnings=OFF configured_with parts=()
  if [ -n "${CI:-}" ]; then warnings=ON; fi
  configured_with=$(sed -n 's/^Kokkos_DIR:[A-Z]*=//p' "$build_folder/CMakeCache.txt" 2>/dev/null || true)
  if [ -n "$configured_with" ] && [ "$configured_with" != "$kokkos_dir" ]; then
    say "Dromos: $build_folder/ was configured with the Kokkos in $configured_with; starting afresh"
    fresh=(--fresh)
  fi
  if [ $what_to_build = everything ]; then
    parts=(-D Dromos_ENABLE_TESTS=ON -D Dromos_ENABLE_PERF_TESTS=ON)
  elif ! grep -qs '^Dromos_ENABLE_TESTS:BOOL=ON' $build_folder/CMakeCache.txt; then
    parts=(-D Dromos_ENABLE_TESTS=OFF -D Dromos_ENABLE_PERF_TESTS=OFF)
  fi
  with_log "Dromos: configuring in $build_folder/" configure cmake --preset $preset "${fresh[@]}" "${kokkos_options[@]}" \
    -D "Dromos_ENABLE_WERROR=$warnings" "${unity_options[@]}" "${compiler_options[@]}" "${parts[@]}" \
    "${cmake_options[@]}" || fail "configuring failed; the reason is above"
  with_log "Dromos: compiling with $jobs jobs, a few minutes" build cmake --build $build_folder -j "$jobs" ||
    fail "compiling failed; the first error is above"
}

run_main_job() {
  if [ $cuda = yes ] && ! has_gpu; then
    say "There is no GPU here: $build_folder/bin/dromos was built, and nothing is run"
  elif [ -x $build_folder/bin/dromos ]; then
    say "Searching $first_graph with every strategy, each answer validated:"
    echo "\$ $build_folder/bin/dromos bfs --strategy all --validate $first_graph"
    $build_folder/bin/dromos bfs --strategy all --validate "$first_graph" || fail "the search failed; the reason is above"
  fi
}

prepare_and_build() {
  prepare_packages
  choose_jobs
  prepare_kokkos
  build
  run_main_job
}

# Prints the tests that were skipped, a name each: whole programs as CTest says, cases of a program as that says.
skipped_tests() {
  {
    sed -n 's/^ *[0-9]*\/[0-9]* *Test *#[0-9]*: *\([^ ]*\) .*\*\*\*Skipped.*/\1/p' "$build_folder/log-tests.txt"
    sed -n 's/^\[  SKIPPED \] \([^ ]*\.[^ ]*\) ([0-9]* ms)$/\1/p' "$build_folder/Testing/Temporary/LastTest.log"
  } | sort -u
}

# As many tests at once as there are cores; CTest counts those of several threads or ranks as many.
run_tests() {
  local skipped=()
  say "Tests: running all of them"
  if ctest --test-dir $build_folder --output-on-failure --no-tests=error -j "$(env -u OMP_NUM_THREADS nproc)" |
      tee "$build_folder/log-tests.txt"; then
    mapfile -t skipped < <(skipped_tests)
    if [ ${#skipped[@]} -eq 0 ]; then
      say "Everything was built and every test passed"
    else
      say "Everything was built and every test that ran passed; ${#skipped[@]} skipped for lack of what they need:" \
        "${skipped[*]}"
    fi
  else
    say "Some tests FAILED: the list is above, their output above that"
    exit 1
  fi
}
