# SPDX-License-Identifier: BSD-3-Clause
# cmake -D SOURCE_DIR=... -D SITE_DIR=... -P DromosSite.cmake: the documentation as a site, SITE_DIR/html/index.html.
# Needs doxygen and nothing that is built. Every warning is an error.
cmake_minimum_required(VERSION 3.25)

find_program(doxygen_program doxygen)
if(NOT doxygen_program)
  message(FATAL_ERROR "The site needs doxygen, and there is none in PATH (Debian: doxygen); scripts/documentation.sh "
                      "installs it")
endif()
file(STRINGS "${SOURCE_DIR}/CMakeLists.txt" project REGEX "^project\\(Dromos VERSION ")
string(REGEX REPLACE ".* VERSION ([0-9.]+) .*" "\\1" PROJECT_VERSION "${project}")
cmake_path(ABSOLUTE_PATH SOURCE_DIR NORMALIZE OUTPUT_VARIABLE PROJECT_SOURCE_DIR)
cmake_path(ABSOLUTE_PATH SITE_DIR NORMALIZE OUTPUT_VARIABLE SITE_DIR)

file(REMOVE_RECURSE "${SITE_DIR}/html")
file(MAKE_DIRECTORY "${SITE_DIR}")
configure_file("${SOURCE_DIR}/doc/site/Doxyfile.in" "${SITE_DIR}/Doxyfile" @ONLY)
execute_process(COMMAND "${doxygen_program}" "${SITE_DIR}/Doxyfile" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "doxygen has something to say against the documentation; it is above")
endif()
message(STATUS "The site is ${SITE_DIR}/html/index.html")
