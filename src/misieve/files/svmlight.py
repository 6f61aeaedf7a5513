"""svmlight: a label and the entries that are not zero, a line each."""

from pathlib import Path
from typing import Any

from misieve._errors import DataError
from misieve.files.packed import unpacked

__all__ = ["TARGET", "read_svmlight"]

#: What the labels are called where a target must be named.
TARGET = "label"


def read_svmlight(path: Path) -> tuple[Any, Any]:
    """A CSR matrix whose column i holds the feature of index i, and the labels."""
    from sklearn.datasets import load_svmlight_file

    with unpacked(path) as (file, _):
        try:
            X, y = load_svmlight_file(file, zero_based=True)
        except ValueError as wrong:
            raise DataError(f"the file cannot be read as svmlight: {wrong}") from wrong
    return X, y
