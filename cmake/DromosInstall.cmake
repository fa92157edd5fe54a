# SPDX-License-Identifier: BSD-3-Clause
# cmake --install puts the library, its headers and a package for find_package(Dromos) under the prefix.
include(CMakePackageConfigHelpers)

set(Dromos_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Dromos")

install(TARGETS dromos EXPORT DromosTargets)
install(EXPORT DromosTargets NAMESPACE Dromos:: DESTINATION "${Dromos_package_dir}")
if(TARGET dromos_dist)
  install(TARGETS dromos_dist EXPORT Dromos_dist_targets)
  install(EXPORT Dromos_dist_targets NAMESPACE Dromos:: DESTINATION "${Dromos_package_dir}")
endif()
if(TARGET dromos_teuchos)
  install(TARGETS dromos_teuchos EXPORT Dromos_teuchos_targets)
  install(EXPORT Dromos_teuchos_targets NAMESPACE Dromos:: DESTINATION "${Dromos_package_dir}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/dromos" "${PROJECT_BINARY_DIR}/include/dromos"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
if(TARGET dromos_driver)
  install(TARGETS dromos_driver)
endif()
if(TARGET dromos_python)
  install(TARGETS dromos_python DESTINATION "${Dromos_PYTHON_INSTALL_DIR}/dromos")
  install(FILES ${Dromos_python_sources} DESTINATION "${Dromos_PYTHON_INSTALL_DIR}/dromos")
endif()

# A Kokkos that was provisioned inside of this source tree goes along, with what came with it: an installation must not
# point into the clone that it came from, which may be gone tomorrow. A Kokkos from elsewhere is found where it is.
# Its package lies in lib/cmake/Kokkos, or one folder further down where a distribution has one for each architecture.
cmake_path(SET Dromos_kokkos_package NORMALIZE "${Kokkos_DIR}")
string(REGEX REPLACE "/lib(64)?(/[^/]+)?/cmake/Kokkos/?$" "" Dromos_kokkos_prefix "${Dromos_kokkos_package}")
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${Dromos_kokkos_prefix}" NORMALIZE Dromos_installs_kokkos)
set(Dromos_kokkos_hint "${Kokkos_DIR}")
if(Dromos_installs_kokkos)
  set(Dromos_kokkos_folder "${CMAKE_INSTALL_LIBDIR}/dromos/dependencies")
  cmake_path(RELATIVE_PATH Dromos_kokkos_package BASE_DIRECTORY "${Dromos_kokkos_prefix}")
  string(REGEX REPLACE "[^/]+" ".." Dromos_kokkos_way_up "${Dromos_kokkos_package}")
  set(Dromos_kokkos_hint "\${PACKAGE_PREFIX_DIR}/${Dromos_kokkos_folder}/${Dromos_kokkos_package}")
  install(DIRECTORY "${Dromos_kokkos_prefix}/" DESTINATION "${Dromos_kokkos_folder}" USE_SOURCE_PERMISSIONS)
  # Its packages find themselves by where they lie, but for a few variables.
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${Dromos_kokkos_folder}\")
    file(GLOB_RECURSE packages \"\${folder}/lib*/*.cmake\")
    foreach(package IN LISTS packages)
      file(READ \"\${package}\" text)
      string(REPLACE \"${Dromos_kokkos_prefix}\" \"\\\${CMAKE_CURRENT_LIST_DIR}/${Dromos_kokkos_way_up}\" moved \"\${text}\")
      if(NOT moved STREQUAL text)
        file(WRITE \"\${package}\" \"\${moved}\")
      endif()
    endforeach()")
endif()
include(DromosPkgConfig)

configure_package_config_file(cmake/DromosConfig.cmake.in "${PROJECT_BINARY_DIR}/DromosConfig.cmake"
                              INSTALL_DESTINATION "${Dromos_package_dir}" NO_SET_AND_CHECK_MACRO)
# Before 1.0, a minor version may change what users see.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/DromosConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/DromosConfig.cmake" "${PROJECT_BINARY_DIR}/DromosConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/DromosThirdParty.cmake"
        DESTINATION "${Dromos_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CITATION.cff" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
