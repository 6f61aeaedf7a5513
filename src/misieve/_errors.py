"""The exceptions and warnings of misieve.

Each message says what must hold, what was found and where, and how to go on.
"""

__all__ = ["DataError", "MisieveError", "MisieveWarning", "MissingExtraError", "OptionError"]


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
