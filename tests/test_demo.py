import pytest

import misieve
from misieve import demo


def test_the_demo_prints_what_it_says_and_draws(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    demo.main(str(tmp_path / "p.png"))
    shown = capsys.readouterr().out
    p = misieve.posterior(demo.TABLE)
    low, high = p.interval(0.95)
    for fact in (
        f"{p.mean():.5f} nats",
        f"{p.std():.5f}",
        f"{low:.5f} to {high:.5f}",
        f"P(I > 0.003)        {p.sf(0.003):.6f}",
    ):
        assert fact in shown
    assert "█" in shown
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_which_extra_draws(capsys, monkeypatch):
    def missing(*args, **kwargs):
        raise misieve.MissingExtraError("plotting needs the library 'matplotlib.pyplot': pip install 'misieve[plot]'")

    monkeypatch.setattr("misieve.plots.need", missing)
    demo.main("never.png")
    assert "no picture: plotting needs" in capsys.readouterr().out
