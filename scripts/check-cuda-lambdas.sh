#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Looks for kernels that two sources share in a build with CUDA; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_help() {
  cat <<'EOF'
scripts/check-cuda-lambdas.sh [BUILD_FOLDER]: no KOKKOS_LAMBDA of a build with CUDA (default: build-cuda) is in two sources

Where the code around such a lambda is compiled in two sources of a program, and the linker keeps one, nvcc's programs may
call address 0 (doc/architecture.md says why; functors with a name are the cure). This looks into the object files, with nm; no
GPU is needed. Exit code 0: there are none.
EOF
}

case ${1:-} in
  --help | -h)
    show_help
    exit 0
    ;;
esac
build_folder=${1:-build-cuda}
[ -d "$build_folder/src" ] || fail "$build_folder has no objects of the library; build there first (scripts/quickstart.sh --cuda)"

# shared_names FOLDER: the names in the object files below it that the linker merges and that are around a lambda, each once
# for every object that has it.
shared_names() {
  find "$1" -name '*.o' -exec nm --print-file-name {} + 2>/dev/null |
    sed -nE 's/^([^:]+):[0-9a-f]* [WVu] (.*__nv_hdl_wrapper_t.*)$/\1 \2/p' | sort -u | sed 's/^[^ ]* //'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=$(find "$build_folder/src" -name '*.o' | wc -l)
[ "$objects" -gt 0 ] || fail "$build_folder/src has no object files; build there first (scripts/quickstart.sh --cuda)"
# Whether there are kernels at all: the library itself need not have a lambda.
find "$build_folder/src" -name '*.o' -exec nm {} + >"$work/names" 2>/dev/null || fail "nm cannot read the objects in $build_folder/src"
grep -q __cudaRegisterFatBinary "$work/names" || fail "$build_folder was not built with CUDA: its objects have no kernel"
shared_names "$build_folder/src" | sort >"$work/library"
uniq -d "$work/library" >"$work/found"
# Programs: what one of them shares with the library, or its sources with each other.
sort -u "$work/library" >"$work/once"
for program in "$build_folder"/{unit_tests,perf_tests}/CMakeFiles/*.dir; do
  [ -d "$program" ] || continue
  shared_names "$program" | sort >"$work/program"
  uniq -d "$work/program" >>"$work/found"
  sort -u "$work/program" | comm -12 - "$work/once" >>"$work/found"
done
if [ -s "$work/found" ]; then
  sort -u "$work/found" | c++filt | grep -oE ', &[a-z(][A-Za-z_0-9: (]*dromos::[A-Za-z_0-9:]+<' |
    grep -oE 'dromos::[A-Za-z_0-9:]+' | sort -u >&2
  fail "several sources share the lambdas of the templates above; make these functors with a name, or put static before functions that one source uses"
fi
say "No lambda of $build_folder is shared by two sources ($objects object files of the library)"
