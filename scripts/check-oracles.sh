#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Asks the program and independent libraries, SciPy and NetworkX, the same questions about random graphs; --help says more.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
case " $* " in
  *" --help "*)
    cat <<'END'
scripts/check-oracles.sh [--build FOLDER] [--graphs N] [--seed N] [--ranks N,N...] [--jobs N] [--minutes N]

Runs every command with an answer that SciPy or NetworkX can give on N random graphs (default 50), directed or not, with
self loops and repeated edges, and compares all values: on one rank, and what runs on several also on --ranks (default
2,3,4,5,6,7; one of them a graph). One rank answers each question in a process of its own; ranks answer those about ten
graphs after each other (dromos batch), with one thread each and with two in turn. Distances must be equal, ranks and
centralities within 1e-9 of theirs. --jobs N times ten graphs are worked on at the same time (default 1); none are begun
after --minutes.

Prints what was tried and what differed; a graph with a wrong answer is kept. Exit code 0: nothing differed; 1: something did.
Without SciPy and NetworkX (Debian: python3-scipy python3-networkx) nothing is tried, and it says so, with exit code 77.
END
    exit 0 ;;
esac
for python in /usr/bin/python3 python3; do
  if "$python" -c 'import networkx, scipy' 2>/dev/null; then exec "$python" "$here/check-oracles.py" "$@"; fi
done
echo "$0: NOT tried: there is no Python with SciPy and NetworkX (Debian: python3-scipy python3-networkx)" >&2
exit 77
