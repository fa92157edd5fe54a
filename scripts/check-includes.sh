#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Includes point down: a folder of include/dromos or src includes itself and the floors below it, not those above or
# beside (doc/architecture.md). Prints each include that does not, and fails; so it does for a KOKKOS_LAMBDA in a header,
# which two sources might share.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."

# Lowest first; what shares a line does not know of each other.
floors='core
graph comm
traverse generate io
algorithms
validate
distributed
teuchos dist
interop
command_line
driver python'

git grep -nE '^#include [<"](dromos/)?[a-z_]+/' -- include/dromos src |
  awk -v floors="$floors" '
    BEGIN {
      n = split(floors, line, "\n")
      for (i = 1; i <= n; ++i) { m = split(line[i], name, " "); for (k = 1; k <= m; ++k) floor[name[k]] = i }
    }
    {
      split($0, part, ":")
      from = part[1]; sub(/^(include\/dromos|src)\//, "", from); sub(/\/.*/, "", from)
      to = part[3]; sub(/^#include [<"](dromos\/)?/, "", to); sub(/\/.*/, "", to)
      if (!(from in floor)) { if (from !~ /\./) { print part[1] ": folder " from " is on no floor of scripts/check-includes.sh"; bad = 1 }; next }
      ++count
      if (to == from || !(to in floor) || floor[to] < floor[from]) next
      print part[1] ":" part[2] ": " from " does not stand on " to ": " part[3]; bad = 1
    }
    END { if (bad) exit 1; print "== Includes: " count " point down, or stay in their folder" }' || {
  echo "== Includes: the lines above point up or sideways; move what both need to the floor below" >&2
  exit 1
}

if git grep -nE '^[^/]*KOKKOS_LAMBDA' -- 'include/*.hpp' 'src/*.hpp' 'unit_tests/*.hpp' 'perf_tests/*.hpp' >&2; then
  echo "== Includes: a header has the lambdas above; give the kernels a name, as functors (doc/architecture.md says why)" >&2
  exit 1
fi
