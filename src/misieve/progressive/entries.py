"""The entries of a data set: the cells whose code is not 0, row after row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.frames import Batch

__all__ = ["Entries", "missing_cell", "undeclared"]

Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class Entries:
    """Row, feature and code of each entry; the number of values of each feature, and which have cells left out.

    A feature's code is its number of values where its cell is left out.
    """

    rows: int
    row: NDArray[Any]
    feature: NDArray[Any]
    code: NDArray[Any]
    sizes: Int64
    holes: NDArray[np.bool_]


def missing_cell(batch: Batch, feature: int, row: int) -> DataError:
    """What to say of a missing cell."""
    return DataError(
        f"column {batch.name(feature)!r} must not have missing values, found one in row {batch.where(row)}: "
        "choose missing='category', 'pairwise' or 'model'"
    )


def undeclared(batch: Batch, feature: int, row: int, value: Any, declared: Any) -> DataError:
    """What to say of a value that is not among the declared ones."""
    return DataError(
        f"column {batch.name(feature)!r} must have one of its declared categories {list(declared)}, found {value!r} "
        f"(row {batch.where(row)})"
    )
