#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Kokkos, Kokkos Kernels and Teuchos from Debian's source package of Trilinos 13.2 into a prefix.
#
#   cmake/provision/trilinos.sh PREFIX [--serial | --cuda]
#
# Kokkos gets the devices OpenMP and Serial, Serial alone, or CUDA, OpenMP and Serial. CUDA code is for compute capability
# DROMOS_CUDA_ARCH (90, Hopper, unless set); Kokkos 3.4 and CUDA 13 fit each other after cmake/patches, of which the
# second leaves kernels the first-level cache that shared memory does not need.
# Idempotent: a stamp in the prefix names the recipe that built it, and a prefix with the same stamp is left alone.
# Everything happens in a folder next to the prefix, which is moved into place at the end: an interrupted run leaves
# no prefix that looks finished, and a failed one leaves the old prefix as it was. Needs apt-get, not root.
set -euo pipefail

version=13.2.0
recipe=1 # raise when the configuration below changes: older prefixes are then rebuilt

patches=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../patches
usage="usage: trilinos.sh PREFIX [--serial | --cuda]"
prefix=${1:?$usage}
cuda=OFF
case ${2:-} in
  '') openmp=ON devices=openmp ;;
  --serial) openmp=OFF devices=serial ;;
  --cuda) openmp=ON cuda=ON devices=cuda-${DROMOS_CUDA_ARCH:=90} recipe=2 ;; # its second patch
  *)
    echo "error: unknown option '$2'; $usage" >&2
    exit 1
    ;;
esac
if [ $cuda = ON ]; then
  # What Kokkos 3.4 calls each compute capability (90 is the patch's).
  case $DROMOS_CUDA_ARCH in
    70) architecture=VOLTA70 ;;
    75) architecture=TURING75 ;;
    80) architecture=AMPERE80 ;;
    86) architecture=AMPERE86 ;;
    90) architecture=HOPPER90 ;;
    *)
      echo "error: DROMOS_CUDA_ARCH is '$DROMOS_CUDA_ARCH'; this Kokkos knows 70, 75, 80, 86 and 90. For other GPUs give" \
        "a newer Kokkos through CMAKE_PREFIX_PATH" >&2
      exit 1
      ;;
  esac
  if ! command -v nvcc >/dev/null; then
    echo "error: CUDA needs its compiler, and there is no nvcc in PATH; install the CUDA toolkit, or add its bin folder" \
      "to PATH" >&2
    exit 1
  fi
fi
stamp="trilinos $version $devices mpi recipe $recipe"
if [ -f "$prefix/dromos-stamp" ] && [ "$(cat "$prefix/dromos-stamp")" = "$stamp" ]; then
  echo "== Kokkos, Kokkos Kernels and Teuchos: already in $prefix"
  exit 0
fi

mkdir -p "$(dirname "$prefix")"
prefix=$(realpath -m "$prefix")
work=$prefix.work
log=$prefix.log
jobs=${DROMOS_JOBS:-$(env -u OMP_NUM_THREADS nproc)}
rm -rf "$work"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
: >"$log"
show_log_of_failure() {
  local status=$?
  if [ "$status" -ne 0 ]; then
    echo "error: building Kokkos, Kokkos Kernels and Teuchos failed; the last lines of $log:" >&2
    tail -n 20 "$log" >&2
  fi
}
trap show_log_of_failure EXIT

echo "== Trilinos $version source package: downloading (166 MB)"
# The machine's own package sources, asked for sources instead of binaries; its configuration stays as it is.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [ -f "$keyring" ]; then signed="[signed-by=$keyring] "; else signed=""; fi
list_package_sources() {
  apt-get "$@" indextargets --format "deb-src $signed\$(REPO_URI) \$(CODENAME) \$(COMPONENT)" \
    'Created-By: Packages' 'Origin: Debian' | sort -u
}
apt_folders=(-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)")
list_package_sources >"$work/sources.list"
if ! [ -s "$work/sources.list" ]; then # a machine whose package lists were never fetched
  apt-get "${apt_folders[@]}" update >>"$log" 2>&1
  list_package_sources "${apt_folders[@]}" >"$work/sources.list"
fi
if ! [ -s "$work/sources.list" ]; then
  echo "error: apt-get knows no package source of Debian on this machine; give an installed Kokkos through" \
    "CMAKE_PREFIX_PATH" | tee -a "$log" >&2
  exit 1
fi
apt_options=("${apt_folders[@]}" -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=-)
(
  cd "$work"
  apt-get "${apt_options[@]}" update
  package=$(apt-cache "${apt_options[@]}" showsrc trilinos | sed -n "s/^Version: \($version-.*\)/\1/p" | tail -n 1)
  if [ -z "$package" ]; then
    echo "the package sources of this machine have no trilinos $version; give an installed Kokkos through" \
      "CMAKE_PREFIX_PATH"
    exit 1
  fi
  apt-get "${apt_options[@]}" source --download-only "trilinos=$package"
) >>"$log" 2>&1

echo "== Trilinos $version: unpacking the three packages that Dromos uses"
tarball=$(ls "$work"/trilinos_"$version".orig.tar.*)
(
  cd "$work/source"
  tar xf "$tarball" --strip-components=1 --wildcards --no-wildcards-match-slash '*/[!p]*' '*/packages/kokkos' \
    '*/packages/kokkos-kernels' '*/packages/teuchos'
) >>"$log" 2>&1

# compile_together ALONE LIST...: of each library whose sources a CMakeLists.txt lists, 16 are compiled as one; those of
# ALONE, names after the folder of the list, by themselves.
compile_together() {
  local alone=$1 list
  shift
  for list in "$@"; do
    sed -i "1i set(CMAKE_UNITY_BUILD ON)\nset(CMAKE_UNITY_BUILD_BATCH_SIZE 16)\nforeach(source IN ITEMS $alone)\n\
  set_source_files_properties(\${CMAKE_CURRENT_SOURCE_DIR}/\${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)\n\
endforeach()" "$list"
  done
}

# Teuchos is a hundred small sources that each read the same headers: many at once take a quarter of the time. Those whose
# macro of static set-up gives one name in every source stay alone.
teuchos=$work/source/packages/teuchos
alone=$(cd "$teuchos" && grep -rlE '^ *TEUCHOS_STATIC_SETUP\(\)' --include='*.cpp' ./*/src | xargs -n 1 basename | tr '\n' ' ')
compile_together "$alone" "$teuchos"/{core,parser,parameterlist,comm}/src/CMakeLists.txt

# Nor are those of Kokkos large: 7 seconds of CPU time together, 20 apart. One says Impl and means that of the namespace
# around it, of which there are several once all headers have been read. Not tried with CUDA's compiler.
if [ $cuda = OFF ]; then compile_together impl/Kokkos_Error.cpp "$work"/source/packages/kokkos/core/src/CMakeLists.txt; fi

# With CUDA everything is compiled by Kokkos' wrapper of nvcc, through MPI's wrapper; Teuchos has nothing for the GPU.
cuda_options=()
teuchos_flags="-O0"
if [ $cuda = ON ]; then
  wrapper=$work/source/packages/kokkos/bin/nvcc_wrapper
  {
    patch -d "$work/source" -p1 <"$patches/kokkos-3.4.01-cuda-13.patch"
    patch -d "$work/source" -p1 <"$patches/kokkos-3.4.01-l1-cache.patch"
    sed -i "s/^default_arch=.*/default_arch=\"sm_$DROMOS_CUDA_ARCH\"/" "$wrapper"
  } >>"$log" 2>&1
  export OMPI_CXX=$wrapper MPICH_CXX=$wrapper
  cuda_options=(-D Kokkos_ENABLE_CUDA=ON -D TPL_ENABLE_CUDA=ON -D Kokkos_ENABLE_CUDA_LAMBDA=ON
    -D "Kokkos_ARCH_$architecture=ON" -D TeuchosCore_ENABLE_KokkosCore=OFF)
  teuchos_flags="-O0 --host-only"
fi

# Teuchos (options, timers, reports) does nothing that is worth optimizing; Kokkos is what runs.
echo "== Kokkos, Kokkos Kernels, Teuchos: configuring and building with $jobs jobs (progress in $log)"
{
  cmake -G Ninja -S "$work/source" -B "$work/build" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_STANDARD=17 -D CMAKE_INSTALL_PREFIX="$prefix" \
    -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D BUILD_SHARED_LIBS=OFF \
    -D CMAKE_CXX_FLAGS="-w -O3" -D CMAKE_CXX_FLAGS_RELEASE_OVERRIDE="-DNDEBUG" -D Teuchos_CXX_FLAGS="$teuchos_flags" \
    -D Trilinos_ASSERT_MISSING_PACKAGES=OFF -D Trilinos_ENABLE_ALL_OPTIONAL_PACKAGES=OFF \
    -D Trilinos_ENABLE_Fortran=OFF -D Trilinos_ENABLE_TESTS=OFF -D Trilinos_ENABLE_EXAMPLES=OFF \
    -D Trilinos_ENABLE_Kokkos=ON -D Trilinos_ENABLE_KokkosKernels=ON \
    -D Trilinos_ENABLE_TeuchosCore=ON -D Trilinos_ENABLE_TeuchosParameterList=ON -D Trilinos_ENABLE_TeuchosComm=ON \
    -D Trilinos_ENABLE_OpenMP=$openmp -D Kokkos_ENABLE_OPENMP=$openmp -D Kokkos_ENABLE_SERIAL=ON \
    -D KokkosKernels_ADD_DEFAULT_ETI=OFF \
    -D TPL_ENABLE_MPI=ON -D TPL_ENABLE_BLAS=OFF -D TPL_ENABLE_LAPACK=OFF "${cuda_options[@]}"
  cmake --build "$work/build" -j "$jobs"
  DESTDIR="$work/staged" cmake --install "$work/build"
} >>"$log" 2>&1
echo "$stamp" >"$work/staged$prefix/dromos-stamp"
rm -rf "$prefix"
mv "$work/staged$prefix" "$prefix"
rm -rf "$work"
echo "== Kokkos, Kokkos Kernels, Teuchos: installed in $prefix"
