import numpy as np
import pandas as pd
import pytest

import misieve

pytest.importorskip("matplotlib")
import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_posterior_shows_its_density_interval_and_threshold():
    p = misieve.posterior([[8, 2], [4, 16]])
    ax = misieve.plot(p, epsilon=0.05)
    assert f"P(I > 0.05) = {p.sf(0.05):.3f}" in texts(ax)
    assert any("95% interval" in text for text in texts(ax))
    line = ax.lines[1]
    np.testing.assert_allclose(line.get_ydata(), p.pdf(line.get_xdata()), rtol=1e-12)
    assert ax.get_xlabel() == "mutual information (nats)"


def test_the_atom_is_drawn():
    ax = misieve.plot(misieve.posterior([[30, 32], [31, 29]], independence=0.5))
    assert any(text.startswith("P(I = 0) = 0.") for text in texts(ax))
    assert len(ax.patches) == 1


def test_it_draws_where_it_is_told_to():
    _, ax = plt.subplots()
    assert misieve.plot(misieve.posterior([[1, 1], [1, 1]]), ax) is ax


def test_a_batch_becomes_one_interval_a_row():
    p = misieve.posterior(np.random.default_rng(0).integers(1, 50, size=(7, 2, 3)))
    ax = misieve.plot(p, epsilon=0.01)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == [str(i) for i in np.argsort(-p.mean())]


def test_a_certain_posterior_can_be_drawn():
    misieve.plot(misieve.posterior([[3, 4]])).figure.canvas.draw()


def test_other_things_are_refused():
    with pytest.raises(
        misieve.OptionError,
        match=r"draws a Posterior, a Selection or a Prequential, not list; make one with misieve\.posterior",
    ):
        misieve.plot([[1, 2], [3, 4]])
    for epsilon in ("a", -1.0, np.nan):
        with pytest.raises(misieve.OptionError, match="epsilon must be a number of nats from 0 up, not"):
            misieve.plot(misieve.posterior([[1, 2], [3, 4]]), epsilon=epsilon)
    with pytest.raises(misieve.OptionError, match="show and pair are for a Prequential, not for a Posterior"):
        misieve.plot(misieve.posterior([[1, 2], [3, 4]]), show="used")
    with pytest.raises(misieve.OptionError, match="not a batch of shape"):
        misieve.plot(misieve.posterior(np.ones((2, 2, 2, 2))))


def course(orders=1):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=300)
    X = np.column_stack([y ^ (rng.random(300) < 0.2), rng.integers(0, 2, size=(300, 12))])
    return misieve.prequential(X, y, rules=("forward", "all"), epsilon=0.02, orders=orders, rng=None if orders == 1 else 2)


def test_a_prequential_run_shows_accuracy_above_and_features_used_below():
    found = course()
    upper = misieve.plot(found)
    upper, lower = upper.figure.axes
    for ax, values in ((upper, found.accuracy), (lower, found.selected)):
        assert texts(ax)[-2:] == ["forward", "all"]
        for line, rule in zip(ax.lines, ("forward", "all"), strict=True):
            np.testing.assert_allclose(line.get_ydata(), values[rule][0])
    assert upper.get_ylabel() == "accuracy on the first k rows"
    assert lower.get_ylabel() == "features used"
    upper.figure.canvas.draw()


def test_grey_covers_what_is_not_significant():
    found = course()
    ax = misieve.plot(found, show="accuracy", pair=("all", "forward"))
    assert texts(ax)[0] == "all and forward not significantly different"
    grey = np.zeros(300, dtype=bool)
    for span in ax.patches:
        left, right = span.get_x(), span.get_x() + span.get_width()
        grey |= (np.arange(1, 301) > left) & (np.arange(1, 301) < right)
    np.testing.assert_array_equal(grey, ~found.compare("all", "forward").significant[0])
    assert 0 < grey.sum() < 300


def test_several_orders_become_a_mean_and_a_band():
    found = course(orders=3)
    ax = misieve.plot(found, show="excluded")
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 13 - found.selected["forward"].mean(axis=0))
    assert len(ax.collections) == 2
    with pytest.raises(misieve.OptionError, match="show must be one of 'accuracy', 'used', 'excluded', not 'usd'"):
        misieve.plot(found, show="usd")
    with pytest.raises(misieve.OptionError, match="pair must name two rules"):
        misieve.plot(found, show="accuracy", pair=("forward",))


def test_one_rule_has_no_grey_zone():
    X, y = np.eye(6, dtype=int), np.arange(6) % 2
    _, ax = plt.subplots()
    assert misieve.plot(misieve.prequential(X, y, rules="empirical"), ax) is ax
    assert not ax.patches


def test_a_selection_shows_its_intervals_against_its_threshold():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 600)
    X = rng.integers(0, 3, (600, 50))
    X[:, 7] = y
    selection = misieve.select(misieve.count(X, y), independence=0.0)
    ax = misieve.plot(selection)
    assert ax.get_yticklabels()[0].get_text() == "x7"
    assert len(ax.get_yticks()) == 40
    assert ax.get_title(loc="left") == "the 40 of 50 features with the greatest mean"
    assert texts(ax) == ["kept", "left out", f"threshold {selection.threshold[0]:.3g}"]
    kept, rest = ax.collections
    np.testing.assert_allclose(kept.get_segments()[0][:, 0], [selection.interval[0][7], selection.interval[1][7]])
    assert len(kept.get_segments()) + len(rest.get_segments()) == 40
    ax.figure.canvas.draw()


def test_many_rows_make_a_taller_picture_and_long_names_a_shorter_one():
    p = misieve.posterior(np.random.default_rng(0).integers(1, 50, size=(60, 2, 2)))
    ax = misieve.plot(p)
    assert ax.get_title(loc="left") == "the 40 of 60 with the greatest mean"
    assert ax.figure.get_figheight() > 10
    tables = misieve.count(pd.DataFrame({"x" * 100: [0, 1] * 20}), [0, 1] * 20)
    label = misieve.plot(misieve.posterior(tables)).get_yticklabels()[0].get_text()
    assert len(label) == 32
    assert label.endswith("…")


def test_an_atom_of_one_is_seen():
    ax = misieve.plot(misieve.posterior([[3, 4]]))
    assert ax.patches[0].get_width() > 0
