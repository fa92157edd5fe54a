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

# Programs are compiled as the library was: by the same compiler, with the same flags.
load_cache("${BUILD_DIR}" READ_WITH_PREFIX build_ BUILD_SHARED_LIBS CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS
           CMAKE_CXX_COMPILER_LAUNCHER CMAKE_GENERATOR CMAKE_PREFIX_PATH MPIEXEC_EXECUTABLE)
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

# Asking for a part that this installation lacks must fail, with the name of the part.
file(WRITE "${WORK_DIR}/other/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(Other LANGUAGES CXX)
find_package(Dromos CONFIG REQUIRED COMPONENTS no_such_part)
")
execute_process(COMMAND "${CMAKE_COMMAND}" ${as_the_library} -S "${WORK_DIR}/other" -B "${WORK_DIR}/other/build"
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "no_such_part")
  message(FATAL_ERROR "find_package(Dromos COMPONENTS no_such_part) should have failed by name and said: ${output}")
endif()
