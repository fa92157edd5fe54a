#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Bandwidths of `dromos rcm` beside those of SciPy's reverse_cuthill_mckee, and with --bench those of Kokkos Kernels, on
generated matrices and graph files (.mtx.xz, .graph.xz of METIS, .gr.xz of DIMACS).

    scripts/compare-rcm.py build/bin/dromos [--bench build/bin/bench_rcm] [--data DIRECTORY]

Every row of generated matrices is renumbered at random first. Exit code 1 where Dromos' bandwidth is more than 5% larger than
the smaller one of the others.
"""
import argparse
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

import numpy
import scipy.io
import scipy.sparse
import scipy.spatial
from scipy.sparse.csgraph import reverse_cuthill_mckee


def mesh(points):
    """The edges of a Delaunay triangulation."""
    triangles = scipy.spatial.Delaunay(points).simplices
    size = triangles.shape[1]
    return numpy.concatenate([triangles[:, [i, j]] for i in range(size) for j in range(i)])


def grid(*sides):
    number = numpy.arange(numpy.prod(sides)).reshape(sides)
    pairs = []
    for axis in range(len(sides)):
        low = number.take(range(sides[axis] - 1), axis).ravel()
        pairs.append(numpy.stack([low, number.take(range(1, sides[axis]), axis).ravel()], 1))
    return numpy.concatenate(pairs)


def generated():
    random = numpy.random.default_rng(5)
    yield "grid 200 x 300", grid(200, 300)
    yield "grid 20 x 3000", grid(20, 3000)
    yield "grid 30 x 30 x 30", grid(30, 30, 30)
    points = random.random((20000, 2))
    yield "random geometric", scipy.spatial.cKDTree(points).query_pairs(0.014, output_type="ndarray")
    yield "mesh of a square", mesh(random.random((20000, 2)))
    yield "mesh of a cube", mesh(random.random((8000, 3)))
    yield "mesh of a strip", mesh(random.random((20000, 2)) * [20, 1])


def read(path):
    """The matrix of a compressed file, by the name of its format."""
    with lzma.open(path, "rt") as lines:
        if path.name.endswith(".mtx.xz"):
            return scipy.io.mmread(lzma.open(path)).tocsr()
        pairs = []
        if path.name.endswith(".gr.xz"):
            pairs = [(int(u) - 1, int(v) - 1) for u, v in (line.split()[1:3] for line in lines if line.startswith("a"))]
        else:
            rows = [line.split() for line in lines if not line.startswith("%")]
            if len(rows[0]) > 2 and rows[0][2].strip("0"):
                sys.exit(f"{path}: weights of METIS are not read here")
            pairs = [(u, int(v) - 1) for u, row in enumerate(rows[1:]) for v in row]
    i, j = numpy.array(pairs).T
    size = max(i.max(), j.max()) + 1
    return scipy.sparse.coo_matrix((numpy.ones(i.size), (i, j)), shape=(size, size)).tocsr()


def bandwidth(matrix, order):
    place = numpy.empty_like(order)
    place[order] = numpy.arange(order.size)
    coo = matrix.tocoo()
    return int(abs(place[coo.row] - place[coo.col]).max(initial=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--bench", help="bench_rcm, which has the order of Kokkos Kernels")
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_args()
    worse = 0

    def compare(name, matrix, path):
        nonlocal worse
        report = subprocess.run([arguments.program, "rcm", "--undirected", "--validate", "--json", "-", str(path)],
                                check=True, capture_output=True, text=True)
        run = json.loads(report.stdout)["runs"][0]
        scipys = bandwidth(matrix, reverse_cuthill_mckee(matrix, symmetric_mode=True))
        best, text = scipys, ""
        if arguments.bench:
            result = pathlib.Path(folder) / "kokkos-kernels.json"
            subprocess.run([arguments.bench, "--file", str(path), "--runs", "1", "--json", str(result)], check=True,
                           capture_output=True)
            kernels = json.loads(result.read_text())["rows"][0]["kokkos_kernels_bandwidth"]
            best, text = min(best, kernels), f"   Kokkos Kernels {kernels:7,}"
        ratio = run["bandwidth"] / max(best, 1)
        worse += ratio > 1.05
        print(f"{name:24} {matrix.shape[0]:9,} rows   SciPy {scipys:7,}{text}   Dromos {run['bandwidth']:7,}   ratio {ratio:.3f}",
              flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for name, pairs in generated():
            size = pairs.max() + 1
            numbers = numpy.random.default_rng(9).permutation(size)
            i, j = numbers[pairs].T
            matrix = scipy.sparse.coo_matrix((numpy.ones(i.size), (i, j)), shape=(size, size)).tocsr()
            matrix = ((matrix + matrix.T) > 0).astype(float).tocsr()
            path = pathlib.Path(folder) / "matrix.mtx"
            scipy.io.mmwrite(str(path), scipy.sparse.tril(matrix).tocoo(), field="pattern", symmetry="general")
            compare(name, matrix, path)
        kinds = (".mtx.xz", ".graph.xz", ".gr.xz")
        for path in sorted(arguments.data.iterdir()) if arguments.data else []:
            if not path.name.endswith(kinds):
                continue
            matrix = read(path)
            matrix = ((matrix + matrix.T) > 0).astype(float).tocsr()
            compare(path.name, matrix, path)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
