"""What one frame, array or sparse matrix holds, in terms that do not depend on where it comes from."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.frames.column import BadCell, Column, from_array, plain

__all__ = ["Batch", "Reader", "distinct_names", "read"]


class Reader(Protocol):
    """A frame of some library."""

    library: str
    names: list[Any]
    rows: int

    def columns(self, names: Sequence[Any], threads: int) -> list[Column]:
        """Read columns; BadCell with its ``column`` set when one of them cannot be."""

    def keep(self, rows: NDArray[np.bool_]) -> "Reader":
        """The same with some of the rows."""


@dataclass(frozen=True)
class Batch:
    """Rows of named columns: one of ``matrix``, ``sparse`` and ``frame`` is there.

    names: the features' names, or how many there are when they have none.  start: the number of rows in earlier batches.
    kept: the positions in the batch as given of the rows that are left.
    """

    names: tuple[Any, ...] | int
    rows: int
    matrix: NDArray[Any] | None = None
    mask: NDArray[np.bool_] | None = None
    sparse: Any = None
    frame: Reader | None = None
    start: int = 0
    kept: NDArray[np.int64] | None = None

    @property
    def width(self) -> int:
        """The number of features."""
        return self.names if isinstance(self.names, int) else len(self.names)

    @property
    def library(self) -> str | None:
        """The frame library, None for arrays."""
        return None if self.frame is None else self.frame.library

    def name(self, feature: int) -> Any:
        """What a feature is called."""
        return f"x{feature}" if isinstance(self.names, int) else self.names[feature]

    def where(self, row: int) -> int:
        """The row as the user counts it: from the first row of the first batch."""
        return self.start + (row if self.kept is None else int(self.kept[row]))

    def keep(self, rows: NDArray[np.bool_]) -> "Batch":
        """The rows that are marked."""
        here = np.flatnonzero(rows)
        return replace(
            self,
            rows=len(here),
            matrix=None if self.matrix is None else self.matrix[rows],
            mask=None if self.mask is None else self.mask[rows],
            sparse=None if self.sparse is None else self.sparse[here],
            frame=None if self.frame is None else self.frame.keep(rows),
            kept=here if self.kept is None else self.kept[here],
        )

    def pick(self, name: Any) -> Column:
        """One column of a frame, by name, feature or not."""
        assert self.frame is not None
        return self.frame.columns([name], 1)[0]

    def columns(self, features: Sequence[int], threads: int) -> list[Column]:
        """Some features as columns."""
        if self.frame is not None:
            return self.frame.columns([self.name(i) for i in features], threads)
        assert self.matrix is not None
        return [from_array(self.matrix[:, i], None if self.mask is None else self.mask[:, i]) for i in features]


def read(data: Any) -> Batch:
    """Recognise a frame, an array or a sparse matrix; DataError when it is none of them or not two-dimensional."""
    if type(data) is np.ndarray:
        return _from_array(data)
    root = type(data).__module__.partition(".")[0]
    if root == "scipy" and hasattr(data, "tocsr"):
        return _from_sparse(data)
    reader = _native(data, root)
    if reader is not None:
        distinct_names(reader.names)
        return Batch(tuple(reader.names), reader.rows, frame=reader)
    if isinstance(data, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(data)
        return replace(_from_array(data.data), mask=mask if mask.any() else None)
    if isinstance(data, np.ndarray):
        return _from_array(np.asarray(data))
    if isinstance(data, (list, tuple)):
        return _from_array(_rows(data))
    if hasattr(data, "__array__"):
        return _from_array(np.asarray(data))
    if isinstance(data, Mapping):
        raise DataError(
            "X must be a frame or a table of rows, found a mapping: make a frame of it, such as pandas.DataFrame(X)"
        )
    raise DataError(
        "X must be a frame (pandas, polars, pyarrow or another that narwhals knows), a two-dimensional array, a SciPy sparse "
        f"matrix, a path, or an iterable of those, not {type(data).__name__}"
    )


def _native(data: Any, root: str) -> Reader | None:
    """The reader of a frame's library; None when it is not a frame."""
    if root == "pandas" and hasattr(data, "columns"):
        from misieve.frames.from_pandas import PandasReader

        return PandasReader(data)
    if root == "polars" and hasattr(data, "columns"):
        from misieve.frames.from_polars import PolarsReader

        return PolarsReader(data)
    if root == "pyarrow" and hasattr(data, "schema"):
        from misieve.frames.from_arrow import ArrowReader

        return ArrowReader(data)
    if root in {"numpy", "builtins"}:
        return None
    import narwhals as nw

    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise DataError(f"X must be computed before it is counted, found a lazy {type(data).__name__}: collect it first")
    if not isinstance(frame, nw.DataFrame):
        return None
    from misieve.frames.from_arrow import ArrowReader

    return ArrowReader(frame.to_arrow())


def distinct_names(names: Sequence[Any]) -> None:
    """DataError unless every column has a name of its own."""
    nameless = [place for place, name in enumerate(names) if name is None or name != name]  # noqa: PLR0124 only NaN
    if nameless:
        raise DataError(f"columns must have names, found {names[nameless[0]]!r} for column {nameless[0]}: rename it")
    if len(set(names)) == len(names):
        return
    seen = set()
    for name in names:
        if name in seen:
            raise DataError(f"columns must have names of their own, found {name!r} twice: rename one")
        seen.add(name)


def _from_array(data: NDArray[Any]) -> Batch:
    if data.ndim != 2:
        raise DataError(
            f"X must be two-dimensional, rows by features, found an array of shape {data.shape}: "
            "one feature is a column, X.reshape(-1, 1) of an array or df[['name']] of a frame"
        )
    if data.dtype.kind not in "biufOUSTMm":
        raise DataError(f"X must hold categories, found an array of dtype {data.dtype}")
    try:
        return Batch(data.shape[1], data.shape[0], matrix=plain(data))
    except BadCell as wrong:
        row, feature = divmod(wrong.row, data.shape[1])
        raise DataError(f"column 'x{feature}' {wrong.rule} (row {row})") from None


def _rows(data: Sequence[Any]) -> NDArray[Any]:
    """A list of rows; cells keep their own types, so that a column of numbers beside one of text stays numbers."""
    for place, row in enumerate(data):
        if isinstance(row, (str, bytes, Mapping, Set)):
            raise DataError(
                f"X must be two-dimensional, but row {place} is a {type(row).__name__}: pass a list of lists, or a frame"
            )
    try:
        array = np.array([tuple(row) for row in data], dtype=object)
    except (TypeError, ValueError):
        raise DataError("X must be two-dimensional, found a list that is not a list of rows of equal length") from None
    if array.ndim != 2:
        raise DataError(f"X must be two-dimensional, found rows of unequal lengths or none: shape {array.shape}")
    return array


def _from_sparse(data: Any) -> Batch:
    if data.ndim != 2:
        raise DataError(f"X must be two-dimensional, rows by features, found a sparse array of shape {data.shape}")
    if data.format not in {"csr", "csc"}:
        data = data.tocsr()
    if data.dtype.kind not in "biuf":
        raise DataError(f"X must hold categories, found a sparse matrix of dtype {data.dtype}")
    try:
        return Batch(data.shape[1], data.shape[0], sparse=_whole(data))
    except ValueError as wrong:
        raise DataError(f"X must be a sound sparse matrix, but {wrong}") from None


def _whole(data: Any) -> Any:
    """A compressed matrix whose arrays the kernels can read: indices of one type, no room left after the last entry."""
    stored, index = int(data.indptr[-1]), data.indices.dtype
    values = plain(data.data)
    if values is data.data and len(values) == stored and index == data.indptr.dtype and index in (np.int32, np.int64):
        return data
    indices = data.indices.astype(np.int64, copy=False)
    return type(data)((values[:stored], indices[:stored], data.indptr.astype(np.int64, copy=False)), shape=data.shape)
