import numpy as np
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
    with pytest.raises(misieve.OptionError, match=r"draws a Posterior, not list; make one with misieve\.posterior"):
        misieve.plot([[1, 2], [3, 4]])
    with pytest.raises(misieve.OptionError, match="not a batch of shape"):
        misieve.plot(misieve.posterior(np.ones((2, 2, 2, 2))))
