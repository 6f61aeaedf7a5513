"""Libraries that only some parts need."""

import importlib
from types import ModuleType

from misieve._errors import MissingExtraError

__all__ = ["need"]


def need(module: str, extra: str, purpose: str) -> ModuleType:
    """Import ``module``, or say which extra of misieve brings it.

    >>> need("math", extra="plot", purpose="doing sums").sqrt(4.0)
    2.0
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise MissingExtraError(
            f"{purpose} needs the library {module!r}, which is not installed: pip install 'misieve[{extra}]'"
        ) from missing
