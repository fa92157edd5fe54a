#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh clone on a Debian machine to a validated breadth-first search; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOF'
scripts/quickstart.sh [options]: from a fresh clone to the program build/bin/dromos and its first run.

Installs the Debian packages that are missing (asks for root through sudo, for this alone), provides Kokkos, Kokkos
Kernels and Teuchos (a given Kokkos, the distribution's, or a build in .deps/ from the Trilinos source package), builds
the program in build/ and searches a small graph. Tests and benchmarks are for scripts/test.sh, or --all. With --cuda the
same for NVIDIA GPUs, in build-cuda/. Run again, it does only what is left to do.
EOF
}

read_options "$@"
prepare_and_build
say "Done: the program is $build_folder/bin/dromos; scripts/test.sh runs the tests"
