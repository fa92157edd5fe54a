# SPDX-License-Identifier: BSD-3-Clause
"""Graph traversal on NumPy's and SciPy's arrays.

    import dromos
    levels, predecessors = dromos.bfs(matrix, root=0)

A graph is a square sparse matrix of SciPy, whose entry (u, v) is the edge from u to v, the tuple (data, indices, indptr)
of one, or a dromos.Graph, which is checked once and used many times. doc/python.md says which arrays are used where they
lie. Calls let other threads of Python run, and do one after the other what several ask for at once.
"""

import atexit as _atexit
import os as _os

# OpenMP's threads spin while they wait, and GNU's runtime reads for how long when it is loaded, which is now unless somebody
# else has loaded it. Its own default, 3 ms, is far too long on cores that others use as well (doc/python.md).
_spins = "GOMP_SPINCOUNT"
_sets_spins = not {_spins, "OMP_WAIT_POLICY"} & _os.environ.keys()
if _sets_spins:
    _os.environ[_spins] = "3000"
from . import _core  # noqa: E402
if _sets_spins:
    del _os.environ[_spins]
from ._core import ArgumentError, Error, InputError
from ._algorithms import (bfs, connected_components, core_numbers, pagerank, rcm, sssp,
                          strongly_connected_components)
from ._graph import Graph, read_graph

for _error in (Error, ArgumentError, InputError):
    _error.__module__ = "dromos"  # where users know them from
__version__, __kokkos_version__ = _core.build()
__all__ = ["ArgumentError", "Error", "Graph", "InputError", "bfs", "connected_components", "core_numbers", "initialize",
           "num_threads", "pagerank", "rcm", "read_graph", "sssp", "strongly_connected_components"]


def initialize(threads=None):
    """Begin with so many threads, before anything else; without this, the first call begins with OMP_NUM_THREADS or one
    thread for each core."""
    _core.begin(0 if threads is None else int(threads))


def num_threads():
    """How many threads calls run on."""
    return _core.num_threads()


_atexit.register(_core.end)
