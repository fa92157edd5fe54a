#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# page.sh PAGE.md: the page for doxygen, whose headings have no names of their own. "## On a grid" gets the name
# PAGE-on-a-grid, and links to #on-a-grid or to PAGE.md#on-a-grid lead there. Blocks of code stay as they are.
set -euo pipefail
page=$(basename "$1" .md)
# shellcheck disable=SC2016 # those are the marks of a block of code
sed -E -e '/^```/,/^```/b' -e '/^    /b' \
  -e "s/\]\(#([^)]*)\)/](#$page-\1)/g" \
  -e 's/\]\(([^)#:]*\/)?([^)#:\/]*)\.md#([^)]*)\)/](#\2-\3)/g' \
  -e "/^##+ /{h; s/^##+ +//; s/.*/\L&/; s/[^a-z0-9 _-]//g; s/ /-/g; s/.*/ {#$page-&}/; H; x; s/\n//}" "$1"
