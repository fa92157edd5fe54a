# SPDX-License-Identifier: BSD-3-Clause
"""Answers of the program on random graphs beside those of SciPy and NetworkX; run by check-oracles.sh."""

import argparse
import collections
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import networkx
import scipy.sparse
import scipy.sparse.csgraph

LIMIT_S = 120  # for one run of the program


class Graph:
    """A random graph, as a file and as what the libraries take; vertices are numbered from 1, and each has an edge."""

    def __init__(self, seed, folder):
        choose = random.Random(seed)
        self.name = f"graph {seed}"
        self.directed = choose.random() < 0.5
        n = choose.choice([1, 2, 3, 8, 30, 120])
        m = int(n * choose.choice([0.5, 1, 2, 6])) + 1
        shift = choose.choice([0, 1000])  # ids with a gap below
        # 64ths are the same in single and double precision, added up too; whole weights, some beyond 2^24, are exact.
        kind = choose.choice(["whole", "large", "64ths"])
        weight = {
            "whole": lambda: choose.randint(0, 9),
            "large": lambda: choose.choice([1, 2, 3, 16777216, 33554432]),
            "64ths": lambda: choose.randint(0, 640) / 64,
        }[kind]
        lines = [(choose.randint(1, n) + shift, choose.randint(1, n) + shift, weight()) for _ in range(m)]
        if choose.random() < 0.3:  # deep: a path besides
            lines += [(v + shift, v + 1 + shift, weight()) for v in range(1, n)]
        self.path = folder / f"{seed}.txt"
        self.path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in lines))
        self.graph = networkx.DiGraph() if self.directed else networkx.Graph()
        for u, v, w in lines:
            self.graph.add_nodes_from((u, v))
            if u != v and not (self.graph.has_edge(u, v) and self.graph[u][v]["weight"] <= w):
                self.graph.add_edge(u, v, weight=w)
        self.vertices = sorted(self.graph)
        self.root = choose.choice(self.vertices)
        self.ranks = None
        self.options = [] if self.directed else ["--undirected"]

    def matrix(self):
        place = {v: i for i, v in enumerate(self.vertices)}
        arcs = [(place[u], place[v]) for u, v in self.graph.edges()]
        rows, columns = zip(*arcs) if arcs else ((), ())
        n = len(self.vertices)
        return scipy.sparse.csr_matrix(([1] * len(arcs), (rows, columns)), shape=(n, n))


def distances(graph):
    """Exact: Python adds whole numbers of any size, and 64ths in double without rounding."""
    found = networkx.single_source_dijkstra_path_length(graph.graph, graph.root)
    return {v: found.get(v, math.inf) for v in graph.vertices}


def levels(graph):
    found = networkx.single_source_shortest_path_length(graph.graph, graph.root)
    return {v: found.get(v, -1) for v in graph.vertices}


def components(graph, connection):
    _, labels = scipy.sparse.csgraph.connected_components(graph.matrix(), graph.directed, connection)
    return dict(zip(graph.vertices, labels.tolist()))


def colors(graph):
    color = {}
    for v in reversed(graph.vertices):
        for reached in [v, *networkx.descendants(graph.graph, v)]:
            color.setdefault(reached, v)
    return color


def centrality(graph):
    return networkx.betweenness_centrality(graph.graph, normalized=False)


def pagerank(graph):
    return networkx.pagerank(graph.graph, tol=1e-13, max_iter=10000, weight=None)


def equal(found, expected):
    return found == expected


def near(found, expected):
    return found.keys() == expected.keys() and all(
        math.isclose(found[v], expected[v], rel_tol=1e-9, abs_tol=1e-9) for v in expected
    )


def same_classes(found, expected):
    """Labels that differ in name only."""
    pairs = {(found[v], expected[v]) for v in expected} if found.keys() == expected.keys() else set()
    return len(pairs) == len(set(found.values())) == len(set(expected.values()))


def proper_colors(found, graph):
    return found.keys() == set(graph.vertices) and all(found[u] != found[v] for u, v in graph.graph.edges())


def exact_number(text):
    return float(text) if not text.lstrip("-").isdigit() else int(text)


# What is asked: name, arguments, column of the output, what is expected, how they are compared, whether ranks may share it.
QUESTIONS = [
    ("bfs", lambda g: ["bfs", "--root", str(g.root)], 2, levels, equal, True),
    ("cc", lambda g: ["cc"], 1, lambda g: components(g, "weak"), same_classes, True),
    ("cc, hooking", lambda g: ["cc", "--method", "hooking"], 1, lambda g: components(g, "weak"), same_classes, True),
    ("cc, color", lambda g: ["cc", "--method", "color"], 1, lambda g: components(g, "weak"), same_classes, False),
    ("color", lambda g: ["color"], 1, colors, equal, True),
    ("sssp", lambda g: ["sssp", "--root", str(g.root)], 1, distances, equal, True),
    ("sssp, double", lambda g: ["sssp", "--distances", "double", "--root", str(g.root)], 1, distances, equal, True),
    ("pagerank", lambda g: ["pagerank", "--tolerance", "1e-13", "--max-iterations", "10000"], 1, pagerank, near, True),
    ("bc", lambda g: ["bc", "--root", ",".join(map(str, g.vertices))], 1, centrality, near, False),
]
DIRECTED = [("scc", lambda g: ["scc"], 1, lambda g: components(g, "strong"), same_classes, False)]
UNDIRECTED = [
    ("kcore", lambda g: ["kcore"], 1, lambda g: networkx.core_number(g.graph), equal, True),
    ("coloring", lambda g: ["coloring"], 1, lambda g: g, proper_colors, False),
]


def run(program, graph, arguments, ranks, folder):
    """(values by vertex and column, what went wrong)"""
    output = folder / "answer.txt"
    output.unlink(missing_ok=True)
    command = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    command += [program, *arguments, *graph.options, "--output", str(output), str(graph.path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return None, f"not at its end after {LIMIT_S} s", command
    if done.returncode != 0:
        return None, f"exit code {done.returncode}: {done.stderr.strip()[:200]}", command
    lines = [line.split() for line in output.read_text().splitlines()]
    return lines, "", command


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--graphs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", default="2,3,4,5,6,7")
    return parser.parse_args()


def main():
    options = parse()
    program = pathlib.Path(options.build) / "bin/dromos"
    if not os.access(program, os.X_OK):
        sys.exit(f"there is no {program}; build it first")
    ranks = [int(r) for r in options.ranks.split(",") if r] if shutil.which("mpirun") else []
    os.environ.update(OMP_NUM_THREADS="2", OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    os.environ.update(OMPI_MCA_rmaps_base_oversubscribe="1")
    tried, differed = collections.Counter(), collections.Counter()
    kept = pathlib.Path(tempfile.mkdtemp(prefix="check-oracles-"))
    for seed in range(options.seed, options.seed + options.graphs):
        graph = Graph(seed, kept)
        right = True
        for name, arguments, column, expect, agree, shared in QUESTIONS + (DIRECTED if graph.directed else UNDIRECTED):
            expected = expect(graph)
            for count in [1] + ([ranks[seed % len(ranks)]] if shared and ranks else []):
                where = name + (", one rank" if count == 1 else ", several ranks")
                tried[where] += 1
                lines, wrong, command = run(str(program), graph, arguments(graph), count, kept)
                if not wrong:
                    found = {int(line[0]): exact_number(line[column]) for line in lines}
                    wrong = "" if agree(found, expected) else "another answer"
                if wrong:
                    right = False
                    differed[where] += 1
                    print(f"{graph.name}: {' '.join(command)}: {wrong}", file=sys.stderr)
        if right:
            graph.path.unlink()
    print("| question | asked | another answer |\n|---|---|---|")
    for where, count in tried.items():
        print(f"| {where} | {count:,} | {differed[where]} |")
    print(f"| all, on {options.graphs:,} graphs | {sum(tried.values()):,} | {sum(differed.values())} |")
    if differed:
        sys.exit(1)
    shutil.rmtree(kept)


if __name__ == "__main__":
    main()
