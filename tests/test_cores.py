"""Every native kernel against its twin, on random and degenerate input."""

import inspect

import numpy as np
import pytest

from misieve._core import native_or_none, twin
from misieve.prior import pseudo_count
from misieve.summary import look_up_table

native = native_or_none()
pytestmark = pytest.mark.skipif(native is None, reason="the native core was not built")


def test_both_cores_have_the_same_functions():
    assert {name for name, _ in inspect.getmembers(native, callable)} >= set(twin.__all__)


def test_differences_of_products_are_exact():
    rng = np.random.default_rng(1)
    integers = rng.integers(1, 2**53, size=(4, 1000))
    a, b, c, d = integers.astype(float)
    exact = [int(w) * int(x) - int(y) * int(z) for w, x, y, z in zip(a, b, c, d, strict=True)]
    for core in (native, twin):
        np.testing.assert_allclose(core.product_difference(a, b, c, d), np.array(exact, dtype=float), rtol=1e-15)


def test_differences_of_nearly_equal_products_keep_their_digits():
    a = np.array([94906267.0, 1e10 + 1])
    b = np.array([94906265.0, 1e10 - 1])
    c = np.array([94906266.0, 1e10])
    for core in (native, twin):
        np.testing.assert_array_equal(core.product_difference(a, b, c, c), [-1.0, -1.0])


def test_overlap_sums_agree():
    rng = np.random.default_rng(2)
    a = 10 ** rng.uniform(-3, 6, size=4000)
    p, q = a * (1 + 10 ** rng.uniform(-6, 3, size=(2, 4000)))
    a[:50], p[50:100], q[100:150] = 0.0, a[50:100], a[100:150]
    np.testing.assert_allclose(native.overlap_sum(a, p, q), twin.overlap_sum(a, p, q), rtol=1e-13)
    assert native.overlap_sum(a[:0], p[:0], q[:0]).shape == twin.overlap_sum(a[:0], p[:0], q[:0]).shape == (0,)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("prior", ["uniform", "jeffreys", "perks", "haldane"])
@pytest.mark.parametrize("shape", [(0, 2, 2), (1, 2, 2), (200, 2, 2), (50, 5, 3), (3, 20, 10), (2, 300, 2)])
def test_moments_by_look_up_agree(shape, prior, exact):
    k, r, s = shape
    rng = np.random.default_rng(r * s)
    counts = rng.multinomial(40 * r, rng.dirichlet(np.ones(r * s)), size=k).reshape(shape)
    offset = pseudo_count(prior, r, s)
    tables = [look_up_table(times * offset, 64 * 1024) for times in (1, s, r, r * s)]
    ours = native.tabled_moments(counts, *tables, offset, exact)
    theirs = twin.tabled_moments(counts, *tables, offset, exact)
    assert ours.shape == (k, 5)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("count", [0, 1, 2, 100, 5000])
def test_distinct_rows_agree(count):
    rng = np.random.default_rng(count)
    rows = rng.integers(0, 3, size=(count, 4))
    firsts, rank = native.distinct_rows(rows)
    expected_firsts, expected_rank = twin.distinct_rows(rows)
    np.testing.assert_array_equal(firsts, expected_firsts)
    np.testing.assert_array_equal(rank, expected_rank)
    np.testing.assert_array_equal(rows[firsts][rank], rows)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6, 8, 9])
@pytest.mark.parametrize("late", [0, 1, 2**7, 2**8, 2**16, 2**32, 2**62, -1])
def test_distinct_rows_agree_where_large_numbers_come_late(width, late):
    rng = np.random.default_rng(width)
    rows = rng.integers(0, 3, size=(500, width))
    rows[300:, -1] += late
    rows[400:, 0] += late
    for ours, theirs in zip(native.distinct_rows(rows), twin.distinct_rows(rows), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("s", [0, 1, 2, 7])
@pytest.mark.parametrize(("n", "p", "density"), [(0, 3, 0.5), (4, 0, 0.5), (1, 1, 1.0), (600, 50, 0.3), (1300, 9, 0.0)])
def test_sums_over_sparse_rows_are_the_same(n, p, density, s, index):
    rng = np.random.default_rng(n + s)
    present = rng.random((n, p)) < density
    indices = np.nonzero(present)[1].astype(index)
    indptr = np.concatenate([[0], present.sum(axis=1).cumsum()]).astype(index)
    table = rng.normal(size=(p, s))
    expected = twin.sum_ones(indices, indptr, table)
    np.testing.assert_allclose(expected, present @ table, atol=1e-12)
    for jobs in (1, 3):
        np.testing.assert_array_equal(native.sum_ones(indices, indptr, table, jobs), expected)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_broken_sparse_rows_are_not_followed(index):
    for indices, indptr, p, message in (
        ([0, 3], [0, 2], 3, "inside the matrix"),
        ([0, -1], [0, 2], 3, "inside the matrix"),
        ([np.iinfo(index).max, 0], [0, 2], 3, "inside the matrix"),
        ([np.iinfo(index).min, 0], [0, 2], 3, "inside the matrix"),
        ([0], [0, 1], 0, "inside the matrix"),
        ([0, 1], [0, 3], 3, "must rise from 0"),
        ([0, 1], [1, 2], 3, "must rise from 0"),
        ([0, 1], [0, 2, 1, 2], 3, "must rise from 0"),
        ([0, 1], [], 3, "must rise from 0"),
    ):
        for core in (native, twin):
            for s in (1, 2):
                with pytest.raises(ValueError, match=message):
                    core.sum_ones(np.array(indices, index), np.array(indptr, index), np.ones((p, s)))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_rows_that_occur_are_the_same(width, dtype):
    cells = np.random.default_rng(width).integers(0, 2, size=(300, width)).astype(dtype)
    for counted in range(width + 1):
        wanted = cells[:, :counted].any(axis=1)
        for core in (native, twin):
            np.testing.assert_array_equal(core.occurring(cells, counted), wanted)
    for core in (native, twin):
        assert core.occurring(cells[:0], width).shape == (0,)
        with pytest.raises(ValueError, match="no 6 to count"):
            core.occurring(cells, 6)
