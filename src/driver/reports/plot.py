# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the program dromos, which runs this with the data as JSON on stdin, a file to write as descriptor 3, and
its format, svg, png or pdf, as argument.

    comparison  bars of the rates of every platform and variant, graph by graph (Slota et al. 2015, Figure 4)
    scaling     rates over the number of threads or ranks, on logarithmic axes
    degrees     how many vertices have each degree, on logarithmic axes
    levels      vertices and edges on each level of searches
    spy         where the entries of a matrix are, before and after

Without a format it only looks whether it could draw. Exit code 3: there is no matplotlib.
"""

import json
import math
import os
import statistics
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(3)

matplotlib.use("Agg")
import matplotlib.colors  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

# Told apart without color, too; the colors are those of Okabe and Ito, which color-blind people can tell apart.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
HATCHES = ["", "//", "..", "xx", "\\\\", "++", "oo", "--"]
plt.rcParams.update({"savefig.dpi": 300, "svg.fonttype": "none", "pdf.fonttype": 42, "axes.axisbelow": True,
                     "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})


def beside(axes, columns=1):
    """The legend where no curve is."""
    axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0, ncol=columns)


def draw_comparison(data):
    graphs, series = data["graphs"], data["series"]
    platforms = list(dict.fromkeys(one["platform"] for one in series))
    variants = list(dict.fromkeys(one["variant"] for one in series))
    width = 0.8 / max(1, len(series))
    figure, axes = plt.subplots(figsize=(max(6, 1.2 + 0.16 * len(graphs) * (len(series) + 2)), 4))
    absent = []
    for number, one in enumerate(series):
        places = [g - 0.4 + (number + 0.5) * width for g in range(len(graphs))]
        heights = [rate if rate is not None else math.nan for rate in one["rates"]]
        ends = [(rate or 0) - (low or 0) for rate, low in zip(one["rates"], one["low"])], \
               [(high or 0) - (rate or 0) for rate, high in zip(one["rates"], one["high"])]
        axes.bar(places, heights, width, label=f"{one['platform']}: {one['variant']}", yerr=ends, capsize=2,
                 error_kw={"linewidth": 0.8}, color=COLORS[platforms.index(one["platform"]) % len(COLORS)],
                 edgecolor="black", linewidth=0.4, hatch=HATCHES[variants.index(one["variant"]) % len(HATCHES)])
        absent += [place for place, rate in zip(places, one["rates"]) if rate is None]
    if absent:
        axes.plot(absent, [0] * len(absent), "x", color="black", markersize=5, clip_on=False, label="not measured")
    axes.set_xticks(range(len(graphs)))
    axes.set_xticklabels(graphs, rotation=30, ha="right")
    axes.set_ylabel(f"{data['algorithm']}: {data['unit']}")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    beside(axes, 1 if len(series) <= 20 else 2)
    return figure


def draw_scaling(data):
    """A curve for each graph and platform, and dashed what twice as many would give if they were twice as fast."""
    figure, axes = plt.subplots(figsize=(6, 4))
    for number, curve in enumerate(data["curves"]):
        color, rates = COLORS[number % len(COLORS)], curve["rates"]
        ends = [max(0, rate - low) for rate, low in zip(rates, curve["low"])], \
               [max(0, high - rate) for rate, high in zip(rates, curve["high"])]
        axes.errorbar(curve["numbers"], rates, yerr=ends, capsize=2, color=color, marker=MARKERS[number % len(MARKERS)],
                      markersize=5, linewidth=1.2, elinewidth=0.8, label=curve["label"])
        first = curve["numbers"][0]
        axes.plot(curve["numbers"], [rates[0] * one / first for one in curve["numbers"]], "--", color=color, linewidth=0.7,
                  alpha=0.6, label="proportional" if number == 0 else None)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    numbers = sorted({number for curve in data["curves"] for number in curve["numbers"]})
    axes.set_xticks(numbers)
    axes.set_xticklabels([str(number) for number in numbers])
    axes.minorticks_off()
    axes.set(xlabel=data["by"], ylabel=f"{data['algorithm']}: {data['unit']}")
    axes.grid(alpha=0.3)
    beside(axes)
    return figure


def draw_degrees(data):
    """Each degree as a dot, and the mean of each power of two, which tells what the noise of rare degrees hides."""
    figure, axes = plt.subplots(figsize=(6, 4))
    pairs = [(degree, count) for degree, count in data["vertices"] if degree > 0]
    if pairs:
        axes.loglog(*zip(*pairs), ".", color=COLORS[5], markersize=4, rasterized=len(pairs) > 5000, label="vertices of a degree")
        bins = {}
        for degree, count in pairs:
            bins[degree.bit_length()] = bins.get(degree.bit_length(), 0) + count
        last = pairs[-1][0]
        bits = range(1, last.bit_length() + 1)
        ends = [min(2 ** bit - 1, last) for bit in bits]
        middles = [math.sqrt(2 ** (bit - 1) * end) for bit, end in zip(bits, ends)]
        means = [bins[bit] / (end - 2 ** (bit - 1) + 1) if bit in bins else math.nan for bit, end in zip(bits, ends)]
        axes.loglog(middles, means, "o-", color=COLORS[1], markersize=5, label="mean of the degrees\nfrom $2^k$ to $2^{k+1}-1$")
        beside(axes)
    isolated = sum(count for degree, count in data["vertices"] if degree == 0)
    axes.set(xlabel=data["degree"], ylabel="vertices")
    axes.set_title(data["graph"] + (f"\n{isolated:,} vertices of {data['degree']} 0 are not shown" if isolated else ""), fontsize=10)
    axes.grid(alpha=0.3)
    return figure


def draw_levels(data):
    searches = data["searches"]
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), sharex=True)
    figure.subplots_adjust(wspace=0.3)
    deepest = max(len(search["vertices"]) for search in searches)
    for axes, what, label in zip(panels, ("vertices", "arcs"), ("vertices on the level", "edges that leave the level")):
        # What is zero has no place on a logarithmic axis.
        curves = [[value if value > 0 else math.nan for value in search[what]] for search in searches]
        if len(searches) <= len(COLORS):
            for number, (search, curve) in enumerate(zip(searches, curves)):
                axes.semilogy(range(len(curve)), curve, marker=MARKERS[number], color=COLORS[number], markersize=4,
                              markevery=max(1, deepest // 25), linewidth=1.2, label=f"root {search['root']}")
        else:
            draw_band(axes, curves, deepest)
        axes.set(xlabel="level", ylabel=label)
        axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
    beside(panels[1])
    figure.suptitle(data["graph"], fontsize=10)
    return figure


def draw_band(axes, curves, deepest):
    """Of many searches: the range, the middle half and the median of those that came so deep."""
    levels, lows, quarters, medians, three_quarters, highs = [], [], [], [], [], []
    for level in range(deepest):
        values = sorted(curve[level] for curve in curves if level < len(curve) and not math.isnan(curve[level]))
        if not values:
            continue
        levels.append(level)
        lows.append(values[0])
        highs.append(values[-1])
        cut = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        for target, value in zip((quarters, medians, three_quarters), cut):
            target.append(value)
    axes.fill_between(levels, lows, highs, color=COLORS[5], alpha=0.25, linewidth=0, label=f"all of {len(curves)} roots")
    axes.fill_between(levels, quarters, three_quarters, color=COLORS[0], alpha=0.35, linewidth=0, label="the middle half")
    axes.semilogy(levels, medians, "o-", color=COLORS[0], markersize=4, markevery=max(1, deepest // 25), label="median")


def draw_spy(data):
    """A square of some rows and columns is the darker the more entries it has."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), constrained_layout=True)
    side, rows, columns = data["side"], data["rows"], data["columns"]
    most = max((count for panel in data["panels"] for _, _, count in panel["squares"]), default=1)
    colors = matplotlib.colors.LinearSegmentedColormap.from_list("entries", ["#6baed6", COLORS[0], "#08205c"])
    for axes, panel in zip(panels, data["panels"]):
        height, width = -(-rows // side), -(-columns // side)
        image = [[math.nan] * width for _ in range(height)]
        for row, column, count in panel["squares"]:
            image[row][column] = count
        if height and width:
            shown = axes.imshow(image, cmap=colors, norm=matplotlib.colors.LogNorm(1 if most > 1 else 0.5, max(most, 2)), interpolation="nearest",
                                extent=(0, width * side, height * side, 0))
        axes.set(xlim=(0, max(columns, 1)), ylim=(max(rows, 1), 0), xlabel="column", ylabel="row")
        axes.spines[["top", "right"]].set_visible(True)
        axes.set_title(panel["title"], fontsize=10)
    if most > 1 and rows and columns:
        ticks = [digit * 10 ** power for power in range(len(str(most))) for digit in (1, 2, 5)]
        bar = figure.colorbar(shown, ax=list(panels), label=f"entries in {side} x {side}", shrink=0.9,
                              ticks=[tick for tick in ticks if tick <= most], format="%d")
        bar.minorticks_off()
    figure.suptitle(data["graph"], fontsize=10)
    return figure


def main():
    data, picture_format = json.load(sys.stdin), sys.argv[1]
    if not picture_format:
        return
    draw = {"comparison": draw_comparison, "scaling": draw_scaling, "degrees": draw_degrees, "levels": draw_levels,
            "spy": draw_spy}
    figure = draw[data["kind"]](data)
    with os.fdopen(3, "wb") as picture:
        figure.savefig(picture, format=picture_format, bbox_inches="tight")


main()
