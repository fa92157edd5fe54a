# SPDX-License-Identifier: BSD-3-Clause
# Warnings of Dromos' own sources; nothing of this reaches the users of the library.
add_library(dromos_warnings INTERFACE)
target_compile_options(dromos_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU,Clang>:-Wall -Wextra -Wshadow -Wpedantic -Wno-unknown-pragmas>
  # What C++20 allows and g++ does not mind in GoogleTest's macros: TYPED_TEST_SUITE(Suite, Types) without a third argument.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>
  $<$<BOOL:${Dromos_ENABLE_WERROR}>:-Werror>)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Where sources are compiled as one, none but the first is the main source, and g++ takes the others for headers.
  target_compile_options(dromos_warnings INTERFACE -Wno-subobject-linkage)
endif()
