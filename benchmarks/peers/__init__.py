"""One adapter per peer.

An adapter is a module with ``NAME``, ``available()`` (an empty string, or why it cannot run here) and ``run(x, y)``, which
makes the peer do what counting does for us: x is an (n, p) uint8 matrix in Fortran order or, for peers with ``SPARSE``, a CSR
matrix; y holds uint8 class codes. ``run`` returns the (r, s) table of every column where the peer gives tables
(``TABLES = True``, checked against ours), else its scores. What a peer needs before it counts (its own frame, say) is made by
``prepare(x, y)``, which is not timed. An adapter that measures in another process returns seconds from ``run_elsewhere``.
"""

import importlib
from types import ModuleType

__all__ = ["dense_peers", "sparse_peers"]

_DENSE = (
    "numpy_bincount",
    "polars_group_by",
    "duckdb_group_by",
    "boost_histogram_fill",
    "pandas_crosstab",
    "scipy_one_hot",
    "sklearn_mutual_info",
    "sklearn_chi2",
    "pyitlib_mutual_info",
    "praznik_scores",
)


def dense_peers() -> list[ModuleType]:
    """Adapters that take a dense matrix."""
    return [importlib.import_module(f"benchmarks.peers.{name}") for name in _DENSE]


def sparse_peers() -> list[ModuleType]:
    """Adapters that take a sparse matrix."""
    return [peer for peer in dense_peers() if getattr(peer, "SPARSE", False)]
