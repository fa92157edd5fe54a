#!/usr/bin/env bash
# Builds Kokkos, Kokkos Kernels and Teuchos from Debian's source package of Trilinos 13.2 into a prefix.
#
#   cmake/provision/trilinos.sh PREFIX
#
# Idempotent: a stamp in the prefix names the recipe that built it, and a prefix with the same stamp is left alone.
# The build happens in a temporary folder next to the prefix and is moved into place at the end, so that an
# interrupted run never leaves a prefix that looks finished.
set -euo pipefail

version=13.2.0
recipe=1 # raise when the configuration below changes: older prefixes are then rebuilt

prefix=${1:?usage: trilinos.sh PREFIX}
stamp="trilinos $version openmp mpi recipe $recipe"
if [ -f "$prefix/dromos-stamp" ] && [ "$(cat "$prefix/dromos-stamp")" = "$stamp" ]; then
  echo "== Kokkos, Kokkos Kernels and Teuchos: already in $prefix"
  exit 0
fi

mkdir -p "$(dirname "$prefix")"
prefix=$(realpath -m "$prefix")
work=$prefix.work
log=$prefix.log
jobs=${DROMOS_JOBS:-$(nproc)}
rm -rf "$work" "$prefix"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
: >"$log"
trap 'status=$?; if [ $status -ne 0 ]; then
  echo "error: building Kokkos, Kokkos Kernels and Teuchos failed; the last lines of $log:" >&2
  tail -n 20 "$log" >&2
fi' EXIT

echo "== Trilinos $version source package: downloading (166 MB)"
# The machine's own package sources, asked for sources instead of binaries; its configuration stays as it is.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ -f "$keyring" ]; then signed="[signed-by=$keyring] "; else signed=""; fi
apt-get indextargets --format "deb-src $signed\$(REPO_URI) \$(CODENAME) \$(COMPONENT)" \
  'Created-By: Packages' 'Origin: Debian' | sort -u >"$work/sources.list"
if ! [ -s "$work/sources.list" ]; then
  echo "error: apt-get names no Debian package source; run 'apt-get update' first, or give an installed Kokkos" \
    "through CMAKE_PREFIX_PATH" | tee -a "$log" >&2
  exit 1
fi
apt_options=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)")
(
  cd "$work"
  apt-get "${apt_options[@]}" update
  apt-get "${apt_options[@]}" source --download-only "trilinos=$version*" ||
    apt-get "${apt_options[@]}" source --download-only trilinos
) >>"$log" 2>&1

echo "== Trilinos $version: unpacking the three packages that Dromos uses"
tarball=$(ls "$work"/trilinos_"$version".orig.tar.*)
(
  cd "$work/source"
  tar xf "$tarball" --strip-components=1 --exclude='*/packages/*'
  tar xf "$tarball" --strip-components=1 --wildcards '*/packages/kokkos/*' '*/packages/kokkos-kernels/*' \
    '*/packages/teuchos/*'
) >>"$log" 2>&1

echo "== Kokkos, Kokkos Kernels, Teuchos: configuring and building with $jobs jobs (progress in $log)"
cmake -G Ninja -S "$work/source" -B "$work/build" \
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_STANDARD=17 -D CMAKE_INSTALL_PREFIX="$prefix" \
  -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D BUILD_SHARED_LIBS=OFF \
  -D CMAKE_CXX_FLAGS="-w" -D CMAKE_C_FLAGS="-w" \
  -D Trilinos_ASSERT_MISSING_PACKAGES=OFF -D Trilinos_ENABLE_ALL_OPTIONAL_PACKAGES=OFF \
  -D Trilinos_ENABLE_Fortran=OFF -D Trilinos_ENABLE_TESTS=OFF -D Trilinos_ENABLE_EXAMPLES=OFF \
  -D Trilinos_ENABLE_Kokkos=ON -D Trilinos_ENABLE_KokkosKernels=ON \
  -D Trilinos_ENABLE_TeuchosCore=ON -D Trilinos_ENABLE_TeuchosParameterList=ON -D Trilinos_ENABLE_TeuchosComm=ON \
  -D Trilinos_ENABLE_OpenMP=ON -D Kokkos_ENABLE_OPENMP=ON -D Kokkos_ENABLE_SERIAL=ON \
  -D KokkosKernels_ADD_DEFAULT_ETI=OFF \
  -D TPL_ENABLE_MPI=ON -D TPL_ENABLE_BLAS=OFF -D TPL_ENABLE_LAPACK=OFF \
  >>"$log" 2>&1
cmake --build "$work/build" -j "$jobs" >>"$log" 2>&1
cmake --install "$work/build" >>"$log" 2>&1
rm -rf "$work"
echo "$stamp" >"$prefix/dromos-stamp"
echo "== Kokkos, Kokkos Kernels, Teuchos: installed in $prefix"
