#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Says which sources clang-format would write otherwise, and fails where there are any; --fix rewrites them. Other
# versions of clang-format wrap some lines otherwise, so it takes version 14 (Debian 12: clang-format-14) or leaves it.
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$tool" ] || ! "$tool" --version | grep -q 'version 14\.'; then
  echo "== Format: NOT checked, there is no clang-format 14 here (Debian 12: apt-get install clang-format-14)"
  exit 0
fi
mapfile -t sources < <(git ls-files --deduplicate '*.cpp' '*.hpp' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
if [ "${1:-}" = --fix ]; then
  "$tool" -i "${sources[@]}"
  exit 0
fi
"$tool" --dry-run -Werror --ferror-limit=1 "${sources[@]}" || {
  echo "== Format: the lines above are not as clang-format writes them; scripts/check-format.sh --fix rewrites them" >&2
  exit 1
}
echo "== Format: ${#sources[@]} sources are as clang-format writes them"
