"""Tables, their moments by draws-free formulas, and every law through one fixture."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from misieve.laws import LAWS, Law, fit

Floats = NDArray[np.float64]


def information_moments(table: Floats, terms: int = 4000) -> tuple[float, float]:
    """Exact mean and variance of I, summed term by term, so that these tests stand on the laws alone."""
    a = np.asarray(table, dtype=float)
    p, q, n = a.sum(axis=1, keepdims=True), a.sum(axis=0, keepdims=True), a.sum()
    gap = special.psi(a + 1) - special.psi(p + 1) - special.psi(q + 1) + special.psi(n + 1)
    mean = float((a * gap).sum() / n)
    k = np.arange(2.0, terms + 2)[:, None, None]
    rising = [special.gammaln(x + k) - special.gammaln(x) for x in (a, p, q)]
    log_terms = np.log(p * q) + special.gammaln(k + 1) + rising[0] - rising[1] - rising[2] - 2 * np.log(k * (k - 1))

    def own(x: Floats) -> Floats:
        return x * ((x + 1) * special.zeta(2, x + 1) - 1)

    total = own(a).sum() - own(p).sum() - own(q).sum() - own(n) + 2 * np.exp(log_terms).sum()
    return mean, float(((a * (gap - mean) ** 2).sum() / n + total / n) / (n + 1))


@dataclass
class Bundle:
    """The arguments of ``fit`` for a batch of tables."""

    tables: list[Floats]

    def __post_init__(self) -> None:
        self.mean, self.variance = np.array([information_moments(table) for table in self.tables]).T
        self.upper = np.array([np.log(min(table.shape)) for table in self.tables])
        self.freedom = np.array([(table.shape[0] - 1) * (table.shape[1] - 1) for table in self.tables], dtype=float)

    def fit(self, name: str, **options: object) -> Law:
        moments = {"mean": self.mean, "variance": self.variance, "upper": self.upper, "freedom": self.freedom}
        return fit(name, **moments, **{"tables": self.tables, **options})


SQUARE = [
    [[40.0, 10.0], [20.0, 80.0]],
    [[20.0, 5.0], [10.0, 40.0]],
    [[8.0, 2.0], [4.0, 16.0]],
    [[1.0, 1.0], [1.0, 1.0]],
    [[3.5, 1.5], [2.5, 6.5]],
    [[400.0, 100.0], [200.0, 800.0]],
]
LARGER = [
    [[3.0, 7.0, 2.0], [6.0, 1.0, 9.0]],
    [[2.5, 1.5], [7.5, 3.5], [4.5, 9.5]],
    [[12.0, 18.0, 9.0], [30.0, 11.0, 8.0], [7.0, 7.0, 16.0]],
    [[1.0, 1.0, 1.0], [4.0, 25.0, 17.0]],
]


@pytest.fixture(scope="session")
def square() -> Bundle:
    """Some 2 x 2 tables."""
    return Bundle([np.array(table) for table in SQUARE])


@pytest.fixture(scope="session")
def ragged() -> Bundle:
    """Tables of several shapes."""
    return Bundle([np.array(table) for table in SQUARE + LARGER])


@pytest.fixture(scope="session", params=LAWS)
def name(request: pytest.FixtureRequest) -> str:
    """Every law in turn."""
    return str(request.param)


@pytest.fixture(scope="session")
def bundle(name: str, square: Bundle, ragged: Bundle) -> Bundle:
    """The tables that this law takes."""
    return Bundle(square.tables[1:5]) if name == "quadrature" else ragged


@pytest.fixture(scope="session")
def law(name: str, bundle: Bundle) -> Law:
    """This law, fitted to its tables."""
    return bundle.fit(name, rng=7, draws=20_000) if name == "sampled" else bundle.fit(name)
