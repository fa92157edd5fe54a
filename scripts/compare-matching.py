#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Maximum matchings of `dromos matching` beside SciPy's maximum_bipartite_matching, on generated matrices and on files.

    scripts/compare-matching.py build/bin/dromos [--scale 18] [--turns 5] [--random 500] [MATRIX.mtx ...]

Random matrices, square and rectangular, must have matchings as large as SciPy's. Then, in turn, milliseconds on a Kronecker
matrix, on uniformly random ones of 16, 4 and 2 entries a row, each 2^scale rows, and on the files; the ratio is the median of
those of the turns. Exit code 1 where a matching has another size, 2 where Dromos is slower.
"""
import argparse
import json
import lzma
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import scipy.io
import scipy.sparse
from scipy.sparse.csgraph import maximum_bipartite_matching


def pattern(rows, columns, shape):
    matrix = scipy.sparse.coo_matrix((numpy.ones(len(rows), numpy.int8), (rows, columns)), shape=shape).tocsr()
    matrix.data[:] = 1
    return matrix


def kronecker(scale, edge_factor, random):
    """Of the Graph500 probabilities, rows and columns numbered at random, each on its own."""
    size, count = 1 << scale, edge_factor << scale
    rows, columns = numpy.zeros(count, numpy.int64), numpy.zeros(count, numpy.int64)
    for bit in range(scale):
        drawn = random.random(count)
        rows |= (drawn >= 0.76).astype(numpy.int64) << bit
        columns |= (((drawn >= 0.57) & (drawn < 0.76)) | (drawn >= 0.95)).astype(numpy.int64) << bit
    return pattern(random.permutation(size)[rows], random.permutation(size)[columns], (size, size))


def uniform(scale, entries_of_row, random):
    size = 1 << scale
    count = size * entries_of_row
    return pattern(random.integers(0, size, count), random.integers(0, size, count), (size, size))


def random_matrix(random):
    shape = random.integers(1, 80, 2)
    if random.random() < 0.5:
        shape[1] = shape[0]
    count = random.integers(0, 4 * shape[0] + 1)
    return pattern(random.integers(0, shape[0], count), random.integers(0, shape[1], count), tuple(shape))


def write(path, matrix):
    scipy.io.mmwrite(str(path), matrix.tocoo(), field="pattern", symmetry="general")


def run_dromos(program, path, repeat):
    report = subprocess.run([program, "matching", "--validate", "--repeat", str(repeat), "--json", "-", str(path)], check=True,
                            capture_output=True, text=True)
    runs = json.loads(report.stdout)["runs"]
    return runs[0]["num_matched"], 1e3 * statistics.median(run["seconds"] for run in runs)


def run_scipy(matrix):
    begin = time.perf_counter()
    column_of = maximum_bipartite_matching(matrix, perm_type="column")
    return int((column_of >= 0).sum()), 1e3 * (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--random", type=int, default=500)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_intermixed_args()
    random = numpy.random.default_rng(3)
    slower = False
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "matrix.mtx"

        def same_size(name, ours, theirs):
            if ours != theirs:
                sys.exit(f"{name}: dromos matches {ours} rows, SciPy {theirs}")

        for number in range(arguments.random):
            matrix = random_matrix(random)
            write(path, matrix)
            same_size(f"random matrix {number}", run_dromos(arguments.program, path, 1)[0], run_scipy(matrix)[0])
        if arguments.random:
            print(f"{arguments.random} random matrices: the same sizes", flush=True)

        def compare(name, matrix, path):
            nonlocal slower
            ours, theirs, ratios = [], [], []
            for _ in range(arguments.turns):
                num_ours, milliseconds = run_dromos(arguments.program, path, 3)
                ours.append(milliseconds)
                num_theirs, milliseconds = run_scipy(matrix)
                theirs.append(milliseconds)
                same_size(name, num_ours, num_theirs)
                ratios.append(theirs[-1] / ours[-1])
            slower |= statistics.median(ratios) < 1
            print(f"{name:24} {matrix.shape[0]:9,} x {matrix.shape[1]:9,} {matrix.nnz:10,} entries   matched {num_ours:9,}   "
                  f"Dromos {statistics.median(ours):8.1f} ms   SciPy {statistics.median(theirs):8.1f} ms   "
                  f"ratio {statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)

        if arguments.turns:
            generated = [("kronecker", lambda: kronecker(arguments.scale, 16, random))]
            for entries in (16, 4, 2):
                generated.append((f"uniform, {entries} a row", lambda entries=entries: uniform(arguments.scale, entries, random)))
            for name, make in generated:
                matrix = make()
                write(path, matrix)
                compare(name, matrix, path)
            for file in arguments.files:
                with (lzma.open if file.suffix == ".xz" else open)(file) as text:
                    matrix = scipy.sparse.csr_matrix(scipy.io.mmread(text))
                matrix.data[:] = 1
                compare(file.name, matrix, file)
    return 2 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
