"""The counting kernels beside a plain read of the same bytes and beside the peers, all in one run.

``python -m benchmarks.counting [--quick] [--jobs N] [workload ...]``. A peer that would take longer than a few seconds gets
some of the columns and is scaled, which its line says. Times are the best of several; ratios are what counts: a plain read of
the same bytes by as many threads is the floor, the peers are the ceiling.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

import misieve
from benchmarks.memory import peak_megabytes
from benchmarks.peers import dense_peers, sparse_peers
from benchmarks.timing import alternating
from misieve._core import CORE, kernels

LIMIT = 64
PATIENCE = 4.0  # seconds after which a peer is given fewer columns


def best(call: Callable[[], Any], repeats: int = 7) -> float:
    """Seconds of the fastest of some calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
        if len(times) > 1 and sum(times) > PATIENCE:  # the first may have had to import
            break
    return min(times)


def columns(n: int, p: int, most: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """p uint8 columns in Fortran order, of 2 .. most values in turn, and class codes that the first column leans on."""
    rng = np.random.default_rng(2002)
    x = np.empty((n, p), np.uint8, order="F")
    for j in range(p):
        x[:, j] = rng.integers(0, 2 + j % (most - 1), n, dtype=np.uint8)
    y = rng.integers(0, classes, n).astype(np.uint8)
    y[rng.random(n) < 0.1] = 0
    return x, y


def show(what: str, seconds: float, *ratios: str) -> None:
    print(f"  {what:<44} {seconds * 1e3:10.2f} ms   {'   '.join(ratios)}", flush=True)


def ours(x: np.ndarray, y: np.ndarray, jobs: int, rival: float | None = None) -> float:
    """Time the kernel on a matrix at every instruction set, in turn with a plain read; returns the time of the one in use."""
    limits = np.full(x.shape[1], LIMIT)
    classes = int(y.max()) + 1
    used = kernels.simd_level()
    seconds = 0.0
    for level in kernels.simd_levels():
        kernels.set_simd_level(level)
        count = lambda: kernels.count_dense(x, y, classes, limits, n_jobs=jobs)  # noqa: E731
        floor, seconds = alternating(lambda: kernels.read_bytes(x, jobs), count, 15)
        ratios = [f"{seconds / floor:6.2f} x the read ({floor * 1e3:.2f} ms)"]
        if rival is not None:
            ratios.append(f"{rival / seconds:6.1f} x as fast as NumPy bincount")
        show(f"misieve, {level}", seconds, *ratios)
    kernels.set_simd_level(used)
    show("misieve, whole call", best(lambda: misieve.count(x, y, n_jobs=jobs)))
    more = peak_megabytes(lambda: misieve.count(x, y, n_jobs=jobs))
    print("  memory above the input:", "not told by this system" if more is None else f"{more:.1f} MB", flush=True)
    return seconds


def timed_peer(peer: Any, x: Any, y: np.ndarray, wanted: list[np.ndarray] | None) -> tuple[float, str]:
    """Seconds of a peer on all columns, and how they were come by."""
    p = x.shape[1]
    width = min(p, 2)
    while True:
        part = x if width == p else x[:, :width]
        prepared = peer.prepare(part, y)
        if hasattr(peer, "run_elsewhere"):
            seconds = peer.run_elsewhere(*prepared)
        else:
            if getattr(peer, "TABLES", False) and wanted is not None:
                for found, table in zip(peer.run(*prepared), wanted, strict=False):
                    assert np.array_equal(found, table[: len(found)]), f"{peer.NAME} counts something else"
            seconds = best(lambda prepared=prepared: peer.run(*prepared), 3)
        per_column = seconds / width
        reach = min(p, max(width, int(PATIENCE / per_column)))
        if width == p or reach < 2 * width:
            note = "" if width == p else f"(measured on {width} of {p} columns, scaled)"
            return per_column * p, note
        width = reach


def peers(x: np.ndarray, y: np.ndarray, reference: float) -> None:
    limits = np.full(x.shape[1], LIMIT)
    classes = int(y.max()) + 1
    counts, _, _ = kernels.count_dense(x, y, classes, limits)
    wanted = list(counts.reshape(-1, LIMIT, classes))
    for peer in dense_peers():
        why = peer.available()
        if why:
            print(f"  {peer.NAME:<44} skipped: {why}", flush=True)
            continue
        seconds, note = timed_peer(peer, x, y, wanted)
        show(peer.NAME, seconds, f"misieve is {seconds / reference:.1f} x as fast", note)


def bincount(x: np.ndarray, y: np.ndarray) -> float:
    return timed_peer(dense_peers()[0], x, y, None)[0]


def dense(name: str, x: np.ndarray, y: np.ndarray, jobs: int, with_peers: bool) -> None:
    print(f"{name}: {x.shape[0]:,} x {x.shape[1]:,} {x.dtype}, {'F' if x.flags.f_contiguous else 'C'} order")
    rival = bincount(x, y) if with_peers else None
    seconds = ours(x, y, jobs, rival)
    if with_peers:
        peers(x, y, seconds)


def w1(scale: int, jobs: int) -> None:
    x, y = columns(1_000_000 // scale, 200, 8, 2)
    dense("W1, columns of 2-8 values, two classes", x, y, jobs, True)
    limits = np.full(x.shape[1], LIMIT)
    for dtype in ("uint8", "int8", "uint32", "int32"):  # as frames hold the codes of categories
        separate = [x[:, j].astype(dtype) for j in range(x.shape[1])]
        nothing = [None] * len(separate)
        seconds = best(lambda c=separate, v=nothing: kernels.count_columns(c, v, y, 2, limits, n_jobs=jobs))
        show(f"misieve, separate {dtype} columns", seconds)


def orders(scale: int, jobs: int) -> None:
    x, y = columns(1_000_000 // scale, 200, 8, 2)
    for order, dtype in (("C", "uint8"), ("C", "int64"), ("C", "float64"), ("F", "int64")):
        dense("W1 as it comes", x.astype(dtype, order=order), y, jobs, False)


def w2(scale: int, jobs: int) -> None:
    x, y = columns(100_000 // scale, 1000, 20, 5)
    dense("W2, columns of 2-20 values, five classes", x, y, jobs, True)


def _moments(x: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    posterior = misieve.posterior(misieve.count(x, y), variance="series")
    return posterior.mean(), posterior.var()


def w3(scale: int, jobs: int) -> None:
    rng = np.random.default_rng(2003)
    n, p = 20_000 // scale, 100_000
    x = sp.random(n, p, density=0.002, format="csr", rng=rng, dtype=np.float64)
    x.data[:] = 1.0
    y = rng.integers(0, 2, n).astype(np.uint8)
    limits = np.full(p, 2)
    print(f"W3: CSR {n:,} x {p:,}, {x.nnz:,} ones, two classes")
    floor = best(lambda: (kernels.read_bytes(x.data, jobs), kernels.read_bytes(x.indices, jobs)))
    show(f"plain read, {jobs} threads", floor)
    options: dict[str, Any] = {"n_columns": p, "y": y, "n_classes": 2, "limits": limits, "n_jobs": jobs}
    seconds = best(lambda: kernels.count_sparse(x.data, x.indices, x.indptr, by_row=True, **options))
    show("misieve, counting only", seconds, f"{seconds / floor:.2f} x the read")
    c = x.tocsc()
    whole = best(lambda: _moments(x, y), 15)
    show("misieve, counts, mean and series variance", whole, "whole calls")
    by_column = best(lambda: kernels.count_sparse(c.data, c.indices, c.indptr, by_row=False, **options))
    show("misieve, counting only, as CSC", by_column)
    for peer in sparse_peers():
        other = best(lambda peer=peer: peer.run(x, y))
        show(peer.NAME, other, f"misieve is {other / whole:.1f} x as fast, counting alone {other / seconds:.1f} x")


def small(_scale: int, _jobs: int) -> None:
    rng = np.random.default_rng(2004)
    x, y, limits = rng.integers(0, 5, (500, 20)), rng.integers(0, 2, 500).astype(np.uint8), np.full(20, LIMIT)
    print("A small call: 500 x 20 int64")
    show("misieve, the kernel's share", best(lambda: kernels.count_dense(x, y, 2, limits), 500))


WORKLOADS = {"w1": w1, "orders": orders, "w2": w2, "w3": w3, "small": small}


def main() -> None:
    """Parse the command line and run the workloads."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counting", description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument("--jobs", type=int, default=2, help="threads (default 2)")
    parser.add_argument("workload", nargs="*", help=f"any of {', '.join(WORKLOADS)}; all by default")
    arguments = parser.parse_args()
    unknown = set(arguments.workload) - set(WORKLOADS)
    if unknown:
        parser.error(f"no workload {', '.join(sorted(unknown))}: choose from {', '.join(WORKLOADS)}")
    print(f"core: {CORE}, level {kernels.simd_level()} of {', '.join(kernels.simd_levels())}")
    for name in arguments.workload or WORKLOADS:
        WORKLOADS[name](10 if arguments.quick else 1, arguments.jobs)


if __name__ == "__main__":
    main()
