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
    # Kernels are made of small functions. Without calls between them they take a tenth to a quarter less time, and g++ a tenth.
    if(level STREQUAL "-O1" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND level -finline-small-functions -fpartial-inlining -fipa-cp -fipa-sra)
    endif()
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${level}>")
  endif()
endfunction()

# Of the time that g++ 12 takes for src/algorithms, a twelfth is looking for memory to use again.
option(Dromos_SPEND_COMPILER_MEMORY "Let each g++ take up to 1.8 GB of memory where 1.1 do, in less time" OFF)
if(Dromos_SPEND_COMPILER_MEMORY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Dromos_ENABLE_CUDA)
  add_compile_options(--param=ggc-min-expand=300 --param=ggc-min-heapsize=524288)
endif()
