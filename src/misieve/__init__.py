"""misieve keeps the features whose mutual information with a target you can be sure of.

The public names are loaded when first used, so that ``import misieve`` and the command line start at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from misieve import datasets
    from misieve._config import show_config
    from misieve._errors import DataError, MisieveError, MisieveWarning, MissingExtraError, OptionError
    from misieve.estimators.discretizer import MDLDiscretizer
    from misieve.plots import plot
    from misieve.posteriors import Posterior, posterior

__version__ = "0.1.0"

_HOMES = {
    "DataError": "misieve._errors",
    "MDLDiscretizer": "misieve.estimators.discretizer",
    "MisieveError": "misieve._errors",
    "MisieveWarning": "misieve._errors",
    "MissingExtraError": "misieve._errors",
    "OptionError": "misieve._errors",
    "Posterior": "misieve.posteriors",
    "datasets": "misieve.datasets",
    "plot": "misieve.plots",
    "posterior": "misieve.posteriors",
    "show_config": "misieve._config",
}

__all__ = [
    "DataError",
    "MDLDiscretizer",
    "MisieveError",
    "MisieveWarning",
    "MissingExtraError",
    "OptionError",
    "Posterior",
    "__version__",
    "datasets",
    "plot",
    "posterior",
    "show_config",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'misieve' has no attribute {name!r}")
    home = importlib.import_module(_HOMES[name])
    value = home if home.__name__ == f"misieve.{name}" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
