#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Is an installation enough? Clones, builds and installs, removes the clone, and uses what is left: --help says more.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
# shellcheck source=scripts/lib/prepare.sh
. scripts/lib/prepare.sh

show_purpose() {
  cat <<'EOT'
scripts/check-installation.sh [options]: clones what is committed here into a new folder, builds the program and the Python
module there as scripts/quickstart.sh does, says how long that took and what it takes of the disk, and how long it takes when
it is called again; installs into another folder, removes the clone, and then runs the program, examples/standalone,
built against the installation, and the Python module. Takes the time of a first build, some minutes.
EOT
}

read_options "$@"
needed_packages+=(pybind11-dev python3-dev python3-scipy)
install_missing_packages
python=$(command -v /usr/bin/python3 || command -v python3) || fail "there is no python3"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "Cloning into $work/clone"
git clone -q . "$work/clone"
build_in_clone() {
  (cd "$work/clone" && scripts/quickstart.sh -- -D Dromos_ENABLE_PYTHON=ON -D "Python_EXECUTABLE=$python" "${cmake_options[@]}")
}
start=$SECONDS
build_in_clone
say "The first search was there after $((SECONDS - start)) s; the clone takes $(du -sm "$work/clone" | cut -f1) MB"
start=$(date +%s%N)
build_in_clone >/dev/null
say "Called again, quickstart.sh took $((($(date +%s%N) - start) / 1000000)) ms"
cmake --install "$work/clone/build" --prefix "$work/prefix" >/dev/null
cp -r examples/standalone inputs "$work"
rm -rf "$work/clone"
say "The clone is gone; what is left is $(du -sm "$work/prefix" | cut -f1) MB"

"$work/prefix/bin/dromos" bfs --validate "$work/inputs/squares.mtx"
cmake -S "$work/standalone" -B "$work/standalone/build" -D "CMAKE_PREFIX_PATH=$work/prefix" >/dev/null
cmake --build "$work/standalone/build" >/dev/null
"$work/standalone/build/search_cycle"
PYTHONPATH=$work/prefix/lib/python3/dist-packages "$python" - <<'EOT'
import numpy, scipy.sparse, dromos
cycle = scipy.sparse.csr_matrix((numpy.ones(5), (range(5), [1, 2, 3, 4, 0])), shape=(5, 5))
num_components, labels = dromos.strongly_connected_components(cycle)[:2]
assert num_components == 1, (num_components, labels)
print("dromos for Python found the one component of a cycle")
EOT
say "The installation stands by itself"
