"""misieve keeps the features whose mutual information with a target you can be sure of.

The public names are loaded when first used, so that ``import misieve`` and the command line start at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from misieve import datasets as datasets
    from misieve._config import show_config as show_config
    from misieve._errors import DataError as DataError
    from misieve._errors import MisieveError as MisieveError
    from misieve._errors import MisieveWarning as MisieveWarning
    from misieve._errors import MissingExtraError as MissingExtraError
    from misieve._errors import OptionError as OptionError
    from misieve.counting import count as count
    from misieve.decide import select as select
    from misieve.estimators.discretizer import MDLDiscretizer as MDLDiscretizer
    from misieve.estimators.naive_bayes import NaiveBayes as NaiveBayes
    from misieve.estimators.selector import MISelector as MISelector
    from misieve.mixture import Posterior as Posterior
    from misieve.plots import plot as plot
    from misieve.posteriors import incomplete_posterior as incomplete_posterior
    from misieve.posteriors import posterior as posterior
    from misieve.progressive import Prequential as Prequential
    from misieve.progressive import prequential as prequential
    from misieve.selection import Selection as Selection
    from misieve.tables import Tables as Tables

__version__ = "0.1.0"

# Where each public name lives.
_HOMES = {
    "DataError": "misieve._errors",
    "MDLDiscretizer": "misieve.estimators.discretizer",
    "MISelector": "misieve.estimators.selector",
    "MisieveError": "misieve._errors",
    "MisieveWarning": "misieve._errors",
    "MissingExtraError": "misieve._errors",
    "NaiveBayes": "misieve.estimators.naive_bayes",
    "OptionError": "misieve._errors",
    "Posterior": "misieve.mixture",
    "Prequential": "misieve.progressive",
    "Selection": "misieve.selection",
    "Tables": "misieve.tables",
    "count": "misieve.counting",
    "datasets": "misieve.datasets",
    "incomplete_posterior": "misieve.posteriors",
    "plot": "misieve.plots",
    "posterior": "misieve.posteriors",
    "prequential": "misieve.progressive",
    "select": "misieve.decide",
    "show_config": "misieve._config",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'misieve' has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    value = getattr(module, name, module)  # ``datasets`` is a module itself
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
