# SPDX-License-Identifier: BSD-3-Clause
# dromos_precompile(TARGET GROUP HEADER ...): the headers that most of a target's sources include, parsed once.
#
# Targets of one group share the result: the first of a group compiles it, the others, of the same kind and with the
# same headers, reuse it. Parsing Kokkos takes longer than compiling most of our sources. nvcc cannot do this.
option(Dromos_ENABLE_PRECOMPILED_HEADERS "Parse the headers of other libraries once" ON)

function(dromos_precompile target group)
  if(NOT Dromos_ENABLE_PRECOMPILED_HEADERS OR Dromos_ENABLE_CUDA)
    return()
  endif()
  get_property(first GLOBAL PROPERTY DROMOS_PRECOMPILED_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY DROMOS_PRECOMPILED_${group} ${target})
  endif()
endfunction()
