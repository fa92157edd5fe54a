#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The documentation as a site: the pages of doc/ and the interface. Installs doxygen where it is missing, compiles
# nothing, takes seconds. A warning is an error.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

[ $# -eq 0 ] || fail "expected no arguments, found '$*'; the site is written to build-doc/html/index.html"
needed_packages=(cmake doxygen)
check_for_debian
install_missing_packages
cmake -D SOURCE_DIR=. -D SITE_DIR=build-doc -P cmake/DromosSite.cmake
