#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Result files are promises: each file of perf_tests/results is named by a page of doc/, and was measured on a commit of
# this repository with nothing changed beside it. Prints what is not so, and fails.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."

[ "$(git rev-parse --is-shallow-repository)" = false ] || {
  echo "== Results: NOT checked, this clone does not have the commits that they name"
  exit 0
}
files=0 wrong=0
complain() { echo "$1" >&2; wrong=1; }
while read -r file; do
  files=$((files + 1))
  grep -qrF -- "${file##*/}" doc/*.md || complain "$file: no page of doc/ names it; name it where its figures are, or remove it"
  commit=$(sed -n 's/.*"commit": *"\([^"]*\)".*/\1/p;q' "$file")
  case $commit in
    "") complain "$file: it does not say which commit it measured" ;;
    *-dirty) complain "$file: measured on $commit, changes that were never committed; measure again on a commit" ;;
    *) git cat-file -e "$commit^{commit}" 2>/dev/null || complain "$file: commit $commit is not in this repository" ;;
  esac
done < <(git ls-files perf_tests/results)
[ $wrong = 0 ] || exit 1
echo "== Results: $files files are named by pages and measured on commits of this repository"
