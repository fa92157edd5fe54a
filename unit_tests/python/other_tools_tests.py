# SPDX-License-Identifier: BSD-3-Clause
"""other_tools_tests.py: files as NetworkX, pandas, SciPy, the GAP Benchmark Suite and Graph500 write them, read by the
Python module: the graph is the one that was written.

Exit code 77 where a package is missing, which CTest counts as skipped.
"""

import os
import sys
import tempfile
import unittest

try:
    import networkx
    import numpy as np
    import pandas
    import scipy.io
    import scipy.sparse as sparse
except ImportError as missing:
    print(f"other_tools_tests: skipped, {missing} in {sys.executable} (Debian: python3-scipy python3-networkx python3-pandas)")
    sys.exit(77)

import dromos


def some_graph(directed, n=60):
    """Every vertex has an edge, as edge lists need it; whole weights from 1, no self loops."""
    random = np.random.default_rng(7 + directed)
    graph = networkx.DiGraph() if directed else networkx.Graph()
    for u in range(n):
        for v in {(u + 1) % n, *random.integers(0, n, 4).tolist()} - {u}:
            graph.add_edge(u, v, weight=int(random.integers(1, 100)))
    return graph


def matrix_of(graph, weights=True):
    return networkx.to_scipy_sparse_array(graph, range(len(graph)), weight="weight" if weights else None, format="csr")


def as_rows(graph):
    """Offsets, targets and weights, as files that hold rows have them."""
    matrix = sparse.csr_matrix(matrix_of(graph))
    matrix.sort_indices()
    return matrix.indptr.astype("<i8"), matrix.indices.astype("<i4"), matrix.data.astype("<i4")


class FilesOfOtherTools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, name, graph, weights, **options):
        """The file is read as that graph; where it does not say whether edges have a direction, that is an option."""
        read = dromos.read_graph(self.path(name), weights=weights, **options)
        self.assertEqual(read.directed, graph.is_directed(), name)
        found = read.to_scipy()
        if not weights:
            found = sparse.csr_matrix((np.ones(found.nnz), found.indices, found.indptr), found.shape)
        self.assertEqual(found.shape, (len(graph), len(graph)), name)
        self.assertEqual(abs(found - matrix_of(graph, weights)).sum(), 0, name)
        return read

    def test_networkx(self):
        for directed in (True, False):
            graph = some_graph(directed)
            networkx.write_edgelist(graph, self.path("with-data.txt"))
            self.check("with-data.txt", graph, False, directed=directed)
            networkx.write_edgelist(graph, self.path("plain.txt"), data=False)
            self.check("plain.txt", graph, False, directed=directed)
            networkx.write_edgelist(graph, self.path("weight.txt"), data=["weight"])
            self.check("weight.txt", graph, True, directed=directed)
            networkx.write_edgelist(graph, self.path("commas.txt"), delimiter=",", data=["weight"])
            self.check("commas.txt", graph, True, directed=directed)
            networkx.write_weighted_edgelist(graph, self.path("weighted.txt.gz"))
            self.check("weighted.txt.gz", graph, True, directed=directed)
            networkx.write_weighted_edgelist(graph, self.path("weighted.txt.bz2"))
            self.check("weighted.txt.bz2", graph, True, directed=directed)
            networkx.write_adjlist(graph, self.path("rows.adjlist"))
            self.check("rows.adjlist", graph, False, directed=directed, format="adjacency-list")
            networkx.write_graphml(graph, self.path("graph.graphml"))
            self.check("graph.graphml", graph, True)

    def test_networkx_with_words(self):
        graph = some_graph(True)
        networkx.write_weighted_edgelist(networkx.relabel_nodes(graph, {v: f"city-{v}" for v in graph}), self.path("words.txt"))
        read = dromos.read_graph(self.path("words.txt"), weights=True, columns=(1, 2, 3), words=True)
        order = [int(word[len("city-"):]) for word in read.words]
        self.assertEqual(sorted(order), sorted(graph))
        self.assertEqual(abs(read.to_scipy() - matrix_of(graph)[order, :][:, order]).sum(), 0)

    def test_pandas(self):
        for directed in (True, False):
            graph = some_graph(directed)
            table = networkx.to_pandas_edgelist(graph)
            table.to_csv(self.path("default.csv"))  # the first column counts the lines
            self.check("default.csv", graph, True, directed=directed)
            table.to_csv(self.path("tabs.tsv"), sep="\t", index=False)
            self.check("tabs.tsv", graph, True, directed=directed)
            table.to_csv(self.path("bare.csv"), header=False, index=False)
            self.check("bare.csv", graph, True, directed=directed)
            table.to_csv(self.path("packed.csv.xz"), index=False)
            self.check("packed.csv.xz", graph, True, directed=directed)
            table["note"] = "a, b"
            table = table.rename(columns={"source": "von", "target": "nach", "weight": "km"})[["note", "km", "nach", "von"]]
            table.to_csv(self.path("other.csv"), sep=";")
            self.check("other.csv", graph, True, directed=directed, columns=("von", "nach", "km"))

    def test_scipy(self):
        directed, undirected = some_graph(True), some_graph(False)
        scipy.io.mmwrite(self.path("real.mtx"), matrix_of(directed).astype(float), symmetry="general")
        self.check("real.mtx", directed, True)
        scipy.io.mmwrite(self.path("integer.mtx"), sparse.coo_matrix(matrix_of(directed)), comment="from SciPy", field="integer",
                         symmetry="general")
        self.check("integer.mtx", directed, True)
        scipy.io.mmwrite(self.path("symmetric.mtx"), matrix_of(undirected))
        self.check("symmetric.mtx", undirected, True)
        scipy.io.mmwrite(self.path("pattern.mtx"), matrix_of(undirected), field="pattern", symmetry="symmetric")
        self.check("pattern.mtx", undirected, False)

    def test_gap_benchmark_suite(self):
        for directed in (True, False):
            graph = some_graph(directed)
            edges = [(u, v, data["weight"]) for u, v, data in graph.edges(data=True)]
            np.savetxt(self.path("g.el"), [edge[:2] for edge in edges], "%d")
            self.check("g.el", graph, False, directed=directed)
            np.savetxt(self.path("g.wel"), edges, "%d")
            self.check("g.wel", graph, True, directed=directed)
            sides = [graph, graph.reverse()] if directed else [graph]
            for name, weighted in (("g.sg", False), ("g.wsg", True)):
                with open(self.path(name), "wb") as file:
                    file.write(np.uint8(directed).tobytes())
                    file.write(np.array([as_rows(graph)[1].size, len(graph)], "<i8").tobytes())
                    for side in sides:
                        offsets, targets, weights = as_rows(side)
                        file.write(offsets.tobytes())
                        file.write((np.column_stack([targets, weights]) if weighted else targets).tobytes())
                self.check(name, graph, weighted)

    def test_graph500(self):
        graph = some_graph(False)
        ends = np.array(graph.edges())
        ends.astype("<i8").tofile(self.path("wide.bin"))
        self.check("wide.bin", graph, False, format="graph500-64")
        packed = np.zeros(len(ends), [("low", "<u4", 2), ("high", "<u2", 2)])
        packed["low"] = ends
        packed.tofile(self.path("packed.bin"))
        self.check("packed.bin", graph, False, format="graph500")


if __name__ == "__main__":
    unittest.main()
