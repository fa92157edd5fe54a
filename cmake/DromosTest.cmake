# SPDX-License-Identifier: BSD-3-Clause
# dromos_add_test(NAME [THOROUGH] [SOURCES a_test b_test ...] [LIBRARIES ...]): one test program from a_test.cpp,
# b_test.cpp ..., or from NAME.cpp where no source is named, run by CTest under the name NAME. Tests of one folder share a
# program: with CMAKE_UNITY_BUILD, which the scripts set, its sources are compiled as one, and what they share only once.
#
# The folder of real graphs reaches a test as the macro DROMOS_DATA_DIR (a string) and as an environment variable of
# that name; a test that needs a graph skips itself where the file is absent.
add_library(dromos_test_main OBJECT "${PROJECT_SOURCE_DIR}/unit_tests/test_main.cpp")
target_link_libraries(dromos_test_main PUBLIC Dromos::dromos GTest::gtest PRIVATE dromos_warnings)

# The threads of a test: few and unbound. They spin while they wait, since sweeps are short here: no room for another test.
# A UCX that Open MPI stands on patches the memory functions of every process that loads it, which takes 0.4 s of a start.
set(Dromos_test_environment "OMP_NUM_THREADS=2;OMP_PROC_BIND=false;UCX_MEM_EVENTS=no;DROMOS_DATA_DIR=${DROMOS_DATA_DIR}")

# A good part of compiling a test is optimizing kernels of its own, which run for milliseconds, so they are not optimized;
# those with the word THOROUGH compute for seconds, and are a little. What is tested in the library is compiled as for
# everybody.
set(Dromos_TEST_OPTIMIZATION "-O0" CACHE STRING "Compiler option for tests in Release builds; empty: as the library")
if(NOT Dromos_can_optimize_less)
  set(Dromos_TEST_OPTIMIZATION "")
endif()
set(Dromos_test_options "$<$<CONFIG:Release>:${Dromos_TEST_OPTIMIZATION}>")
string(REPLACE "-O0" "-O1" Dromos_thorough_test_options "${Dromos_test_options}")

set(Dromos_TEST_MAX_RANKS 0 CACHE STRING "Most MPI ranks of a test, where larger tests cost too much; 0: no limit")

# Tests go through thousands of tiny sweeps, each of which a GPU takes longer to begin than to do.
set(Dromos_test_timeout 300)
# Ranks that outnumber free cores wait for each other: 2 s alone were 150 beside three busy programs on two cores.
set(Dromos_default_mpi_test_timeout 600)
if(Dromos_ENABLE_CUDA)
  set(Dromos_test_timeout 1200)
endif()
set(Dromos_MPI_TEST_TIMEOUT ${Dromos_default_mpi_test_timeout} CACHE STRING
    "Seconds after which a test of several ranks counts as hanging")

# Sets sources to the files of the test program NAME.
macro(dromos_test_sources name)
  if(NOT arg_SOURCES)
    set(arg_SOURCES ${name})
  endif()
  list(TRANSFORM arg_SOURCES APPEND .cpp OUTPUT_VARIABLE sources)
endmacro()

function(dromos_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THOROUGH" "" "SOURCES;LIBRARIES")
  dromos_test_sources(${name})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE dromos_test_main Dromos::dromos GTest::gtest dromos_warnings ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE "DROMOS_DATA_DIR=\"${DROMOS_DATA_DIR}\"")
  if(arg_THOROUGH)
    target_compile_options(${name} PRIVATE ${Dromos_thorough_test_options})
    dromos_precompile(${name} thorough_tests <Kokkos_Core.hpp> <gtest/gtest.h>)
  else()
    target_compile_options(${name} PRIVATE ${Dromos_test_options})
    dromos_precompile(${name} tests <Kokkos_Core.hpp> <gtest/gtest.h>)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES PROCESSORS 2 TIMEOUT ${Dromos_test_timeout}
                       ENVIRONMENT "${Dromos_test_environment}")
endfunction()

# dromos_add_mpi_test(NAME RANKS 1 2 ... [SOURCES ...] [LIBRARIES ...]): one test program, run once with each number of
# ranks as NAME_RANKS. Ranks have one thread each and may be more than there are cores; a hang ends as a failure soon.
#
# What Open MPI needs for that is said in its environment variables (of versions 4 and 5), which other libraries ignore.
if(TARGET Dromos::dist)
  add_library(dromos_mpi_test_main OBJECT "${PROJECT_SOURCE_DIR}/unit_tests/mpi_test_main.cpp")
  target_link_libraries(dromos_mpi_test_main PUBLIC Dromos::dist GTest::gtest PRIVATE dromos_warnings)
  add_custom_target(dromos_mpi_tests COMMENT "Tests of several ranks")
endif()
set(Dromos_mpi_environment
    UCX_MEM_EVENTS=no OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1 # ranks that wait let others have the core
    OMPI_MCA_pml=ob1 OMPI_MCA_btl=^tcp,openib,ofi,uct,usnic # all on one machine: looking for networks takes a third of a start
    OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    LSAN_OPTIONS=detect_leaks=0) # with the sanitizers: Open MPI leaks, in modules that it has unloaded by then

function(dromos_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;SOURCES;LIBRARIES")
  dromos_test_sources(${name})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE dromos_mpi_test_main Dromos::dist GTest::gtest dromos_warnings ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE "DROMOS_DATA_DIR=\"${DROMOS_DATA_DIR}\"")
  target_compile_options(${name} PRIVATE ${Dromos_test_options})
  dromos_precompile(${name} mpi_tests <Kokkos_Core.hpp> <gtest/gtest.h> <mpi.h>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_dependencies(dromos_mpi_tests ${name})
  foreach(ranks IN LISTS arg_RANKS)
    if(Dromos_TEST_MAX_RANKS GREATER 0 AND ranks GREATER Dromos_TEST_MAX_RANKS)
      continue()
    endif()
    add_test(NAME ${name}_${ranks}
             COMMAND "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}_${ranks} PROPERTIES TIMEOUT ${Dromos_MPI_TEST_TIMEOUT} PROCESSORS ${ranks} LABELS mpi
      ENVIRONMENT "OMP_NUM_THREADS=1;OMP_PROC_BIND=false;DROMOS_DATA_DIR=${DROMOS_DATA_DIR};${Dromos_mpi_environment}")
  endforeach()
endfunction()
