# SPDX-License-Identifier: BSD-3-Clause
# cmake -D SOURCE_DIR=... -D HEADER=... -P DromosGitCommit.cmake: writes the commit of the source into HEADER. Runs at
# every build and touches the file only when the commit changed, so that a result file never names a stale one.
cmake_minimum_required(VERSION 3.25)

set(commit "")
find_program(git_program git)
if(git_program AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(COMMAND "${git_program}" --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define DROMOS_GIT_COMMIT \"@commit@\"\n" @ONLY)
