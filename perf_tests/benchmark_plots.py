# SPDX-License-Identifier: BSD-3-Clause
"""What the plot scripts share: their command line, and writing plots."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import matplotlib.ticker as ticker  # noqa: E402

# Told apart without color, too; the colors are those of Okabe and Ito, which color-blind people can tell apart.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h"]
plt.rcParams.update({"svg.fonttype": "none", "pdf.fonttype": 42})


def line_style(number):
    """Of the line of that number; the first twenty-four differ in color and marker."""
    return {"color": COLORS[number % len(COLORS)], "marker": MARKERS[number % len(MARKERS)], "markersize": 5,
            "linewidth": 1.2}


def count_axis(axes, counts):
    """A logarithmic axis on which the counts stand that occur."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted(set(counts)))
    axes.set_xticklabels([str(count) for count in sorted(set(counts))])
    axes.xaxis.set_minor_locator(ticker.NullLocator())


def rate_axis(axes):
    """A logarithmic axis with numbers on it, however short it is."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())


def legend_beside(figure, panels):
    """One for all panels, where no curve is."""
    lines = {line.get_label(): line for axes in panels for line in axes.get_lines()}
    figure.legend(lines.values(), lines.keys(), fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / name, dpi=300, bbox_inches="tight")
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
