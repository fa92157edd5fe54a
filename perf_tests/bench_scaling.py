#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much faster is each algorithm with every thread, and where is one slower with more of them?

    bench_scaling.py --programs build/bin --scale 22 --json scaling.json --plot scaling.png
    bench_scaling.py --programs build/bin --threads 1,2,4,8 --algorithm bfs,cc --graph kronecker,cnr-2000.txt.xz
    bench_scaling.py --read scaling.json --plot scaling.png                      # tables and plot of an earlier run

runs bench_ALGORITHM of a build for CPUs on every graph with every number of threads, and prints two tables, times and
speed-ups with parallel efficiencies (speed-up over threads). Graphs are kinds that the benchmarks generate, or files:
web and road graphs, with random weights where paths want some and a file has none. The numbers of threads take turns,
round by round, so that a drift of the machine's speed meets them alike; a time is the median of the rounds, each the
median of a benchmark's runs. Answers are validated in the first round. With --strict the exit code is 1 where some
number of threads is slower than half as many by more than 5%.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from benchmark_results import read_rows

ALGORITHMS = ["bfs", "sssp", "cc", "scc", "color", "kcore", "pagerank", "bc", "diameter"]
GRAPHS = ["kronecker", "erdos-renyi", "random-geometric"]
# What is not the default of a benchmark.
OPTIONS = {"cc": ["--method", "afforest"], "diameter": ["--searches", "20"]}
FROM_ROOTS = ["bfs", "sssp", "bc"]


def thread_numbers(most):
    """1, 2, 4 ... and all."""
    numbers = []
    threads = 1
    while threads < most:
        numbers.append(threads)
        threads *= 2
    return numbers + [most]


def environment_of(threads):
    """Threads spread over the cores, unless the caller says otherwise."""
    return {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores", **os.environ, "OMP_NUM_THREADS": str(threads)}


def run_benchmark(arguments, algorithm, graph, threads, validate):
    """The result of one program."""
    program = arguments.programs.resolve() / f"bench_{algorithm}"
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        command = [program, "--graph", graph, "--scale", str(arguments.scale), "--json", result,
                   "--roots" if algorithm in FROM_ROOTS else "--runs", str(arguments.runs),
                   *OPTIONS.get(algorithm, [])]
        if not validate:
            command.append("--no-validation")

        def run(*more):
            return subprocess.run([*command, *more], env=environment_of(threads), capture_output=True, text=True,
                                  check=False)

        try:
            outcome = run()
            if outcome.returncode != 0 and "--uniform-weights" in outcome.stderr:  # of a file without weights
                outcome = run("--uniform-weights")
        except OSError as error:
            sys.exit(f"{program}: cannot be run: {error.strerror}; --programs names the folder of the benchmarks")
        if outcome.returncode != 0:
            sys.exit(f"{program} with {threads} threads on {graph}: {outcome.stderr.strip()}")
        return json.loads(result.read_text(encoding="utf-8"))


def result_of(arguments, environment, times):
    """{"benchmark", "environment", "options", "rows"}: a row for each algorithm, method, graph and number of threads."""
    rows = [{"algorithm": algorithm, "method": method, "strategy": strategy, "graph": graph, "threads": threads,
             "seconds": statistics.median(values), "rounds": values}
            for (algorithm, method, strategy, graph, threads), values in times.items()]
    options = {"scale": arguments.scale, "runs": arguments.runs, "rounds": arguments.rounds}
    return {"benchmark": "scaling", "environment": environment, "options": options, "rows": rows}


def write_result(path, result):
    """Replaces the file, or leaves it as it was where there is no room, and nothing beside it."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        sys.exit(f"{path}: cannot be written: {error.strerror}; what was there before is still there")


def measure(arguments):
    """The result, which is in the file after every algorithm and graph: a measurement of hours may be interrupted."""
    times = {}
    environment = None
    for algorithm in arguments.algorithm:
        for graph in arguments.graph:
            for round_number in range(arguments.rounds):
                for threads in arguments.threads:
                    result = run_benchmark(arguments, algorithm, graph, threads,
                                           round_number == 0 and not arguments.no_validation)
                    environment = environment or result["environment"]
                    if result["environment"]["execution_space"] not in ("OpenMP", "Threads"):
                        sys.exit(f"these benchmarks run on {result['environment']['execution_space']}, where threads "
                                 "of the CPU have no say; build them for OpenMP")
                    for row in result["rows"]:
                        method = row.get("method", row.get("algorithm", ""))
                        if method == "serial":
                            continue
                        name = row["graph"] + (f" {row['scale']}" if "scale" in row else "")
                        key = (algorithm, method, row["strategy"], name, threads)
                        times.setdefault(key, []).append(row["seconds"]["median"])
            print(f"{algorithm}, {graph}: done", file=sys.stderr)
            if arguments.json:
                write_result(arguments.json, result_of(arguments, environment, times))
    return result_of(arguments, environment, times)


def series(rows):
    """{(algorithm, graph): {threads: seconds}}, methods in the name of the algorithm."""
    lines = {}
    for row in rows:
        method = row["method"] if row["method"] not in ("", row["algorithm"]) else ""
        name = method if method.startswith(row["algorithm"]) else " ".join(filter(None, [row["algorithm"], method]))
        lines.setdefault((name, row["graph"]), {})[row["threads"]] = row["seconds"]
    return {key: dict(sorted(line.items())) for key, line in lines.items()}


def setbacks(lines):
    """[(algorithm, graph, threads, ratio)]: slower than with half as many threads, by more than 5%."""
    found = []
    for (algorithm, graph), line in lines.items():
        for threads, seconds in line.items():
            half = max((fewer for fewer in line if 2 * fewer <= threads), default=None)
            if half is not None and seconds > 1.05 * line[half]:
                found.append((algorithm, graph, threads, seconds / line[half]))
    return found


def print_table(title, threads, lines, cell):
    print(f"\n| {title} | graph | " + " | ".join(map(str, threads)) + " |")
    print("|---|---|" + "--:|" * len(threads))
    for (algorithm, graph), line in lines.items():
        cells = [cell(line, number) if number in line else "" for number in threads]
        print(f"| {algorithm} | {graph} | " + " | ".join(cells) + " |")


def speedup(line, threads):
    """Over the smallest number of threads there is, as if that had been measured with one thread at its speed."""
    fewest = min(line)
    return fewest * line[fewest] / line[threads]


def print_tables(lines):
    threads = sorted({number for line in lines.values() for number in line})
    print_table("ms, by threads", threads, lines, lambda line, number: f"{1e3 * line[number]:.3g}")
    print_table("speed-up, efficiency", threads, lines, lambda line, number:
                f"{speedup(line, number):.2f}, {100 * speedup(line, number) / number:.0f}%")
    found = setbacks(lines)
    print(f"\n{len(found)} times slower than half as many threads, by more than 5%" + (":" if found else ""))
    for algorithm, graph, number, ratio in found:
        print(f"- {algorithm}, {graph}: {number} threads take {ratio:.2f} times as long")


def plot(lines, path):
    """A panel an algorithm, a line a graph, both axes by doublings; dashed: every thread as fast as the first."""
    from benchmark_plots import plt, save
    algorithms = list(dict.fromkeys(algorithm for algorithm, _ in lines))
    columns = min(3, len(algorithms))
    height = -(-len(algorithms) // columns)
    figure, panels = plt.subplots(height, columns, figsize=(4 * columns, 3.2 * height), squeeze=False, sharex=True,
                                  sharey=True)
    graphs = list(dict.fromkeys(graph for _, graph in lines))
    threads = sorted({number for line in lines.values() for number in line})
    for panel, algorithm in zip(panels.flat, algorithms):
        panel.plot(threads, threads, "--", color="grey", linewidth=1)
        for i, graph in enumerate(graphs):
            line = lines.get((algorithm, graph))
            if line:
                panel.plot(list(line), [speedup(line, number) for number in line], "o-", color=f"C{i}", markersize=4,
                           label=graph)
        panel.set_title(algorithm, fontsize=10)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log", base=2)
        panel.set_xticks(threads, [str(number) for number in threads])
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        panel.grid(alpha=0.3)
    for panel in panels.flat[len(algorithms):]:
        panel.set_axis_off()
    for panel in panels[:, 0]:
        panel.set_ylabel("speed-up")
    for panel in panels.flat[max(0, len(algorithms) - columns):len(algorithms)]:  # the lowest of each column
        panel.tick_params(labelbottom=True)
        panel.set_xlabel("threads")
    panels.flat[0].legend(fontsize=8)
    save(figure, path.parent, path.name)


def parse_arguments():
    def names(text):
        return text.split(",")

    def numbers(text):
        return sorted({int(part) for part in text.split(",")})

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, help="folder of the benchmarks")
    parser.add_argument("--algorithm", type=names, default=ALGORITHMS, help="some of " + ", ".join(ALGORITHMS))
    parser.add_argument("--graph", type=names, default=GRAPHS, help="kinds and files; default: " + ", ".join(GRAPHS))
    parser.add_argument("--threads", type=numbers, default=thread_numbers(len(os.sched_getaffinity(0))),
                        help="numbers of threads; default: 1, 2, 4 ... and as many as this process may use")
    parser.add_argument("--scale", type=int, default=20, help="log2 of the vertices of generated graphs (default: 20)")
    parser.add_argument("--runs", type=int, default=4, help="runs, or roots, of each in a round (default: 4)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of the numbers of threads (default: 3)")
    parser.add_argument("--no-validation", action="store_true",
                        help="not even in the first round, whose runs then find caches as the run before left them")
    parser.add_argument("--read", type=pathlib.Path, help="read this result instead of measuring")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    parser.add_argument("--plot", type=pathlib.Path, help="draw the speed-ups; needs matplotlib")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where more threads are slower")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.algorithm if name not in ALGORITHMS]
    if unknown:
        parser.error(f"--algorithm: there is no {', '.join(unknown)}; some of {', '.join(ALGORITHMS)}")
    if (arguments.programs is None) == (arguments.read is None):
        parser.error("give --programs FOLDER to measure, or --read FILE")
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.read:
        rows = read_rows([arguments.read], "scaling")
    else:
        result = measure(arguments)
        rows = result["rows"]
    lines = series(rows)
    print_tables(lines)
    if arguments.plot:
        plot(lines, arguments.plot)
    if arguments.strict and setbacks(lines):
        sys.exit(1)


if __name__ == "__main__":
    main()
