# SPDX-License-Identifier: BSD-3-Clause
# gzip and xz come with every Boost.Iostreams that Dromos takes; bzip2 and zstd only where it was built with them:
# Dromos_compressions lists the definitions that say so.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

cmake_push_check_state(RESET)
set(Dromos_compressions "")
set(CMAKE_REQUIRED_LIBRARIES Boost::iostreams)
foreach(kind IN ITEMS bzip2 zstd)
  string(TOUPPER "${kind}" name)
  check_cxx_source_compiles(
    "#include <boost/iostreams/filter/${kind}.hpp>
     int main() { boost::iostreams::${kind}_decompressor reads; boost::iostreams::${kind}_compressor writes; }"
    DROMOS_HAS_${name})
  if(DROMOS_HAS_${name})
    list(APPEND Dromos_compressions DROMOS_HAS_${name})
  endif()
endforeach()
cmake_pop_check_state()
