# SPDX-License-Identifier: BSD-3-Clause
"""python_tests.py: the Python module against SciPy and NetworkX, on random graphs and on small ones that are known.

Exit code 77 where a package is missing, which CTest counts as skipped.
"""

import doctest
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

try:
    import networkx
    import numpy as np
    import scipy.sparse as sparse
    import scipy.sparse.csgraph as csgraph
except ImportError as missing:
    print(f"python_tests: skipped, {missing} in {sys.executable} (Debian: python3-scipy python3-networkx)")
    sys.exit(77)

import dromos


def random_matrix(seed, index=np.int32, n=None, symmetric=False):
    """Square, with self loops and unsorted rows among what it may have, and whole weights from 1."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 60)) if n is None else n
    m = int(random.integers(0, 3 * n + 1))
    matrix = sparse.csr_matrix((random.integers(1, 20, m), (random.integers(0, n, m), random.integers(0, n, m))), (n, n))
    if symmetric:
        matrix = (matrix + matrix.T).tocsr()
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    return matrix


def networkx_graph(matrix, directed):
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(matrix.shape[0]))
    rows, columns = matrix.nonzero()
    graph.add_edges_from(zip(rows.tolist(), columns.tolist()))
    return graph


def same_partition(first, second):
    pairs = set(zip(first.tolist(), second.tolist()))
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


def each_matrix(test):
    """The test with many matrices, their twins with 32-bit indices (SciPy's searches take no others), and both directions."""
    def run(self):
        for seed in range(40):
            for index in (np.int32, np.int64):
                for directed in (True, False):
                    with self.subTest(seed=seed, index=index.__name__, directed=directed):
                        symmetric = seed % 3 == 0
                        test(self, random_matrix(seed, index, symmetric=symmetric), directed,
                             random_matrix(seed, np.int32, symmetric=symmetric))
    return run


class AgainstOracles(unittest.TestCase):
    @each_matrix
    def test_bfs(self, matrix, directed, twin):
        root = matrix.shape[0] // 2
        levels, predecessors = dromos.bfs(matrix, root, directed)
        expected = csgraph.shortest_path(twin, "D", directed, unweighted=True, indices=root)
        np.testing.assert_array_equal(np.where(levels < 0, np.inf, levels), expected)
        self.assertEqual(levels.dtype, np.int32)
        self.assertEqual(predecessors.dtype, matrix.indices.dtype)
        self.assertEqual(predecessors[root], root)
        pattern = matrix if directed else matrix + matrix.T
        for v in range(matrix.shape[0]):
            if levels[v] > 0:
                self.assertEqual(levels[predecessors[v]] + 1, levels[v])
                self.assertNotEqual(pattern[predecessors[v], v], 0)
            elif levels[v] < 0:
                self.assertEqual(predecessors[v], -1)

    @each_matrix
    def test_several_roots(self, matrix, directed, twin):
        roots = range(0, matrix.shape[0], 7)
        levels = dromos.bfs(matrix, roots, directed, return_predecessors=False)
        distances = dromos.sssp(matrix, roots, directed)
        for row, root in enumerate(roots):
            np.testing.assert_array_equal(levels[row], dromos.bfs(matrix, root, directed, False))
            np.testing.assert_array_equal(distances[row], dromos.sssp(matrix, root, directed))

    @each_matrix
    def test_sssp(self, matrix, directed, twin):
        root = matrix.shape[0] - 1
        distances, predecessors = dromos.sssp(matrix, root, directed, return_predecessors=True)
        expected = csgraph.dijkstra(twin, directed, root)
        np.testing.assert_array_equal(distances, expected)
        self.assertEqual(distances.dtype, np.float64)
        for v in range(matrix.shape[0]):
            if v != root and np.isfinite(distances[v]):
                u = predecessors[v]
                weights = [w for w in (matrix[u, v], 0 if directed else matrix[v, u]) if w > 0]
                self.assertEqual(distances[u] + min(weights), distances[v])
        np.testing.assert_array_equal(dromos.sssp(matrix, root, directed, unweighted=True),
                                      csgraph.dijkstra(twin, directed, root, unweighted=True))

    def test_fractional_weights(self):
        matrix = random_matrix(3, n=50).astype(np.float64)
        matrix.data *= 0.1
        np.testing.assert_allclose(dromos.sssp(matrix, 0), csgraph.dijkstra(matrix, indices=0), rtol=1e-6)

    @each_matrix
    def test_components(self, matrix, directed, twin):
        for connection in ("weak", "strong"):
            count, labels = dromos.connected_components(matrix, directed, connection)
            expected_count, expected = csgraph.connected_components(twin, directed, connection)
            self.assertEqual(count, expected_count)
            self.assertTrue(same_partition(labels, expected))
            firsts = [int(np.argmax(labels == label)) for label in range(count)]
            self.assertEqual(firsts, sorted(firsts))
        self.assertEqual(dromos.strongly_connected_components(matrix, return_labels=False),
                         csgraph.connected_components(twin, True, "strong", False))

    @each_matrix
    def test_pagerank(self, matrix, directed, twin):
        ranks = dromos.pagerank(matrix, directed, tol=1e-12)
        expected = networkx.pagerank(networkx_graph(matrix, directed), weight=None, tol=1e-13, max_iter=1000)
        np.testing.assert_allclose(ranks, [expected[v] for v in range(matrix.shape[0])], atol=1e-10)

    @each_matrix
    def test_personalized_pagerank(self, matrix, directed, twin):
        n = matrix.shape[0]
        random = np.random.default_rng(n)
        shares = {int(v): float(random.integers(1, 9)) for v in random.integers(0, n, 3)}
        graph = networkx_graph(matrix, directed)
        expected = networkx.pagerank(graph, personalization=shares, weight=None, tol=1e-13, max_iter=1000)
        whole = np.zeros(n)
        whole[list(shares)] = list(shares.values())
        for given in (shares, whole, whole.tolist(), 1e300 * whole):
            ranks = dromos.pagerank(matrix, directed, tol=1e-12, personalization=given)
            np.testing.assert_allclose(ranks, [expected[v] for v in range(n)], atol=1e-10)

    @each_matrix
    def test_core_numbers(self, matrix, directed, twin):
        graph = networkx_graph(matrix, False)
        graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
        expected = networkx.core_number(graph)
        np.testing.assert_array_equal(dromos.core_numbers(matrix), [expected[v] for v in range(matrix.shape[0])])

    @each_matrix
    def test_rcm(self, matrix, directed, twin):
        order = dromos.rcm(matrix)
        self.assertEqual(sorted(order.tolist()), list(range(matrix.shape[0])))

    @each_matrix
    def test_rcm_is_that_of_the_symmetric_pattern(self, matrix, directed, twin):
        both = (matrix + matrix.T).tocsr()
        expected = dromos.rcm(dromos.Graph(both, directed=False))
        np.testing.assert_array_equal(dromos.rcm(matrix), expected)
        np.testing.assert_array_equal(dromos.rcm(dromos.Graph(matrix)), expected)
        np.testing.assert_array_equal(dromos.rcm(dromos.Graph(matrix, directed=False)), expected)
        # Rows that do not ascend, and entries that are there again.
        rows, columns = matrix.nonzero()
        at = np.argsort(rows, kind="stable")[::-1]
        turned = np.concatenate([columns[at][rows[at] == row] for row in range(matrix.shape[0])] or [columns])
        np.testing.assert_array_equal(dromos.rcm((None, turned.astype(matrix.indices.dtype), matrix.indptr)), expected)

    def test_rcm_of_a_path(self):
        path = sparse.diags([1, 1], [-1, 1], (100, 100)).tocsr()
        shuffled = np.random.default_rng(1).permutation(100)
        order = dromos.rcm(path[shuffled][:, shuffled])
        rows, columns = path[shuffled][:, shuffled][order][:, order].nonzero()
        self.assertEqual(np.abs(rows - columns).max(), 1)


class Arrays(unittest.TestCase):
    def test_what_fits_is_used_where_it_lies(self):
        matrix = random_matrix(5, np.int64)
        weights = matrix.data.astype(np.float32)
        graph = dromos.Graph((weights, matrix.indices, matrix.indptr), copy=False)
        self.assertEqual(graph.copied, ())
        for mine, theirs in ((graph.indptr, matrix.indptr), (graph.indices, matrix.indices), (graph.weights, weights)):
            self.assertTrue(np.shares_memory(mine, theirs))
        for array in (weights, matrix.indices, matrix.indptr):
            array.flags.writeable = False
        dromos.bfs(dromos.Graph((weights, matrix.indices, matrix.indptr), copy=False), 0)

    def test_offsets_of_32_bits_are_widened_and_nothing_else(self):
        matrix = random_matrix(5, np.int32)
        graph = dromos.Graph(matrix)
        self.assertEqual([name for name, _ in graph.copied], ["indptr"])
        self.assertTrue(np.shares_memory(graph.indices, matrix.indices))
        with self.assertRaisesRegex(dromos.ArgumentError, r"copy=False: .* indptr \(int32 to int64\)"):
            dromos.Graph(matrix, copy=False)

    def test_other_types_and_layouts_are_copied(self):
        matrix = random_matrix(7, np.int64, 30)
        expected = dromos.bfs(matrix, 3, return_predecessors=False)
        for indices in (matrix.indices.astype(np.uint16), matrix.indices.astype(">i4"),
                        np.repeat(matrix.indices, 2)[::2]):
            graph = dromos.Graph((None, indices, matrix.indptr))
            self.assertEqual([name for name, _ in graph.copied], ["indices"])
            np.testing.assert_array_equal(dromos.bfs(graph, 3, return_predecessors=False), expected)
        self.assertEqual(dromos.Graph(matrix.tocoo()).copied[0], ("matrix", "coo to csr"))

    def test_symmetric_matrices_are_undirected_as_they_lie(self):
        matrix = random_matrix(6, np.int64, 40, symmetric=True)
        matrix.sort_indices()
        graph = dromos.Graph(matrix, directed=False, copy=False)
        self.assertFalse(graph.directed)
        self.assertTrue(np.shares_memory(graph.indices, matrix.indices))
        one_way = sparse.csr_matrix(([1], ([0], [1])), (2, 2))
        self.assertIn(("matrix", "A + A^T"), dromos.Graph(one_way, directed=False).copied)

    def test_results_outlive_the_graph(self):
        levels, predecessors = dromos.bfs(random_matrix(8), 0)
        kept = levels.copy()
        gc.collect()
        np.testing.assert_array_equal(levels, kept)
        self.assertTrue(levels.flags.writeable and predecessors.flags.writeable)

    def test_what_is_no_graph_is_refused(self):
        good = random_matrix(9, n=10)
        refused = [
            (lambda: dromos.bfs(sparse.csr_matrix((2, 3)), 0), "square matrix, found 2 rows and 3 columns"),
            (lambda: dromos.bfs(np.eye(3), 0), "expected a sparse matrix of SciPy.*found ndarray"),
            (lambda: dromos.bfs((None, [0, 5], [0, 1, 2]), 0), r"1 column index is outside of \[0, 2\)"),
            (lambda: dromos.bfs((None, [0, 1], [0, 2, 1]), 0), "does not describe 2 entries"),
            (lambda: dromos.bfs((None, [0.5], [0, 1]), 0), "indices: expected an array of whole numbers"),
            (lambda: dromos.bfs((None, [], []), 0), "indptr: expected an offset more than there are rows"),
            (lambda: dromos.bfs(good, 10), "root 10 is not a vertex of the graph, whose 10 vertices"),
            (lambda: dromos.bfs(good, -1), "root -1 is not a vertex"),
            (lambda: dromos.sssp((None, [0], [0, 1]), 0), "the graph has no weights"),
            (lambda: dromos.sssp(([-1.0], [0], [0, 1]), 0), "weights must not be negative"),
            (lambda: dromos.sssp(([1.0, 2.0], [0], [0, 1]), 0), "a weight for each of the 1 indices, found 2"),
            (lambda: dromos.sssp(([16777217], [0], [0, 1]), 0), "weight 16777217 of entry 0 is a whole number"),
            (lambda: dromos.sssp(([16777217.0], [0], [0, 1]), 0), "weight 16777217.0 of entry 0 is a whole number"),
            (lambda: dromos.pagerank(good, alpha=1), "damping must be at least 0 and below 1"),
            (lambda: dromos.pagerank(good, personalization={10: 1}), "personalization: 10 is not a vertex"),
            (lambda: dromos.pagerank(good, personalization={"a": 1}), "personalization: 'a' is not a vertex"),
            (lambda: dromos.pagerank(good, personalization=[1, 2]), r"each of the 10 vertices, .* shape \(2,\)"),
            (lambda: dromos.pagerank(good, personalization={3: -1}), "at least 0, found -1.0 for vertex 3"),
            (lambda: dromos.pagerank(good, personalization={3: np.nan}), "at least 0, found nan for vertex 3"),
            (lambda: dromos.pagerank(good, personalization={}), "all numbers are 0"),
            (lambda: dromos.connected_components(good, connection="week"), "expected 'weak' or 'strong', found 'week'"),
        ]
        for call, message in refused:
            with self.subTest(message=message):
                with self.assertRaisesRegex(ValueError, message) as caught:
                    call()
                self.assertIsInstance(caught.exception, dromos.Error)

    def test_no_vertices_and_no_edges(self):
        for n in (0, 1, 5):
            matrix = sparse.csr_matrix((n, n))
            self.assertEqual(dromos.connected_components(matrix, return_labels=False), n)
            self.assertEqual(dromos.strongly_connected_components(matrix, return_labels=False), n)
            self.assertEqual(dromos.core_numbers(matrix).tolist(), [0] * n)
            self.assertEqual(sorted(dromos.rcm(matrix).tolist()), list(range(n)))
            self.assertEqual(dromos.pagerank(matrix).size, n)
            self.assertEqual(dromos.pagerank(matrix, personalization=np.ones(n)).size, n)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_a_file_is_a_graph(self):
        graph = dromos.read_graph(self.file("a.txt", "7 12\n12 900\n7 7\n7 12\n"))
        self.assertEqual((graph.num_vertices, graph.num_edges, graph.directed), (3, 2, True))
        self.assertEqual(graph.names.tolist(), [7, 12, 900])
        self.assertEqual(dromos.bfs(graph, graph.vertex(7), return_predecessors=False).tolist(), [0, 1, 2])
        self.assertEqual(dromos.read_graph(self.file("b.txt", "0 1\n0 0\n"), keep_self_loops=True).num_edges, 2)
        undirected = dromos.read_graph(self.file("c.txt", "0 1\n"), directed=False)
        self.assertEqual((undirected.directed, undirected.num_edges, undirected.names), (False, 2, None))

    def test_weights_tables_and_words(self):
        path = self.file("a.csv", "from;to;cost\nRome;Bari;3\nBari;Rome;4\nBari;Pisa;2.5\n")
        graph = dromos.read_graph(path, weights=True, columns=("from", "to", "cost"), words=True)
        self.assertEqual(graph.words, ["Rome", "Bari", "Pisa"])
        self.assertEqual(dromos.sssp(graph, graph.vertex("Rome")).tolist(), [0, 3, 5.5])

    def test_scipy_writes_and_we_read(self):
        import scipy.io
        matrix = random_matrix(11, n=40)
        path = os.path.join(self.folder, "m.mtx")
        scipy.io.mmwrite(path, matrix, symmetry="general")
        graph = dromos.read_graph(path, weights=True, keep_self_loops=True)
        self.assertEqual((graph.to_scipy() != matrix).nnz, 0)

    def test_networkx_writes_and_we_read(self):
        for seed in range(10):
            matrix = random_matrix(seed, symmetric=seed % 2 == 0)
            graph = networkx.from_scipy_sparse_array(matrix, create_using=networkx.Graph if seed % 2 == 0 else networkx.DiGraph)
            path = os.path.join(self.folder, "g.graphml")
            networkx.write_graphml(graph, path)
            read = dromos.read_graph(path, weights=True, keep_self_loops=True)
            self.assertEqual(read.directed, seed % 2 != 0)
            self.assertEqual((read.to_scipy() != matrix).nnz, 0)
            networkx.write_graphml(networkx.relabel_nodes(graph, {v: f"<{v}> & co" for v in graph}), path)
            read = dromos.read_graph(path, weights=True, keep_self_loops=True)
            self.assertEqual(read.words, [f"<{v}> & co" for v in graph])
            self.assertEqual((read.to_scipy() != matrix).nnz, 0)

    def test_errors_are_ours(self):
        with self.assertRaisesRegex(dromos.InputError, r"bad.txt:2: "):
            dromos.read_graph(self.file("bad.txt", "0 1\n0 x\n"))
        with self.assertRaisesRegex(ValueError, "no_such_file"):
            dromos.read_graph(os.path.join(self.folder, "no_such_file"))
        with self.assertRaisesRegex(dromos.ArgumentError, "edge-lost"):
            dromos.read_graph(self.file("a.txt", "0 1\n"), format="edge-lost")


def run_python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


class Processes(unittest.TestCase):
    def test_other_threads_run_meanwhile(self):
        matrix = random_matrix(1, n=300000)
        graph = dromos.Graph(matrix)
        done = threading.Event()
        thread = threading.Thread(target=lambda: (dromos.pagerank(graph, tol=0, max_iter=30), done.set()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            thread.start()
            turns = 0
            while not done.is_set():
                turns += 1
                time.sleep(0.0005)
            thread.join()
        self.assertGreater(turns, 5)

    def test_many_threads_may_call(self):
        matrix = random_matrix(12, n=50)
        expected = dromos.bfs(matrix, 0, return_predecessors=False).tolist()
        found = []
        threads = [threading.Thread(target=lambda: found.append(dromos.bfs(matrix, 0, return_predecessors=False).tolist()))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 8)

    def test_initialize_says_how_many_threads(self):
        run = run_python("import dromos; dromos.initialize(2); print(dromos.num_threads()); dromos.initialize(3)")
        self.assertEqual(run.stdout, "2\n")
        self.assertIn("Dromos runs on 2 threads already, and 3 are asked for", run.stderr)
        run = run_python("import dromos; print(dromos.num_threads())", OMP_NUM_THREADS="3", OMP_PROC_BIND="")
        self.assertEqual((run.stdout, run.returncode), ("3\n", 0), run.stderr)

    def test_the_exit_is_quiet(self):
        for code in ("import dromos", "import dromos; dromos.initialize()",
                     "import dromos; g = dromos.Graph((None, [1, 0], [0, 1, 2])); r = dromos.bfs(g, 0)",
                     "import dromos, sys; dromos.bfs((None, [1, 0], [0, 1, 2]), 0); sys.exit(0)"):
            run = run_python(code)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""), code)

    def test_a_forked_process_is_told(self):
        run = run_python("import dromos, os\n"
                         "graph = (None, [1, 0], [0, 1, 2])\n"
                         "dromos.bfs(graph, 0)\n"
                         "if os.fork() == 0:\n"
                         "    try:\n"
                         "        dromos.bfs(graph, 0)\n"
                         "    except dromos.Error as error:\n"
                         "        print(error, flush=True)\n"
                         "    raise SystemExit\n"
                         "os.wait()")
        self.assertIn("start processes with multiprocessing's method 'spawn'", run.stdout, run.stderr)
        self.assertEqual(run.returncode, 0)


class Page(unittest.TestCase):
    def test_the_page_is_true_to_the_letter(self):
        source = pathlib.Path(__file__).resolve().parents[2]
        before = os.getcwd()
        os.chdir(source)  # the page names files of inputs/
        self.addCleanup(os.chdir, before)
        report = []
        runner = doctest.DocTestRunner(verbose=False)
        page = (source / "doc" / "python.md").read_text()
        test = doctest.DocTestParser().get_doctest(page, {}, "python.md", "doc/python.md", 0)
        runner.run(test, out=report.append)
        self.assertEqual((runner.failures, "".join(report)), (0, ""))
        self.assertGreater(runner.tries, 10)


if __name__ == "__main__":
    unittest.main()
