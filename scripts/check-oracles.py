# SPDX-License-Identifier: BSD-3-Clause
"""Answers of the program on random graphs beside those of SciPy and NetworkX; run by check-oracles.sh."""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import networkx
import scipy.sparse
import scipy.sparse.csgraph

LIMIT_S = 120  # for one run of the program
GROUP = 10  # graphs that are asked about before it is seen whether ranks agree


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
        self.differs = False
        self.path = folder / f"{seed}.txt"
        self.path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in lines))
        self.graph = networkx.DiGraph() if self.directed else networkx.Graph()
        for u, v, w in lines:
            self.graph.add_nodes_from((u, v))
            if u != v and not (self.graph.has_edge(u, v) and self.graph[u][v]["weight"] <= w):
                self.graph.add_edge(u, v, weight=w)
        self.vertices = sorted(self.graph)
        self.root = choose.choice(self.vertices)
        self.other = choose.choice(self.vertices)  # where a path ends
        # By its name: two lines of three numbers may be the beginning of another format, and are refused then.
        self.options = ["--format", "edge-list"] + ([] if self.directed else ["--undirected"])
        entries = {(u, v) for u, v, _ in lines}  # of the matrix, whose diagonal belongs to it
        self.entries = entries if self.directed else entries | {(v, u) for u, v in entries}

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


def neighborhood(graph):
    """Vertices that the root reaches over two edges, and the edges among them."""
    return part(graph, networkx.single_source_shortest_path_length(graph.graph, graph.root, cutoff=2))


def component(graph):
    return part(graph, next(c for c in networkx.connected_components(networkx.Graph(graph.graph)) if graph.root in c))


def core(graph):
    return part(graph, networkx.k_core(graph.graph, max(networkx.core_number(graph.graph).values())))


def part(graph, vertices):
    arcs = {(u, v) for u, v in graph.graph.edges() if u in vertices and v in vertices}
    return set(vertices), arcs if graph.directed else arcs | {(v, u) for u, v in arcs}


def path(graph, weight):
    """Edges or length, and None where there is no path."""
    try:
        found = networkx.shortest_path_length(graph.graph, graph.root, graph.other, weight)
    except networkx.NetworkXNoPath:
        found = None
    return found


def diameter(graph):
    return networkx.diameter(graph.graph.subgraph(networkx.node_connected_component(graph.graph, graph.root)))


def facts(graph):
    """What info says: weak components, the largest of them, degrees."""
    parts = [len(c) for c in networkx.connected_components(networkx.Graph(graph.graph))]
    degrees = [d for _, d in (graph.graph.out_degree() if graph.directed else graph.graph.degree())]
    return len(parts), max(parts), min(degrees), max(degrees), degrees.count(0)


def matching_matrix(graph):
    place = {v: i for i, v in enumerate(graph.vertices)}
    rows, columns = zip(*[(place[u], place[v]) for u, v in graph.entries])
    n = len(graph.vertices)
    return scipy.sparse.csr_matrix(([1] * len(rows), (rows, columns)), shape=(n, n))


def matching(graph):
    """How many rows can be matched."""
    return int(scipy.sparse.csgraph.structural_rank(matching_matrix(graph)))


def square_blocks(graph):
    """The decomposition of Dulmage and Mendelsohn, which is unique, out of any maximum matching: pairs matched, blocks
    of the square part, and rows and columns of the two other parts."""
    column_of = scipy.sparse.csgraph.maximum_bipartite_matching(matching_matrix(graph), perm_type="column")
    partner = {v: graph.vertices[c] for v, c in zip(graph.vertices, column_of) if c >= 0}
    row_of = {c: r for r, c in partner.items()}
    # Rows by rows: an entry (u, v) leads from u to the row that v is matched with.
    walk = networkx.DiGraph()
    walk.add_nodes_from(graph.vertices)
    walk.add_edges_from((u, row_of[v]) for u, v in graph.entries if v in row_of)
    over_rows = {r for start in graph.vertices if start not in partner
                 for r in {start} | networkx.descendants(walk, start)}
    over_columns = {partner[r] for r in over_rows if r in partner}
    back = walk.reverse()
    starts = {u for u, v in graph.entries if v not in row_of}
    under_rows = {r for start in starts for r in {start} | networkx.descendants(back, start)}
    under_columns = {partner[r] for r in under_rows} | {v for v in graph.vertices if v not in row_of}
    square = walk.subgraph(set(graph.vertices) - over_rows - under_rows)
    blocks = networkx.number_strongly_connected_components(square)
    return (len(partner), blocks, len(under_rows), len(under_columns), len(over_rows), len(over_columns))


def strong_levels(graph):
    """Strong components, and how long the longest way to each is."""
    condensed = networkx.condensation(networkx.DiGraph(graph.graph))
    level = {c: i for i, layer in enumerate(networkx.topological_generations(condensed)) for c in layer}
    return {v: (c, level[c]) for v, c in condensed.graph["mapping"].items()}


def itself(graph):
    return graph


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


def same_levels(found, expected):
    return same_classes({v: f[0] for v, f in found.items()}, {v: e[0] for v, e in expected.items()}) and all(
        found[v][1] == expected[v][1] for v in expected
    )


def is_matching(found, graph):
    """As many pairs as there can be, each an entry of its own row and column."""
    pairs = [(u, v) for u, v in found.items() if v != -1]
    return (
        found.keys() <= set(graph.vertices)
        and all(pair in graph.entries for pair in pairs)
        and len({v for _, v in pairs}) == len(pairs) == matching(graph)
    )


def is_order(found, graph):
    """A place for each vertex, and connected ones together."""
    in_order = sorted(graph.vertices, key=found.get) if found.keys() == set(graph.vertices) else []
    part_of = components(graph, "weak")
    changes = sum(part_of[u] != part_of[v] for u, v in zip(in_order, in_order[1:]))
    return sorted(found.values()) == list(range(len(graph.vertices))) and changes == len(set(part_of.values())) - 1


def is_independent(found, graph):
    """Members are more than two edges apart, and every other vertex is no more than that from one."""
    members = {v for v, member in found.items() if member == 1}
    near_ones = {v: networkx.single_source_shortest_path_length(graph.graph, v, cutoff=2) for v in graph.vertices}
    return found.keys() == set(graph.vertices) and all(
        len(members & set(near_ones[v])) == 1 if v in members else members & set(near_ones[v]) for v in graph.vertices
    )


def exact_number(text):
    return float(text) if not text.lstrip("-").isdigit() else int(text)


def of_vertices(*columns):
    """Reads a file of --output: for each vertex one column of it, or several."""

    def read(output, _):
        lines = [line.split() for line in output.read_text().splitlines()]
        values = [[exact_number(line[c]) for c in columns] for line in lines]
        return {int(line[0]): v[0] if len(columns) == 1 else tuple(v) for line, v in zip(lines, values)}

    read.makes = "--output"
    return read


def of_run(*names):
    """Reads the last run of --json: these of its results."""

    def read(_, document):
        values = tuple(document["runs"][-1][name] for name in names)
        return values[0] if len(names) == 1 else values

    read.makes = "--json"
    return read


def of_info(_, document):
    parts, degrees = document["weak_components"], document["degrees"]
    return parts["number"], parts["largest"], degrees["min"], degrees["max"], degrees["num_isolated"]


of_info.makes = "--json"


def of_part(output, _):
    """A graph that was written, with the numbers that its vertices had."""
    name = dict(map(int, line.split()) for line in output.with_suffix(".map").read_text().splitlines())
    arcs = set()
    for line in output.read_text().splitlines():
        if line[0] != "#":
            u, v = (name[int(word)] for word in line.split()[:2])
            arcs |= {(u, v)} if "# Directed" in output.read_text() else {(u, v), (v, u)}
    return set(name.values()), arcs


of_part.makes = "-o"


def rooted(graph):
    return ["--root", str(graph.root)]


def on_path(graph):
    return ["--from", str(graph.root), "--to", str(graph.other)]


# What is asked: arguments, those that depend on the graph, what is read of the answer, what is expected, how they are
# compared, whether ranks may share it.
QUESTIONS = [
    ("info", None, of_info, facts, equal, True),
    ("bfs", rooted, of_vertices(2), levels, equal, True),
    ("cc", None, of_vertices(1), lambda g: components(g, "weak"), same_classes, True),
    ("cc --method hooking", None, of_vertices(1), lambda g: components(g, "weak"), same_classes, True),
    ("cc --method color", None, of_vertices(1), lambda g: components(g, "weak"), same_classes, False),
    ("color", None, of_vertices(1), colors, equal, True),
    ("sssp", rooted, of_vertices(1), distances, equal, True),
    ("sssp --distances double", rooted, of_vertices(1), distances, equal, True),
    ("path", on_path, of_run("path_edges"), lambda g: path(g, None), equal, False),
    ("path --weighted", on_path, of_run("length"), lambda g: path(g, "weight"), equal, False),
    ("pagerank --tolerance 1e-13 --max-iterations 10000", None, of_vertices(1), pagerank, near, True),
    ("bc", lambda g: ["--root", ",".join(map(str, g.vertices))], of_vertices(1), centrality, near, True),
    ("matching", None, of_vertices(1), itself, is_matching, False),
    (
        "btf",
        None,
        of_run(
            "num_matched",
            "num_square_blocks",
            "num_under_rows",
            "num_under_columns",
            "num_over_rows",
            "num_over_columns",
        ),
        square_blocks,
        equal,
        False,
    ),
    ("subgraph --depth 2", lambda g: ["--around", str(g.root)], of_part, neighborhood, equal, False),
    ("subgraph", lambda g: ["--component", str(g.root)], of_part, component, equal, False),
]
DIRECTED = [
    ("scc", None, of_vertices(1), lambda g: components(g, "strong"), same_classes, True),
    ("scc --method forward-backward", None, of_vertices(1), lambda g: components(g, "strong"), same_classes, False),
    ("scc --method coloring", None, of_vertices(1), lambda g: components(g, "strong"), same_classes, False),
    ("condense", None, of_vertices(1, 2), strong_levels, same_levels, False),
]
UNDIRECTED = [
    ("kcore", None, of_vertices(1), lambda g: networkx.core_number(g.graph), equal, True),
    ("coloring", None, of_vertices(1), itself, proper_colors, False),
    ("mis2", None, of_vertices(1), itself, is_independent, False),
    ("rcm", None, of_vertices(1), itself, is_order, False),
    ("diameter", rooted, of_run("lower", "upper"), lambda g: (diameter(g),) * 2, equal, True),
    (
        "subgraph --core",
        lambda g: [str(max(networkx.core_number(g.graph).values()))],
        of_part,
        core,
        equal,
        False,
    ),
]


class Answer:
    """A command about a graph, what it is to say, and where it says it."""

    def __init__(self, graph, question, ranks, number):
        words, more, self.read, expect, self.agree, _ = question
        self.graph = graph
        self.expected = expect(graph)
        self.where = words + (", one rank" if ranks == 1 else ", several ranks")
        self.output = graph.path.with_name(f"{graph.path.stem}-answer-{number}.txt")
        makes = self.read.makes
        self.words = [*words.split(), *(more(graph) if more else []), *graph.options, makes, str(self.output)]
        self.words += [str(graph.path)] + (["--map", str(self.output.with_suffix(".map"))] if makes == "-o" else [])

    def judge(self):
        """What is wrong with it; empty: nothing."""
        document = json.loads(self.output.read_text()) if self.read.makes == "--json" else None
        return "" if self.agree(self.read(self.output, document), self.expected) else "another answer"


def run(command, limit_s, threads=2):
    """What went wrong; empty: nothing."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, env=environment)
    except subprocess.TimeoutExpired:
        return f"not at its end after {limit_s} s"
    return f"exit code {done.returncode}: {done.stderr.strip()[:300]}" if done.returncode != 0 else ""


def run_together(program, answers, ranks, threads, lines):
    """Runs all commands on ranks that start once: starting them takes ten times as long as a small graph. (answer, what
    went wrong) for each. Where one fails, those after it run on ranks started anew."""
    wrong = []
    while len(wrong) < len(answers):
        left = answers[len(wrong):]
        lines.write_text("".join(" ".join(answer.words) + "\n" for answer in left))
        failure = run(["mpirun", "-n", str(ranks), program, "batch", str(lines)], LIMIT_S + len(left), threads)
        # An answer appears whole or not at all, in the order of the lines.
        made = sum(answer.output.exists() for answer in left)
        wrong += [""] * made
        if failure and made == len(left):
            wrong[-1] = failure
        elif made < len(left):
            wrong.append(failure or "no answer")
    return zip(answers, wrong)


def ask(seeds, ranks, threads, folder, program):
    """All questions about some graphs, on one rank, each in a process of its own, and on so many of so many threads:
    (tried, differed)"""
    tried, differed = collections.Counter(), collections.Counter()
    graphs = [Graph(seed, folder) for seed in seeds]
    shared = []

    def judge(answer, wrong):
        tried[answer.where] += 1
        wrong = wrong or answer.judge()
        if wrong:
            differed[answer.where] += 1
            answer.graph.differs = True
            launcher = "" if answer.where.endswith("one rank") else f"mpirun -n {ranks} "
            print(f"{answer.graph.name}: {launcher}{program} {' '.join(answer.words)}: {wrong}", file=sys.stderr, flush=True)

    for graph in graphs:
        for number, question in enumerate(QUESTIONS + (DIRECTED if graph.directed else UNDIRECTED)):
            answer = Answer(graph, question, 1, f"{number}-alone")
            judge(answer, run([program, *answer.words], LIMIT_S))
            if question[-1] and ranks > 1:
                shared.append(Answer(graph, question, ranks, number))
    for answer, wrong in run_together(program, shared, ranks, threads, folder / f"{seeds[0]}-lines.txt"):
        judge(answer, wrong)
    for graph in graphs:
        if not graph.differs:
            for file in folder.glob(f"{graph.path.stem}[.-]*"):
                file.unlink()
    return tried, differed


def groups(seeds, ranks):
    """Seeds that share a number of ranks, a few at a time, these ranks with one thread and with two in turn: (seeds,
    ranks, threads)"""
    step = GROUP * len(ranks)
    for start in range(0, len(seeds), step):
        for place, count in enumerate(ranks):
            mine = [seed for seed in seeds[start:start + step] if seed % len(ranks) == place]
            if mine:
                yield mine, count, 1 + (start // step + place) % 2


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--graphs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", default="2,3,4,5,6,7")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf)
    return parser.parse_args()


def main():
    options = parse()
    program = pathlib.Path(options.build) / "bin/dromos"
    if not os.access(program, os.X_OK):
        sys.exit(f"there is no {program}; build it first")
    ranks = [int(r) for r in options.ranks.split(",") if r] if shutil.which("mpirun") else []
    ranks = ranks or [1]
    os.environ.update(OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive", DROMOS_LOAD_WARNING="0")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    os.environ.update(OMPI_MCA_rmaps_base_oversubscribe="1")
    kept = pathlib.Path(tempfile.mkdtemp(prefix="check-oracles-"))
    tried, differed, graphs = collections.Counter(), collections.Counter(), 0
    end = time.monotonic() + 60 * options.minutes

    def ask_in_time(group):
        late = time.monotonic() > end
        return (0, {}, {}) if late else (len(group[0]), *ask(*group, kept, str(program)))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.graphs)
        for number, asked, wrong in pool.map(ask_in_time, groups(seeds, ranks)):
            graphs += number
            tried.update(asked)
            differed.update(wrong)
    print("| question | asked | another answer |\n|---|---|---|")
    for where, count in tried.items():
        print(f"| {where} | {count:,} | {differed[where]} |")
    print(f"| all, on {graphs:,} graphs | {sum(tried.values()):,} | {sum(differed.values())} |")
    if differed:
        print(f"the graphs with another answer are in {kept}", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(kept)


if __name__ == "__main__":
    main()
