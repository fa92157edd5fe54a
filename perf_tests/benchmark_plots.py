# SPDX-License-Identifier: BSD-3-Clause
"""What the plot scripts share: their command line, and writing plots."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


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
