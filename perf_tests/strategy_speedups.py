#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much faster each strategy is than vertex-chunk, graph by graph, as Slota et al. 2015, Figures 1 and 3, say it.

    strategy_speedups.py [NAME=]result.json [...]

takes what `dromos bfs|color|... --strategy all --json result.json GRAPH` wrote, a file a graph, and prints a table an
algorithm: the median time of vertex-chunk, how many times faster the others are, and the geometric mean over the graphs.
NAME is what the graph is called in the table (otherwise as the result says).
"""

import math
import statistics
import sys

from benchmark_results import read_result

BASE = "vertex-chunk"


def read(path, name):
    """{(algorithm, graph): {strategy: median seconds}} of a file; `name` is that of its graph, where not empty."""
    result = read_result(path)
    if not result.get("runs"):
        sys.exit(f"{path}: expected a result of dromos with --json, found no runs in it")
    seconds = {}
    for run in result["runs"]:
        if "strategy" not in run:
            sys.exit(f"{path}: a run of {run['algorithm']} has no strategy; expected a result of --strategy all")
        if run["valid"] is False:
            sys.exit(f"{path}: a result of {run['strategy']} is not valid, so its time means nothing")
        graph = name or result["graph"]["source"].rpartition("/")[2]
        seconds.setdefault((run["algorithm"], graph), {}).setdefault(run["strategy"], []).append(run["seconds"])
    return {key: {strategy: statistics.median(times) for strategy, times in by_strategy.items()}
            for key, by_strategy in seconds.items()}


def print_table(algorithm, graphs):
    """A row a graph that has BASE."""
    strategies = [strategy for strategy in next(iter(graphs.values())) if strategy != BASE]
    print(f"\n| {algorithm} | {BASE} ms | " + " | ".join(strategies) + " |")
    print("|---|" + "--:|" * (len(strategies) + 1))
    logarithms = {strategy: [] for strategy in strategies}
    for graph, seconds in graphs.items():
        ratios = {strategy: seconds[BASE] / seconds[strategy] for strategy in strategies}
        for strategy, ratio in ratios.items():
            logarithms[strategy].append(math.log(ratio))
        print(f"| {graph} | {1e3 * seconds[BASE]:.3g} | " + " | ".join(f"{ratios[s]:.2f}" for s in strategies) + " |")
    means = (f"{math.exp(statistics.mean(logarithms[strategy])):.2f}" for strategy in strategies)
    print(f"| geometric mean of {len(graphs)} | | " + " | ".join(means) + " |")


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return
    by_algorithm = {}
    for argument in arguments:
        name, _, path = argument.rpartition("=")
        for (algorithm, graph), seconds in read(path, name).items():
            if BASE not in seconds:
                sys.exit(f"{path}: no run with {BASE}; measure with --strategy all")
            graphs = by_algorithm.setdefault(algorithm, {})
            if graphs and seconds.keys() != next(iter(graphs.values())).keys():
                sys.exit(f"{path}: other strategies than the file before it; measure all with the same")
            graphs[graph] = seconds
    for algorithm, graphs in by_algorithm.items():
        print_table(algorithm, graphs)


if __name__ == "__main__":
    main(sys.argv[1:])
