# SPDX-License-Identifier: BSD-3-Clause
# Finds what Dromos stands on. Dependencies come from CMAKE_PREFIX_PATH, from the system, or from the prefix that
# scripts/quickstart.sh provisions (.deps/), which is searched last so that a user's own Kokkos always wins.

list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_SOURCE_DIR}/.deps/trilinos-openmp")

find_package(Kokkos REQUIRED)
message(STATUS "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, devices ${Kokkos_DEVICES}")
# The language standard is the one Kokkos was built with, and at least C++17.
if(Kokkos_VERSION VERSION_GREATER_EQUAL 5)
  set(CMAKE_CXX_STANDARD 20)
else()
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)

find_package(Boost REQUIRED COMPONENTS iostreams)
find_package(fmt REQUIRED)
if(Dromos_ENABLE_DRIVER OR Dromos_ENABLE_PERF_TESTS)
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
if(Dromos_ENABLE_TESTS)
  find_package(GTest REQUIRED)
endif()
