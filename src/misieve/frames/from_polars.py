"""Columns of a polars frame: codes of Enum and Categorical as they lie in memory, text cast by polars on its own threads."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from misieve.frames.column import BadCell, Column, from_codes, from_objects, plain, validity
from misieve.labels import OUT_OF_RANGE, TOO_FINE, Unreadable

__all__ = ["PolarsReader"]

# A pool of categories is shared by the whole process and may be far larger than what a column uses.
LARGEST_POOL = 1 << 16
# Pools so small, and so many codes in all, are taken as they are, whatever occurs.
SMALL_POOL = 254
MANY_CODES = 1 << 20


class PolarsReader:
    """Reads a polars DataFrame."""

    library = "polars"

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names: list[Any] = frame.columns
        self.rows: int = frame.height

    def columns(self, names: Sequence[Any], threads: int) -> list[Column]:  # noqa: ARG002 polars has its own threads
        """Read columns; all text at once, each column into a pool of its own, so that its codes are 0, 1, 2, ..."""
        frame = self._frame if list(names) == self.names else self._frame.select(names)
        schema = frame.schema  # built anew, column by column, whenever it is asked for
        text = [name for name, dtype in schema.items() if dtype == pl.String]
        if text:
            frame = frame.with_columns(pl.col(name).cast(pl.Categorical(pl.Categories.random())) for name in text)
            schema = frame.schema
        coded = [name for name, dtype in schema.items() if isinstance(dtype, (pl.Categorical, pl.Enum))]
        codes = frame.select(pl.col(coded).to_physical()) if coded else frame
        sizes = {name: len(_pool(dtype)) for name, dtype in schema.items() if isinstance(dtype, pl.Categorical)}
        # A pool may hold far more than a column uses; looking for its largest code costs as much as counting it.
        many = sum(sizes.values()) > MANY_CODES
        wide = [name for name, size in sizes.items() if name not in text and (many or size > SMALL_POOL)]
        largest = codes.select(pl.col(wide).max()).row(0, named=True) if wide else {}
        columns = []
        for series in frame.get_columns():
            name = series.name
            try:
                if name in sizes:
                    columns.append(_pooled(series, codes.get_column(name), largest.get(name, sizes[name] - 1)))
                elif isinstance(schema[name], pl.Enum):
                    columns.append(_enum(schema[name], codes.get_column(name)))
                else:
                    columns.append(polars_column(series))
            except BadCell as wrong:
                wrong.column = name  # type: ignore[attr-defined]
                raise
        return columns

    def keep(self, rows: NDArray[np.bool_]) -> "PolarsReader":
        """The marked rows."""
        return PolarsReader(self._frame.filter(pl.Series(rows)))


def polars_column(series: Any) -> Column:
    """A Series as codes, numbers or truth values."""
    dtype = series.dtype
    if isinstance(dtype, pl.Enum):
        return _enum(dtype, series.to_physical())
    if dtype == pl.String:
        series = series.cast(pl.Categorical(pl.Categories.random()))
        dtype = series.dtype
    if isinstance(dtype, pl.Categorical):
        physical = series.to_physical()
        return _pooled(series, physical, physical.max())
    if dtype.is_numeric() and not dtype.is_decimal() and dtype not in {pl.Int128, getattr(pl, "UInt128", pl.Int128)}:
        values, present = _numbers(series)
        return Column(plain(values), present)
    if dtype == pl.Boolean:
        values, present = _numbers(series, False)
        return Column(values, present)
    if dtype.is_nested():
        raise BadCell(f"must hold categories, found the polars type {dtype}", 0)
    if dtype.is_temporal():
        return _ranked(series)
    return from_objects(series.to_list())


def _numbers(series: Any, filler: Any = 0) -> tuple[NDArray[Any], tuple[NDArray[np.uint8], int] | None]:
    if not series.null_count():
        return series.to_numpy(), None
    if "pyarrow" in sys.modules and series.dtype != pl.Boolean:
        # Arrow shows the bitmap of what is missing where it lies. Else polars spells out a truth value for each row, which
        # takes longer than counting, but not as long as importing Arrow.
        from misieve.frames.from_arrow import lying_numbers

        return lying_numbers(series.to_arrow())
    return series.fill_null(filler).to_numpy(), validity(series.is_not_null().to_numpy())


def _enum(dtype: Any, physical: Any) -> Column:
    values, present = _numbers(physical)
    return from_codes(values, dtype.categories.to_list(), declared=True, present=present)


def _pool(dtype: Any) -> Any:
    return dtype.categories.to_series()


def _pooled(series: Any, physical: Any, largest: int | None) -> Column:
    """Codes into a pool; where the pool is large, only the codes that occur."""
    if largest is not None and largest >= LARGEST_POOL and largest >= len(series):
        return _ranked(series)
    values, present = _numbers(physical)

    def labels(codes: NDArray[np.int64]) -> list[Any]:
        # The series, not its dtype, keeps the pool alive.
        pool = _pool(series.dtype)
        if len(pool) > LARGEST_POOL:
            pool, codes = pool.gather(codes), np.arange(len(codes))
        listed = pool.to_list()
        return [listed[code] for code in codes.tolist()]

    return Column(values, present, labels, 0 if largest is None else largest + 1)


def _ranked(series: Any) -> Column:
    """Whatever has an order: the rank among the distinct values is the code."""
    physical = series.to_physical()
    distinct = physical.drop_nulls().unique().sort()
    ranks = (physical.rank("dense").cast(pl.Int32) - 1).fill_null(-1).to_numpy()
    return from_codes(ranks, _listed(distinct, series.dtype))


def _listed(distinct: Any, dtype: Any) -> list[Any]:
    """Python values; asked for one beyond its own dates polars panics, and it cuts off what is finer than a microsecond."""
    if not dtype.is_temporal():
        listed: list[Any] = _back(distinct, dtype).to_list()
        return listed
    unit = "" if dtype == pl.Date else getattr(dtype, "time_unit", "ns")
    fine = (distinct % 1000 != 0) if unit == "ns" else pl.repeat(False, len(distinct), eager=True)
    low, high = _bounds(dtype, unit)
    far = ~distinct.is_between(low, high)
    odd = fine | far
    readable = iter(_back(distinct.filter(~odd), dtype).to_list())
    return [
        next(readable) if not strange else Unreadable(f"{number} ({dtype})", OUT_OF_RANGE if beyond else TOO_FINE)
        for number, strange, beyond in zip(distinct.to_list(), odd, far, strict=True)
    ]


def _bounds(dtype: Any, unit: str) -> tuple[int, int]:
    """What Python's date, datetime or timedelta can hold, a day less for zones; in 64 bits."""
    if dtype == pl.Time:
        return -(2**63), 2**63 - 1
    days = (-999_999_999, 999_999_999) if dtype == pl.Duration else (2 - 719_163, 3_652_059 - 719_163 - 1)
    per_day = {"": 1, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}[unit]
    return max(days[0] * per_day, -(2**63)), min(days[1] * per_day, 2**63 - 1)


def _back(physical: Any, dtype: Any) -> Any:
    """From the physical representation to the type it stands for."""
    return physical.cat.to(dtype) if isinstance(dtype, pl.Categorical) else physical.cast(dtype)
