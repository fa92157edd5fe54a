# SPDX-License-Identifier: BSD-3-Clause
# cmake -D BUILD_DIR=... -D WORK_DIR=... [-D CONFIG=...] -P install_test.cmake: installs the build into an empty prefix
# and builds and runs the examples that find it there, as a user would.
cmake_minimum_required(VERSION 3.25)

set(prefix "${WORK_DIR}/prefix")
set(examples "${CMAKE_CURRENT_LIST_DIR}/../../examples")
file(REMOVE_RECURSE "${WORK_DIR}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --config "${CONFIG}")

# What was installed does not point into the source tree or the build, which may be gone tomorrow.
load_cache("${BUILD_DIR}" READ_WITH_PREFIX build_ CMAKE_HOME_DIRECTORY)
file(GLOB_RECURSE installed "${prefix}/*.cmake" "${prefix}/*.pc" "${prefix}/*.hpp")
foreach(file IN LISTS installed)
  file(READ "${file}" text)
  string(REPLACE "${prefix}" "" text "${text}")  # the prefix of this test lies in the build
  foreach(folder IN ITEMS "${build_CMAKE_HOME_DIRECTORY}/" "${BUILD_DIR}/")
    # At the beginning of a path: lib/dromos/ does not point into a source tree /dromos.
    string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" literally "${folder}")
    if(text MATCHES "(^|[^A-Za-z0-9_.}-])(${literally}[^\n]*)")
      message(FATAL_ERROR "${file} points into what it was built from: ${CMAKE_MATCH_2}")
    endif()
  endforeach()
endforeach()

# Programs are compiled as the library was: by the same compiler, with the same flags.
load_cache("${BUILD_DIR}" READ_WITH_PREFIX build_ BUILD_SHARED_LIBS CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS
           CMAKE_CXX_COMPILER_LAUNCHER CMAKE_GENERATOR CMAKE_PREFIX_PATH MPIEXEC_EXECUTABLE Dromos_ENABLE_MPI
           Dromos_ENABLE_TEUCHOS Dromos_ENABLE_HDF5)
list(JOIN build_CMAKE_PREFIX_PATH ":" others)
set(ENV{CMAKE_PREFIX_PATH} "${prefix}:${others}:$ENV{CMAKE_PREFIX_PATH}")
set(as_the_library -G "${build_CMAKE_GENERATOR}" -D "CMAKE_BUILD_TYPE=${CONFIG}"
    -D "CMAKE_CXX_COMPILER=${build_CMAKE_CXX_COMPILER}" -D "CMAKE_CXX_FLAGS=${build_CMAKE_CXX_FLAGS}"
    -D "CMAKE_CXX_COMPILER_LAUNCHER=${build_CMAKE_CXX_COMPILER_LAUNCHER}")

foreach(example IN ITEMS standalone own_algorithm)
  run("${CMAKE_COMMAND}" ${as_the_library} -S "${examples}/${example}" -B "${WORK_DIR}/${example}")
  run("${CMAKE_COMMAND}" --build "${WORK_DIR}/${example}" --config "${CONFIG}")
endforeach()
run("${WORK_DIR}/standalone/search_cycle")
run("${WORK_DIR}/own_algorithm/cascade")
if(EXISTS "${WORK_DIR}/standalone/search_together")
  run("${WORK_DIR}/standalone/search_together")
  run("${build_MPIEXEC_EXECUTABLE}" -n 3 "${WORK_DIR}/standalone/search_together")
endif()

# Without CMake: pkg-config says how to compile and link.
find_program(pkg_config NAMES pkg-config pkgconf)
load_cache("${BUILD_DIR}" READ_WITH_PREFIX build_ Dromos_ENABLE_CUDA)
if(pkg_config AND NOT build_Dromos_ENABLE_CUDA)
  file(GLOB_RECURSE pc "${prefix}/dromos.pc")
  cmake_path(GET pc PARENT_PATH pc_folder)
  set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
  execute_process(COMMAND "${pkg_config}" --cflags --libs dromos OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  separate_arguments(own_flags UNIX_COMMAND "${build_CMAKE_CXX_FLAGS}")
  run("${build_CMAKE_CXX_COMPILER}" ${own_flags} "${examples}/standalone/search_cycle.cpp"
      -o "${WORK_DIR}/search_cycle_pc" ${flags})
  run("${WORK_DIR}/search_cycle_pc")
else()
  message(STATUS "There is no pkg-config here: dromos.pc was not tried")
endif()

# The parts that this build has, asked for by name; one that it lacks is named as missing.
set(parts no_such_part)
set(libraries Dromos::dromos)
foreach(part IN ITEMS MPI/dist/Dromos::dist TEUCHOS/teuchos/Dromos::teuchos_support HDF5/hdf5/)
  string(REPLACE "/" ";" part "${part}")
  list(POP_FRONT part option component library)
  if(build_Dromos_ENABLE_${option})
    list(PREPEND parts ${component})
    list(APPEND libraries ${library})
  endif()
endforeach()
list(JOIN libraries " " libraries)
# find_parts(FOLDER COMPONENT...): a project there that finds the components and is configured.
function(find_parts folder)
  list(JOIN ARGN " " components)
  file(WRITE "${folder}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(Parts LANGUAGES CXX)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Dromos CONFIG REQUIRED COMPONENTS ${components})
add_executable(parts \"${CMAKE_CURRENT_LIST_DIR}/parts.cpp\")
target_link_libraries(parts PRIVATE ${libraries})
")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${as_the_library} -S "${folder}" -B "${folder}/build"
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
find_parts("${WORK_DIR}/other" ${parts})
if(status EQUAL 0 OR NOT output MATCHES "no_such_part")
  message(FATAL_ERROR "find_package(Dromos COMPONENTS no_such_part) should have failed by name and said: ${output}")
endif()
list(POP_BACK parts)
if(parts)
  find_parts("${WORK_DIR}/parts" ${parts})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "find_package(Dromos COMPONENTS ${parts}) failed: ${output}")
  endif()
  run("${CMAKE_COMMAND}" --build "${WORK_DIR}/parts/build" --config "${CONFIG}")
  run("${WORK_DIR}/parts/build/parts" "${WORK_DIR}/parts/levels.h5")
endif()

# What was installed runs from where it is, and a shared library says which versions it stands in for.
if(EXISTS "${prefix}/bin/dromos")
  run("${prefix}/bin/dromos" --version)
endif()
if(build_BUILD_SHARED_LIBS AND UNIX AND NOT APPLE)
  file(GLOB_RECURSE versioned "${prefix}/libdromos.so.[0-9]*.[0-9]*.[0-9]*")
  file(GLOB_RECURSE plain "${prefix}/libdromos.so")
  if(NOT versioned OR NOT plain)
    message(FATAL_ERROR "expected libdromos.so and libdromos.so.VERSION under ${prefix}")
  endif()
endif()
