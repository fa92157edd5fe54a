#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots of result files of bench_delegates, after the figures of Pan, Pearce and Owens 2018.

    plot_delegates.py results.json [more.json ...] [--output FOLDER]

Writes, as far as the files have what they show (files of one experiment at a time, where they differ in ranks or scale):

    separations.png   shares of the four parts and of delegates over the threshold (Figures 5 and 12)
    suggested.png     the suggested threshold per scale, of files measured with several --scale (Figure 7)
    thresholds.png    GTEPS over the threshold, a line a variant (Figures 6 and 13)
    options.png       where the time of each variant goes (Figures 8 and 10)
    scaling.png       GTEPS over the number of ranks (Figures 9 and 11)

Needs matplotlib.
"""

from benchmark_plots import COLORS, count_axis, legend_beside, line_style, parse_arguments, plt, rate_axis, save
from benchmark_results import read_rows


def num_vertices(row):
    return row.get("num_vertices", 2 ** row["scale"])


def title(row):
    """What was searched: a scale, or a file."""
    graph = row.get("graph", "kronecker")
    return f"Scale {row['scale']}" if graph in ("kronecker", "erdos-renyi") else graph


def plot_separations(rows, folder):
    scale = max(row["scale"] for row in rows)
    rows = [row for row in rows if row["scale"] == scale and row["threshold"] > 0]
    figure, axes = plt.subplots(figsize=(7, 4.5))
    thresholds = [row["threshold"] for row in rows]
    parts = (("nn", "normal to normal"), ("nd", "normal to delegate, and back"), ("dd", "delegate to delegate"))
    for number, (part, label) in enumerate(parts):
        factor = 200 if part == "nd" else 100
        arcs = [row["nn"] + row["nd"] + row["dn"] + row["dd"] for row in rows]
        axes.plot(thresholds, [factor * row[part] / m for row, m in zip(rows, arcs)],
                  label=label, **line_style(number))
    axes.plot(thresholds, [100 * row["num_delegates"] / num_vertices(row) for row in rows], "k--",
              label="delegates, of vertices")
    axes.set_xscale("log", base=2)
    axes.set(xlabel="degree threshold", ylabel="percent", title=title(rows[0]))
    legend_beside(figure, [axes])
    save(figure, folder, "separations.png")


def plot_suggested(rows, folder):
    rows = sorted((row for row in rows if row["suggested"]), key=lambda row: row["scale"])
    if len({row["scale"] for row in rows}) < 2:
        return
    scales = [row["scale"] for row in rows]
    figure, axes = plt.subplots(figsize=(7, 4.5))
    axes.plot(scales, [row["threshold"] for row in rows], "ko-", label="threshold")
    axes.set(xlabel="scale", ylabel="suggested threshold")
    axes.set_yscale("log", base=2)
    axes.set_ylim(1, 4 * max(row["threshold"] for row in rows))
    shares = axes.twinx()
    shares.plot(scales, [100 * row["num_delegates"] / num_vertices(row) for row in rows], "s--", color=COLORS[0],
                label="delegates, of vertices")
    shares.plot(scales, [100 * row["nn"] / (row["nn"] + row["nd"] + row["dn"] + row["dd"]) for row in rows], "^--",
                color=COLORS[1], label="nn, of edges")
    shares.set_ylabel("percent")
    legend_beside(figure, [axes, shares])
    save(figure, folder, "suggested.png")


def plot_thresholds(rows, folder):
    ranks = max(row["ranks"] for row in rows)
    rows = [row for row in rows if row["ranks"] == ranks and not row["weak"]]
    if len({row["threshold"] for row in rows}) < 2:
        return
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for number, variant in enumerate(dict.fromkeys(row["variant"] for row in rows)):
        own = sorted((row for row in rows if row["variant"] == variant), key=lambda row: row["threshold"])
        axes.plot([row["threshold"] for row in own], [row["geometric_mean_gteps"] for row in own], label=variant,
                  **line_style(number))
    count_axis(axes, [row["threshold"] for row in rows])
    axes.set(xlabel="degree threshold", ylabel="GTEPS, geometric mean", title=f"{title(rows[0])}, {ranks} ranks")
    axes.set_ylim(bottom=0)
    legend_beside(figure, [axes])
    save(figure, folder, "thresholds.png")


def plot_options(rows, folder):
    ranks = max(row["ranks"] for row in rows)
    rows = [row for row in rows if row["ranks"] == ranks]
    names = [f"{row['variant']}\nTH {row['threshold']}" for row in rows]
    parts = (("exchange_seconds", "normal vertices"), ("reduction_seconds", "delegates"), ("agreement_seconds", "agreement"),
             ("parents_seconds", "parents at the end"))
    figure, axes = plt.subplots(figsize=(max(5, 1.2 * len(rows)), 4.5))
    bottom = [0.0] * len(rows)
    total = [1e3 * row["seconds"]["median"] for row in rows]
    told = [sum(1e3 * row[key]["median"] for key, _ in parts) for row in rows]
    heights = [("computation", [max(0.0, t - s) for t, s in zip(total, told)])]
    heights += [(label, [1e3 * row[key]["median"] for row in rows]) for key, label in parts]
    for color, (label, height) in zip(COLORS, heights):
        axes.bar(names, height, bottom=bottom, label=label, color=color)
        bottom = [b + h for b, h in zip(bottom, height)]
    axes.set(ylabel="ms, median", title=f"{title(rows[0])}, {ranks} ranks")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    save(figure, folder, "options.png")


def plot_scaling(rows, folder):
    if len({row["ranks"] for row in rows}) < 2:
        return
    figure, axes = plt.subplots(figsize=(7, 4.5))
    series = dict.fromkeys((row["weak"], row["variant"]) for row in rows)
    for number, (weak, variant) in enumerate(sorted(series)):
        own = sorted((row for row in rows if row["variant"] == variant and row["weak"] == weak), key=lambda row: row["ranks"])
        axes.plot([row["ranks"] for row in own], [row["geometric_mean_gteps"] for row in own],
                  label=f"{variant}, {'weak' if weak else 'strong'}", **line_style(number))
    count_axis(axes, [row["ranks"] for row in rows])
    rate_axis(axes)
    axes.set(xlabel="ranks", ylabel="GTEPS, geometric mean")
    legend_beside(figure, [axes])
    save(figure, folder, "scaling.png")


def main():
    arguments = parse_arguments(__doc__)
    rows = read_rows(arguments.results, "bench_delegates")
    separations = [row for row in rows if "variant" not in row]
    searches = [row for row in rows if "variant" in row]
    if separations:
        plot_separations(separations, arguments.output)
        plot_suggested(separations, arguments.output)
    if searches:
        plot_thresholds(searches, arguments.output)
        plot_options(searches, arguments.output)
        plot_scaling(searches, arguments.output)


if __name__ == "__main__":
    main()
