import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from misieve import discretize
from misieve._core import native_or_none, twin
from misieve._errors import DataError, OptionError
from misieve.binning import apply_cuts, quantile_cuts
from misieve.discretize import mdl_cuts, mdl_cuts_sparse
from naive_mdl import naive_cuts

NATIVE = native_or_none()
CORES = [twin] if NATIVE is None else [twin, NATIVE]

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(params=CORES, ids=lambda core: core.__name__.rpartition(".")[2])
def core(request, monkeypatch):
    monkeypatch.setattr(discretize, "kernels", request.param)


def cuts_of_cores(x, classes, weights=None, **options):
    """The cuts that each core finds in one column."""
    chosen = discretize.kernels
    try:
        for kernels in CORES:
            discretize.kernels = kernels
            yield mdl_cuts(np.asarray(x)[:, None], classes, weights, **options)[0].tolist()
    finally:
        discretize.kernels = chosen


def draw_column(rng, n, kind):
    """A column and classes that follow it, more or less."""
    values = {
        "tied": rng.integers(0, 9, n).astype(float),
        "random": rng.normal(size=n),
        "float32": rng.normal(size=n).astype(np.float32),
        "neighbours": 1.0 + rng.integers(0, 8, n) * sys.float_info.epsilon,
    }[kind]
    noise = rng.normal(size=n) * rng.choice([0.0, 0.5, 3.0]) * (np.ptp(values) if n else 0.0)
    k = int(rng.integers(1, 5))
    step = np.argsort(np.argsort(values + noise, kind="stable")) * k // max(n, 1)
    return values, np.where(rng.random(n) < 0.1, rng.integers(0, k, n), step).astype(int)


@pytest.mark.parametrize("kind", ["tied", "random", "float32", "neighbours"])
@settings(deadline=None, max_examples=60)
@given(seed=seeds, n=st.integers(0, 50))
def test_both_cores_agree_with_the_naive_twin(kind, seed, n):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, n, kind)
    x[rng.random(n) < 0.05] = np.nan
    expected = naive_cuts(x.tolist(), classes.tolist())
    for found in cuts_of_cores(x, classes):
        assert found == expected


@settings(deadline=None, max_examples=80)
@given(seed=seeds, n=st.integers(1, 40), kind=st.sampled_from(["tied", "random"]))
def test_both_cores_agree_with_the_naive_twin_on_weighted_rows(seed, n, kind):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, n, kind)
    weights = rng.choice([0.0, 0.25, 1.0, 1.5, 4.0], n)
    expected = naive_cuts(x.tolist(), classes.tolist(), weights.tolist())
    for found in cuts_of_cores(x, classes, weights):
        assert found == expected


@settings(deadline=None, max_examples=80)
@given(seed=seeds, n=st.integers(1, 30), max_bins=st.integers(1, 6), criterion=st.sampled_from(["mdl", "entropy"]))
def test_both_cores_make_the_best_splits_first(seed, n, max_bins, criterion):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, n, "tied")
    expected = naive_cuts(x.tolist(), classes.tolist(), test=criterion == "mdl", max_bins=max_bins)
    for found in cuts_of_cores(x, classes, criterion=criterion, max_bins=max_bins):
        assert found == expected
        assert len(found) < max_bins


@pytest.mark.skipif(NATIVE is None, reason="the native core was not built")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_cores_agree_on_long_columns(weighted, dtype):
    rng = np.random.default_rng(20)
    n = 30_000
    y = rng.integers(0, 3, n)
    x = np.column_stack(
        [
            rng.normal(size=n),
            rng.normal(size=n) + 0.5 * y,
            rng.integers(0, 300, n) + 60 * y,
            np.exp(9 * (rng.normal(size=n) + y)),
            1.0 + (rng.integers(0, 5000, n) + 2000 * y) * 2.0**-50,  # long runs that share their leading bits
            np.where(rng.random(n) < 0.5, -1e30, 1.0 + rng.random(n) * 2.0**-25 * (1 + y)),
            np.where(rng.random(n) < 0.3, np.nan, y + rng.random(n)),
            np.where(rng.random(n) < 0.3, np.inf, rng.random(n) - y),
            np.full(n, np.nan),
            np.full(n, -3.25),
        ]
    )
    x = x.astype(dtype)
    weights = rng.exponential(size=n) if weighted else None
    by_twin, by_native = (twin.mdl_cuts, NATIVE.mdl_cuts)
    rest = (y.astype(np.uint32), np.empty(0) if weights is None else weights, 3, True, 0)
    expected = by_twin(x, *rest, 1)
    assert [len(cuts) > 0 for cuts in expected][:5] == [False, True, True, True, dtype is np.float64]
    for table in (x, np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x[:, ::-1][:, ::-1]):
        for threads in (1, 3, 100):
            assert by_native(table, *rest, threads) == expected


def test_the_entropy_of_a_hand_checked_column(core):
    # 4 a, then 4 b: gain 1 bit a row, 8 > log2(7) + log2(7) - 2 = 3.61, so the cut is kept; both parts are pure.
    assert mdl_cuts(np.arange(8.0)[:, None], [0] * 4 + [1] * 4)[0].tolist() == [3.5]
    # a a b b: 4 > log2(3) + log2(7) - 2 = 2.39
    assert mdl_cuts(np.arange(4.0)[:, None], [0, 0, 1, 1])[0].tolist() == [1.5]
    # a b: 2 > 0 + log2(7) - 2 = 0.81
    assert mdl_cuts(np.arange(2.0)[:, None], [0, 1])[0].tolist() == [0.5]
    # a b a: cutting one off saves 3 x 0.918 - 2 = 0.755 bits, less than log2(2) + log2(7) - (1.837 - 2) = 3.97
    assert mdl_cuts(np.arange(3.0)[:, None], [0, 1, 0])[0].tolist() == []


def test_the_classes_present_in_an_interval_are_the_ones_that_count(core):
    # With k = 2 in the right part (classes 1 and 2) its split costs log2(7) - ..., with k = 3 it would cost log2(25) - ...
    x = np.arange(12.0)
    y = np.repeat([0, 1, 2], 4)
    assert mdl_cuts(x[:, None], y)[0].tolist() == [3.5, 7.5]
    assert mdl_cuts(x[4:, None], y[4:])[0].tolist() == mdl_cuts(x[4:, None], y[4:] - 1)[0].tolist() == [7.5]


def test_a_tie_goes_to_the_most_even_split_and_then_to_the_lower_one(core):
    def first_cut(y):
        return mdl_cuts(np.arange(len(y))[:, None], y, criterion="entropy", max_bins=2)[0].tolist()

    # a b a a b b a: after 1 row 6 bits are left (1, 0 | 3, 3), after 6 rows too; and after 4 rows (3, 1 | 1, 2)
    # 4 H(1/4) + 3 H(1/3) = (8 - 3 log2 3) + (3 log2 3 - 2) = 6 as well, nearer the middle.
    assert first_cut([0, 1, 0, 0, 1, 1, 0]) == [3.5]
    # b a a b, four rows each: the borders after 4 and after 12 of 16 mirror one another; so do those of a b c.
    assert first_cut(np.repeat([1, 0, 0, 1], 4)) == [3.5]
    assert first_cut(np.repeat([0, 1, 2], 4)) == [3.5]


def test_of_equal_splits_the_one_nearest_the_middle_is_taken(core):
    rng = np.random.default_rng(5)
    ties = 0
    for _ in range(300):
        y = rng.integers(0, 2, 10)
        x = np.arange(10.0)
        expected = naive_cuts(x.tolist(), y.tolist(), test=False, max_bins=2)
        assert mdl_cuts(x[:, None], y, criterion="entropy", max_bins=2)[0].tolist() == expected
        mirrored = naive_cuts((9 - x).tolist(), y.tolist(), test=False, max_bins=2)
        ties += bool(expected) and expected != [9 - cut for cut in mirrored]
    assert ties > 10  # splits that only the last rule, the lower one, could tell apart


def test_neighbouring_doubles_are_cut_at_the_lower_one(core):
    lower = 1.0 + sys.float_info.epsilon
    upper = 1.0 + 2 * sys.float_info.epsilon
    assert (lower + upper) / 2 == upper  # rounds up
    cuts = mdl_cuts(np.array([[lower]] * 3 + [[upper]] * 3), [0, 0, 0, 1, 1, 1])[0]
    assert cuts.tolist() == [lower]
    assert apply_cuts([lower, upper], cuts).tolist() == [0, 1]


def test_huge_values_do_not_overflow(core):
    big = sys.float_info.max
    assert mdl_cuts(np.array([[big / 2]] * 3 + [[big]] * 3), [0] * 3 + [1] * 3)[0].tolist() == [big / 4 + big / 2]
    assert mdl_cuts(np.array([[-big]] * 3 + [[big]] * 3), [0] * 3 + [1] * 3)[0].tolist() == [0.0]


def test_infinite_values_are_values_like_others(core):
    inf = math.inf
    for values, cut in (((-inf, 1.0), -inf), ((1.0, inf), 1.0), ((-inf, inf), -inf)):
        x = np.repeat(values, 4)
        cuts = mdl_cuts(x[:, None], [0] * 4 + [1] * 4)[0]
        assert cuts.tolist() == [cut]
        assert apply_cuts(x, cuts).tolist() == [0] * 4 + [1] * 4


def test_both_zeros_are_one_value(core):
    x = np.array([-0.0, 0.0] * 8)
    assert mdl_cuts(x[:, None], [0, 1] * 8)[0].tolist() == []


def test_the_cuts_of_iris(core):
    iris = load_iris()
    found = mdl_cuts(iris.data, iris.target)
    for cuts, known in zip(found, [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]], strict=True):
        assert cuts == pytest.approx(known)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_real_data_agree_with_the_naive_twin(core, load):
    data = load()
    chosen = data.data[::2, :6]
    classes = data.target[::2]
    found = mdl_cuts(chosen, classes)
    assert [cuts.tolist() for cuts in found] == [naive_cuts(column.tolist(), classes.tolist()) for column in chosen.T]


@settings(deadline=None, max_examples=40)
@given(seed=seeds)
def test_a_weight_of_two_is_two_rows_and_a_weight_of_zero_none(seed):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, 60, "tied")
    weights = rng.integers(0, 4, 60)
    repeated = list(cuts_of_cores(np.repeat(x, weights), np.repeat(classes, weights)))
    assert list(cuts_of_cores(x, classes, weights)) == repeated


@settings(deadline=None, max_examples=40)
@given(seed=seeds)
def test_cuts_follow_a_monotone_rescaling_and_a_renaming_of_classes(seed):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, 60, "tied")
    k = classes.max() + 1
    shuffle = rng.permutation(k)
    order = rng.permutation(60)
    for cuts, scaled, renamed, shuffled in zip(
        cuts_of_cores(x, classes),
        cuts_of_cores(8 * x - 16, classes),
        cuts_of_cores(x, shuffle[classes]),
        cuts_of_cores(x[order], classes[order]),
        strict=True,
    ):
        assert scaled == [8 * cut - 16 for cut in cuts]
        assert renamed == cuts == shuffled


@settings(deadline=None, max_examples=40)
@given(seed=seeds, weighted=st.booleans())
def test_a_sparse_column_is_cut_as_the_dense_one(seed, weighted):
    rng = np.random.default_rng(seed)
    x, classes = draw_column(rng, 80, "tied")
    x -= 3
    weights = rng.choice([0.0, 0.5, 2.0], 80) if weighted else None
    zero_weights = np.bincount(classes[x == 0], None if weights is None else weights[x == 0], minlength=4)
    stored = x != 0
    kept_weights = None if weights is None else weights[stored]
    dense = mdl_cuts(x[:, None], classes, weights)[0].tolist()
    assert mdl_cuts_sparse(x[stored], classes[stored], zero_weights, kept_weights).tolist() == dense


def test_integers_and_other_dtypes_are_taken(core):
    x = np.arange(8)[:, None]
    y = [0] * 4 + [1] * 4
    for dtype in (np.int8, np.uint16, np.int64, np.float16, ">f8", np.float32):
        assert mdl_cuts(x.astype(dtype), y)[0].tolist() == [3.5]
    assert mdl_cuts(x > 3, y)[0].tolist() == [0.5]


def test_empty_tables_have_no_cuts(core):
    assert mdl_cuts(np.empty((0, 2)), [])[1].tolist() == []
    assert mdl_cuts(np.empty((3, 0)), [0, 1, 1]) == []


def test_the_number_of_threads_changes_nothing():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 500)
    x = rng.normal(size=(500, 9)) + np.outer(y, np.arange(9) / 4)
    alone = [cuts.tolist() for cuts in mdl_cuts(x, y, n_jobs=1)]
    for n_jobs in (None, 2, -1, -64):
        assert [cuts.tolist() for cuts in mdl_cuts(x, y, n_jobs=n_jobs)] == alone


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((np.zeros(3), [0, 1, 0]), {}, r"shape \(rows, columns\), found the shape \(3,\)"),
        ((np.array([["a"]]), [0]), {}, "must be numbers to be cut"),
        ((np.zeros((3, 1)), [0, 1]), {}, r"one entry for each of the 3 rows, found the shape \(2,\)"),
        ((np.zeros((2, 1)), [0, -1]), {}, "classes must be codes 0, 1"),
        ((np.zeros((2, 1)), [0.5, 1.0]), {}, "classes must be codes 0, 1"),
        ((np.zeros((2, 1)), [0, 1], [1.0, -2.0]), {}, "weights must be finite and not negative, found -2.0 in row 1"),
        ((np.zeros((2, 1)), [0, 1], [1.0, np.nan]), {}, "found nan in row 1"),
        ((np.zeros((2, 1)), [0, 1], [1.0]), {}, "weights must have one entry for each of the 2 rows"),
    ],
)
def test_bad_data_are_explained(arguments, options, message):
    with pytest.raises(DataError, match=message):
        mdl_cuts(*arguments, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": "mld"}, "criterion must be one of 'mdl', 'entropy', not 'mld'; did you mean 'mdl'"),
        ({"criterion": "entropy"}, "criterion='entropy' needs max_bins"),
        ({"max_bins": 0}, "max_bins must be None or a whole number from 1 up, not 0"),
        ({"max_bins": 2.5}, "max_bins must be None or a whole number"),
        ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0"),
    ],
)
def test_bad_options_are_explained(options, message):
    with pytest.raises(OptionError, match=message):
        mdl_cuts(np.zeros((2, 1)), [0, 1], **options)


@pytest.mark.parametrize("kernels", CORES)
def test_the_kernels_check_what_would_read_out_of_bounds(kernels):
    x = np.zeros((3, 1))
    none = np.empty(0)
    with pytest.raises(ValueError, match="one entry for each row"):
        kernels.mdl_cuts(x, np.zeros(2, np.uint32), none, 1, True, 0, 1)
    with pytest.raises(ValueError, match="one entry for each row"):
        kernels.mdl_cuts(x, np.zeros(3, np.uint32), np.ones(2), 1, True, 0, 1)
    with pytest.raises(ValueError, match="below k"):
        kernels.mdl_cuts(x, np.full(3, 7, np.uint32), none, 2, True, 0, 1)


def test_quantiles_of_a_hand_checked_column():
    assert quantile_cuts(np.arange(8.0), 4).tolist() == [1.5, 3.5, 5.5]
    assert quantile_cuts([3.0, 1.0, 2.0], 2).tolist() == [2.5]
    assert quantile_cuts([1, 1, 1, 1, 2], 3).tolist() == [1.5]
    assert quantile_cuts([1.0, 2.0, np.nan], 2).tolist() == [1.5]
    assert quantile_cuts([5.0, 5.0], 10).tolist() == []
    assert quantile_cuts([np.nan], 2).tolist() == []
    assert quantile_cuts([1.0, 2.0], 1).tolist() == []
    assert quantile_cuts([-np.inf, 0.0, np.inf], 3).tolist() == [-np.inf, 0.0]


@settings(deadline=None, max_examples=60)
@given(seed=seeds, bins=st.integers(1, 12))
def test_quantile_intervals_hold_their_share(seed, bins):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=int(rng.integers(1, 80)))
    counts = np.bincount(apply_cuts(x, quantile_cuts(x, bins)), minlength=1)
    assert counts.max() <= math.ceil(len(x) / bins)
    assert len(counts) == min(bins, len(x))


@settings(deadline=None, max_examples=60)
@given(seed=seeds, bins=st.integers(1, 12))
def test_quantiles_of_weighted_rows_are_those_of_repeated_rows(seed, bins):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 20, 40).astype(float)
    weights = rng.integers(0, 4, 40)
    weights[0] = 1
    expected = quantile_cuts(np.repeat(x, weights), bins).tolist()
    assert quantile_cuts(x, bins, weights).tolist() == expected
    assert quantile_cuts(x, bins, weights * 0.1).tolist() == expected


def test_a_value_equal_to_a_cut_goes_left_and_a_missing_one_nowhere():
    assert apply_cuts([0.0, 1.0, 1.5, 2.0, 9.0, np.nan], [1.0, 2.0]).tolist() == [0, 0, 1, 1, 2, -1]
