# SPDX-License-Identifier: BSD-3-Clause
# dromos_optimize(TARGET LEVEL): the level of optimization of a target in Release builds, in place of CMake's -O3, where
# that takes longer to compile than it gains. Where the compiler is not known to understand the levels, and with nvcc,
# nothing changes.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT Dromos_ENABLE_CUDA)
  set(Dromos_can_optimize_less ON)
else()
  set(Dromos_can_optimize_less OFF)
endif()

function(dromos_optimize target level)
  if(Dromos_can_optimize_less)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  endif()
endfunction()
