#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Prints the folder of the CMake package of the distribution's Kokkos (libkokkos-dev), repaired where it needs that.
#
#   cmake/provision/debian_kokkos.sh PREFIX
#
# libkokkos-dev 5.2.2-2 names static libraries that it does not contain, for parts of Kokkos that are headers only, and
# CMake refuses such a package. Where that is so, PREFIX becomes a package of links to the installed files with an empty
# archive for each library that is missing, and the folder printed is the one in PREFIX; otherwise it is the original.
set -euo pipefail

prefix=${1:?usage: debian_kokkos.sh PREFIX}
package=$(dpkg-query -L libkokkos-dev | sed -n 's#/KokkosConfig\.cmake$##p')
[ -n "$package" ] || {
  echo "error: libkokkos-dev has no CMake package; give an installed Kokkos through CMAKE_PREFIX_PATH" >&2
  exit 1
}

# Paths relative to /usr of all libraries that the package names.
libraries=$(sed -n 's#.*IMPORTED_LOCATION_[A-Z]* "${_IMPORT_PREFIX}/\(.*\)".*#\1#p' "$package"/KokkosTargets-*.cmake)
missing=()
for library in $libraries; do
  if [ ! -e "/usr/$library" ]; then missing+=("$library"); fi
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "$package"
  exit 0
fi

rm -rf "$prefix"
repaired=$prefix/${package#/usr/}
mkdir -p "$repaired"
cp "$package"/*.cmake "$repaired"
for library in $libraries; do
  mkdir -p "$prefix/$(dirname "$library")"
  if [ -e "/usr/$library" ]; then
    ln -s "/usr/$library" "$prefix/$library"
  else
    case $library in
      *.a) ar cr "$prefix/$library" ;;
      *)
        echo "error: libkokkos-dev lacks /usr/$library; give another Kokkos through CMAKE_PREFIX_PATH" >&2
        exit 1
        ;;
    esac
  fi
done
realpath "$repaired"
