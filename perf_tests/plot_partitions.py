#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots of a result file of bench_partitions.

    plot_partitions.py results.json [more.json ...] [--output FOLDER]

Writes, as far as the file has what they show:

    frontier.png     vertices of the frontier per level (Fu et al. 2014, Figure 1)
    levels.png       computation and communication per level, one panel a search (Figure 3)
    partitions.png   TEPS, bytes, messages and memory of each search, at the largest number of ranks
    scaling.png      TEPS over the number of ranks (Figures 4 and 5)
    latency.png      time over the latency of a message, of files measured with several --latency

Needs matplotlib.
"""

from benchmark_plots import COLORS, count_axis, legend_beside, line_style, parse_arguments, plt, rate_axis, save
from benchmark_results import read_rows


def largest(rows):
    """The rows of the largest graph on the most ranks, without added latency where there are such."""
    least_latency = min(row["latency_microseconds"] for row in rows)
    rows = [row for row in rows if row["latency_microseconds"] == least_latency]
    most = max((row["ranks"], row["scale"]) for row in rows)
    return [row for row in rows if (row["ranks"], row["scale"]) == most]


def title_of(row):
    return f"Kronecker scale {row['scale']}, edge factor {row['edge_factor']}, {row['ranks']} ranks"


def plot_frontier(rows, folder):
    row = largest(rows)[0]
    sizes = [level["frontier_size"] for level in row["levels"]]
    if not sizes:
        return
    figure, axes = plt.subplots(figsize=(5, 3.5))
    axes.bar(range(len(sizes)), sizes, color=COLORS[0])
    axes.set_yscale("log")
    axes.set_xlabel("level")
    axes.set_ylabel("vertices of the frontier")
    axes.set_title(title_of(row))
    save(figure, folder, "frontier.png")


def plot_levels(rows, folder):
    rows = [row for row in largest(rows) if row["levels"] and "communication" in row["levels"][0]]
    if not rows:
        return
    columns = min(3, len(rows))
    lines = -(-len(rows) // columns)
    figure, panels = plt.subplots(lines, columns, figsize=(4 * columns, 3 * lines), squeeze=False, sharey=True)
    for panel in panels.flat[len(rows):]:
        panel.set_visible(False)
    for row, panel in zip(rows, panels.flat):
        communication = [1e3 * level["communication"] for level in row["levels"]]
        computation = [max(0, 1e3 * level["time"] - spent) for level, spent in zip(row["levels"], communication)]
        levels = range(len(communication))
        panel.bar(levels, computation, label="computation", color=COLORS[0])
        panel.bar(levels, communication, bottom=computation, label="communication", color=COLORS[1])
        panel.set_title(row["algorithm"])
        panel.set_xlabel("level")
    for line in panels:
        line[0].set_ylabel("milliseconds")
    panels[0][0].legend()
    figure.suptitle(title_of(rows[0]))
    save(figure, folder, "levels.png")


def plot_partitions(rows, folder):
    rows = largest(rows)
    figure, panels = plt.subplots(2, 2, figsize=(10, 7))
    names = [row["algorithm"] for row in rows]
    for panel, field, label in zip(
        panels.flat,
        ["harmonic_mean_gteps", "bytes_sent_per_search", "messages_per_search", "graph_bytes_of_a_rank"],
        ["GTEPS (harmonic mean)", "bytes sent per search", "messages per search", "bytes of the graph on a rank"],
    ):
        panel.barh(names, [row[field] for row in rows], color=COLORS[0])
        panel.invert_yaxis()
        panel.set_xlabel(label)
    figure.suptitle(title_of(rows[0]))
    save(figure, folder, "partitions.png")


def plot_scaling(rows, folder):
    least_latency = min(row["latency_microseconds"] for row in rows)
    rows = [row for row in rows if row["latency_microseconds"] == least_latency]
    if len({row["ranks"] for row in rows}) < 2:
        return
    scales = sorted({row["scale"] for row in rows})
    # A scale that comes with one number of ranks alone belongs to a series of growing graphs.
    weak = len(scales) > 1 and all(len({row["ranks"] for row in rows if row["scale"] == scale}) == 1 for scale in scales)
    figure, axes = plt.subplots(figsize=(5.5, 4))
    for number, name in enumerate(dict.fromkeys(row["algorithm"] for row in rows)):
        for scale in [None] if weak else scales:
            points = sorted(
                (row["ranks"], row["harmonic_mean_gteps"])
                for row in rows
                if row["algorithm"] == name and scale in (None, row["scale"])
            )
            label = name if weak or len(scales) == 1 else f"{name}, scale {scale}"
            style = line_style(number if weak or len(scales) == 1 else len(axes.get_lines()))
            axes.plot(*zip(*points), label=label, **style)
    count_axis(axes, [row["ranks"] for row in rows])
    rate_axis(axes)
    axes.set_xlabel("ranks")
    axes.set_ylabel("GTEPS (harmonic mean)")
    axes.set_title("Weak scaling" if weak else "Strong scaling")
    legend_beside(figure, [axes])
    save(figure, folder, "scaling.png")


def plot_latency(rows, folder):
    most = max((row["ranks"], row["scale"]) for row in rows)
    rows = [row for row in rows if (row["ranks"], row["scale"]) == most]
    if len({row["latency_microseconds"] for row in rows}) < 2:
        return
    figure, axes = plt.subplots(figsize=(5.5, 4))
    for number, name in enumerate(dict.fromkeys(row["algorithm"] for row in rows)):
        points = sorted(
            (row["latency_microseconds"], 1e3 * row["seconds"]["median"]) for row in rows if row["algorithm"] == name
        )
        axes.plot(*zip(*points), label=name, **line_style(number))
    axes.set_xlabel("added latency of a message, microseconds")
    axes.set_ylabel("milliseconds per search (median)")
    axes.set_title(f"{rows[0]['ranks']} ranks, scale {rows[0]['scale']}")
    axes.set_ylim(bottom=0)
    legend_beside(figure, [axes])
    save(figure, folder, "latency.png")


def main():
    arguments = parse_arguments(__doc__)
    rows = read_rows(arguments.results, "bench_partitions")
    for plot in (plot_frontier, plot_levels, plot_partitions, plot_scaling, plot_latency):
        plot(rows, arguments.output)


if __name__ == "__main__":
    main()
