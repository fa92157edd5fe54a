# SPDX-License-Identifier: BSD-3-Clause
# dromos_optimize(TARGET LEVEL): in Release builds, another level of optimization than the library's for what takes longer
# to optimize than it gains. Where the compiler is not known to understand -O0 and -O1, and with nvcc, nothing changes.
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
