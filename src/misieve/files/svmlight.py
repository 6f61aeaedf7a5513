"""svmlight: a label and the entries that are not zero, a line each."""

import io
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
            line, cells = _odd_line(path)
            found = f"found {cells!r} in line {line}" if line else str(wrong)
            raise DataError(f"a line of svmlight must be a label and index:value pairs in ascending order, {found}") from wrong
    return X, y


def _odd_line(path: Path) -> tuple[int, str]:
    """The first line that cannot be read by itself, and how it begins; (0, "") if there is none."""
    from sklearn.datasets import load_svmlight_file

    with unpacked(path) as (file, _):
        for number, line in enumerate(file, 1):
            try:
                load_svmlight_file(io.BytesIO(line), zero_based=True)
            except ValueError:
                return number, line.decode(errors="replace").strip()[:40]
    return 0, ""
