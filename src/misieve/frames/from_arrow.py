"""Columns of a pyarrow Table or RecordBatch: buffers are read where they lie, validity bitmaps included."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from misieve.frames.column import BadCell, Column, from_codes, plain

__all__ = ["ArrowReader", "arrow_column"]


class ArrowReader:
    """Reads a Table or a RecordBatch."""

    library = "pyarrow"

    def __init__(self, table: Any) -> None:
        self._table = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
        self.names: list[Any] = list(self._table.column_names)
        self.rows: int = self._table.num_rows

    def columns(self, names: Sequence[Any], threads: int) -> list[Column]:
        """Read columns, on several threads: Arrow releases the lock while it encodes."""
        return read_all(lambda name: arrow_column(self._table.column(name)), names, threads)

    def keep(self, rows: NDArray[np.bool_]) -> "ArrowReader":
        """The marked rows."""
        return ArrowReader(self._table.filter(pa.array(rows)))


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
        chunks = _one(chunks)
        return Column(plain(_numbers(chunks)), _validity(chunks))
    if pa.types.is_nested(dtype):
        raise BadCell(f"must hold categories, found the Arrow type {dtype}", 0)
    return _dictionary(chunks.dictionary_encode(), declared=False)


def _one(chunks: Any) -> Any:
    if isinstance(chunks, pa.Array):
        return chunks
    if chunks.num_chunks == 1:
        return chunks.chunk(0)
    return chunks.combine_chunks() if chunks.num_chunks else pa.array([], chunks.type)


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
        chunks = _one(chunks.unify_dictionaries())
    labels = chunks.dictionary
    # A dictionary may name a category twice, or null: such codes are not categories yet.
    if labels.null_count or len(labels.unique()) < len(labels):
        return _dictionary(labels.take(chunks.indices).dictionary_encode(), declared=declared)
    codes = chunks.indices
    listed = _Lazily(labels)
    return Column(plain(_numbers(codes)), _validity(codes), listed, len(labels), declared)


class _Lazily:
    """Labels that become Python objects only where a code occurs."""

    def __init__(self, labels: Any) -> None:
        self._labels = labels

    def __call__(self, codes: NDArray[np.int64]) -> list[Any]:
        taken: list[Any] = self._labels.take(pa.array(codes)).to_pylist()
        return taken
