"""The exceptions and warnings of misieve.

Each message says what must hold, what was found and where, and how to go on.
"""

import sys
import warnings

__all__ = ["DataError", "MisieveError", "MisieveWarning", "MissingExtraError", "OptionError", "warn"]

# Whose lines a warning does not point to: this package's own, and those of what calls it on the user's behalf.
_BETWEEN = ("misieve", "sklearn", "joblib")


class MisieveError(Exception):
    """Whatever misieve raises on purpose."""


class DataError(MisieveError, ValueError):
    """The data break a rule: negative counts, a missing value, columns of different lengths."""


class OptionError(MisieveError, ValueError):
    """An option has a value that is not among the known ones, or does not fit the others."""


class MissingExtraError(MisieveError, ImportError):
    """A library that only an optional part needs is not installed."""


class MisieveWarning(UserWarning):
    """Something was decided on the user's behalf that they may want to decide themselves."""


def warn(message: str, category: type[Warning] = MisieveWarning) -> None:
    """Warn at the line of the user's program, however many frames of this package and of scikit-learn stand between."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
