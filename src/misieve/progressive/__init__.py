r"""Test, then train: how filters do on rows that come one after the other (paper, section 4).

For each k the filters decide from the first k - 1 rows which features to keep, naive Bayes classifies row k with those, and
then both learn it. Naive Bayes adds one to each class and to each value of a feature,

.. math::

   \hat c = \arg\max_c \; \log(n_c + 1) + \sum_{f \text{ kept}} \log \frac{n_{f = x_f, c} + 1}{n_{f, c} + r_f},

and a tie goes to the first class.

What makes it quick is that most tables repeat. In text, thousands of words have occurred once in spam and never elsewhere: one
table, one verdict. Given the class totals, a binary feature's table is known from the classes of its ones, and generally from
its counts of all values but the first. So features stand in groups with the same such counts (the *key*). A row moves only the
features that have another value than the first, and adds one table per group and round to the list of what must be judged.

1. :mod:`~misieve.progressive.coding` (with ``dense`` and ``sparse``) puts features and target into codes;
2. ``walk_tables`` (native) follows the groups over a stretch of rows and lists their tables;
3. :mod:`~misieve.progressive.verdicts` judges all tables of a stretch at once, most of them from mean and variance alone;
4. ``walk_scores`` (native) walks the stretch again with the verdicts, sums the features at their first value group by group and
   corrects for the others: the cost is that of the groups and of the entries, not of the features.

:mod:`~misieve.progressive.walking` holds these together, :mod:`~misieve.progressive.paired` tests the differences.
"""

from typing import Any

import numpy as np

from misieve._errors import OptionError
from misieve.progressive.bar import progress
from misieve.progressive.coding import codes
from misieve.progressive.filters import Filters
from misieve.progressive.paired import Comparison
from misieve.progressive.result import Prequential
from misieve.progressive.walking import walk

__all__ = ["Comparison", "Prequential", "prequential"]


def prequential(
    X: Any,
    y: Any,
    *,
    rules: Any = ("forward", "empirical", "backward"),
    epsilon: float = 0.003,
    unit: str = "nats",
    level: float = 0.95,
    prior: Any = "uniform",
    law: str = "beta",
    variance: str = "series",
    independence: Any = 0.0,
    missing: str = "error",
    categories: Any = None,
    batch: int = 1,
    orders: int = 1,
    rng: Any = None,
) -> Prequential:
    """Evaluate filters in front of naive Bayes by testing on each row before learning it.

    Parameters
    ----------
    X, y, categories
        As for :func:`misieve.count`. A feature has the values declared in ``categories``, otherwise those that occur anywhere
        in X; the classes are those of y.
    rules : names of filters, some of "forward", "empirical", "backward" and "all" (or None: no filter)
        Keep iff P(I > epsilon) >= level; iff plug-in mutual information > epsilon; unless P(I <= epsilon) >= level; always.
    epsilon, unit
        The threshold in "nats", "bits", or as a "share" of the target's entropy in the rows seen so far.
    level, prior, law, variance, independence
        Of the filters' posterior, as for :func:`misieve.posterior`; the defaults are the paper's. A prior given as an array has
        the shape (classes, values). With independence="auto" its prior probability is learned anew from all features at each
        decision. Naive Bayes always adds one. Where the series variance is not fit for use, as for the first rows, the exact
        one stands in, without a warning.
    missing : "error", "category", "pairwise" or "model"
        A missing cell of a feature is an error, a value of its own, or left out: not counted, and no factor of naive Bayes.
        "model" is as "pairwise" for naive Bayes, but the filters also learn from the classes of the rows without the feature,
        as :func:`misieve.incomplete_posterior` does: to leading order with variance="series", as the paper has it, to second
        order with "auto" or "exact".
    batch : int
        Rows come in groups of so many: filters and classifier stay as they are while a group comes in, and learn it at its end.
    orders : int
        How many orders of the rows to run.
    rng : seed or Generator, optional
        For random orders. Without it a single order is that of the rows as given; several orders are always random.

    Returns
    -------
    Prequential
        ``accuracy[rule]`` and ``selected[rule]`` of shape (orders, n), ``compare(a, b)``, ``to_frame()``.

    Notes
    -----
    Memory: beside the data, some 100 bytes for each of at most four million cells of tables at a time.

    Examples
    --------
    >>> import misieve, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 2, size=400)
    >>> X = np.column_stack([y ^ (rng.random(400) < 0.1), rng.integers(0, 2, size=(400, 20))])
    >>> found = misieve.prequential(X, y)
    >>> found.selected["forward"][0, -1], found.selected["backward"][0, -1]
    (np.int64(1), np.int64(21))
    """
    filters = Filters.checked(rules, epsilon, unit, level, prior, law, variance, independence)
    size, count = _whole("batch", batch), _whole("orders", orders)
    coded = codes(X, y, categories, missing)
    if coded.modelled and filters.law == "quadrature":
        raise OptionError("missing='model' has no law 'quadrature', which is for complete samples: use law='noncentral-beta'")
    generator = np.random.default_rng(rng)
    rows = len(coded.labels)
    if count == 1 and rng is None:
        order = np.arange(rows, dtype=np.int64)[None, :]
    else:
        order = np.stack([generator.permutation(rows) for _ in range(count)]).astype(np.int64)
    with progress("prequential", count * rows) as advance:
        predicted, used = walk(coded, filters, order, size, generator, advance)
    return Prequential(
        filters.rules,
        coded.features,
        coded.classes,
        size,
        order,
        coded.labels[order],
        dict(zip(filters.rules, predicted, strict=True)),
        dict(zip(filters.rules, used, strict=True)),
        coded.library,
    )


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise OptionError(f"{name} must be a whole number, 1 or more, not {value!r}")
    return int(value)
