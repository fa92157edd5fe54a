# SPDX-License-Identifier: BSD-3-Clause
# dromos_add_test(NAME [LIBRARIES ...]): one test program from NAME.cpp, run by CTest under the name NAME.
add_library(dromos_test_main OBJECT "${PROJECT_SOURCE_DIR}/unit_tests/test_main.cpp")
target_link_libraries(dromos_test_main PUBLIC Dromos::dromos GTest::gtest PRIVATE dromos_warnings)

function(dromos_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE dromos_test_main Dromos::dromos GTest::gtest dromos_warnings ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT "OMP_NUM_THREADS=2;OMP_PROC_BIND=false")
endfunction()
