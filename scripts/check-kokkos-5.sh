#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The newest Kokkos with the newest compiler from the same source; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_help() {
  cat <<'EOF'
scripts/check-kokkos-5.sh [--fresh]: library, program and tests in a folder with Debian unstable, which packages Kokkos 5
(OpenMP, C++20), a new g++, MPI, HDF5 and Apache Arrow; built there and passed there by scripts/test.sh.

The folder is .deps/debian-unstable, made by debootstrap from the archive that apt-get uses on this machine, and used
again by later runs; --fresh makes it anew. Needs root (through sudo), for chroot and debootstrap; nothing is mounted or
installed outside the folder, but debootstrap itself. Built as shared libraries, optimized lightly (-O1), without the
benchmarks and without tests of more than 3 ranks: what is looked for is that it compiles and is right. Where the archive
cannot be reached, nothing is checked, and that is said.
EOF
}

arguments=("$@")
anew=no
while [ $# -gt 0 ]; do
  case $1 in
    --fresh) anew=yes ;;
    --help | -h)
      show_help
      exit 0
      ;;
    *) fail "unknown option '$1'; --help lists the options" ;;
  esac
  shift
done

if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "this needs root and there is no sudo; run as root: $0"
  exec sudo --preserve-env=DROMOS_JOBS,http_proxy,https_proxy "$0" "${arguments[@]}"
fi

folder=$PWD/.deps/debian-unstable
suite=unstable

skip() {
  say "$*"
  say "Kokkos 5 was NOT checked"
  exit 0
}

# The archive that this machine installs Debian from: updates of security and the like apart.
find_archive() {
  # shellcheck disable=SC2016 # these are apt-get's variables
  apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
    awk '$2 !~ /-/ { sub("/*$", "", $1); print $1; exit }'
}

make_folder() {
  local log=$folder.log proxy=
  mkdir -p "$(dirname "$folder")"
  rm -rf --one-file-system "$folder" "$folder.work"
  say "Debian unstable: a folder with its base system (debootstrap; what it says is in $log)"
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  if [ -n "$proxy" ]; then export http_proxy=$proxy; fi
  debootstrap --variant=minbase --include=ca-certificates $suite "$folder.work" "$archive" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "debootstrap could not make $folder"
  }
  mv "$folder.work" "$folder"
}

# The files that git knows or would add, as they are now. A file that did not change keeps its time and one that did gets
# that of now, whatever its time outside, so that later runs compile what changed and nothing else.
copy_source() {
  local source=$folder/dromos incoming=$folder/dromos.incoming file
  rm -rf "$incoming"
  mkdir -p "$source" "$incoming"
  if git -c "safe.directory=$PWD" rev-parse --git-dir >/dev/null 2>&1; then
    git -c "safe.directory=$PWD" ls-files -z --cached --others --exclude-standard |
      tar --create --null --ignore-failed-read --files-from=- 2>/dev/null
  else
    tar --create --exclude='./build*' --exclude=./.deps .
  fi | tar --extract --no-same-owner --directory "$incoming"
  while IFS= read -r -d '' file; do
    if ! [ -f "$incoming/$file" ]; then rm "$source/$file"; fi
  done < <(find "$source" \( -path "$source/build*" -o -path "$source/.deps" \) -prune -o -type f -printf '%P\0')
  while IFS= read -r -d '' file; do
    if ! cmp -s "$incoming/$file" "$source/$file"; then
      mkdir -p "$(dirname "$source/$file")"
      cp --preserve=mode "$incoming/$file" "$source/$file"
    fi
  done < <(find "$incoming" -type f -printf '%P\0')
  rm -rf "$incoming"
}

# Runs a command in the folder. Its /proc, /dev and /sys are mounted for that command alone and are gone with it.
in_folder() {
  # shellcheck disable=SC2016 # the inner bash expands them
  unshare --mount --propagation private -- bash -euc '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --rbind /sys "$0/sys"
    exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
    "$folder" "http_proxy=${http_proxy:-}" "https_proxy=${https_proxy:-}" "DROMOS_JOBS=$DROMOS_JOBS" "$@"
}

needed_packages=(debootstrap)
install_missing_packages
archive=$(find_archive)
if [ -z "$archive" ]; then skip "apt-get on this machine knows no archive of Debian"; fi
probe=$(mktemp)
said=$(/usr/lib/apt/apt-helper download-file "$archive/dists/$suite/InRelease" "$probe" 2>&1) || {
  printf '%s\n' "$said" >&2
  skip "The archive that apt-get uses on this machine cannot be reached, or has no $suite: $archive"
}
rm -f "$probe"

if [ $anew = yes ] || ! [ -x "$folder/usr/bin/apt-get" ]; then make_folder; fi
choose_jobs
copy_source
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# What apt-get is told here of proxies, and of the age of lists that it takes.
apt-config dump | grep -i -E '^Acquire::(.*::Proxy|Check-[A-Za-z-]*) ' >"$folder/etc/apt/apt.conf.d/50-as-outside" || true
say "Debian unstable: everything from here on happens in $folder"
# What there is of Apache Arrow, so that Parquet files are read, too.
# shellcheck disable=SC2016 # the inner bash expands it
in_folder bash -c 'apt-get -qq update && for package in libarrow-dev libparquet-dev python3-pyarrow python3-pandas; do
    if dpkg-query -W -f "\${db:Status-Status}" $package 2>/dev/null | grep -qx installed; then continue; fi
    if ! DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $package >/apt-$package.log 2>&1; then
      echo "== Debian unstable has no $package that could be installed: Parquet is checked without it"
    fi
  done'
in_folder bash -c 'cd /dromos && exec scripts/test.sh -- -D Dromos_ENABLE_PERF_TESTS=OFF -D Dromos_TEST_MAX_RANKS=3 \
  -D BUILD_SHARED_LIBS=ON -D CMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"'
say "Kokkos 5, from the same source: everything was built and every test passed"
