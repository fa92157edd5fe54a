# SPDX-License-Identifier: BSD-3-Clause
"""Graphs by rows, in arrays of NumPy: which are used where they lie, which are copied, and which are refused."""

import operator
import os

import numpy as np

from . import _core
from ._core import ArgumentError


_no_weights = "the graph has no weights; give the data of the matrix, or read the file with weights=True"


def _describe(array):
    layout = "" if array.flags.c_contiguous else ", not contiguous"
    return f"{array.dtype}{layout}"


def _fitting(name, array, dtype, copied):
    """The array itself, where it can be used as it lies; else a copy, which is listed."""
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    copied.append((name, f"{_describe(array)} to {np.dtype(dtype)}"))
    return np.require(array, dtype, ["C", "A"])


def _whole(name, array):
    array = np.asarray(array)
    if array.ndim != 1 or (array.size > 0 and array.dtype.kind not in "iu"):
        raise ArgumentError(f"{name}: expected an array of whole numbers in one dimension, found {array.ndim} dimensions "
                            f"of {array.dtype}")
    return array if array.size > 0 or array.dtype.kind in "iu" else array.astype(np.int32)


def _indices(array, num_vertices, copied):
    """32-bit or 64-bit signed numbers; others become the narrower ones that do."""
    for dtype in (np.int32, np.int64):
        if array.dtype == dtype:
            return _fitting("indices", array, dtype, copied)
    if array.dtype.kind == "u" and array.size > 0 and array.max() >= num_vertices:
        raise ArgumentError(f"indices: {array.max()} is outside of [0, {num_vertices}), and a graph of {num_vertices} rows "
                            "has no other vertices; give a square matrix")
    return _fitting("indices", array, np.int32 if num_vertices < 2**31 else np.int64, copied)


def _weights(data, num_entries, copied):
    """32-bit floats. Whole numbers that one would round are refused, as the readers of files do."""
    if data is None:
        raise ArgumentError(_no_weights)
    data = np.asarray(data)
    if data.ndim != 1 or data.dtype.kind not in "iufb":
        raise ArgumentError(f"data: expected an array of real numbers in one dimension as weights, found {data.ndim} "
                            f"dimensions of {data.dtype}; leave it out (None) for a graph without weights")
    if data.size != num_entries:
        raise ArgumentError(f"data: expected a weight for each of the {num_entries} indices, found {data.size}")
    if data.dtype == np.float32 or data.dtype.kind == "b":
        return _fitting("data", data, np.float32, copied)
    if data.dtype.kind in "iu":
        size = np.where(data < 0, -data, data).astype(np.uint64)
        lowest = size & (~size + np.uint64(1))
        rounded = size // np.maximum(lowest, np.uint64(1)) >= 2**24
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = (np.rint(data) == data) & (data.astype(np.float32) != data)
    if rounded.any():
        first = int(np.argmax(rounded))
        raise ArgumentError(f"data: weight {data[first]} of entry {first} is a whole number that 32 bits of a float round; "
                            "scale the weights so that whole numbers stay below 16777216")
    return _fitting("data", data, np.float32, copied)


class Graph:
    """A graph by rows: the edges out of vertex u are indices[indptr[u]:indptr[u + 1]].

    matrix    a square sparse matrix of SciPy (CSR; other formats are converted), or its (data, indices, indptr), with None
              for data where there are no weights
    directed  False: forget directions. A matrix that is symmetric is used as it is; otherwise A + A^T is built, with the
              lighter weight of the two directions
    weights   True: the data are weights, which sssp() needs. False: they are not looked at. None: they are where they are
              given as a tuple, or a call needs them
    copy      False: refuse what cannot be used where it lies

    Indices of 32 and 64 bits are used where they lie, and so are weights of 32 bits and offsets (indptr) of 64. Everything
    else is converted into a copy, which the attribute `copied` names, as (array, what was done). The arrays must not be
    changed as long as the graph is used.
    """

    def __init__(self, matrix, directed=True, *, weights=None, copy=None):
        copied = []
        if isinstance(matrix, tuple):
            if len(matrix) != 3:
                raise ArgumentError(f"graph: expected (data, indices, indptr), found a tuple of {len(matrix)}")
            data, indices, indptr = matrix
            weights = data is not None if weights is None else weights
        elif hasattr(matrix, "tocsr") and hasattr(matrix, "shape"):
            if matrix.shape[0] != matrix.shape[1]:
                raise ArgumentError(f"graph: expected a square matrix, found {matrix.shape[0]} rows and "
                                    f"{matrix.shape[1]} columns")
            if matrix.format != "csr":
                copied.append(("matrix", f"{matrix.format} to csr"))
            matrix = matrix.tocsr()
            data, indices, indptr = matrix.data, matrix.indices, matrix.indptr
        else:
            raise ArgumentError("graph: expected a sparse matrix of SciPy, its (data, indices, indptr) or a dromos.Graph, "
                                f"found {type(matrix).__name__}; scipy.sparse.csr_array() makes one of a dense array")
        indptr, indices = _whole("indptr", indptr), _whole("indices", indices)
        if indptr.size == 0:
            raise ArgumentError("indptr: expected an offset more than there are rows, found none")
        self._data = data if data is not None and weights is not False else None
        self.indptr = _fitting("indptr", indptr, np.int64, copied)
        self.indices = _indices(indices, indptr.size - 1, copied)
        self.weights = _weights(data, indices.size, copied) if weights else None
        self.directed = True
        self.names = self.words = None
        self._turned = {}
        rows = self._rows(check=True)
        if not directed:
            if rows.is_undirected():
                self.directed = False
            else:
                copied.append(("matrix", "A + A^T"))
        if copy is False and copied:
            raise ArgumentError("copy=False: these cannot be used where they lie: " +
                                ", ".join(f"{name} ({how})" for name, how in copied))
        self.copied = tuple(copied)
        if not directed and self.directed:
            self._take(rows.forget_directions(), directed=False)

    @classmethod
    def _of_arrays(cls, arrays, directed):
        graph = cls.__new__(cls)
        graph._take(arrays, directed)
        graph.copied, graph.names, graph.words, graph._turned = (), None, None, {}
        return graph

    def _take(self, arrays, directed):
        self.indptr, self.indices, self.weights = arrays
        self._data = self.weights
        self.directed = directed

    def _rows(self, check=False):
        kind = _core.Rows32 if self.indices.dtype == np.int32 else _core.Rows64
        return kind(self.indptr, self.indices, self.weights, self.directed, check)

    @property
    def num_vertices(self):
        return self.indptr.size - 1

    @property
    def num_edges(self):
        """Entries of the rows: an undirected edge counts twice."""
        return self.indices.size

    @property
    def weighted(self):
        return self.weights is not None

    def undirected(self):
        """The same without directions, made once and kept."""
        if not self.directed:
            return self
        if "undirected" not in self._turned:
            rows = self._rows()
            if rows.is_undirected():
                other = Graph._of_arrays((self.indptr, self.indices, self.weights), directed=False)
            else:
                other = Graph._of_arrays(rows.forget_directions(), directed=False)
                other.copied = (("matrix", "A + A^T"),)
            other.names, other.words = self.names, self.words
            self._turned["undirected"] = other
        return self._turned["undirected"]

    def with_weights(self):
        """The same with the data of the matrix as weights, made once and kept."""
        if self.weighted:
            return self
        if self._data is None:
            raise ArgumentError(_no_weights)
        if "weighted" not in self._turned:
            self._turned["weighted"] = Graph((self._data, self.indices, self.indptr), weights=True)
        return self._turned["weighted"]

    def to_scipy(self):
        """A scipy.sparse.csr_matrix of the same arrays; ones stand for missing weights."""
        import scipy.sparse
        data = self.weights if self.weighted else np.ones(self.num_edges, dtype=np.int8)
        matrix = scipy.sparse.csr_matrix((self.num_vertices, self.num_vertices), dtype=data.dtype)
        matrix.data, matrix.indices, matrix.indptr = data, self.indices, self.indptr
        return matrix

    def vertex(self, name):
        """The vertex that the file of read_graph() calls so."""
        if self.words:
            if name in self.words:
                return self.words.index(name)
        elif self.names is None:
            if 0 <= operator.index(name) < self.num_vertices:
                return operator.index(name)
        else:
            at = int(np.searchsorted(self.names, operator.index(name)))
            if at < self.names.size and self.names[at] == name:
                return at
        raise ArgumentError(f"{name!r} is not a vertex of the graph")

    def __repr__(self):
        return (f"<dromos.Graph: {self.num_vertices:,} vertices, {self.num_edges:,} entries, "
                f"{'directed' if self.directed else 'undirected'}, {'weighted' if self.weighted else 'unweighted'}>")


def as_graph(graph, directed=True):
    """A Graph of whatever a call was given, without directions where these are to be forgotten."""
    if isinstance(graph, Graph):
        return graph if directed else graph.undirected()
    return Graph(graph, directed)


def read_graph(path, *, directed=None, weights=False, format="automatic", columns=(), separator="", words=False,
               keep_self_loops=False, keep_duplicates=False):
    """The graph of a file, in any of the formats of doc/formats.md.

    directed   whether edges have a direction; None: as the file says, else they have
    weights    True: keep them; an edge without one is then an error
    format     what the file is, where its content misleads: "matrix-market", "edge-list", "csv", ...
    columns    of a table: where source, target and weight stand, by name or counted from 1
    separator  of a table: the character between columns
    words      of a table: vertices are called by words, which Graph.words lists

    Self loops and repeated edges are left out unless they are to be kept. Graph.names has what the file calls each vertex;
    None: the vertex itself.
    """
    if len(separator) > 1:
        raise ArgumentError(f"separator: expected one character, found {separator!r}")
    answer = _core.read_file(os.fspath(path), format, -1 if directed is None else int(bool(directed)), bool(weights),
                             [str(column) for column in columns], separator, bool(words), bool(keep_self_loops),
                             bool(keep_duplicates))
    graph = Graph._of_arrays(answer["arrays"], answer["directed"])
    graph.names = answer["names"]
    graph.words = answer["words"] or None
    return graph
