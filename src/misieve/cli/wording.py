"""Advice that the library gives to Python, in the words of the command line."""

import re
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["as_options", "no_number"]

_ARGUMENT = re.compile(r"\b(missing|law|variance|rule|unit|prior|independence|discretize|bins)=(?:'([\w-]+)'|(\d[\w.]*))")
# What Python says for several options or classes at once.
_PHRASES = {
    "choose --missing category, 'pairwise' or 'model'": "choose --missing category, pairwise or model",
    "discretize= of an estimator, bins= or misieve.MDLDiscretizer": "--discretize mdl or a number of bins",
}
_NUMBER = re.compile(r"-?\d*\.\d+")


def as_options(text: str) -> str:
    """A text with options in place of arguments of Python.

    >>> as_options("choose missing='category' or law='sampled'")
    'choose --missing category or --law sampled'
    """
    text = _ARGUMENT.sub(lambda found: f"--{found[1].replace('bins', 'discretize')} {found[2] or found[3]}", text)
    for phrase, own in _PHRASES.items():
        text = text.replace(phrase, own)
    return text


def no_number(options: Sequence[str], words: Sequence[str]) -> str:
    """What is wrong with the value of an option, by any of its names, that should be a number; nothing if it is one.

    >>> no_number(["--epsilon"], ["data.csv", "--epsilon=0,01"])
    "Invalid value for '--epsilon': it must be a number, found '0,01': the decimal point is a point, as in 0.01"
    """
    for option, value in ((word.partition("=")[0], word.partition("=")[2] or after) for word, after in pairwise([*words, ""])):
        if option in options:
            try:
                float(value)
            except ValueError:
                point = value.replace(",", ".", 1)
                hint = f": the decimal point is a point, as in {point}" if _NUMBER.fullmatch(point) and point != value else ""
                return f"Invalid value for {option!r}: it must be a number, found {value!r}{hint}"
    return ""
