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

configure_package_config_file(cmake/DromosConfig.cmake.in "${PROJECT_BINARY_DIR}/DromosConfig.cmake"
                              INSTALL_DESTINATION "${Dromos_package_dir}" NO_SET_AND_CHECK_MACRO)
# Before 1.0, a minor version may change what users see.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/DromosConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/DromosConfig.cmake" "${PROJECT_BINARY_DIR}/DromosConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/DromosThirdParty.cmake"
        DESTINATION "${Dromos_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
