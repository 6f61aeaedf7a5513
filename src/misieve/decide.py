r"""Which features to keep: the filters of the paper (section 3.1), and one that controls the false discovery rate.

Each rule looks at the posterior of a feature's mutual information :math:`I` and at a threshold :math:`\varepsilon`:

- *forward*: keep it if :math:`P(I > \varepsilon) \ge` level: only what surely matters;
- *backward*: drop it if :math:`P(I \le \varepsilon) \ge` level: all that may matter;
- *empirical*: keep it if the plug-in value exceeds :math:`\varepsilon`: what filters without a posterior do;
- *fdr*: keep the largest set whose expected share of features with :math:`I \le \varepsilon` is at most 1 - level.

A rule needs the law only for features near its boundary: mean and variance alone bound the probability on either side
(Cantelli's inequality), which settles most of them. The decisions are those of the law all the same.
"""

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import OptionError
from misieve._validate import fraction, known_option
from misieve.mixture import Posterior
from misieve.posteriors import posterior
from misieve.selection import Selection

__all__ = ["RULES", "UNITS", "Selection", "backward", "check_rule", "empirical", "fdr", "forward", "select"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: The rules, by name.
RULES = ("forward", "backward", "empirical", "fdr")

#: What the threshold is measured in: a share of the target's entropy, or the mutual information itself.
UNITS = ("share", "nats", "bits")


def probability_bounds(p: Posterior, epsilon: Array) -> tuple[Array, Array]:
    r"""Bounds of :math:`P(I > \varepsilon)` from mean and variance given dependence, and from the atom (Cantelli).

    .. math:: P(I > \varepsilon) \le (1-w) \frac{v}{v + (\varepsilon - m)^2} \text{ if } \varepsilon > m, \qquad
              P(I > \varepsilon) \ge (1-w) \Big[ 1 - \frac{v}{v + (m - \varepsilon)^2} \Big] \text{ if } \varepsilon < m
    """
    dependent = 1.0 - p.independence
    mean, variance = p.mean_if_dependent(), p.var_if_dependent()
    gap = mean - epsilon
    spread = variance + gap**2
    share = np.divide(variance, spread, out=np.ones_like(spread), where=spread > 0)
    return dependent * np.where(gap > 0, 1.0 - share, 0.0), dependent * np.where(gap < 0, share, 1.0)


def forward(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    """Keep a feature iff P(I > epsilon) >= level."""
    return _exceeds(p, epsilon, level, strictly=False)


def backward(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    """Drop a feature iff P(I <= epsilon) >= level: keep it iff P(I > epsilon) > 1 - level."""
    return _exceeds(p, epsilon, 1.0 - level, strictly=True)


def empirical(p: Posterior, epsilon: float | Array) -> Mask:
    """Keep a feature iff the plug-in mutual information of its prior-laden counts exceeds epsilon."""
    return np.atleast_1d(p.empirical > epsilon)


def fdr(p: Posterior, epsilon: float | Array, level: float = 0.95) -> Mask:
    r"""Keep the largest set whose expected share of false discoveries is at most 1 - level.

    A kept feature is a false discovery if :math:`I \le \varepsilon`, which has probability :math:`1 - P(I > \varepsilon)`; the
    expected share is the mean of that over the set, so the most probable features are taken as long as it allows.
    """
    error = 1.0 - np.atleast_1d(p.sf(epsilon))
    order = np.argsort(error, kind="stable")
    share = np.cumsum(error[order]) / np.arange(1, len(error) + 1)
    kept = np.zeros(len(error), dtype=np.bool_)
    kept[order[: np.count_nonzero(share <= 1.0 - level)]] = True  # the running mean of a growing sequence only grows
    return kept


def _exceeds(p: Posterior, epsilon: float | Array, level: float, *, strictly: bool) -> Mask:
    """Where P(I > epsilon) reaches (or strictly exceeds) a level: from the bounds where they suffice, else from the law."""
    threshold = np.broadcast_to(np.asarray(epsilon, dtype=np.float64), p.shape)
    reached = np.greater if strictly else np.greater_equal
    if p.law == "sampled":  # its probabilities are those of one set of draws, which the exact moments do not bound
        return np.atleast_1d(reached(p.sf(threshold), level))
    lower, upper = probability_bounds(p, threshold)
    result = np.atleast_1d(reached(lower, level))
    open_ones = np.flatnonzero(~result & np.atleast_1d(reached(upper, level)))
    if open_ones.size:
        result[open_ones] = reached(p[open_ones].sf(threshold[open_ones]), level)
    return result


def check_rule(rule: Any, epsilon: Any, unit: Any, level: Any) -> None:
    """OptionError unless these describe a rule."""
    known_option("rule", rule, RULES)
    known_option("unit", unit, UNITS)
    fraction("level", level)
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float, np.number)) or not 0 <= epsilon < np.inf:
        raise OptionError(f"epsilon must be a number from 0 up, not {epsilon!r}")
    if unit == "share" and epsilon >= 1:
        raise OptionError(f"epsilon must be below 1, not {epsilon!r}: with unit='share' it is a share of the target's entropy")


def select(
    x: Any,
    *,
    rule: str = "forward",
    epsilon: float = 0.005,
    unit: str = "share",
    level: float = 0.95,
    prior: Any = "uniform",
    law: str = "noncentral-beta",
    variance: str = "auto",
    independence: Any = "auto",
) -> Selection:
    """Decide which features to keep.

    Parameters
    ----------
    x : Tables or Posterior
        Counted features (:func:`misieve.count`), or their posterior.
    rule : {"forward", "backward", "empirical", "fdr"}
        See the head of :mod:`misieve.decide`.
    epsilon : float
        The least mutual information worth keeping.
    unit : {"share", "nats", "bits"}
        Unit of ``epsilon``: a share of the target's entropy (0.005: knowing the feature removes half a percent of what is
        uncertain about the target), nats or bits.
    level : float
        Probability that forward and backward ask for; fdr allows a share of 1 - level false discoveries.
    prior, law, variance, independence
        How the posterior of Tables is made, see :func:`misieve.posterior`; a Posterior has them already. With
        ``independence="auto"`` the probability that a feature is independent of the target is learned from all of them, so
        that noise of many values is not kept; 0.0 is the paper's filter.

    Returns
    -------
    Selection

    Examples
    --------
    >>> import misieve
    >>> X = [["sun", "a"], ["sun", "b"], ["rain", "a"], ["rain", "b"]] * 20
    >>> selection = misieve.select(misieve.count(X, ["go", "go", "stay", "stay"] * 20))
    >>> selection.kept
    ('x0',)
    >>> selection.reason
    ('P(MI > 0.00347) > 0.999', 'P(MI > 0.00347) = 0.076')
    """
    check_rule(rule, epsilon, unit, level)
    if isinstance(x, Posterior):
        given = {"prior": prior, "law": law, "variance": variance, "independence": independence}
        for name, value in given.items():
            if not isinstance(value, str) or value != signature(select).parameters[name].default:
                raise OptionError(
                    f"{name} must be left out where x is a Posterior, which has one of its own, found {name}={value!r}: pass "
                    "the Tables, or give it to misieve.posterior"
                )
        p = x
    elif hasattr(x, "blocks"):
        p = posterior(x, prior=prior, law=law, variance=variance, independence=independence)
    else:
        raise OptionError(f"select takes Tables or a Posterior, not {type(x).__name__}: make them with misieve.count(X, y)")
    if len(p.shape) != 1:
        raise OptionError(f"select needs the posteriors of a list of features, not a batch of shape {p.shape}")
    nats = float(epsilon) * {"nats": 1.0, "bits": np.log(2.0)}.get(unit, 1.0)
    threshold = nats * p.target_entropy if unit == "share" else np.full(p.shape, nats)
    if rule == "empirical":
        support = empirical(p, threshold)
    else:
        support = {"forward": forward, "backward": backward, "fdr": fdr}[rule](p, threshold, level)
    cuts = getattr(x, "cuts", {})
    uncut = frozenset(name for name, own in cuts.items() if not len(own))
    sizes = x.sizes if hasattr(x, "sizes") else None
    return Selection(p, rule, float(epsilon), unit, level, threshold, support, uncut, frozenset(cuts), sizes)
