# SPDX-License-Identifier: BSD-3-Clause
"""What the plot scripts share: reading result files, and writing plots."""

import argparse
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def read_rows(paths, benchmark):
    """The rows of result files of this benchmark, each with "weak" from the options of its file unless it says so."""
    rows = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
        except (OSError, ValueError) as error:
            sys.exit(f"{path}: cannot be read as JSON: {error}")
        if result.get("benchmark") != benchmark:
            sys.exit(f"{path}: a result of {result.get('benchmark')}, expected one of {benchmark}")
        weak = result["options"].get("weak", False)
        rows += [{"weak": weak, **row} for row in result["rows"]]
    if not rows:
        sys.exit("the files have no rows: was the graph without edges?")
    return rows


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / name, dpi=150)
    plt.close(figure)
    print(folder / name)


def parse_arguments(description):
    """Result files and the folder of the plots, which exists afterwards."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="result files")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder of the plots (default: here)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    return arguments
