import numpy as np
import pytest

import misieve

COUNTS = [[40, 10], [20, 80]]


def test_without_incomplete_observations_it_is_the_posterior():
    whole = misieve.posterior(COUNTS, independence=0.5)
    for extra in ({}, {"row_only": [0, 0]}, {"row_only": [0, 0], "col_only": [0, 0]}):
        p = misieve.incomplete_posterior(COUNTS, **extra, independence=0.5)
        assert p.mean() == whole.mean()
        assert p.sf(0.1) == whole.sf(0.1)
        assert p.independence == whole.independence


@pytest.mark.parametrize(
    "extra",
    [{"row_only": [30, 50]}, {"col_only": [60, 5]}, {"row_only": [30, 50], "col_only": [60, 5]}],
    ids=["rows", "columns", "both"],
)
def test_the_fitted_law_agrees_with_draws(extra):
    p = misieve.incomplete_posterior(COUNTS, **extra)
    drawn = misieve.incomplete_posterior(COUNTS, **extra, law="sampled", draws=40_000, rng=0)
    values = drawn.rvs(20_000, rng=1)
    error = values.std() / np.sqrt(len(values))
    assert p.mean() == pytest.approx(values.mean(), abs=6 * error)
    assert p.std() == pytest.approx(values.std(), rel=0.03)
    for x in p.ppf([0.05, 0.5, 0.95]):
        assert p.cdf(x) == pytest.approx(drawn.cdf(x), abs=0.02)


def test_incomplete_observations_sharpen_and_move_the_posterior():
    bare = misieve.posterior(COUNTS)
    p = misieve.incomplete_posterior(COUNTS, row_only=[250, 500])
    assert p.std() < bare.std()
    assert p.mean() != bare.mean()
    series = misieve.incomplete_posterior(COUNTS, row_only=[250, 500], variance="series")
    assert series.mean() != p.mean()
    assert series.std() == pytest.approx(p.std(), rel=0.1)


def test_a_batch_mixes_complete_and_incomplete_tables():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 40, size=(6, 3, 2))
    rows, columns = rng.integers(0, 30, size=(6, 3)), rng.integers(0, 30, size=(6, 2))
    rows[[0, 2]] = 0
    columns[[0, 1]] = 0
    p = misieve.incomplete_posterior(counts, rows, columns, independence=0.5)
    for i in range(6):
        one = misieve.incomplete_posterior(counts[i], rows[i], columns[i], independence=0.5)
        assert p.mean()[i] == pytest.approx(one.mean(), rel=1e-9)
        assert p.sf(0.05)[i] == pytest.approx(one.sf(0.05), rel=1e-7)
        assert p[i].independence == pytest.approx(one.independence, rel=1e-9)
    assert p.mean()[0] == misieve.posterior(counts[0], independence=0.5).mean()


def test_turning_a_table_turns_what_is_missing():
    a = misieve.incomplete_posterior(COUNTS, row_only=[30, 50], col_only=[7, 9])
    b = misieve.incomplete_posterior(np.transpose(COUNTS), row_only=[7, 9], col_only=[30, 50])
    assert a.mean() == pytest.approx(b.mean(), rel=1e-9)
    assert a.std() == pytest.approx(b.std(), rel=1e-6)


def test_counted_features_use_what_is_known_of_incomplete_rows():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 600)
    x = np.where(rng.random(600) < 0.75, y, 1 - y).astype(float)
    x[rng.random(600) < 0.3] = np.nan
    labels = y.astype(object)
    labels[:40] = None
    tables = misieve.count(np.column_stack([x, rng.integers(0, 2, 600)]), labels, missing="model")
    p = misieve.posterior(tables)
    missing = tables.missing["x0"]
    one = misieve.incomplete_posterior(tables["x0"], missing.by_value, missing.by_class)
    assert missing.by_class.sum() > 100
    assert missing.by_value.sum() > 20
    assert p.mean()[0] == pytest.approx(one.mean(), rel=1e-9)
    assert p["x0"].sf(0.1) == pytest.approx(one.sf(0.1), rel=1e-9)
    pairwise = misieve.posterior(misieve.count(np.column_stack([x, x]), labels, missing="pairwise"))
    assert p.std()[0] < pairwise.std()[0]


def test_chances_that_were_not_found_are_warned_about(monkeypatch):
    monkeypatch.setattr("misieve.incomplete.mode._NEAR", 0.0)
    with pytest.warns(
        misieve.MisieveWarning, match="the most probable chances of 1 of 1 tables .* were not found in 500 steps"
    ):
        p = misieve.incomplete_posterior(COUNTS, row_only=[30, 50], col_only=[60, 5])
    monkeypatch.undo()
    assert p.mean() == pytest.approx(misieve.incomplete_posterior(COUNTS, [30, 50], [60, 5]).mean(), abs=0.1 * p.std())


def test_bad_incomplete_counts_are_refused():
    with pytest.raises(
        misieve.DataError, match=r"row_only must have the shape \(2,\), one count for each row of each table; found \(3,\)"
    ):
        misieve.incomplete_posterior(COUNTS, row_only=[1, 2, 3])
    with pytest.raises(misieve.DataError, match="col_only must not be negative"):
        misieve.incomplete_posterior(COUNTS, col_only=[1, -2])
    with pytest.raises(misieve.DataError, match="only ever seen incompletely"):
        misieve.incomplete_posterior([[3, 4], [0, 0]], row_only=[0, 5], prior="haldane")
    with pytest.raises(misieve.OptionError, match="quadrature' is for complete samples"):
        misieve.incomplete_posterior(COUNTS, row_only=[1, 2], law="quadrature")
