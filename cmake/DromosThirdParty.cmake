# SPDX-License-Identifier: BSD-3-Clause
# The optional packages, found in the same way by Dromos itself and by DromosConfig.cmake for its users.
#
# dromos_find_third_party(MISSING) looks for every package whose Dromos_ENABLE_<PART> is on and gives each one target,
# whatever the package itself calls it:
#
#   Dromos::mpi  Dromos::kokkoskernels  Dromos::teuchos  Dromos::hdf5  Dromos::parquet  Dromos::nccl
#
# MISSING becomes a list of sentences, one for each package that was not found; <PART>_VERSION_TEXT names what was
# found. Kokkos must have been found before. This is a macro, since packages set variables their users need.

# The Kokkos of Debian's Trilinos (libtrilinos-kokkos-dev) names a folder of headers that does not exist, as it takes
# /usr/lib for its prefix; the variable beside the target has the right one.
function(dromos_repair_kokkos_headers)
  get_target_property(folders Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(folders AND NOT folders MATCHES "\\$<" AND NOT EXISTS "${folders}" AND Kokkos_INCLUDE_DIRS)
    file(REAL_PATH "${Kokkos_INCLUDE_DIRS}" folders)
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folders}")
  endif()
endfunction()

# Defines an imported interface target, once.
function(dromos_add_third_party_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDES;LIBRARIES")
  if(NOT TARGET Dromos::${name})
    add_library(Dromos::${name} INTERFACE IMPORTED)
    target_include_directories(Dromos::${name} SYSTEM INTERFACE ${arg_INCLUDES})
    target_link_libraries(Dromos::${name} INTERFACE ${arg_LIBRARIES})
  endif()
endfunction()

# The version that a header defines part by part: dromos_version_in_header(RESULT HEADER PREFIX PART...)
function(dromos_version_in_header result header prefix)
  set(version "")
  foreach(part IN LISTS ARGN)
    file(STRINGS "${header}" line REGEX "define ${prefix}${part}[ \t]")
    string(REGEX MATCH "[ \t]([0-9]+)" line "${line}")
    list(APPEND version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# HDF5 is found by its header, since distributions install several flavours beside each other and CMake's own module
# wants the C language and a compiler wrapper. The parallel flavours come first where MPI is on.
function(dromos_find_hdf5)
  set(flavours hdf5/openmpi hdf5/mpich hdf5/serial)
  if(NOT Dromos_ENABLE_MPI)
    list(REVERSE flavours)
  endif()
  find_path(Dromos_HDF5_INCLUDE_DIR hdf5.h HINTS ${HDF5_ROOT} ENV HDF5_ROOT
            PATH_SUFFIXES ${flavours} include DOC "Folder of hdf5.h")
  if(NOT Dromos_HDF5_INCLUDE_DIR)
    return()
  endif()
  # .../include/hdf5/openmpi/hdf5.h goes with .../lib/<architecture>/hdf5/openmpi/libhdf5.so.
  string(REGEX MATCH "hdf5/[a-z]+$" flavour "${Dromos_HDF5_INCLUDE_DIR}")
  string(REGEX REPLACE "/include(/${flavour})?$" "" prefix "${Dromos_HDF5_INCLUDE_DIR}")
  find_library(Dromos_HDF5_LIBRARY hdf5 HINTS "${prefix}" PATH_SUFFIXES "${flavour}" "lib/${flavour}" lib64
               DOC "The HDF5 library")
  if(NOT Dromos_HDF5_LIBRARY)
    return()
  endif()
  dromos_version_in_header(version "${Dromos_HDF5_INCLUDE_DIR}/H5public.h" H5_VERS_ MAJOR MINOR RELEASE)
  file(GLOB configuration "${Dromos_HDF5_INCLUDE_DIR}/H5pubconf*.h")
  set(parallel OFF)
  foreach(header IN LISTS configuration)
    file(STRINGS "${header}" line REGEX "define H5_HAVE_PARALLEL")
    if(line)
      set(parallel ON)
    endif()
  endforeach()
  set(Dromos_HDF5_FOUND ON PARENT_SCOPE)
  set(Dromos_HDF5_PARALLEL ${parallel} PARENT_SCOPE)
  set(Dromos_HDF5_VERSION "${version}" PARENT_SCOPE)
endfunction()

# NCCL 2.20 or newer, by its header: it comes with CUDA, by itself, or under NCCL_ROOT.
function(dromos_find_nccl)
  set(Dromos_NCCL_FOUND OFF PARENT_SCOPE)
  get_filename_component(cuda "${CMAKE_CUDA_COMPILER}" DIRECTORY)
  set(hints ${NCCL_ROOT} ENV NCCL_ROOT ${CUDAToolkit_ROOT} ENV CUDA_ROOT ENV CUDA_HOME "${cuda}/.." /usr/local/cuda)
  find_path(Dromos_NCCL_INCLUDE_DIR nccl.h HINTS ${hints} PATH_SUFFIXES include DOC "Folder of nccl.h")
  find_library(Dromos_NCCL_LIBRARY nccl HINTS ${hints} PATH_SUFFIXES lib64 lib DOC "The NCCL library")
  if(NOT Dromos_NCCL_INCLUDE_DIR OR NOT Dromos_NCCL_LIBRARY)
    set(Dromos_NCCL_NOT_FOUND "no NCCL was found (-D NCCL_ROOT=<prefix> says where it is)" PARENT_SCOPE)
    return()
  endif()
  dromos_version_in_header(version "${Dromos_NCCL_INCLUDE_DIR}/nccl.h" NCCL_ MAJOR MINOR PATCH)
  if(version VERSION_LESS 2.20)
    set(Dromos_NCCL_NOT_FOUND "NCCL in ${Dromos_NCCL_INCLUDE_DIR} is ${version}, and 2.20 or newer is needed" PARENT_SCOPE)
    return()
  endif()
  set(Dromos_NCCL_FOUND ON PARENT_SCOPE)
  set(Dromos_NCCL_VERSION "${version}" PARENT_SCOPE)
endfunction()

macro(dromos_find_third_party missing)
  set(${missing} "")

  if(Dromos_ENABLE_MPI)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
      dromos_add_third_party_target(mpi LIBRARIES MPI::MPI_CXX)
      set(MPI_VERSION_TEXT "MPI ${MPI_CXX_VERSION}")
    else()
      list(APPEND ${missing} "MPI (Debian: libopenmpi-dev openmpi-bin), or switch it off with -D Dromos_ENABLE_MPI=OFF")
    endif()
  endif()

  if(Dromos_ENABLE_KOKKOSKERNELS)
    find_package(KokkosKernels QUIET HINTS ${Dromos_trilinos_hints})
    if(TARGET Kokkos::kokkoskernels)
      dromos_add_third_party_target(kokkoskernels LIBRARIES Kokkos::kokkoskernels Kokkos::kokkos)
    elseif(KokkosKernels_FOUND)
      dromos_add_third_party_target(kokkoskernels INCLUDES ${KokkosKernels_INCLUDE_DIRS}
                                    LIBRARIES ${KokkosKernels_LIBRARIES} Kokkos::kokkos)
    else()
      list(APPEND ${missing} "Kokkos Kernels built with this Kokkos (give its prefix through CMAKE_PREFIX_PATH), or \
switch it off with -D Dromos_ENABLE_KOKKOSKERNELS=OFF")
    endif()
    set(KOKKOSKERNELS_VERSION_TEXT "Kokkos Kernels")
  endif()

  if(Dromos_ENABLE_TEUCHOS)
    find_package(Teuchos QUIET HINTS ${Dromos_trilinos_hints})
    if(NOT Teuchos_FOUND)
      list(APPEND ${missing} "Teuchos of Trilinos (give its prefix through CMAKE_PREFIX_PATH), or switch it off with \
-D Dromos_ENABLE_TEUCHOS=OFF")
    elseif(TARGET Teuchos::all_libs)
      dromos_add_third_party_target(teuchos LIBRARIES Teuchos::all_libs Kokkos::kokkos)
    else()
      # A Teuchos that was compiled by MPI's compiler wrapper does not name the MPI libraries it needs.
      set(Dromos_teuchos_mpi "")
      if("MPI" IN_LIST Teuchos_TPL_LIST)
        find_package(MPI QUIET COMPONENTS CXX)
        set(Dromos_teuchos_mpi MPI::MPI_CXX)
      endif()
      if(Dromos_teuchos_mpi AND NOT MPI_CXX_FOUND)
        list(APPEND ${missing} "MPI, which Teuchos in ${Teuchos_DIR} was built with (Debian: libopenmpi-dev), or \
switch Teuchos off with -D Dromos_ENABLE_TEUCHOS=OFF")
      else()
        dromos_add_third_party_target(teuchos INCLUDES ${Teuchos_INCLUDE_DIRS}
                                      LIBRARIES ${Teuchos_LIBRARIES} ${Dromos_teuchos_mpi} Kokkos::kokkos)
      endif()
    endif()
    set(TEUCHOS_VERSION_TEXT "Teuchos")
  endif()

  if(Dromos_ENABLE_HDF5)
    dromos_find_hdf5()
    set(Dromos_hdf5_mpi "")
    if(NOT Dromos_HDF5_FOUND)
      list(APPEND ${missing} "HDF5 (Debian: libhdf5-openmpi-dev, or libhdf5-dev without MPI), or switch it off with \
-D Dromos_ENABLE_HDF5=OFF")
    elseif(Dromos_HDF5_PARALLEL)
      find_package(MPI QUIET COMPONENTS CXX)
      set(Dromos_hdf5_mpi MPI::MPI_CXX)
      if(NOT MPI_CXX_FOUND)
        list(APPEND ${missing} "MPI, which HDF5 in ${Dromos_HDF5_INCLUDE_DIR} was built with (Debian: libopenmpi-dev), \
or a serial HDF5 (Debian: libhdf5-dev), or switch HDF5 off with -D Dromos_ENABLE_HDF5=OFF")
        set(Dromos_HDF5_FOUND OFF)
      endif()
    endif()
    if(Dromos_HDF5_FOUND)
      dromos_add_third_party_target(hdf5 INCLUDES ${Dromos_HDF5_INCLUDE_DIR}
                                    LIBRARIES ${Dromos_HDF5_LIBRARY} ${Dromos_hdf5_mpi})
      set(HDF5_VERSION_TEXT "HDF5 ${Dromos_HDF5_VERSION}")
      if(Dromos_HDF5_PARALLEL)
        string(APPEND HDF5_VERSION_TEXT " (parallel)")
      endif()
    endif()
  endif()

  if(Dromos_ENABLE_PARQUET)
    find_package(Parquet QUIET)
    if(TARGET Parquet::parquet_shared)
      dromos_add_third_party_target(parquet LIBRARIES Parquet::parquet_shared)
    elseif(TARGET Parquet::parquet_static)
      dromos_add_third_party_target(parquet LIBRARIES Parquet::parquet_static)
    else()
      list(APPEND ${missing} "Apache Arrow with Parquet (libparquet-dev, where a distribution has it; its prefix goes into \
CMAKE_PREFIX_PATH), or switch it off with -D Dromos_ENABLE_PARQUET=OFF")
    endif()
    set(PARQUET_VERSION_TEXT "Parquet (Apache Arrow ${ARROW_VERSION})")
  endif()

  if(Dromos_ENABLE_NCCL)
    dromos_find_nccl()
    if(Dromos_NCCL_FOUND)
      dromos_add_third_party_target(nccl INCLUDES ${Dromos_NCCL_INCLUDE_DIR} LIBRARIES ${Dromos_NCCL_LIBRARY})
      set(NCCL_VERSION_TEXT "NCCL ${Dromos_NCCL_VERSION}")
    else()
      list(APPEND ${missing} "NCCL (${Dromos_NCCL_NOT_FOUND}), or switch it off with -D Dromos_ENABLE_NCCL=OFF")
    endif()
  endif()
endmacro()
