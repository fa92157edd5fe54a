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
--mutations N   damaged files of each format (default 100; the page doc/reliability.md has 500)

Real small disks need the right to mount (tmpfs), control groups the right to make them; without, that line says NOT tried.
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

before="what was there before"
# is_whole CODE OUTPUT GOOD: as before, or, where the program says so or was stopped after its last step, as GOOD.
is_whole() {
  if compgen -G "$2.*.part" >/dev/null; then
    rm -f "$2".*.part
    [ "$own_signal" = 9 ] || return 1
  fi
  [ "$1" != 0 ] && [ "$(head -c 100 "$2" 2>/dev/null | tr -d '\0')" = "$before" ] && return 0
  [ "$1" != 0 ] && [ $own_signal = 0 ] && return 1
  case $2 in
    *.h5) "$program" convert "$2" "$work/now.txt" >/dev/null 2>&1 && cmp -s "$work/now.txt" "$3" ;;
    *) cmp -s "$2" "$3" ;;
  esac
}

# --- outputs and what writes them -----------------------------------------------------------------------------------------
graph=$work/graph.h5 text=$work/graph.mtx
"$program" generate kronecker --scale 10 -o "$graph" >/dev/null && "$program" convert "$graph" "$text" >/dev/null || exit 2
commands=("cc $text --output OUT.txt" "convert $text OUT.txt" "convert $text OUT.txt.xz" "convert --csr $graph OUT.h5"
          "generate kronecker --scale 10 -o OUT.h5")
shared=("generate kronecker --scale 10 -o OUT.h5" "convert --csr $graph OUT.h5" "convert --separated $graph OUT.h5")
good_of() {  # COMMAND FOLDER: runs it undisturbed; sets $output and $good, what the output is compared with
  local words=${1//OUT/$2/r}
  output=${words##* }
  good=$work/good
  ${3:-} "$program" $words >/dev/null 2>&1 || { echo "$0: '$words' fails undisturbed" >&2; exit 2; }
  case $output in
    *.h5) "$program" convert "$output" "$work/good.txt" >/dev/null; good=$work/good.txt ;;
    *) cp "$output" "$good" ;;
  esac
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

if [ -n "$mpirun" ] && [ -n "$library" ]; then
  begin "a call that fails, of one of two ranks"
  for command in "${shared[@]}"; do
    good_of "$command" "$work/out" "$mpirun -n 2"
    for rank in 0 1; do
      for ((at = 1;; at += at < 8 ? 1 : 5)); do
        echo "$before" >"$output"; rm -f "$work/met"
        timeout -k 1 $limit "$mpirun" -n 2 env LD_PRELOAD="$library" DROMOS_FAULT_FOLDER="$work/out" DROMOS_FAULT_AT=$at \
          DROMOS_FAULT_RANK=$rank DROMOS_FAULT_MET="$work/met" "$program" ${command//OUT/$work/out/r} >/dev/null 2>&1
        judge $? "full at $at of rank $rank of $command" "$output" "$good"
        [ -e "$work/met" ] || break
      done
    done
    rm -f "$output"
  done
else
  not_tried "a call that fails, of one of two ranks" "no mpirun, or no libfailing_writes.so"
fi

if mount -t tmpfs -o size=64k none "$work/disk" 2>/dev/null; then
  umount "$work/disk"
  begin "a small disk"
  for size in 16k 64k 100k 150k 200k 260k 300k 400k; do
    for ranks in 1 2 3; do
      [ $ranks = 1 ] || [ -n "$mpirun" ] || continue
      launcher=; [ $ranks = 1 ] || launcher="$mpirun -n $ranks"
      for command in "${shared[@]}"; do
        good_of "$command" "$work/out" "$launcher"
        mount -t tmpfs -o size=$size none "$work/disk"
        output=$work/disk/r.h5
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

for signal in INT TERM HUP KILL; do
  begin "SIG$signal at a random moment"
  own_signal=$(kill -l $signal)
  command="generate kronecker --scale 16 -o OUT.txt"
  own=$own_signal; own_signal=0; good_of "$command" "$work/out"; own_signal=$own
  for ((i = 0; i < attempts; i++)); do
    echo "$before" >"$output"
    # What whoever runs this ignores (nohup; a background job: SIGINT) is not ignored here.
    env --default-signal timeout -k 60 -s $signal 0.$(printf %03d $((RANDOM % 400 + 10))) "$program" ${command//OUT/$work/out/r} >/dev/null 2>&1
    code=$?
    # timeout says 124 where the program ended by its signal.
    [ $code = 124 ] && code=$((128 + own_signal))
    judge $code "$i" "$output" "$good"
  done
  own_signal=0
  rm -f "$output"
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

begin "a decompression bomb"
head -c 64M /dev/zero | gzip -1 >"$work/one.gz"
for ((i = 0; i < 40; i++)); do cat "$work/one.gz"; done >"$work/bomb.gz"
for limit_kb in 1000000 1500000 2000000; do
  (ulimit -v $limit_kb; timeout -k 1 $limit "$program" info "$work/bomb.gz" >/dev/null 2>&1); judge $? "$limit_kb kB"
done
rm -f "$work"/*.gz

groups=/sys/fs/cgroup group_limit=memory.max
[ -e $groups/memory ] && { groups=$groups/memory; group_limit=memory.limit_in_bytes; }
group=$groups/dromos-faults-$$
if mkdir "$group" 2>/dev/null && echo 700000000 >"$group/$group_limit" 2>/dev/null && mkdir "$group/inner" 2>/dev/null; then
  begin "a nested control group of 700 MB"
  for arguments in "info --generate erdos-renyi --vertices 30000000 --edges 100000000" "cc --generate kronecker --scale 23"; do
    sh -c "echo \$\$ >$group/inner/cgroup.procs && exec timeout -k 1 $limit '$program' $arguments" >/dev/null 2>&1
    judge $? "$arguments"
  done
else
  not_tried "a nested control group of 700 MB" "none can be made here"
fi
rmdir "$group/inner" "$group" 2>/dev/null

for format in mtx txt graph gr smat h5 txt.xz; do
  begin "a damaged .$format"
  "$program" generate kronecker --scale 5 -o "$work/k.mtx" >/dev/null
  "$program" convert --undirected "$work/k.mtx" "$work/m.$format" >/dev/null 2>&1 || exit 2
  bytes=$(stat -c %s "$work/m.$format")
  for ((i = 0; i < mutations; i++)); do
    cp "$work/m.$format" "$work/d.$format"
    for ((j = RANDOM % 8; j >= 0; j--)); do
      printf "\\x$(printf %02x $((RANDOM % 256)))" |
        dd of="$work/d.$format" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % bytes)) conv=notrunc status=none
    done
    timeout -k 1 $limit "$program" info "$work/d.$format" >/dev/null 2>&1
    judge $? "number $i"
  done
done

# --- the table --------------------------------------------------------------------------------------------------------------
failed=0
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
