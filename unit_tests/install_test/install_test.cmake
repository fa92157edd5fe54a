# SPDX-License-Identifier: BSD-3-Clause
# cmake -D BUILD_DIR=... -D WORK_DIR=... [-D CONFIG=...] -P install_test.cmake: installs the build into an empty prefix
# and builds and runs a project that finds it there, as a user would.
cmake_minimum_required(VERSION 3.25)

set(prefix "${WORK_DIR}/prefix")
set(consumer "${WORK_DIR}/consumer")
file(REMOVE_RECURSE "${WORK_DIR}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --config "${CONFIG}")

# The library is compiled into the consumer's program, so that compiler and its flags are those of the build.
load_cache("${BUILD_DIR}" READ_WITH_PREFIX build_ CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_GENERATOR CMAKE_PREFIX_PATH)
list(JOIN build_CMAKE_PREFIX_PATH ":" others)
set(ENV{CMAKE_PREFIX_PATH} "${prefix}:${others}:$ENV{CMAKE_PREFIX_PATH}")
run("${CMAKE_COMMAND}" -G "${build_CMAKE_GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${consumer}"
    -D "CMAKE_BUILD_TYPE=${CONFIG}" -D "CMAKE_CXX_COMPILER=${build_CMAKE_CXX_COMPILER}"
    -D "CMAKE_CXX_FLAGS=${build_CMAKE_CXX_FLAGS}")
run("${CMAKE_COMMAND}" --build "${consumer}" --config "${CONFIG}")
run("${consumer}/search_cycle")

# Asking for a part that this installation lacks must fail, with the name of the part.
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${build_CMAKE_GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer"
                        -B "${WORK_DIR}/other" -D "CMAKE_CXX_COMPILER=${build_CMAKE_CXX_COMPILER}"
                        -D CONSUMER_COMPONENT=no_such_part
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "no_such_part")
  message(FATAL_ERROR "find_package(Dromos COMPONENTS no_such_part) should have failed by name and said: ${output}")
endif()
