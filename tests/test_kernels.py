"""Every counting kernel against its NumPy twin and against a loop, at every instruction set this machine has."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

from misieve._core import native_or_none, twin

native = native_or_none()
LEVELS = native.simd_levels() if native else []
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = [*INTEGERS, "float32", "float64"]

pytestmark = pytest.mark.skipif(native is None, reason="the native core was not built")


@pytest.fixture(params=LEVELS)
def kernels(request):
    before = native.simd_level()
    native.set_simd_level(request.param)
    yield native
    native.set_simd_level(before)


def limits_of(p, limit):
    return np.full(p, limit, np.int64)


def loop(x, y, n_classes, limits, minus_one_is_missing=False):
    """Cell by cell, nothing shared with either implementation."""
    tables = [np.zeros((limit, n_classes), np.int64) for limit in limits]
    missing = np.zeros((x.shape[1], n_classes), np.int64)
    bad = np.full(x.shape[1], -1)
    for j in range(x.shape[1]):
        for i, value in enumerate(x[:, j].tolist()):
            if (isinstance(value, float) and math.isnan(value)) or (
                minus_one_is_missing and value == -1 and x.dtype.kind == "i"
            ):
                missing[j, y[i]] += 1
            elif 0 <= value < limits[j] and value == int(value):
                tables[j][int(value), y[i]] += 1
            else:
                bad[j] = i
                tables[j][:] = missing[j] = 0
                break
    return np.concatenate([t.ravel() for t in tables]) if tables else np.zeros(0, np.int64), missing, bad


def assert_equal(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 17, 256, 300])
@pytest.mark.parametrize("rows", [0, 1, 2, 63, 64, 65, 200])
def test_dense_counts_are_those_of_a_loop(kernels, rows, n_classes):
    rng = np.random.default_rng(rows + 1000 * n_classes)
    x = np.stack([rng.integers(0, r, rows) for r in (1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 100, 255, 256, 300)], 1)
    y = rng.integers(0, n_classes, rows).astype(np.int32)
    limits = limits_of(x.shape[1], 301)
    limits[:4] = 1, 2, 3, 4
    wanted = loop(x, y, n_classes, limits)
    assert (wanted[2] == -1).all()
    for order in "CF":
        assert_equal(kernels.count_dense(np.asarray(x, order=order), y, n_classes, limits), wanted)
    assert_equal(twin.count_dense(x, y, n_classes, limits), wanted)


@pytest.mark.parametrize("rows", [4079, 4081, 8160, 8175, 32769])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 12])
def test_few_cells_of_many_rows(kernels, rows, n_classes):
    # A byte counts 255 comparisons of 16 or 32 rows each: rows around its end, all of them alike or not.
    rng = np.random.default_rng(rows)
    x = np.stack([rng.integers(0, r, rows) for r in range(1, 19)] + [np.full(rows, r) for r in (0, 1, 5)], 1).astype(np.uint8)
    for y in (rng.integers(0, n_classes, rows).astype(np.uint8), np.full(rows, n_classes - 1, np.uint8)):
        limits = limits_of(x.shape[1], 20)
        assert_equal(kernels.count_dense(np.asfortranarray(x), y, n_classes, limits), twin.count_dense(x, y, n_classes, limits))


@pytest.mark.parametrize("dtype", ["bool", *DTYPES])
@pytest.mark.parametrize("n_values", [2, 5, 11, 40, 120])
def test_every_type_order_and_stride_counts_the_same(kernels, dtype, n_values):
    rng = np.random.default_rng(n_values)
    rows = 5000
    x = rng.integers(0, n_values, (rows, 37)).astype(dtype)
    y = rng.integers(0, 3, rows).astype(np.uint8)
    limits = limits_of(37, n_values)
    wanted = twin.count_dense(x, y, 3, limits)
    wide = np.zeros((2 * rows, 40), dtype)
    wide[::2, :37] = x
    spread = np.zeros((rows, 74), dtype)
    spread[:, ::2] = x
    views = {
        "C": np.ascontiguousarray(x),
        "F": np.asfortranarray(x),
        "every second row": wide[::2, :37],
        "every second column": spread[:, ::2],
        "rows backwards": np.ascontiguousarray(x[::-1])[::-1],
        "columns backwards": np.ascontiguousarray(x[:, ::-1])[:, ::-1],
        "F, every second row": np.asfortranarray(wide)[::2, :37],
        "unaligned": np.frombuffer(b"." + x.tobytes(), dtype, offset=1).reshape(x.shape),
    }
    for name, view in views.items():
        np.testing.assert_array_equal(view, x, err_msg=name)
        assert_equal(kernels.count_dense(view, y, 3, limits), wanted)
    assert_equal(
        kernels.count_dense(np.broadcast_to(x[:1], x.shape), y, 3, limits),
        twin.count_dense(x[:1].repeat(rows, 0), y, 3, limits),
    )


@pytest.mark.parametrize("shape", [(40_000, 3), (3_000, 150), (70_000, 1), (1, 300), (2049, 129)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_counts_do_not_depend_on_the_number_of_threads(kernels, shape, order):
    rng = np.random.default_rng(shape[0])
    x = np.asarray(rng.integers(0, 20, shape).astype(np.int16), order=order)
    x[:, shape[1] // 2] = rng.integers(0, 3000, shape[0])
    y = rng.integers(0, 4, shape[0]).astype(np.uint16)
    limits = limits_of(shape[1], 3000)
    wanted = twin.count_dense(x, y, 4, limits)
    for n_jobs in (1, 2, 3, 8):
        assert_equal(kernels.count_dense(x, y, 4, limits, n_jobs=n_jobs), wanted)
        columns = list(x.T)
        assert_equal(kernels.count_columns(columns, [None] * len(columns), y, 4, limits, n_jobs=n_jobs), wanted)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_outside_are_reported_and_the_other_columns_counted(kernels, dtype, order):
    rng = np.random.default_rng(5)
    rows = 5000
    x = np.asarray(rng.integers(0, 6, (rows, 21)).astype(dtype), order=order)
    info = np.iinfo(dtype) if x.dtype.kind in "iu" else np.finfo(dtype)
    x[4000, 1] = 6
    x[4999, 2] = info.max
    x[0, 3] = info.max
    x[17, 3] = 6
    x[2500, 5], x[2501, 5] = 100, 7
    if x.dtype.kind != "u":
        x[3000, 6], x[3001, 6] = -1, -2
        x[1, 7] = info.min
    if x.dtype.kind == "f":
        x[100, 8], x[90, 8] = np.inf, np.nan
        x[101, 9] = 0.5
        x[102, 10] = -0.25
        x[:, 11] = -0.0
        x[::7, 12] = np.nan
        x[:, 13] = np.nan
        x[103, 14] = 4.999
        x[104, 15] = 2.0**52 + 1 if dtype == "float64" else 2.0**23 + 1
        x[105, 16] = 256.0
        x[106, 17] = -np.inf
        x[107, 18] = 1e-45
    y = rng.integers(0, 2, rows).astype(np.uint8)
    for minus_one_is_missing in (False, True):
        for limit in (6, 255, 256, 1000):
            limits = limits_of(21, limit)
            limits[0] = 5  # its values reach 5: out of range
            if limit > 6:  # values up to 255 fit a byte, but 255 is kept for what is unusual
                x[1000:1010, 20] = 100
            wanted = twin.count_dense(x, y, 2, limits, minus_one_is_missing=minus_one_is_missing)
            if limit == 6 and kernels.simd_level() == LEVELS[0]:
                assert_equal(wanted, loop(x, y, 2, limits, minus_one_is_missing))
            assert wanted[2][0] >= 0
            for n_jobs in (1, 2):
                found = kernels.count_dense(x, y, 2, limits, minus_one_is_missing=minus_one_is_missing, n_jobs=n_jobs)
                assert_equal(found, wanted)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("rows", [7, 300, 2100])
def test_where_values_are_missing_others_may_still_be_bad(kernels, dtype, order, rows):
    rng = np.random.default_rng(rows)
    x = np.asarray(rng.integers(0, 5, (rows, 19)).astype(dtype), order=order)
    absent = np.nan if x.dtype.kind == "f" else -1
    x[rng.random(x.shape) < 0.1] = absent
    x[:, 3] = absent
    x[:, 4] = 1
    x[rows // 2, 5] = 100
    x[rows - 1, 6] = -2
    if x.itemsize > 1:
        x[:, 7] = np.where(np.isnan(x[:, 7]) | (x[:, 7] == -1), absent, x[:, 7] + 250)
        x[rows - 1, 8] = 255
        x[0, 9] = 70 if x.dtype.kind == "f" else 300
    y = rng.integers(0, 3, rows).astype(np.uint8)
    for limit in (6, 255, 256):
        wanted = loop(x, y, 3, limits_of(19, limit), True)
        assert (wanted[1][10:].sum(axis=0) > 0).any()
        assert wanted[2][6] == rows - 1
        for n_jobs in (1, 2):
            found = kernels.count_dense(x, y, 3, limits_of(19, limit), minus_one_is_missing=True, n_jobs=n_jobs)
            assert_equal(found, wanted)


@pytest.mark.parametrize("rows", [1, 8, 15, 16, 17, 1000])
@pytest.mark.parametrize("offset", [0, 3, 8])
def test_what_a_bitmap_leaves_may_still_be_bad(kernels, rows, offset):
    rng = np.random.default_rng(rows + offset)
    y = rng.integers(0, 2, rows).astype(np.uint8)
    there = rng.random((4, rows)) < 0.8
    there[2] = False
    columns = [rng.integers(0, 4, rows).astype(np.uint8) for _ in range(4)]
    columns[1][rows - 1], there[1, rows - 1] = 255, True
    columns[3][rows - 1], there[3, rows - 1] = 255, False
    validity = [(np.packbits(np.concatenate([np.zeros(offset, bool), own]), bitorder="little"), offset) for own in there]
    x = np.where(there, columns, np.nan).T
    for limit in (4, 255, 300):
        found = kernels.count_columns(columns, validity, y, 2, limits_of(4, limit))
        assert_equal(found, loop(x, y, 2, limits_of(4, limit)))
        assert found[2][1] == (-1 if limit == 300 else rows - 1)


def test_limits_that_a_float_cannot_hold_are_exact():
    x = np.array([[0], [2**24], [2**24 - 1], [1]], np.float32)
    for limit in (2**24, 2**24 + 1):
        counts, _, bad = native.count_dense(x, np.zeros(4, np.uint8), 1, limits_of(1, limit))
        assert bad == (1 if limit == 2**24 else -1)
        assert counts.sum() == (0 if limit == 2**24 else 4)


@pytest.mark.parametrize("offset", [0, 1, 7, 8, 13])
def test_separate_columns_with_validity_and_codes_of_missing(kernels, offset):
    rng = np.random.default_rng(offset)
    rows = 40_000
    y = rng.integers(0, 3, rows).astype(np.uint8)
    columns, validity = [], []
    for k, dtype in enumerate(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "float32"]):
        values = rng.integers(0, 7, rows).astype(dtype)
        if values.dtype.kind == "i":
            values[rng.random(rows) < 0.1] = -1
        columns.append(values)
        there = rng.random(rows) < (0.9 if k % 2 else 0.9999)
        values[~there & (rng.random(rows) < 0.5)] = 99  # what lies under a cleared bit does not matter
        bits = np.packbits(np.concatenate([rng.random(offset) < 0.5, there]), bitorder="little")
        validity.append(None if k == 2 else (bits, offset))
    columns[2] = rng.integers(0, 7, 2 * rows).astype(np.int16)[::2]
    limits = limits_of(len(columns), 8)
    limits[3] = 500
    wanted = twin.count_columns(columns, validity, y, 3, limits, minus_one_is_missing=True)
    assert (wanted[2] == -1).all()
    for n_jobs in (1, 2):
        found = kernels.count_columns(columns, validity, y, 3, limits, minus_one_is_missing=True, n_jobs=n_jobs)
        assert_equal(found, wanted)
    everything = np.concatenate([wanted[0][: 8 * 3].reshape(8, 3), wanted[1][:1]]).sum(0)
    np.testing.assert_array_equal(everything, np.bincount(y))


def test_many_values_per_column(kernels):
    rng = np.random.default_rng(8)
    rows, top = 100_000, 2_000_000
    columns = [rng.integers(0, top, rows).astype(dtype) for dtype in ("int32", "uint32", "int64")]
    y = rng.integers(0, 2, rows).astype(np.uint8)
    limits = limits_of(3, top)
    wanted = twin.count_columns(columns, [None] * 3, y, 2, limits)
    assert wanted[0].sum() == 3 * rows
    for n_jobs in (1, 2):
        assert_equal(kernels.count_columns(columns, [None] * 3, y, 2, limits, n_jobs=n_jobs), wanted)


@pytest.mark.parametrize("order", ["C", "F"])
def test_weights_are_added_in_the_order_of_rows(kernels, order):
    rng = np.random.default_rng(9)
    x = np.asarray(rng.integers(0, 9, (30_000, 21)).astype(float), order=order)
    x[::11, 4] = np.nan
    x[77, 5] = 0.5
    y = rng.integers(0, 3, len(x)).astype(np.uint8)
    weights = rng.random(len(x))
    limits = limits_of(21, 9)
    wanted = twin.count_dense(x, y, 3, limits, weights=weights)
    columns = list(x.T)
    for n_jobs in (1, 2, 3, 8):
        assert_equal(kernels.count_dense(x, y, 3, limits, weights=weights, n_jobs=n_jobs), wanted)
        found = kernels.count_columns(columns, [None] * 21, y, 3, limits, weights=weights, n_jobs=n_jobs)
        assert_equal(found, wanted)


@pytest.fixture(params=["int32", "int64"])
def sparse_case(request):
    def make(shape, dtype, n_values, density=0.05, seed=0):
        rng = np.random.default_rng(seed)
        filled = rng.random(shape) < density
        dense = np.where(filled, rng.integers(1, n_values, shape), 0).astype(dtype)
        y = rng.integers(0, 3, shape[0]).astype(np.uint8)
        matrices = []
        for by_row in (True, False):
            x = (sp.csr_array if by_row else sp.csc_array)(dense)
            parts = x.data, x.indices.astype(request.param), x.indptr.astype(request.param)
            matrices.append((parts, {"n_columns": shape[1], "by_row": by_row, "y": y, "n_classes": 3}))
        return dense, y, matrices

    return make


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (5, 0), (300, 40), (2000, 900)])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float64"])
@pytest.mark.parametrize("n_values", [2, 9])
def test_sparse_counts_are_those_of_the_filled_matrix(sparse_case, shape, dtype, n_values):
    dense, y, matrices = sparse_case(shape, dtype, n_values)
    limits = limits_of(shape[1], n_values)
    wanted = twin.count_dense(dense, y, 3, limits)
    for parts, options in matrices:
        assert_equal(twin.count_sparse(*parts, **options, limits=limits), (*wanted, True))
        for n_jobs in (1, 2, 3, 8):
            assert_equal(native.count_sparse(*parts, **options, limits=limits, n_jobs=n_jobs), (*wanted, True))
        weights = np.full(shape[0], 0.5)
        weighed = twin.count_sparse(*parts, **options, limits=limits, weights=weights)
        assert_equal(weighed[:2], (wanted[0] / 2, wanted[1] / 2))
        assert_equal(native.count_sparse(*parts, **options, limits=limits, weights=weights), weighed)
        maxima = native.sparse_maxima(*parts, n_columns=shape[1], by_row=options["by_row"])
        np.testing.assert_array_equal(maxima, dense.max(0, initial=0))
        np.testing.assert_array_equal(maxima, twin.sparse_maxima(*parts, n_columns=shape[1], by_row=options["by_row"]))


def test_sparse_missing_bad_and_stored_zeros(sparse_case):
    _, _, matrices = sparse_case((3000, 80), "float64", 4, density=0.9)
    weights = np.random.default_rng(1).random(3000)
    limits = limits_of(80, 4)
    limits[9] = 2
    for parts, options in matrices:
        data, indices, indptr = parts
        lines = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        columns = indices if options["by_row"] else lines
        rng = np.random.default_rng(2)
        data[columns == 3] = 0.0
        data[(columns == 4) & (rng.random(len(data)) < 0.1)] = np.nan
        data[np.flatnonzero(columns == 5)[[7, 3]]] = 0.5, -1.0
        data[columns == 6] = np.inf
        for extra in ({}, {"weights": weights}):
            wanted = twin.count_sparse(*parts, **options, limits=limits, **extra)
            assert wanted[3]
            assert set(np.flatnonzero(wanted[2] >= 0)) == {5, 6, 9}
            for n_jobs in (1, 2, 8):
                assert_equal(native.count_sparse(*parts, **options, limits=limits, n_jobs=n_jobs, **extra), wanted)
        lines_are = {"n_columns": 80, "by_row": options["by_row"]}
        maxima = native.sparse_maxima(*parts, **lines_are)
        assert maxima[[3, 4, 5, 6]].tolist() == [0, 3, -1, -1]
        np.testing.assert_array_equal(maxima, twin.sparse_maxima(*parts, **lines_are))


@pytest.mark.parametrize("where", [slice(0), slice(0, 500), slice(1000, 2500), slice(2990, 3000)])
def test_sparse_ones_with_some_other_entries(sparse_case, where):
    _, _, matrices = sparse_case((3000, 400), "float64", 2, density=0.2)
    for parts, options in matrices:
        data, rng = parts[0], np.random.default_rng(3)
        lines = np.repeat(np.arange(len(parts[2]) - 1), np.diff(parts[2]))
        rows = lines if options["by_row"] else parts[1]
        odd = (rows >= (where.start or 0)) & (rows < where.stop) & (rng.random(len(data)) < 0.01)
        data[odd] = rng.choice([0.0, np.nan, 2.0, 0.5], int(odd.sum()), p=[0.4, 0.4, 0.1, 0.1])
        wanted = twin.count_sparse(*parts, **options, limits=limits_of(400, 2))
        for n_jobs in (1, 2, 3, 8):
            assert_equal(native.count_sparse(*parts, **options, limits=limits_of(400, 2), n_jobs=n_jobs), wanted)


def test_weights_of_a_full_sparse_column_leave_exactly_nothing_for_zero():
    rng = np.random.default_rng(3)
    x = sp.csc_array(np.ones((1000, 2)))
    y = rng.integers(0, 2, 1000).astype(np.uint8)
    for core in (native, twin):
        counts, *_ = core.count_sparse(
            x.data,
            x.indices,
            x.indptr,
            n_columns=2,
            by_row=False,
            y=y,
            n_classes=2,
            limits=limits_of(2, 2),
            weights=rng.random(1000),
        )
        assert (counts.reshape(2, 2, 2)[:, 0] == 0).all()


@pytest.mark.parametrize("core", [native, twin])
def test_sparse_matrices_out_of_order_are_not_canonical(core):
    y = np.zeros(2, np.uint8)
    options = {"n_columns": 3, "by_row": True, "y": y, "n_classes": 1, "limits": limits_of(3, 2)}
    ones, indptr = np.ones(3), np.array([0, 2, 3], np.int32)
    assert core.count_sparse(ones, np.array([0, 2, 1], np.int32), indptr, **options)[3]
    assert not core.count_sparse(ones, np.array([2, 0, 1], np.int32), indptr, **options)[3]
    assert not core.count_sparse(ones, np.array([2, 2, 1], np.int32), indptr, **options)[3]


@pytest.mark.parametrize("core", [native, twin])
def test_sparse_matrices_that_point_outside_are_refused(core):
    y = np.zeros(2, np.uint8)
    options = {"n_columns": 3, "by_row": True, "y": y, "n_classes": 1, "limits": limits_of(3, 2)}
    ones, good = np.ones(3), np.array([0, 2, 1], np.int32)
    for indices in ([0, 3, 1], [0, -1, 1]):
        with pytest.raises(ValueError, match="inside the matrix"):
            core.count_sparse(ones, np.array(indices, np.int32), np.array([0, 2, 3], np.int32), **options)
    for indptr in ([0, 4, 3], [1, 2, 3], [0, 2, 2], [0, -1, 3]):
        with pytest.raises(ValueError, match="indptr must rise"):
            core.count_sparse(ones, good, np.array(indptr, np.int32), **options)
    with pytest.raises(ValueError, match="lines"):
        core.count_sparse(ones, good, np.array([0, 3], np.int32), **options)


@pytest.mark.parametrize("core", [native, twin])
@pytest.mark.parametrize(("dtype", "code"), [("uint8", 3), ("uint16", 300), ("int32", -1), ("int32", 3)])
def test_classes_outside_are_refused(core, dtype, code):
    y = np.array([0, 1, code, 2], dtype)
    with pytest.raises(ValueError, match="class codes must be 0 .. 2"):
        core.count_dense(np.zeros((4, 1)), y, 3, limits_of(1, 2))


@pytest.mark.parametrize("core", [native, twin])
def test_lengths_that_differ_are_refused(core):
    y = np.zeros(4, np.uint8)
    x = np.zeros((4, 2))
    with pytest.raises(ValueError, match="2 columns need as many limits"):
        core.count_dense(x, y, 1, limits_of(3, 2))
    with pytest.raises(ValueError, match="weights"):
        core.count_dense(x, y, 1, limits_of(2, 2), weights=np.ones(3))
    with pytest.raises(ValueError, match="column 1 has"):
        core.count_columns([x[:, 0], x[:3, 1]], [None, None], y, 1, limits_of(2, 2))
    with pytest.raises(ValueError, match="no bit for every row"):
        core.count_columns([np.zeros(9)], [(np.zeros(1, np.uint8), 0)], np.zeros(9, np.uint8), 1, limits_of(1, 2))


def test_reading_sums_words(kernels):
    x = np.random.default_rng(4).integers(0, 2**63, 1_000_003).astype(np.uint64)
    for n_jobs in (1, 2):
        assert kernels.read_bytes(x, n_jobs) == twin.read_bytes(x) == int(x.sum(dtype=np.uint64))
    for gaps in (x[::-1], x[::2], np.broadcast_to(x[:1], (10**8,))):
        with pytest.raises(ValueError, match="contiguous"):
            native.read_bytes(gaps)


@pytest.mark.parametrize("by_row", [False, True])
def test_a_sparse_matrix_without_lines_is_not_read(by_row):
    nothing = np.zeros(0, np.int32)
    for core in (native, twin):
        with pytest.raises(ValueError, match="indptr must rise"):
            core.sparse_maxima(np.zeros(0), nothing, nothing, n_columns=3, by_row=by_row)


@pytest.mark.parametrize("rows", [65_535, 65_536, 70_000])
def test_a_sparse_column_may_be_full_however_many_the_rows(rows):
    x = sp.csr_array(np.ones((rows, 2)))
    counts, _, _, canonical = native.count_sparse(
        x.data,
        x.indices,
        x.indptr,
        n_columns=2,
        by_row=True,
        y=np.zeros(rows, np.uint8),
        n_classes=1,
        limits=limits_of(2, 2),
    )
    assert canonical
    assert counts.tolist() == [0, rows, 0, rows]
