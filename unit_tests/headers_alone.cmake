# SPDX-License-Identifier: BSD-3-Clause
# Compiles each of HEADERS, in FOLDER, alone, by COMMAND, a list: whoever includes it needs nothing before it. Most include
# Kokkos first, which is compiled once, in WORK_DIR; a header whose first include is another one takes the long way.
file(REMOVE_RECURSE "${WORK_DIR}")
file(WRITE "${WORK_DIR}/Kokkos_Core.hpp" "#include_next <Kokkos_Core.hpp>\n")
set(command ${COMMAND} -fopenmp -w "-I${WORK_DIR}" ${INCLUDES})
execute_process(COMMAND ${command} -x c++-header "${WORK_DIR}/Kokkos_Core.hpp" -o "${WORK_DIR}/Kokkos_Core.hpp.gch"
                COMMAND_ERROR_IS_FATAL ANY)
set(num_bad 0)
foreach(header IN LISTS HEADERS)
  execute_process(COMMAND ${command} -fsyntax-only -x c++ "${FOLDER}/${header}" RESULT_VARIABLE status ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    math(EXPR num_bad "${num_bad} + 1")
    message("${header} does not compile alone:\n${said}")
  endif()
endforeach()
list(LENGTH HEADERS num_headers)
if(num_bad GREATER 0 OR num_headers EQUAL 0)
  message(FATAL_ERROR "${num_bad} of ${num_headers} headers do not compile alone")
endif()
message("${num_headers} headers compile alone")
