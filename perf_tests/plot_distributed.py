#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plots of result files of bench_distributed, after Mastrostefano 2013, Section 4.3.3.

    plot_distributed.py results.json [more.json ...] [--output FOLDER]

Prints, as far as the files have what they show:

    weak scaling      SCALE, ranks, computation and communication in seconds, and the neighbors of the largest frontier
                      before and after pruning, of searches by vertices (Table 4.2)
    strong scaling    GTEPS and speedup over the fewest ranks (Table 4.3)

and writes

    split.png         computation and communication over the number of ranks (the same columns of Table 4.2)
    scaling.png       GTEPS over the number of ranks
    edge_factors.png  GTEPS over the number of ranks, a line an edge factor (Figure 4.10)
    graphs.png        GTEPS over the number of ranks, Kronecker and Erdos-Renyi graphs (Figure 4.11)

Needs matplotlib.
"""

import math

from benchmark_plots import count_axis, legend_beside, line_style, parse_arguments, plt, rate_axis, save
from benchmark_results import read_rows


def distinct(rows, field):
    return list(dict.fromkeys(row[field] for row in rows))


def select(rows, **fields):
    """The rows with these values, by number of ranks."""
    found = [row for row in rows if all(row[name] == value for name, value in fields.items())]
    return sorted(found, key=lambda row: row["ranks"])


def computation(row):
    return max(0.0, row["seconds"]["median"] - row["communication_seconds"]["median"])


def scale_of_line(row):
    """What the scale of a row would be on one rank, where graphs grow with the ranks; else its scale."""
    return row["scale"] - round(math.log2(row["ranks"])) if row["weak"] else row["scale"]


def series(rows):
    """Rows that differ in the number of ranks alone, and in the scale where graphs grow with the ranks."""
    for weak in (True, False):
        for graph in distinct(rows, "graph"):
            for edge_factor in distinct(rows, "edge_factor"):
                for algorithm in distinct(rows, "algorithm"):
                    own = select(rows, weak=weak, graph=graph, edge_factor=edge_factor, algorithm=algorithm)
                    for scale in dict.fromkeys(map(scale_of_line, own)):
                        line = [row for row in own if scale_of_line(row) == scale]
                        if len(line) > 1:
                            yield weak, f"{algorithm}, {graph}, edge factor {edge_factor}, scale {scale}", line


def print_tables(rows):
    for weak, title, line in series(rows):
        print(f"\n{'Weak' if weak else 'Strong'} scaling: {title}")
        if weak:
            print(f"{'SCALE':>6} {'ranks':>6} {'comp. s':>10} {'comm. s':>10} {'NLFS':>14} {'after SU':>14} {'GTEPS':>9}")
        else:
            print(f"{'ranks':>6} {'comp. s':>10} {'comm. s':>10} {'GTEPS':>9} {'speedup':>8}")
        for row in line:
            times = f"{computation(row):10.5f} {row['communication_seconds']['median']:10.5f}"
            if weak:
                level = max(row["levels"], key=lambda level: level["frontier_edges"])
                before = after = ""
                if "UR" in level and not level["backward_search"]:
                    before, after = f"{level['NLF']:.0f}", f"{level['NLF'] * level['UR']:.0f}"
                print(f"{row['scale']:6} {row['ranks']:6} {times} {before:>14} {after:>14} {row['harmonic_mean_gteps']:9.5f}")
            else:
                speedup = row["harmonic_mean_gteps"] / line[0]["harmonic_mean_gteps"]
                print(f"{row['ranks']:6} {times} {row['harmonic_mean_gteps']:9.5f} {speedup:8.2f}")


def draw_lines(lines, folder, name, title):
    """One line each: (weak, label, rows); a panel for weak and one for strong scaling, with one legend."""
    kinds = [weak for weak in (True, False) if any(line[0] == weak for line in lines)]
    figure, panels = plt.subplots(1, len(kinds), figsize=(4.5 * len(kinds), 4), squeeze=False)
    labels = list(dict.fromkeys(label for _, label, _ in lines))
    for weak, axes in zip(kinds, panels[0]):
        own = [(label, line) for which, label, line in lines if which == weak]
        for label, line in own:
            axes.plot([row["ranks"] for row in line], [row["harmonic_mean_gteps"] for row in line], label=label,
                      **line_style(labels.index(label)))
        rate_axis(axes)
        count_axis(axes, [row["ranks"] for _, line in own for row in line])
        scales = {scale_of_line(line[0]) for _, line in own}
        of_scale = f", scale {min(scales)}" + (" on one rank" if weak else "") if len(scales) == 1 else ""
        axes.set(xlabel="ranks", ylabel="GTEPS (harmonic mean)", title=f"{title}, {'weak' if weak else 'strong'}{of_scale}")
        axes.grid(alpha=0.3)
    legend_beside(figure, panels[0])
    save(figure, folder, name)


def without_scale(rows, weak, title):
    """The title of a line without its scale, which the panel has where all of its lines have the same."""
    alone = len({scale_of_line(line[0]) for kind, _, line in series(rows) if kind == weak}) == 1
    return title.rsplit(", scale ", 1)[0] if alone else title


def plot_split(rows, folder):
    lines = list(series(rows))
    if not lines:
        return
    columns = min(3, len(lines))
    height = -(-len(lines) // columns)
    figure, panels = plt.subplots(height, columns, figsize=(5 * columns, 3.2 * height), squeeze=False)
    for panel in panels.flat[len(lines):]:
        panel.set_visible(False)
    for (weak, title, line), panel in zip(lines, panels.flat):
        names = [str(row["ranks"]) for row in line]
        below = [computation(row) for row in line]
        panel.bar(names, below, label="computation")
        panel.bar(names, [row["communication_seconds"]["median"] for row in line], bottom=below, label="communication")
        panel.set_title(f"{title} ({'weak' if weak else 'strong'})", fontsize=8)
        panel.set_xlabel("ranks")
    for line in panels:
        line[0].set_ylabel("seconds, median")
    panels[0][0].legend()
    save(figure, folder, "split.png")


def plot_scaling(rows, folder):
    lines = [(weak, without_scale(rows, weak, title), line) for weak, title, line in series(rows)]
    if lines:
        draw_lines(lines, folder, "scaling.png", "Scaling")


def plot_by(rows, folder, field, name, title):
    """A line for each value of the field and each algorithm, where there is more than one value."""
    if len(distinct(rows, field)) < 2:
        return
    lines = []
    for weak, _, line in series(rows):
        lines.append((weak, f"{line[0]['algorithm']}, {line[0][field]}", line))
    if lines:
        draw_lines(lines, folder, name, title)
        return
    figure, axes = plt.subplots(figsize=(7, 4.5))  # one number of ranks alone
    for algorithm in distinct(rows, "algorithm"):
        own = select(rows, algorithm=algorithm)
        axes.plot([str(row[field]) for row in own], [row["harmonic_mean_gteps"] for row in own], "o-", label=algorithm)
    axes.set(xlabel=field.replace("_", " "), ylabel="GTEPS (harmonic mean)", title=title)
    axes.set_ylim(bottom=0)
    axes.legend()
    save(figure, folder, name)


def main():
    arguments = parse_arguments(__doc__)
    rows = read_rows(arguments.results, "bench_distributed")
    print_tables(rows)
    plot_split(rows, arguments.output)
    plot_scaling(rows, arguments.output)
    plot_by(rows, arguments.output, "edge_factor", "edge_factors.png", "Edge factors")
    plot_by(rows, arguments.output, "graph", "graphs.png", "Kronecker and Erdos-Renyi graphs")


if __name__ == "__main__":
    main()
