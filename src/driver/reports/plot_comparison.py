# SPDX-License-Identifier: BSD-3-Clause
"""Bars of the rates of every platform and variant, graph by graph (Slota et al. 2015, Figure 4).

A part of the program dromos, which runs it: the data comes as JSON on stdin (Comparison::series() says how), the file to
write is the argument.
"""

import json
import os
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(3)

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def draw(data, path):
    graphs, series = data["graphs"], data["series"]
    platforms = list(dict.fromkeys(one["platform"] for one in series))
    variants = list(dict.fromkeys(one["variant"] for one in series))
    colors = plt.get_cmap("tab10" if len(platforms) <= 10 else "tab20")
    hatches = ["", "//", "..", "xx", "\\\\", "++", "oo", "--"]
    width = 0.8 / max(1, len(series))
    figure, axes = plt.subplots(figsize=(max(6, 1.2 + 0.16 * len(graphs) * (len(series) + 2)), 4))
    for number, one in enumerate(series):
        places = [g - 0.4 + (number + 0.5) * width for g in range(len(graphs))]
        heights = [rate if rate is not None else float("nan") for rate in one["rates"]]
        axes.bar(places, heights, width, label=f"{one['platform']}: {one['variant']}",
                 color=colors(platforms.index(one["platform"]) % colors.N), edgecolor="black", linewidth=0.4,
                 hatch=hatches[variants.index(one["variant"]) % len(hatches)])
    axes.set_xticks(range(len(graphs)), graphs, rotation=30, ha="right")
    axes.set_ylabel(f"{data['algorithm']}: {data['unit']}")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize="small", ncols=max(1, len(platforms)), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    temporary = f"{path}.part{os.path.splitext(path)[1]}"
    figure.savefig(temporary, dpi=150, bbox_inches="tight")
    os.replace(temporary, path)


draw(json.load(sys.stdin), sys.argv[1])
