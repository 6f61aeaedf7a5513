"""Columns of a pyarrow Table or RecordBatch: buffers are read where they lie, validity bitmaps included."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from misieve.frames.column import BadCell, Column, from_codes, plain
from misieve.labels import OUT_OF_RANGE, Unreadable

__all__ = ["ArrowReader", "arrow_column", "lying_numbers", "spelled_out"]

# Of larger dictionaries, only what occurs is looked at.
FEW_LABELS = 256


class ArrowReader:
    """Reads a Table or a RecordBatch."""

    library = "pyarrow"

    def __init__(self, table: Any) -> None:
        self._table = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
        self.names: list[Any] = list(self._table.column_names)
        self.rows: int = self._table.num_rows

    def columns(self, names: Sequence[Any], threads: int) -> list[Column]:
        """Read columns; those that Arrow must encode on several threads, as it releases the lock for that."""
        heavy = sum(not _lies_ready(self._table.schema.field(name).type) for name in names)
        return read_all(lambda name: arrow_column(self._table.column(name)), names, threads if heavy > 1 else 1)

    def keep(self, rows: NDArray[np.bool_]) -> "ArrowReader":
        """The marked rows."""
        mask = pa.array(rows)  # not every type can be filtered as it is
        return ArrowReader(pa.Table.from_arrays([spelled_out(one).filter(mask) for one in self._table.columns], self.names))


def _lies_ready(dtype: Any) -> bool:
    """Whether a column is codes or numbers already."""
    ready = (pa.types.is_dictionary, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
    return any(is_one(dtype) for is_one in ready)


def read_all(read: Any, names: Sequence[Any], threads: int) -> list[Column]:
    """Read every named column; the name goes with the error."""

    def one(name: Any) -> Column:
        try:
            column: Column = read(name)
        except BadCell as wrong:
            wrong.column = name  # type: ignore[attr-defined]
            raise
        return column

    if threads < 2 or len(names) < 2:
        return [one(name) for name in names]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, names))


def arrow_column(chunks: Any) -> Column:
    """A ChunkedArray or Array as codes, numbers or truth values."""
    chunks = spelled_out(chunks)
    dtype = chunks.type
    if pa.types.is_dictionary(dtype):
        return _dictionary(chunks, declared=True)
    if pa.types.is_null(dtype):
        return from_codes(np.full(len(chunks), -1, np.int32), [])
    if pa.types.is_boolean(dtype):
        chunks = _one(chunks)
        present = _validity(chunks)
        return Column(chunks.fill_null(False).to_numpy(zero_copy_only=False), present)
    if pa.types.is_integer(dtype) or pa.types.is_floating(dtype):
        values, present = lying_numbers(_one(chunks))
        return Column(plain(values), present)
    if pa.types.is_nested(dtype):
        raise BadCell(f"must hold categories, found the Arrow type {dtype}", 0)
    return _dictionary(chunks.dictionary_encode(), declared=False)


def spelled_out(chunks: Any) -> Any:
    """Types that Arrow itself cannot encode as those that say the same."""
    dtype = chunks.type
    if isinstance(dtype, pa.BaseExtensionType):
        truth = str(dtype) == "extension<arrow.bool8>"
        storage = chunks.cast(dtype.storage_type)
        return storage.cast(pa.bool_()) if truth else spelled_out(storage)
    if pa.types.is_run_end_encoded(dtype):
        return spelled_out(pc.run_end_decode(chunks))
    if pa.types.is_string_view(dtype):
        return chunks.cast(pa.large_string())
    if pa.types.is_binary_view(dtype):
        return chunks.cast(pa.large_binary())
    if pa.types.is_decimal(dtype) and dtype.bit_width < 128:
        return chunks.cast(pa.decimal128(dtype.precision, dtype.scale))
    return chunks


def _one(chunks: Any) -> Any:
    if isinstance(chunks, pa.Array):
        return chunks
    if chunks.num_chunks == 1:
        return chunks.chunk(0)
    return chunks.combine_chunks() if chunks.num_chunks else pa.array([], chunks.type)


def lying_numbers(array: Any) -> tuple[NDArray[Any], tuple[NDArray[np.uint8], int] | None]:
    """The numbers of an Array and the bitmap of those that are there, both where they lie."""
    return _numbers(array), _validity(array)


def _numbers(array: Any) -> NDArray[Any]:
    values = array.buffers()[1]
    if values is None:
        return np.zeros(len(array), array.type.to_pandas_dtype())
    dtype = np.dtype(array.type.to_pandas_dtype())
    return np.frombuffer(values, dtype, len(array), array.offset * dtype.itemsize)


def _validity(array: Any) -> tuple[NDArray[np.uint8], int] | None:
    if not array.null_count:
        return None
    return np.frombuffer(array.buffers()[0], np.uint8), array.offset


def _dictionary(chunks: Any, *, declared: bool) -> Column:
    if isinstance(chunks, pa.ChunkedArray):
        chunks = _one(chunks if chunks.num_chunks == 1 else chunks.unify_dictionaries())
    labels = spelled_out(chunks.dictionary)
    if pa.types.is_nested(labels.type):
        raise BadCell(f"must hold categories, found the Arrow type {chunks.type}", 0)
    if pa.types.is_floating(labels.type) and pc.any(pc.is_nan(labels)).as_py():
        labels = pc.if_else(pc.is_nan(labels), None, labels)
        chunks = pa.DictionaryArray.from_arrays(chunks.indices, labels)
    listed = _Labels(labels)
    # A dictionary may name a category twice, or null: such codes are not categories yet.
    if labels.null_count or listed.repeat():
        return _dictionary(labels.take(chunks.indices).dictionary_encode(), declared=declared)
    codes = chunks.indices
    return Column(plain(_numbers(codes)), _validity(codes), listed, len(labels), declared)


class _Labels:
    """The categories of a dictionary; many of them become Python objects only where a code occurs."""

    def __init__(self, labels: Any) -> None:
        self._labels = labels
        # Python and Arrow do not agree on everything about others: an hour that comes twice is one time to Python.
        plain = pa.types.is_string(labels.type) or pa.types.is_large_string(labels.type) or pa.types.is_integer(labels.type)
        self._listed = labels.to_pylist() if plain and len(labels) <= FEW_LABELS else None

    def repeat(self) -> bool:
        """Whether a category stands twice."""
        distinct = self._labels.unique() if self._listed is None else set(self._listed)
        return len(distinct) < len(self._labels)

    def __call__(self, codes: NDArray[np.int64]) -> list[Any]:
        if self._listed is None:
            return _list(self._labels.take(pa.array(codes)))
        return [self._listed[code] for code in codes.tolist()]


def _list(labels: Any) -> list[Any]:
    try:
        listed: list[Any] = labels.to_pylist()
    except (OverflowError, ValueError, pa.ArrowException):
        listed = [_read(one) for one in labels]
    return listed


def _read(scalar: Any) -> Any:
    """The Python value of a scalar, or why there is none: years beyond 9999."""
    try:
        return scalar.as_py()
    except (OverflowError, ValueError, pa.ArrowException):
        return Unreadable(f"{scalar.value} ({scalar.type})", OUT_OF_RANGE)
