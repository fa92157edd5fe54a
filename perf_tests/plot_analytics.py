#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables and a plot of result files of bench_analytics: algorithms on parts of distributed graphs over the ranks.

    plot_analytics.py results.json [more.json ...] [--output FOLDER]

Prints, of each scale and kind of graph, a table for strong and one for weak scaling (bench_analytics --weak) of as many
ranks as there are: milliseconds of each algorithm on the whole graph by one rank, and by vertices, with delegates and on
a grid on each number of ranks; then what they are over the fewest ranks of the same partition (speedup; weak: efficiency), and
the most memory of a rank. Writes

    analytics.png     a panel for each algorithm: seconds over the number of ranks, a line for each partition; dashed
                      where graphs grow with the ranks, and a dotted level where the whole graph was measured

Needs matplotlib.
"""

import math

from benchmark_plots import count_axis, legend_beside, line_style, parse_arguments, plt, rate_axis, save
from benchmark_results import read_rows


PARTITIONS = ("vertices", "delegates", "grid")


def scale_of_rank(row):
    """What the scale of a row is, of a graph that grows with the ranks on one of them."""
    return row["scale"] - round(math.log2(row["ranks"])) if row["weak"] else row["scale"]


def kind_of(row):
    return row["weak"], row["directed"], scale_of_rank(row), row.get("graph", "kronecker")


def title_of(kind):
    weak, directed, scale, graph = kind
    edges = "directed" if directed else "undirected"
    return f"{'Weak' if weak else 'Strong'} scaling, {graph} {scale}{' on one rank' if weak else ''}, {edges}"


def median(row):
    return row["seconds"]["median"]


def tables_of(rows):
    """By kind of graph, by algorithm, by partition: the rows by number of ranks; of several of a kind the last."""
    tables = {}
    for row in sorted(rows, key=lambda row: row["ranks"]):
        tables.setdefault(kind_of(row), {}).setdefault(row["algorithm"], {}).setdefault(row["partition"], {})[row["ranks"]] = row
    return tables


def gain(kind, line, ranks):
    """Speedup over the fewest ranks; of graphs that grow the efficiency, in percent."""
    first = median(line[min(line)])
    return f"{100 * first / median(line[ranks]):.0f}%" if kind[0] else f"{first / median(line[ranks]):.2f}x"


def cell(kind, line, ranks):
    """Time, gain, and memory where the file says it."""
    bytes_of_a_rank = line[ranks].get("peak_bytes_of_a_rank")
    memory = "" if bytes_of_a_rank is None else f" {1e-6 * bytes_of_a_rank:.0f}"
    return f"{1e3 * median(line[ranks]):.4g} {gain(kind, line, ranks)}{memory}"


def print_table(kind, algorithms):
    partitions = [name for name in PARTITIONS if any(name in lines for lines in algorithms.values())]
    counts = sorted({ranks for lines in algorithms.values() for name in partitions for ranks in lines.get(name, {})})
    print(f"\n{title_of(kind)}; ms, over the fewest ranks, MB of a rank")
    print(f"{'':10} {'whole':>12} " + " ".join(f"{name + ' ' + str(ranks):>22}" for name in partitions for ranks in counts))
    for algorithm, lines in algorithms.items():
        whole = lines.get("whole", {}).get(1)
        cells = [f"{1e3 * median(whole):12.4g}" if whole else f"{'':12}"]
        for name in partitions:
            for ranks in counts:
                line = lines.get(name, {})
                cells.append(f"{cell(kind, line, ranks) if ranks in line else '':>22}")
        print(f"{algorithm:10} " + " ".join(cells))


def plot(tables, folder):
    algorithms = list(dict.fromkeys(name for lines in tables.values() for name in lines))
    columns = min(4, len(algorithms))
    height = -(-len(algorithms) // columns)
    figure, panels = plt.subplots(height, columns, figsize=(3.4 * columns, 3.1 * height), squeeze=False)
    for panel in panels.flat[len(algorithms):]:
        panel.set_visible(False)
    labels = [(kind, name) for kind in tables for name in PARTITIONS]
    for algorithm, axes in zip(algorithms, panels.flat):
        counts = {1}
        for kind, lines in tables.items():
            for name, line in lines.get(algorithm, {}).items():
                if name == "whole":
                    if not kind[0]:
                        axes.axhline(median(line[1]), linestyle=":", color="0.4", label="the whole graph, one rank")
                    continue
                counts |= set(line)
                weak, directed, scale, graph = kind
                label = f"{name}, {graph} {scale}{' a rank' if weak else ''}{', directed' if directed else ''}"
                axes.plot(list(line), [median(row) for row in line.values()], label=label,
                          **{**line_style(labels.index((kind, name))), "linestyle": "--" if weak else "-"})
        count_axis(axes, counts)
        rate_axis(axes)
        low, high = axes.get_ylim()
        middle = math.sqrt(low * high)
        axes.set_ylim(min(low, middle / 2), max(high, 2 * middle))  # a few percent look like a few percent
        axes.set(title=algorithm, xlabel="ranks")
        axes.grid(alpha=0.3)
    for line in panels:
        line[0].set_ylabel("seconds, median")
    legend_beside(figure, panels.flat[:len(algorithms)])
    save(figure, folder, "analytics.png")


def main():
    arguments = parse_arguments(__doc__)
    tables = tables_of(read_rows(arguments.results, "bench_analytics"))
    for kind, algorithms in tables.items():
        print_table(kind, algorithms)
    plot(tables, arguments.output)


if __name__ == "__main__":
    main()
