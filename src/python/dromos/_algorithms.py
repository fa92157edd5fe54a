# SPDX-License-Identifier: BSD-3-Clause
"""The calls, in the manner of scipy.sparse.csgraph."""

import operator
import warnings

import numpy as np

from ._core import ArgumentError
from ._graph import Graph, as_graph


def _roots(root, num_vertices):
    """The roots as a list, and whether there was one alone."""
    try:
        roots, alone = [operator.index(root)], True
    except TypeError:
        roots, alone = [operator.index(each) for each in root], False
    for each in roots:
        if not 0 <= each < num_vertices:
            raise ArgumentError(f"root {each} is not a vertex of the graph, whose {num_vertices} vertices are numbered from 0")
    return roots, alone


def bfs(csgraph, root, directed=True, return_predecessors=True):
    """Distance in edges of every vertex from the root, and the vertex before it on such a way.

    root  a vertex, or several: results then have a row for each

    Returns levels (int32, -1: not reached) and predecessors (as wide as the indices; of the root itself, -1: not reached),
    or the levels alone.
    """
    graph = as_graph(csgraph, directed)
    roots, alone = _roots(root, graph.num_vertices)
    levels, predecessors = graph._rows().search(roots, return_predecessors)
    if alone:
        levels, predecessors = levels[0], predecessors[0] if return_predecessors else None
    return (levels, predecessors) if return_predecessors else levels


def sssp(csgraph, root, directed=True, return_predecessors=False, unweighted=False):
    """Distance of every vertex from the root, over edges whose weights are the data of the matrix.

    root  a vertex, or several: results then have a row for each

    Returns distances (float64, inf: not reached), and the predecessors, as those of bfs(), where they are asked for.
    Weights are 32-bit floats inside, and must not be negative.
    """
    if unweighted:
        graph = as_graph(csgraph)
        graph = Graph((np.ones(graph.num_edges, np.float32), graph.indices, graph.indptr))
    elif isinstance(csgraph, Graph):
        graph = csgraph.with_weights()
    else:
        graph = Graph(csgraph, weights=True)
    if not directed:
        graph = graph.undirected()
    roots, alone = _roots(root, graph.num_vertices)
    distances, predecessors = graph._rows().distances(roots, return_predecessors)
    if alone:
        distances, predecessors = distances[0], predecessors[0] if return_predecessors else None
    return (distances, predecessors) if return_predecessors else distances


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    """How many components there are, and for every vertex which one, numbered from 0 in the order of their first vertices.

    connection  "weak": what edges join in either direction; "strong": what reaches each other
    """
    if connection not in ("weak", "strong"):
        raise ArgumentError(f"connection: expected 'weak' or 'strong', found {connection!r}")
    # Weak components are the same with directions and without.
    strong = connection == "strong" and directed
    num_components, labels = as_graph(csgraph)._rows().components(strong)
    return (num_components, labels) if return_labels else num_components


def strongly_connected_components(csgraph, return_labels=True):
    """connected_components(csgraph, connection="strong")."""
    return connected_components(csgraph, connection="strong", return_labels=return_labels)


def _probabilities(shares, num_vertices):
    """A share for each vertex, as an array or by vertex with 0 for all others, divided by their sum."""
    if hasattr(shares, "keys"):
        array = np.zeros(num_vertices)
        for vertex in shares.keys():
            try:
                place = operator.index(vertex)
            except TypeError:
                place = -1
            if not 0 <= place < num_vertices:
                raise ArgumentError(f"personalization: {vertex!r} is not a vertex of the graph, whose {num_vertices} "
                                    "vertices are numbered from 0")
            array[place] = shares[vertex]
    else:
        array = np.asarray(shares, np.float64)
        if array.shape != (num_vertices,):
            raise ArgumentError(f"personalization: expected a number for each of the {num_vertices} vertices, found an "
                                f"array of shape {array.shape}; a dictionary has vertices alone that are not 0")
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ArgumentError(f"personalization: expected numbers of at least 0, found {array[first]} for vertex {first}")
    most = array.max(initial=0)
    if num_vertices > 0 and most == 0:
        raise ArgumentError("personalization: all numbers are 0; give one above 0 where walks are to start")
    array = array / most if most > 0 else array  # no sum of large numbers is infinite
    return array / max(array.sum(), 1)


def pagerank(csgraph, directed=True, alpha=0.85, tol=1e-9, max_iter=200, personalization=None):
    """PageRank of every vertex (float64); they add up to 1. Weights are not looked at.

    alpha            the probability that the walk follows an edge
    tol              stop when all changes of an iteration add up to less
    max_iter         stop after so many iterations, with a RuntimeWarning
    personalization  where the walk goes when it follows no edge, after vertices without out-edges as well: numbers in
                     proportion to the probabilities, one for each vertex, or a dictionary of vertices, the others being 0.
                     None: anywhere alike
    """
    graph = as_graph(csgraph, directed)
    start = None if personalization is None else _probabilities(personalization, graph.num_vertices)
    ranks, converged, change = graph._rows().pagerank(alpha, tol, max_iter, start)
    if not converged:
        warnings.warn(f"pagerank: after {max_iter} iterations the ranks still changed by {change:g} in all, and tol is "
                      f"{tol:g}; give a larger max_iter or tol", RuntimeWarning, stacklevel=2)
    return ranks


def core_numbers(csgraph):
    """For every vertex the largest k such that it is in a subgraph in which all have k neighbors. Directions, repeated
    edges and self loops do not count."""
    return as_graph(csgraph, directed=False)._rows().core_numbers()


def rcm(csgraph):
    """Reverse Cuthill-McKee: the vertex at each place, so that csgraph[order][:, order] has a small bandwidth. The order is
    that of A + A^T where the matrix is not symmetric, which is not built if its rows are sorted and without repeated
    entries."""
    return as_graph(csgraph)._rows().rcm()
