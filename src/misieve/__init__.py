"""misieve keeps the features whose mutual information with a target you can be sure of.

The public names are loaded when first used, so that ``import misieve`` and the command line start at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from misieve._config import show_config
    from misieve.counting import count
    from misieve.tables import Tables

__version__ = "0.1.0"

_HOMES = {
    "Tables": "misieve.tables",
    "count": "misieve.counting",
    "show_config": "misieve._config",
}

__all__ = ["Tables", "__version__", "count", "show_config"]


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'misieve' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
