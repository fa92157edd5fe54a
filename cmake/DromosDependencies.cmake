# SPDX-License-Identifier: BSD-3-Clause
# Finds what Dromos stands on. Dependencies come from CMAKE_PREFIX_PATH, from the system, or from the prefix that
# scripts/quickstart.sh provisions (.deps/), which is searched last so that a user's own Kokkos always wins.
# Everything that is missing is reported at once, each with the way to get it or to do without it.

include(DromosThirdParty)

set(Dromos_PROVISIONED_PREFIX "${PROJECT_SOURCE_DIR}/.deps/trilinos-openmp" CACHE PATH
    "Where cmake/provision/trilinos.sh put Kokkos, searched last")
mark_as_advanced(Dromos_PROVISIONED_PREFIX)

find_package(Kokkos QUIET)
if(NOT Kokkos_FOUND)
  find_package(Kokkos QUIET PATHS "${Dromos_PROVISIONED_PREFIX}" NO_DEFAULT_PATH)
endif()
if(NOT Kokkos_FOUND)
  message(FATAL_ERROR
    "Dromos needs Kokkos 3.4 or newer and found none. Either\n"
    "  - run scripts/quickstart.sh, which provides one, or\n"
    "  - give an installed one: -D CMAKE_PREFIX_PATH=<prefix of Kokkos>")
endif()
if(Kokkos_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Dromos needs Kokkos 3.4 or newer; ${Kokkos_DIR} has ${Kokkos_VERSION}. Give a newer one with "
                      "-D CMAKE_PREFIX_PATH=<prefix of Kokkos>")
endif()
dromos_repair_kokkos_headers()
message(STATUS "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, devices ${Kokkos_DEVICES}")

# Kokkos Kernels and Teuchos are looked for beside Kokkos first: they only fit the Kokkos they were built with.
cmake_path(GET Kokkos_DIR PARENT_PATH Dromos_trilinos_hints)

foreach(device IN ITEMS HIP SYCL OPENMPTARGET OPENACC)
  if(device IN_LIST Kokkos_DEVICES)
    message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} runs on ${device}, for which Dromos has no kernels (doc/building.md says why). "
                        "Give a Kokkos with CUDA, OpenMP, Threads or Serial through CMAKE_PREFIX_PATH.")
  endif()
endforeach()
if("CUDA_UVM" IN_LIST Kokkos_OPTIONS)
  message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} has CUDA_UVM, memory of GPUs that looks like the host's; Dromos tells the two "
                      "apart by it. Give a Kokkos that was built with Kokkos_ENABLE_CUDA_UVM=OFF.")
endif()

if(Dromos_ENABLE_CUDA)
  kokkos_check(DEVICES CUDA RETURN_VALUE Dromos_kokkos_has_cuda)
  if(NOT Dromos_kokkos_has_cuda)
    message(FATAL_ERROR "Dromos_ENABLE_CUDA is on, and Kokkos in ${Kokkos_DIR} has the devices ${Kokkos_DEVICES} "
                        "only. Give a Kokkos with CUDA through CMAKE_PREFIX_PATH, or switch CUDA off.")
  endif()
  get_filename_component(Dromos_compiler_name "${CMAKE_CXX_COMPILER}" NAME)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT Dromos_compiler_name MATCHES "nvcc")
    message(FATAL_ERROR "CUDA code needs -D CMAKE_CXX_COMPILER=<prefix of Kokkos>/bin/nvcc_wrapper (or Clang); the "
                        "compiler is ${CMAKE_CXX_COMPILER}.")
  endif()
elseif("CUDA" IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} runs on CUDA. Switch it on in Dromos too, with "
                      "-D Dromos_ENABLE_CUDA=ON, or give a Kokkos without CUDA through CMAKE_PREFIX_PATH.")
endif()

# The language standard is the one Kokkos was built with, and at least C++17.
if(Kokkos_VERSION VERSION_GREATER_EQUAL 5)
  set(CMAKE_CXX_STANDARD 20)
else()
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)

# Few systems have Apache Arrow, so that Parquet is there where it is found, unless one says ON or OFF.
set(Dromos_parquet_reason "Dromos_ENABLE_PARQUET is OFF")
string(TOUPPER "${Dromos_ENABLE_PARQUET}" Dromos_parquet_wish)
if(Dromos_parquet_wish STREQUAL "AUTO")
  find_package(Parquet QUIET)
  set(Dromos_ENABLE_PARQUET OFF)
  set(Dromos_parquet_reason "no Apache Arrow with Parquet was found (libparquet-dev, where a distribution has it)")
  if(TARGET Parquet::parquet_shared OR TARGET Parquet::parquet_static)
    set(Dromos_ENABLE_PARQUET ON)
  endif()
endif()

# The same for NCCL.
set(Dromos_nccl_reason "Dromos_ENABLE_NCCL is OFF")
string(TOUPPER "${Dromos_ENABLE_NCCL}" Dromos_nccl_wish)
if(Dromos_nccl_wish STREQUAL "AUTO")
  set(Dromos_ENABLE_NCCL OFF)
  set(Dromos_nccl_reason "it is for GPUs of several ranks, and CUDA or MPI is off")
  if(Dromos_ENABLE_CUDA AND Dromos_ENABLE_MPI)
    dromos_find_nccl()
    set(Dromos_nccl_reason "${Dromos_NCCL_NOT_FOUND}")
    set(Dromos_ENABLE_NCCL ${Dromos_NCCL_FOUND})
  endif()
elseif(Dromos_ENABLE_NCCL AND NOT (Dromos_ENABLE_CUDA AND Dromos_ENABLE_MPI))
  message(FATAL_ERROR "Dromos_ENABLE_NCCL is on, and NCCL is for GPUs of several ranks: switch Dromos_ENABLE_CUDA and "
                      "Dromos_ENABLE_MPI on, too, or NCCL off.")
endif()

dromos_find_third_party(Dromos_missing)

# dromos_find_required(PACKAGE ADVICE ...): find_package(PACKAGE ...) that adds ADVICE to the missing ones.
macro(dromos_find_required package advice)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    list(APPEND Dromos_missing "${advice}")
  endif()
endmacro()
dromos_find_required(Boost "Boost.Iostreams (Debian: libboost-iostreams-dev)" CONFIG COMPONENTS iostreams)
dromos_find_required(fmt "fmt (Debian: libfmt-dev)")
if(Dromos_ENABLE_DRIVER OR Dromos_ENABLE_PERF_TESTS)
  dromos_find_required(CLI11 "CLI11 (Debian: libcli11-dev), or switch off Dromos_ENABLE_DRIVER and \
Dromos_ENABLE_PERF_TESTS")
  dromos_find_required(nlohmann_json "JSON for Modern C++ (Debian: nlohmann-json3-dev), or switch off \
Dromos_ENABLE_DRIVER and Dromos_ENABLE_PERF_TESTS")
endif()
if(Dromos_ENABLE_PYTHON)
  if(Dromos_ENABLE_CUDA)
    message(FATAL_ERROR "The Python module works where NumPy's arrays are, in main memory; switch one of "
                        "Dromos_ENABLE_PYTHON and Dromos_ENABLE_CUDA off.")
  endif()
  dromos_find_required(Python "Python with its headers (Debian: python3-dev; -D Python_EXECUTABLE=<interpreter> names one)"
                       3.8 COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    dromos_find_required(pybind11 "pybind11 (Debian: pybind11-dev), or switch the module off with \
-D Dromos_ENABLE_PYTHON=OFF" 2.9)
  endif()
endif()
if(Dromos_ENABLE_TESTS)
  find_package(nlohmann_json QUIET) # some tests read it; they are left out without
  dromos_find_required(GTest "GoogleTest (Debian: libgtest-dev), or switch it off with -D Dromos_ENABLE_TESTS=OFF")
endif()

if(Dromos_missing)
  list(JOIN Dromos_missing "\n  - " Dromos_missing)
  message(FATAL_ERROR "Missing, or found where it cannot be used:\n  - ${Dromos_missing}\n"
                      "scripts/quickstart.sh installs all of it on Debian.")
endif()

# What the program says about itself.
set(Dromos_enabled_parts "")
set(Dromos_disabled_parts "")
set(CUDA_VERSION_TEXT "CUDA")
foreach(part IN ITEMS CUDA MPI KOKKOSKERNELS TEUCHOS HDF5 PARQUET NCCL)
  set(DROMOS_ENABLE_${part} ${Dromos_ENABLE_${part}}) # the name in dromos/version.hpp
  if(Dromos_ENABLE_${part})
    list(APPEND Dromos_enabled_parts "${${part}_VERSION_TEXT}")
  else()
    list(APPEND Dromos_disabled_parts "${part}")
  endif()
endforeach()
list(TRANSFORM Dromos_disabled_parts REPLACE "^KOKKOSKERNELS$" "Kokkos Kernels")
list(TRANSFORM Dromos_disabled_parts REPLACE "^TEUCHOS$" "Teuchos")
list(TRANSFORM Dromos_disabled_parts REPLACE "^PARQUET$" "Parquet")
list(JOIN Dromos_enabled_parts ", " enabled_text)
message(STATUS "Optional parts: ${enabled_text}")
if(NOT Dromos_ENABLE_PARQUET)
  message(STATUS "Parquet files are not read: ${Dromos_parquet_reason}")
endif()
if(Dromos_ENABLE_CUDA AND NOT Dromos_ENABLE_NCCL)
  message(STATUS "Ranks do not talk by NCCL: ${Dromos_nccl_reason}")
endif()
