# SPDX-License-Identifier: BSD-3-Clause
# HDF5 as a part of the program, where its static library is beside the shared one.
#
# The shared one brings what HDF5 itself may need for files on the web: with Debian's, 29 of 52 libraries that the
# loader goes through before main() does anything, half of the time of `dromos --version`. Of the static one the linker
# takes what is called. Libraries and their users keep the shared one: a process should have one HDF5 alone.
#
# Defines Dromos::hdf5_static where it links; a target takes it whose property Dromos_LINKS_HDF5_STATICALLY is on.
include(CheckCXXSourceCompiles)

function(dromos_find_static_hdf5)
  get_filename_component(folder "${Dromos_HDF5_LIBRARY}" DIRECTORY)
  set(library "${folder}/libhdf5.a")
  if(NOT EXISTS "${library}")
    return()
  endif()
  # With szip or without, which its own configuration says nowhere that is the same everywhere.
  foreach(compression IN ITEMS "sz\;z" "z")
    set(CMAKE_REQUIRED_INCLUDES "${Dromos_HDF5_INCLUDE_DIR}")
    set(CMAKE_REQUIRED_LIBRARIES "${library}" ${compression} ${CMAKE_DL_LIBS} m ${Dromos_hdf5_mpi})
    string(MAKE_C_IDENTIFIER "Dromos_static_hdf5_links_${library}_${compression}" links)
    check_cxx_source_compiles("#include <hdf5.h>
      int main() { return H5open() < 0 || H5Fopen(\"\", H5F_ACC_RDONLY, H5P_DEFAULT) < 0; }" ${links})
    if(${links})
      dromos_add_third_party_target(hdf5_static INCLUDES ${CMAKE_REQUIRED_INCLUDES}
                                    LIBRARIES ${CMAKE_REQUIRED_LIBRARIES})
      return()
    endif()
  endforeach()
endfunction()

if(Dromos_STATIC_HDF5 AND Dromos_ENABLE_DRIVER AND TARGET Dromos::hdf5 AND NOT BUILD_SHARED_LIBS)
  dromos_find_static_hdf5()
endif()
