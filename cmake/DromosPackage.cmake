# SPDX-License-Identifier: BSD-3-Clause
# cpack -G TGZ and cpack -G DEB pack what cmake --install installs; the target package_source packs the sources.
set(CPACK_PACKAGE_NAME "dromos")
set(CPACK_PACKAGE_VENDOR "The Dromos developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_GENERATOR "TGZ")
set(CPACK_STRIP_FILES ON)

# A .deb names the packages whose shared libraries the program needs; headers and CMake packages of what Dromos stands on
# are for those who compile with it.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Dromos developers")
set(CPACK_DEBIAN_PACKAGE_SECTION "science")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libboost-iostreams-dev, libfmt-dev")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_SOURCE_GENERATOR "TXZ")
set(CPACK_SOURCE_PACKAGE_FILE_NAME "dromos-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git(/|$)" "/build[^/]*/" "/\\\\.deps/" "/__pycache__/")
include(CPack)
