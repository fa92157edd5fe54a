#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Is the Debian package one? Packs, looks inside, installs, runs and removes it: --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_help() {
  cat <<'EOT'
scripts/check-package.sh [--into-folder] [BUILD_FOLDER]: makes the .deb of a build folder (default: build, which needs the program and the
libraries) with cpack, looks at its fields, at the packages that it depends on and at its files, installs it with dpkg,
runs the installed program on a graph of inputs/ away from the source, removes the package, and looks for what it left.

As root, where no package dromos is installed, it is installed for good and removed again. Otherwise, and with
--into-folder, it is installed into a folder of its own, with a database of dpkg in it; what it depends on is this machine's.
EOT
}

into_folder=no
if [ "${1:-}" = --into-folder ]; then
  into_folder=yes
  shift
fi
case ${1:-} in
  --help | -h)
    show_help
    exit 0
    ;;
  -*) fail "unknown option '$1'; --help lists the options" ;;
esac
build=$(realpath "${1:-build}")
for tool in cpack dpkg dpkg-deb dpkg-shlibdeps; do
  command -v $tool >/dev/null || fail "there is no $tool here (Debian: cmake, dpkg, dpkg-dev)"
done
[ -x "$build/bin/dromos" ] || fail "$build has no bin/dromos; build it first, as with scripts/quickstart.sh"

work=$(mktemp -d)
installed=no
clean_up() {
  if [ $installed = yes ]; then dpkg --purge dromos >/dev/null 2>&1 || true; fi
  rm -rf "$work"
}
trap clean_up EXIT

# The manual page and the completions are the program's own words.
cmake --build "$build" --target dromos_texts >"$work/log-texts.txt" 2>&1 || {
  tail -n 20 "$work/log-texts.txt" >&2
  fail "the program in $build could not be brought up to date"
}
say "Packing $build"
(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" >"$work/log-cpack.txt" 2>&1) || {
  tail -n 20 "$work/log-cpack.txt" >&2
  fail "cpack could not make a .deb"
}
mapfile -t packages < <(find "$work" -maxdepth 1 -name '*.deb')
[ ${#packages[@]} -eq 1 ] || fail "expected one .deb, found ${#packages[@]}: ${packages[*]}"
package=${packages[0]}

field() { dpkg-deb --field "$package" "$1"; }

# expect_field NAME PATTERN: an extended regular expression for the whole field.
expect_field() {
  local value
  value=$(field "$1")
  grep -qxE "$2" <<<"$value" || fail "expected the field $1 to match $2, found '$value'"
}

version=$(sed -n 's/^project(Dromos VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
architecture=$(dpkg --print-architecture)
expect_field Package dromos
expect_field Version "${version//./\\.}(-[0-9]+)?"
expect_field Architecture "$architecture"
expect_field Section science
expect_field Maintainer '.+'
expect_field Installed-Size '[0-9]+'
expect_field Description '.+'
[ "$(basename "$package")" = "dromos_$(field Version)_$architecture.deb" ] ||
  fail "expected the usual name of a .deb, found $(basename "$package")"
depends=$(field Depends)
# What the program is linked with and does not bring along has to be named.
for needed in libc6 libstdc++6 libfmt; do
  grep -q "$needed" <<<"$depends" || fail "expected $needed among the packages it depends on, found '$depends'"
done
if grep -q "^Dromos_ENABLE_MPI:BOOL=ON" "$build/CMakeCache.txt"; then
  grep -qE 'libopenmpi|libmpich' <<<"$depends" || fail "expected an MPI among the packages it depends on, found '$depends'"
fi

contents=$(dpkg-deb --contents "$package" | awk '{ print $6 }')
for file in bin/dromos share/man/man1/dromos.1 include/dromos/version.hpp lib/cmake/Dromos/DromosConfig.cmake lib/pkgconfig/dromos.pc; do
  grep -qx "\./usr/$file" <<<"$contents" || fail "expected /usr/$file in the package"
done
if grep -vqE '^\./(usr/.*)?$' <<<"$contents"; then
  fail "expected files below /usr only, found $(grep -vE '^\./(usr/.*)?$' <<<"$contents" | head -n 3 | tr '\n' ' ')"
fi
others=$(dpkg-deb --contents "$package" | awk '$2 != "root/root" { print $6 }' | head -n 3)
[ -z "$others" ] || fail "expected files of root, found others: $others"
mkdir "$work/unpacked"
dpkg-deb --extract "$package" "$work/unpacked"
if grep -rlIF "$PWD" "$work/unpacked" | grep . >&2; then fail "the files above point into the source, $PWD"; fi
if readelf -d "$work/unpacked/usr/bin/dromos" | grep -E 'R(UN)?PATH' | grep -F "$PWD"; then
  fail "the program looks for libraries in the source, as above"
fi
say "$(basename "$package"): $(du -k "$package" | cut -f1) kB, $(grep -c . <<<"$contents") files and folders; depends on $depends"

if [ $into_folder = no ] && [ "$(id -u)" -eq 0 ] && [ "$(dpkg-query -W -f '${db:Status-Status}' dromos 2>/dev/null)" != installed ]; then
  root=
  mode=installed
else
  root=$work/root
  mode="installed into a folder"
fi
as_dpkg() {
  if [ -z "$root" ]; then
    dpkg "$@"
  else
    dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless --no-triggers "$@"
  fi
}
if [ -n "$root" ]; then
  mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
  touch "$root/var/lib/dpkg/status"
fi
# Files of these names; what was there before is not the package's.
left_over() {
  if [ -d "$root/usr" ]; then (cd "$root/usr" && find . -ipath '*dromos*' 2>/dev/null | sort); fi
}
before=$(left_over)
installed=$([ -z "$root" ] && echo yes || echo no)
as_dpkg --install "$package" >"$work/log-install.txt" 2>&1 || {
  tail -n 20 "$work/log-install.txt" >&2
  fail "dpkg could not install the package"
}
cp inputs/squares.mtx "$work/squares.mtx"
(
  cd "$work"
  program=$root/usr/bin/dromos
  "$program" --version
  "$program" bfs --strategy all --validate squares.mtx >found.txt || {
    cat found.txt
    exit 1
  }
  tail -n 1 found.txt
  "$program" cc squares.mtx --output labels.txt >/dev/null
  test -s labels.txt
) || fail "the installed program does not work; what it said is above"
as_dpkg --purge dromos >"$work/log-remove.txt" 2>&1 || {
  tail -n 20 "$work/log-remove.txt" >&2
  fail "dpkg could not remove the package"
}
installed=no
after=$(left_over)
if [ "$before" != "$after" ]; then
  comm -13 <(echo "$before") <(echo "$after") | head >&2
  fail "the package left the files above when it was removed"
fi
say "The package was $mode, ran, and was removed without a trace"
