#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# header.sh FILE.hpp: the header for doxygen. Its first comment is about the file (file_head.sed), and what it has in
# namespace dromos belongs to the topic of its folder (topics.dox). Lines stay lines, so that messages name the right ones.
set -euo pipefail
folder=${1##*/include/dromos/}
topic=${folder%%/*}
[ "$topic" != "$folder" ] || topic=core
sed -E -f "$(dirname "$0")/file_head.sed" \
  -e "s|^namespace dromos(::[a-z]+)? \{\$|& /** \\\\addtogroup $topic */ /** \\\\{ */|" \
  -e 's|^}  // namespace dromos(::[a-z]+)?$|/** \\} */ }|' "$1"
