#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything quickstart.sh does, and then every test; --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOF'
scripts/test.sh [options]: does what scripts/quickstart.sh does, then runs every test.

Exit code 0 means that everything was built and every test passed (with --cuda and no GPU: that it was built). Tests on real graphs look for them in
../shared/data (or where -- -D DROMOS_DATA_DIR=FOLDER says) and are skipped, with a word, where a graph is absent.
EOF
}

read_options "$@"
what_to_build=everything
prepare_and_build

if [ $cuda = yes ] && ! has_gpu; then
  say "Everything was built; the tests need a GPU, and there is none here, so NONE was run"
  exit 0
fi

run_tests
