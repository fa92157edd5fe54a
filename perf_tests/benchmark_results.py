# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts beside this file share: reading result files. Needs no matplotlib."""

import json
import sys


def read_result(path):
    """The JSON object of a result file."""
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: cannot be read as JSON: {error}")
    if not isinstance(result, dict):
        sys.exit(f"{path}: expected a JSON object, found a {type(result).__name__}")
    return result


def read_rows(paths, benchmark):
    """The rows of result files of this benchmark, each with "weak" from the options of its file unless it says so."""
    rows = []
    for path in paths:
        result = read_result(path)
        if result.get("benchmark") != benchmark:
            sys.exit(f"{path}: a result of {result.get('benchmark')}, expected one of {benchmark}")
        weak = result["options"].get("weak", False)
        rows += [{"weak": weak, **row} for row in result["rows"]]
    if not rows:
        sys.exit("the files have no rows: was the graph without edges?")
    return rows
