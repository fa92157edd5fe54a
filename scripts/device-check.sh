#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything that only a GPU can show, in one command and one table; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_help() {
  cat <<'EOF'
scripts/device-check.sh [BUILD_FOLDER] [--quick] [--no-tests]: on a machine with an NVIDIA GPU

  tests        every unit test
  sweep        algorithms x strategies x graphs, every answer judged by rules
  sanitizer    compute-sanitizer memcheck and racecheck on small graphs, where the tool is installed
  benchmarks   into BUILD_FOLDER/results/*.json; copy what is worth keeping to perf_tests/results/

and one table at the end. Builds with scripts/quickstart.sh --cuda unless BUILD_FOLDER is given. --quick takes smaller
graphs and fewer roots, --no-tests leaves out the unit tests, which take longest. Exit code 0 means that every line of the table says ok.
EOF
}

given_folder=''
with_tests=yes
scales=22,23,24
roots=16
mesh=160,160,160
matrix_scale=20
for argument in "$@"; do
  case $argument in
    --help | -h)
      show_help
      exit 0
      ;;
    --quick)
      scales=18
      mesh=64,64,64
      matrix_scale=16
      roots=4
      ;;
    --no-tests) with_tests=no ;;
    -*) fail "unknown option '$argument'; --help lists the options" ;;
    *) given_folder=$argument ;;
  esac
done

choose_cuda
has_gpu || fail "there is no NVIDIA GPU here (nvidia-smi -L lists none); compiling alone is scripts/quickstart.sh --cuda"
if [ -n "$given_folder" ]; then
  build_folder=$given_folder
  [ -x "$build_folder/bin/dromos" ] || fail "$build_folder has no bin/dromos; build there first, or give no folder"
else
  what_to_build=everything
  prepare_and_build
fi
program=$build_folder/bin/dromos
results=$build_folder/results
log=$build_folder/device-check.log
mkdir -p "$results"
: >"$log"
export OMP_PROC_BIND=false
table=()
all_ok=yes

# check NAME COMMAND...: runs it, all it says goes to the log, one line of the table.
check() {
  local name=$1 begin=$SECONDS outcome=ok
  shift
  printf '\n$ %s\n' "$*" >>"$log"
  if ! "$@" >>"$log" 2>&1; then
    outcome=FAILED
    all_ok=no
  fi
  table+=("$(printf '%-78s %-7s %5d s' "$name" "$outcome" $((SECONDS - begin)))")
  printf '%s\n' "${table[-1]}"
}

say "Tests"
if [ $with_tests = no ]; then say "left out, as asked"; else
  # One after the other: programs that share a GPU wait for their turn on it, most of the time.
  check "unit tests" ctest --test-dir "$build_folder" --output-on-failure --no-tests=error -j 1
fi

say "Validation sweep"
for graph in '--generate kronecker --scale 14' '--generate erdos-renyi --scale 14' \
  '--generate grid --rows 64 --columns 64' '--generate star --vertices 5000' inputs/squares.mtx; do
  for algorithm in bfs 'bfs --direction-optimizing' cc color scc kcore rcm matching btf mis2 coloring; do
    # shellcheck disable=SC2086 # both come with their options
    check "$algorithm, ${graph#--generate }" "$program" $algorithm --strategy all --validate $graph
  done
done

# An error is a race. Kokkos' own reductions and scans read within a warp what it wrote to scratch memory, without a
# barrier, which racecheck reports as warnings; a warning of anything else is a failure here.
racecheck() {
  local said
  said=$(compute-sanitizer --tool racecheck --print-limit 10000 "$@" 2>&1) || return 1
  printf '%s\n' "$said"
  if grep 'Warning: ' <<<"$said" | grep -v -E 'Kokkos::Impl::Parallel(Reduce|Scan)<'; then
    echo "These warnings are not of Kokkos' reductions and scans"
    return 1
  fi
  grep -q 'RACECHECK SUMMARY: .*(0 errors' <<<"$said" || grep -q 'RACECHECK SUMMARY: 0 hazards' <<<"$said"
}

say "Sanitizer"
if command -v compute-sanitizer >/dev/null; then
  for job in 'bfs' 'bfs --direction-optimizing' 'cc' 'color' 'scc' 'kcore' 'sssp --weights uniform --roots 2' \
    'pagerank --tolerance 1e-3' 'bc --roots 2' 'diameter --generate grid --rows 8 --columns 8' 'rcm' 'matching' 'btf' 'mis2' \
    'coloring'; do
    graph=
    [[ $job = *--generate* ]] || graph=inputs/squares.mtx
    # shellcheck disable=SC2086 # the algorithm may come with options
    check "memcheck, $job, every strategy" compute-sanitizer --tool memcheck --error-exitcode 1 \
      "$program" $job --strategy all $graph
    # shellcheck disable=SC2086
    check "racecheck, $job, every strategy" racecheck "$program" $job --strategy all $graph
  done
else
  say "compute-sanitizer is not installed: its checks were NOT made"
fi

say "Benchmarks"
benchmark() {
  local name=$1 file=$2
  shift 2
  check "$name" "$build_folder/bin/$1" "${@:2}" --json "$results/$file.json"
}
benchmark "ceilings" ceilings bench_ceilings
benchmark "direction-optimizing bfs" bfs-direction-optimizing bench_bfs --graph kronecker --scale $scales \
  --algorithm direction-optimizing --strategy manhattan-local --no-parents --roots $roots
benchmark "top-down bfs" bfs-top-down bench_bfs --graph kronecker --scale $scales --algorithm bfs \
  --strategy manhattan-local,manhattan-global --no-parents --roots $roots
benchmark "top-down bfs, every strategy" bfs-strategies bench_bfs --graph all --scale 18 --algorithm bfs --no-fusion \
  --strategy all --roots 4
benchmark "steps of the local Manhattan collapse" bfs-steps bench_bfs --graph all --scale 18 --algorithm bfs \
  --strategy steps --no-fusion --roots 4
benchmark "components" cc bench_cc --scale 20 --strategy manhattan-local
benchmark "coloring" color bench_color --scale 18 --strategy all
benchmark "strongly connected components" scc bench_scc --graph kronecker --scale 20 --strategy manhattan-local
for algorithm in sssp pagerank kcore bc diameter; do
  benchmark "$algorithm" $algorithm bench_$algorithm --scale 18 --strategy all --ceilings "$results/ceilings.json"
done
benchmark "adversarial graphs" cliffs bench_cliffs --scale 16
# Beside the order of Kokkos Kernels, which copies the graph to the host and numbers there.
if [ -x "$build_folder/bin/bench_rcm" ]; then
  benchmark "reverse Cuthill-McKee, a mesh of $mesh" rcm-3d bench_rcm --sides $mesh --runs 5
  benchmark "reverse Cuthill-McKee, a mesh of 1024,1024" rcm-2d bench_rcm --sides 1024,1024 --runs 5
else
  say "There is no bench_rcm, since Kokkos Kernels was switched off: orders are NOT compared"
fi
for job in 'matching --directed' 'btf --directed' mis2 coloring; do
  # shellcheck disable=SC2086 # the subcommand may come with an option
  check "${job% *}, kronecker $matrix_scale" "$program" $job --generate kronecker --scale $matrix_scale --repeat 5 --validate \
    --json "$results/${job% *}.json"
done

echo
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)
say "$device, commit $(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)"
printf '%s\n' "${table[@]}"
[ $all_ok = yes ] || fail "some checks FAILED; all that was said is in $log"
