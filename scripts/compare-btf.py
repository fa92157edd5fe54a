#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Block triangular forms of `dromos btf` beside those made of SciPy's matching and strong components.

    scripts/compare-btf.py build/bin/dromos [--matrices 500] [MATRIX.mtx ...]

Random matrices, square and rectangular, many of them structurally singular; and the files. The structural rank, the sizes of the
parts and of all square blocks must be the same, and the permuted matrix that dromos writes must be the given one, with
nothing left of its blocks and no zero on the diagonal of a square one. Exit code 1 at the first difference.
"""
import argparse
import collections
import lzma
import pathlib
import subprocess
import sys
import tempfile

import numpy
import scipy.io
import scipy.sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

Form = collections.namedtuple("Form", "rank under over squares")


def reached(matrix, transposed, row_of, column_of):
    """Rows and columns on alternating paths from the free columns of a matrix, given by rows and by columns."""
    rows, columns = set(), set(numpy.flatnonzero(row_of < 0))
    waiting = list(columns)
    while waiting:
        column = waiting.pop()
        for row in transposed.indices[transposed.indptr[column]:transposed.indptr[column + 1]]:
            if row in rows:
                continue
            rows.add(row)
            columns.add(column_of[row])
            waiting.append(column_of[row])
    return rows, columns


def form_by_scipy(matrix):
    by_columns = matrix.T.tocsr()
    column_of = numpy.asarray(maximum_bipartite_matching(matrix, perm_type="column"))
    row_of = numpy.full(matrix.shape[1], -1)
    row_of[column_of[column_of >= 0]] = numpy.flatnonzero(column_of >= 0)
    under = reached(matrix, by_columns, row_of, column_of)
    over = reached(by_columns, matrix, column_of, row_of)[::-1]
    square = numpy.array(sorted(set(range(matrix.shape[0])) - under[0] - over[0]), dtype=int)
    sizes = []
    if square.size:
        diagonal = matrix[square][:, column_of[square]]
        sizes = numpy.bincount(connected_components(diagonal, connection="strong")[1]).tolist()
    return Form(int((column_of >= 0).sum()), tuple(map(len, under)), tuple(map(len, over)), sorted(sizes))


def form_by_dromos(program, path, folder):
    """The form, and the places and blocks of rows and columns."""
    files = [folder / name for name in ("rows.txt", "columns.txt", "permuted.mtx")]
    subprocess.run([program, "btf", "--row-order", files[0], "--column-order", files[1], "--apply", files[2], str(path)],
                   check=True, capture_output=True)
    orders = [numpy.loadtxt(file, dtype=int, ndmin=2).reshape(-1, 3)[:, 1:] for file in files[:2]]
    num_blocks = 1 + max(order[:, 1].max(initial=0) for order in orders)
    heights, widths = (numpy.bincount(order[:, 1], minlength=num_blocks) for order in orders)
    # The last block, the over-determined part, may be empty: then nothing bears its number.
    last = num_blocks - 1 if num_blocks > 1 and heights[-1] != widths[-1] else num_blocks
    heights, widths = (numpy.append(sizes, 0) for sizes in (heights, widths))
    if (heights[1:last] != widths[1:last]).any():
        sys.exit(f"{path}: a block that is not square")
    rank = int(heights[:last].sum() + widths[last])
    return Form(rank, (heights[0], widths[0]), (heights[last], widths[last]), sorted(heights[1:last].tolist())), orders, files[2]


def compare(program, path, matrix, folder):
    expected = form_by_scipy(matrix)
    found, (rows, columns), permuted_path = form_by_dromos(program, path, folder)
    if found != expected:
        sys.exit(f"{path}: dromos finds {found}, SciPy {expected}")
    permuted = scipy.io.mmread(str(permuted_path)).tocoo()
    entries = matrix.tocoo()
    places = set(zip(rows[entries.row, 0], columns[entries.col, 0]))
    if places != set(zip(permuted.row, permuted.col)):
        sys.exit(f"{path}: the permuted matrix has other entries than the given one")
    if (rows[entries.row, 1] > columns[entries.col, 1]).any():
        sys.exit(f"{path}: an entry left of its block")
    offset = expected.under[1] - expected.under[0]
    square = range(expected.under[0], expected.under[0] + sum(expected.squares))
    if any((place, place + offset) not in places for place in square):
        sys.exit(f"{path}: a zero on the diagonal of a square block")
    return expected


def random_matrix(random):
    shape = random.integers(1, 60, 2)
    if random.random() < 0.5:
        shape[1] = shape[0]
    size = random.integers(0, 4 * shape[0] + 1)
    rows, columns = random.integers(0, shape[0], size), random.integers(0, shape[1], size)
    if random.random() < 0.3:  # few columns for many rows: structurally singular
        columns[random.random(size) < 0.7] = 0
    matrix = scipy.sparse.coo_matrix((numpy.ones(size), (rows, columns)), shape=shape).tocsr()
    matrix.data[:] = 1
    return matrix


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--matrices", type=int, default=500)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_intermixed_args()
    random = numpy.random.default_rng(11)
    kinds = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(arguments.matrices):
            matrix = random_matrix(random)
            path = folder / "matrix.mtx"
            scipy.io.mmwrite(str(path), matrix.tocoo(), field="pattern", symmetry="general")
            form = compare(arguments.program, path, matrix, folder)
            kinds["rectangular"] += matrix.shape[0] != matrix.shape[1]
            kinds["structurally singular"] += form.rank < min(matrix.shape)
            kinds["square blocks"] += len(form.squares)
        if arguments.matrices:
            print(f"{arguments.matrices} random matrices: the same;", ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
        for path in arguments.files:
            with (lzma.open if path.suffix == ".xz" else open)(path) as file:
                matrix = scipy.sparse.csr_matrix(scipy.io.mmread(file))
            matrix.data[:] = 1
            form = compare(arguments.program, path, matrix, folder)
            print(f"{path.name}: the same; rank {form.rank}, parts {form.under} and {form.over}, {len(form.squares)} square blocks")


if __name__ == "__main__":
    main()
