"""Other readings of the paper where its numbers and ours differ: on Spam, on Shuttle and on Hypothyroid.

Nothing here is an experiment of the paper. The page quotes the results where it says what does not match.
"""

from collections import Counter
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import misieve
from paper import fetch
from paper.data import load, prepare
from paper.experiments import RULES
from paper.published import TABLE_1, TITLES
from paper.readers import READERS, SEED, shuttle
from paper.results import Run

__all__ = ["hypothyroid", "run", "tokens"]

ORDERS, OTHER_TENTHS = 2, 12


def tokens(messages: list[tuple[str, str]], most: int = 1, *, subject: bool = True) -> NDArray[np.uint8]:
    """How often each token occurs in each message, ``most`` standing for more; without the subject only those of the body."""
    texts = [(text if subject else text.partition("\n")[2]).replace("Subject:", " ") for _, text in messages]
    counts = [Counter(text.split()) for text in texts]
    place = {token: j for j, token in enumerate(sorted(set().union(*counts)))}
    X = np.zeros((len(counts), len(place)), dtype=np.uint8)
    for row, count in zip(X, counts, strict=True):
        row[[place[token] for token in count]] = [min(often, most) for often in count.values()]
    return X


def _kept(X: NDArray[Any], y: NDArray[Any], **options: Any) -> dict[str, float]:
    """The average number of features that each filter keeps."""
    found = misieve.prequential(X, y, rules=RULES, orders=ORDERS, rng=1, **options)
    return {"features": X.shape[1]} | {rule: float(found.selected[rule].mean()) for rule in RULES}


def _spam(settings: Run) -> dict[str, dict[str, float]]:
    """Table 2's row under other readings."""
    plain = load("spam", settings.data)
    messages = fetch.messages(fetch.find("pu1_lemm_stop.tar.gz", settings.data))
    body, often = tokens(messages, subject=False), tokens(messages, most=2)
    return {
        "as in Table 2": _kept(plain.X, plain.y),
        "body alone": _kept(body, plain.y),
        "absent, once, more often": _kept(often, plain.y),
        "Jeffreys' prior": _kept(plain.X, plain.y, prior="jeffreys"),
        "Perks' prior": _kept(plain.X, plain.y, prior="perks"),
        "level .99": _kept(plain.X, plain.y, level=0.99),
        "epsilon .01": _kept(plain.X, plain.y, epsilon=0.01),
        "every 100 rows": _kept(plain.X, plain.y, batch=100),
    }


def _tenths(settings: Run) -> list[dict[str, float]]:
    """Table 2's row for other random tenths of the shuttle data."""
    found = []
    for seed in range(SEED + 1, SEED + 1 + OTHER_TENTHS):
        data = prepare("shuttle-small", *shuttle(settings.data, seed), complete=True)
        found.append(_kept(data.X, data.y, categories=[range(len(values)) for values in data.categories]))
    return found


def hypothyroid(cells: list[list[str]]) -> tuple[list[int], int]:
    """Rows that are left if the unknowns of some attributes are overlooked, for every set of these; how many have unknowns."""
    unknown = np.array([[cell == "?" for cell in row] for row in cells])
    some = np.flatnonzero(unknown.any(axis=0))
    sets = chain.from_iterable(combinations(some, size) for size in range(len(some) + 1))
    return sorted({int((~unknown[:, list(kept)].any(axis=1)).sum()) for kept in sets}), len(some)


def run(settings: Run) -> None:
    """Write the table of readings."""
    left, unknown = hypothyroid(READERS["hypothyroid"](settings.data)[2])
    nearest = min(left, key=lambda rows: abs(rows - TABLE_1["hypothyroid"][1]))
    settings.write(
        "readings",
        {
            "orders": ORDERS,
            TITLES["spam"]: _spam(settings),
            TITLES["shuttle-small"]: _tenths(settings),
            TITLES["hypothyroid"]: {
                "attributes": unknown,
                "sets": 2**unknown,
                "nearest": nearest,
            },
        },
    )
