#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Breaks what the program stands on while it works, and counts what is lost: disks that fill up, signals, ranks that are
# killed, folders that vanish, files that are damaged, memory that ends. Prints a table; --help says more.
#
# An attempt survives when the program ends in time, by itself or by our signal, and every output is whole: what was
# there before, or what an undisturbed run writes (then with exit code 0 only). Anything else is a line of its own.
set -uo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."

build=build attempts=25 mutations=100 limit=30
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --attempts) attempts=$2; shift 2 ;;
    --mutations) mutations=$2; shift 2 ;;
    --help)
      cat <<'END'
scripts/check-faults.sh [--build FOLDER] [--attempts N] [--mutations N]: tries faults on the program in FOLDER/bin/dromos.

--attempts N    random moments for each signal, and for each rank that is killed (default 25)
--mutations N   damaged files of each format (default 100, as in the table of doc/reliability.md)

Real small disks need the right to mount (tmpfs), control groups the right to make them; without, that line says NOT tried.
A program built with the sanitizers (cmake --preset asan) is recognised: what they report is a crash, printed at the end, and what
needs a limit of addresses is left out.
Exit code 0 means that nothing was lost, hung or crashed. Seeds of all random numbers: FAULT_SEED (default 1).
END
      exit 0 ;;
    *) echo "$0: there is no option $1; --help shows all" >&2; exit 2 ;;
  esac
done

program=$(realpath "$build/bin/dromos")
library=$(realpath "$build/unit_tests/libfailing_writes.so" 2>/dev/null)
[ -x "$program" ] || { echo "$0: there is no $build/bin/dromos; build it first" >&2; exit 2; }
mpirun=$(command -v mpirun || true)
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
RANDOM=${FAULT_SEED:-1}
work=$(mktemp -d)
cleanup() { umount "$work/disk" 2>/dev/null; rm -rf "$work"; }
trap cleanup EXIT
mkdir "$work/out" "$work/disk"
limit_addresses() { ulimit -v "$1"; }
sanitized=no
if ldd "$program" | grep -q libasan; then
  sanitized=yes limit=120
  limit_addresses() { :; }  # the sanitizer takes more than any limit leaves
  # Open MPI leaks; the library that fails writes stands before the sanitizer's; memory that is refused is not a mistake.
  sanitizer_options=detect_leaks=0:abort_on_error=1:verify_asan_link_order=0:allocator_may_return_null=1:log_path=$work/report
  export ASAN_OPTIONS=$sanitizer_options UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1:log_path=$work/report
fi

# --- counting -----------------------------------------------------------------------------------------------------------
declare -A tried=() survived=() lost=() hung=() crashed=()
names=()
begin() { name=$1; names+=("$name"); tried[$name]=0 survived[$name]=0 lost[$name]=0 hung[$name]=0 crashed[$name]=0; }
not_tried() { names+=("$1"); tried[$1]="NOT tried ($2)"; }
tell() { echo "$name: $1: $2" >&2; }

# judge CODE WHAT [OUTPUT GOOD]: of an attempt that ended with CODE. Codes above 128 are signals; $own_signal is ours.
own_signal=0
judge() {
  tried[$name]=$((tried[$name] + 1))
  if [ "$1" = 124 ] || [ "$1" = 137 ] && [ $own_signal != 9 ]; then
    hung[$name]=$((hung[$name] + 1)); tell "not at its end after $limit s" "$2"; return
  fi
  if [ "$1" -gt 128 ] && [ "$1" != $((128 + own_signal)) ]; then
    crashed[$name]=$((crashed[$name] + 1)); tell "ended by signal $(($1 - 128))" "$2"; return
  fi
  if [ $# -gt 2 ] && ! is_whole "$1" "$3" "$4"; then
    lost[$name]=$((lost[$name] + 1)); tell "exit code $1, and the output is wrong" "$2"; return
  fi
  survived[$name]=$((survived[$name] + 1))
}

# refused CODE WHAT FILE: an attempt that must end with exit code 2 and one line that says why, which is in FILE.
refused() {
  local code=$1
  if [ "$code" = 124 ] || [ "$code" -gt 128 ]; then judge "$code" "$2"; return; fi
  tried[$name]=$((tried[$name] + 1))
  if [ "$code" != 2 ] || ! grep -q "dromos: error: .*$3" "$work/said"; then
    lost[$name]=$((lost[$name] + 1)); tell "exit code $code, and not refused: $(head -c 300 "$work/said")" "$2"; return
  fi
  survived[$name]=$((survived[$name] + 1))
}

before="what was there before"
# is_whole CODE OUTPUT GOOD: as before, or, where the program says so or was stopped after its last step, as GOOD.
is_whole() {
  if compgen -G "$2.*.part" >/dev/null; then
    rm -f "$2".*.part
    [ "$own_signal" = 9 ] || return 1
  fi
  [ "$1" != 0 ] && [ "$(head -c 100 "$2" 2>/dev/null | tr -d '\0')" = "$before" ] && return 0
  [ "$1" != 0 ] && [ $own_signal = 0 ] && return 1
  results_of "$2" "$work/now" 2>/dev/null && is_same "$work/now" "$3"
}

# results_of FILE TO: what a file says: of a graph in HDF5 the edges, without the time at which it was written.
results_of() {
  rm -f "$2.txt"
  case $1 in
    *.h5) if "$program" convert "$1" "$2.txt" >/dev/null 2>&1; then mv "$2.txt" "$2"; else cp "$1" "$2"; fi ;;
    *) cp "$1" "$2" ;;
  esac
}

# is_same A B: byte for byte, or but for the times and checksums in two HDF5 files of results, some 4 bytes each.
is_same() {
  cmp -s "$1" "$2" && return 0
  [ "$(head -c 4 "$1" | tail -c 3)" = HDF ] && [ "$(stat -c %s "$1")" = "$(stat -c %s "$2")" ] &&
    [ "$(cmp -l "$1" "$2" | wc -l)" -le 64 ]
}

# --- outputs and what writes them -----------------------------------------------------------------------------------------
graph=$work/graph.h5 text=$work/graph.mtx
"$program" generate kronecker --scale 10 -o "$graph" >/dev/null && "$program" convert "$graph" "$text" >/dev/null || exit 2
commands=("cc $text --output OUT.txt" "convert $text OUT.txt" "convert $text OUT.txt.xz" "convert --csr $graph OUT.h5"
          "generate kronecker --scale 10 -o OUT.h5")
small=("bfs --root 0 $graph --output OUT.h5" "bfs --root 0 $graph --output OUT.txt")
shared=("generate kronecker --scale 10 -o OUT.h5" "convert --csr $graph OUT.h5" "convert --separated $graph OUT.h5")
good_of() {  # COMMAND FOLDER: runs it undisturbed; sets $output and $good, what the output is compared with
  local words=${1//OUT/$2/r}
  output=${words##* }
  good=$work/good
  ${3:-} "$program" $words >/dev/null 2>&1 || { echo "$0: '$words' fails undisturbed" >&2; exit 2; }
  results_of "$output" "$good"
}

begin "a call that fails, one rank"
if [ -n "$library" ]; then
  for command in "${commands[@]}"; do
    good_of "$command" "$work/out"
    for kind in full once; do
      for ((at = 1;; at++)); do
        echo "$before" >"$output"; rm -f "$work/met"
        timeout -k 1 $limit env LD_PRELOAD="$library" DROMOS_FAULT_FOLDER="$work/out" DROMOS_FAULT_AT=$at \
          DROMOS_FAULT_KIND=$kind DROMOS_FAULT_MET="$work/met" "$program" ${command//OUT/$work/out/r} >/dev/null 2>&1
        judge $? "$kind at $at of $command" "$output" "$good"
        [ -e "$work/met" ] || break
      done
    done
    rm -f "$output"
  done
else
  unset 'names[-1]'; not_tried "a call that fails, one rank" "no libfailing_writes.so: build the tests"
fi

# at_calls_of_ranks FAULT SIGNAL [VARIABLE=VALUE...]: one of two ranks meets the fault of the variables at a call that
# writes, the first, the second, and so on. SIGNAL: the one that ends the rank; 0: none does.
at_calls_of_ranks() {
  local fault=$1 signal=$2 command rank at code
  shift 2
  if [ -z "$mpirun" ] || [ -z "$library" ]; then not_tried "$fault" "no mpirun, or no libfailing_writes.so"; return; fi
  begin "$fault"
  for command in "${shared[@]}"; do
    good_of "$command" "$work/out" "$mpirun -n 2"
    for rank in 0 1; do
      for ((at = 1;; at += at < 8 ? 1 : 5)); do
        echo "$before" >"$output"; rm -f "$work/met"
        timeout -k 1 $limit "$mpirun" -n 2 env LD_PRELOAD="$library" DROMOS_FAULT_FOLDER="$work/out" DROMOS_FAULT_AT=$at \
          DROMOS_FAULT_RANK=$rank DROMOS_FAULT_MET="$work/met" "$@" "$program" ${command//OUT/$work/out/r} >/dev/null 2>&1
        code=$?
        [ $code = 124 ] || own_signal=$signal
        judge $code "at $at of rank $rank of $command" "$output" "$good"
        own_signal=0
        [ -e "$work/met" ] || break
      done
    done
    rm -f "$output"
  done
}

at_calls_of_ranks "a call that fails, of one of two ranks" 0

if mount -t tmpfs -o size=64k none "$work/disk" 2>/dev/null; then
  umount "$work/disk"
  begin "a small disk"
  for size in 16k 64k 100k 150k 200k 260k 300k 400k; do
    for ranks in 1 2 3; do
      [ $ranks = 1 ] || [ -n "$mpirun" ] || continue
      launcher=; [ $ranks = 1 ] || launcher="$mpirun -n $ranks"
      for command in "${shared[@]}" "${small[@]}"; do
        good_of "$command" "$work/out" "$launcher"
        mount -t tmpfs -o size=$size none "$work/disk"
        output=$work/disk/${output##*/}
        echo "$before" >"$output"
        timeout -k 1 $limit $launcher "$program" ${command//OUT/$work/disk/r} >/dev/null 2>&1
        judge $? "$size, $ranks ranks, $command" "$output" "$good"
        umount "$work/disk"
      done
    done
  done
else
  not_tried "a small disk" "nothing can be mounted here"
fi

outputs=("generate kronecker --scale 16 -o OUT.txt" "generate kronecker --scale 16 -o OUT.h5"
         "generate kronecker --scale 13 -o OUT.txt.xz" "cc --generate kronecker --scale 17 --output OUT.txt")
for signal in INT TERM HUP QUIT PIPE XCPU XFSZ KILL; do
  begin "SIG$signal at a random moment"
  number=$(kill -l $signal)
  for ((i = 0; i < attempts; i++)); do
    command=${outputs[i % ${#outputs[@]}]}
    if [ $i -lt ${#outputs[@]} ]; then
      good_of "$command" "$work/out"
      cp "$good" "$work/good-$i"
    fi
    output=$work/out/r${command##*OUT} good=$work/good-$((i % ${#outputs[@]}))
    echo "$before" >"$output"
    # What whoever runs this ignores (nohup; a background job: SIGINT) is not ignored here. SIGXFSZ is: writing says so.
    # The braces keep the shell's "Killed" from the report.
    {
      env --default-signal timeout -k 60 -s $signal 0.$(printf %03d $((RANDOM % 400 + 10))) \
        "$program" ${command//OUT/$work/out/r} >/dev/null
      code=$?
    } 2>/dev/null
    # timeout says 124 where it has sent its signal and the program is at its end, 137 where that was SIGKILL.
    if [ $code = 124 ] || [ $code = 137 ]; then code=$((128 + number)); own_signal=$number; fi
    judge $code "$i: $command" "$output" "$good"
    own_signal=0
    rm -f "$output"
  done
done

if [ -n "$mpirun" ]; then
  begin "a rank of three killed at a random moment"
  command="generate kronecker --scale 18 -o OUT.h5"
  good_of "$command" "$work/out" "$mpirun -n 3"
  for ((i = 0; i < attempts; i++)); do
    echo "$before" >"$output"
    timeout -k 1 $limit "$mpirun" -n 3 sh -c \
      "if [ \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} = $((i % 3)) ]; then
         exec timeout -s KILL 0.$(printf %03d $((RANDOM % 900 + 50))) '$program' ${command//OUT/$work/out/r}
       fi; exec '$program' ${command//OUT/$work/out/r}" >/dev/null 2>&1
    code=$?
    own_signal=9
    [ $code = 124 ] && own_signal=0
    judge $code "rank $((i % 3))" "$output" "$good"
    own_signal=0
  done
  rm -f "$output"
else
  not_tried "a rank of three killed at a random moment" "no mpirun"
fi

at_calls_of_ranks "a rank of two killed at a call" 9 DROMOS_FAULT_KIND=stop DROMOS_FAULT_SIGNAL=9

begin "a folder that cannot be written or vanishes"
mkdir "$work/gone"
for command in "${commands[@]}"; do
  timeout -k 1 $limit "$program" ${command//OUT/$work/absent/r} >/dev/null 2>&1; code=$?
  judge $code "absent"; [ $code = 2 ] || tell "exit code $code" "absent"
  (cd "$work/gone" && rmdir "$work/gone" && timeout -k 1 $limit "$program" ${command//OUT/.\/r} >/dev/null 2>&1)
  judge $? "vanished"; mkdir -p "$work/gone"
  timeout -k 1 $limit "$program" ${command//OUT//proc/r} >/dev/null 2>&1
  judge $? "/proc"
done

if [ $sanitized = no ]; then
  begin "a decompression bomb, refused"
  for packer in gzip:gz bzip2:bz2 xz:xz zstd:zst; do
    command -v ${packer%:*} >/dev/null || continue
    head -c 64M /dev/zero | ${packer%:*} -1 >"$work/one"
    # Members behind each other, as each of these programs takes them: 2.5 GB.
    for ((i = 0; i < 40; i++)); do cat "$work/one"; done >"$work/bomb.${packer#*:}"
    for limit_kb in 1000000 1500000 2000000; do
      (ulimit -v $limit_kb; timeout -k 1 $limit "$program" info "$work/bomb.${packer#*:}" >/dev/null 2>"$work/said")
      refused $? "$limit_kb kB, ${packer#*:}" "iB"
    done
    rm -f "$work/bomb.${packer#*:}" "$work/one"
  done
  # The same edge 60,000,000 times: 480 MB of deflated zeros in HDF5, or none at all where it is built without. With 650 MB
  # of addresses it fits, since the list is used up while rows are built.
  yes '0 0' | head -n 60000000 >"$work/zeros.txt"
  if "$program" convert --compression 9 "$work/zeros.txt" "$work/bomb.h5" >/dev/null 2>&1; then
    for limit_kb in 350000 400000 450000; do
      (ulimit -v $limit_kb; timeout -k 1 $limit "$program" info "$work/bomb.h5" >/dev/null 2>"$work/said")
      refused $? "$limit_kb kB, .h5" "iB"
    done
  fi
  rm -f "$work/bomb.h5" "$work/zeros.txt"
else
  not_tried "a decompression bomb, refused" "the sanitizer needs more addresses than its limit"
fi

groups=/sys/fs/cgroup group_limit=memory.max
[ -e $groups/memory ] && { groups=$groups/memory; group_limit=memory.limit_in_bytes; }
group=$groups/dromos-faults-$$
if mkdir "$group" 2>/dev/null && echo 700000000 >"$group/$group_limit" 2>/dev/null && mkdir "$group/inner" 2>/dev/null; then
  begin "a nested control group of 700 MB, refused"
  "$program" generate kronecker --scale 21 -o "$work/big.h5" >/dev/null
  in_group() {  # LAUNCHER ARGUMENTS
    OMP_NUM_THREADS=2 sh -c "echo \$\$ >$group/inner/cgroup.procs && exec timeout -k 1 $limit $1 '$program' $2" \
      >/dev/null 2>"$work/said"
    refused $? "$1 $2" "needs .*iB"
  }
  for arguments in "info --generate erdos-renyi --vertices 30000000 --edges 100000000" \
    "cc --generate kronecker --scale 23" "bfs --generate erdos-renyi --vertices 100000000 --edges 10" \
    "bc --generate erdos-renyi --vertices 30000000 --edges 10" \
    "pagerank --generate erdos-renyi --vertices 40000000 --edges 10"; do
    in_group "" "$arguments"
    [ -z "$mpirun" ] || in_group "$mpirun -n 3" "$arguments"
  done
  [ -z "$mpirun" ] || in_group "$mpirun -n 3" "cc $work/big.h5"
  rm -f "$work/big.h5"
else
  not_tried "a nested control group of 700 MB, refused" "none can be made here"
fi
rmdir "$group/inner" "$group" 2>/dev/null

# damage FROM TO: some bytes of it are others.
damage() {
  local bytes
  bytes=$(stat -c %s "$1")
  cp "$1" "$2"
  for ((j = RANDOM % 8; j >= 0; j--)); do
    printf "\\x$(printf %02x $((RANDOM % 256)))" |
      dd of="$2" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % bytes)) conv=notrunc status=none
  done
}
"$program" generate kronecker --scale 5 -o "$work/k.mtx" >/dev/null
"$program" convert --undirected "$work/k.mtx" "$work/m.mtx" >/dev/null || exit 2
awk 'NR > 3 { print $1, $2, NR % 9 + 1 }' "$work/m.mtx" >"$work/w.txt"
try_damaged() {  # NAME FILE: a good one
  begin "a damaged $1"
  for ((i = 0; i < mutations; i++)); do
    damage "$2" "$work/d.${2##*/m.}"
    timeout -k 1 $limit "$program" info "$work/d.${2##*/m.}" >/dev/null 2>&1
    judge $? "number $i"
  done
  rm -f "$work/d.${2##*/m.}"
}
for format in mtx txt graph gr smat h5 txt.gz txt.bz2 txt.xz txt.zst sg wsg; do
  if "$program" convert --undirected "$work/k.mtx" "$work/m.$format" >/dev/null 2>&1 ||
    "$program" convert --undirected --weights "$work/w.txt" "$work/m.$format" >/dev/null 2>&1; then
    try_damaged ".$format" "$work/m.$format"
  else
    not_tried "a damaged .$format" "not written by this build"
  fi
done
"$program" convert --csr "$work/m.mtx" "$work/m.rows.h5" >/dev/null 2>&1 &&
  try_damaged "graph by rows in .h5" "$work/m.rows.h5"
if [ -n "$mpirun" ]; then
  "$mpirun" -n 2 "$program" generate kronecker --scale 5 -o "$work/s.h5" >/dev/null 2>&1
  "$mpirun" -n 2 "$program" convert --separated "$work/s.h5" "$work/m.separated.h5" >/dev/null 2>&1 &&
    try_damaged "separated graph in .h5" "$work/m.separated.h5"
fi
{ echo "from,to,weight"; awk 'NR > 3 { print $1 "," $2 "," NR / 8 }' "$work/m.mtx"; } >"$work/m.csv"
try_damaged ".csv" "$work/m.csv"
awk 'NR > 3 { near[$1] = near[$1] " " $2 } END { for (v in near) print v near[v] }' "$work/m.mtx" >"$work/m.adj"
try_damaged "list of neighbors" "$work/m.adj"
{ echo '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
  for ((i = 1; i <= 32; i++)); do echo "<node id=\"$i\"/>"; done
  awk 'NR > 3 { print "<edge source=\"" $1 "\" target=\"" $2 "\"/>" }' "$work/m.mtx"
  echo '</graph></graphml>'; } >"$work/m.graphml"
try_damaged ".graphml" "$work/m.graphml"
printf 'dromos info:\n  generate: kronecker\n  scale: 5\n  edge factor: 4\n' >"$work/m.yaml"
echo '<ParameterList name="dromos info"><Parameter name="generate" type="string" value="kronecker"/>' \
  '<Parameter name="scale" type="int" value="5"/></ParameterList>' >"$work/m.xml"
for format in yaml xml; do
  if "$program" info --parameters "$work/m.$format" >/dev/null 2>&1; then
    begin "damaged parameters in .$format"
    for ((i = 0; i < mutations; i++)); do
      damage "$work/m.$format" "$work/d.$format"
      # Another digit may ask for a large graph.
      (limit_addresses 2000000; timeout -k 1 $limit "$program" info --parameters "$work/d.$format" >/dev/null 2>&1)
      judge $? "number $i"
    done
  else
    not_tried "damaged parameters in .$format" "built without Teuchos"
  fi
done

# --- the table --------------------------------------------------------------------------------------------------------------
failed=0
for report in "$work"/report.*; do
  [ -e "$report" ] || continue
  failed=1
  head -n 30 "$report" >&2
done
printf '\n| fault | tried | survived | data lost | hung | crashed |\n|---|---|---|---|---|---|\n'
for name in "${names[@]}"; do
  case ${tried[$name]} in
    NOT*) printf '| %s | %s | | | | |\n' "$name" "${tried[$name]}" ;;
    *)
      printf '| %s | %d | %d | %d | %d | %d |\n' "$name" "${tried[$name]}" "${survived[$name]}" "${lost[$name]}" \
        "${hung[$name]}" "${crashed[$name]}"
      [ "${tried[$name]}" = "${survived[$name]}" ] || failed=1 ;;
  esac
done
exit $failed
