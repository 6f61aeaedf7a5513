"""One column as arrays, whatever frame it comes from."""

import reprlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError
from misieve.labels import BadLabel, Labels, Value, canonical, canonical_labels, kind

__all__ = [
    "BadCell", "Column", "absent", "categories_of", "from_array", "from_codes", "from_objects", "plain", "validity",
]  # fmt: skip

Validity = tuple[NDArray[np.uint8], int]


class BadCell(DataError):
    """What is wrong with a cell, and its row in the batch; whoever knows the column's name says so."""

    def __init__(self, rule: str, row: int) -> None:
        super().__init__(rule)
        self.rule, self.row = rule, row


@dataclass(frozen=True)
class Column:
    """Values with their validity, or codes with their labels.

    Without ``labels`` the values are numbers or truth values and stand for themselves; NaN is missing. With labels they are
    codes: ``labels(codes)`` gives the categories of some of them, codes are below ``limit``, and -1 is missing.
    ``validity``: None, or Arrow's bitmap and the offset of its first bit; a cleared bit is a missing row.
    ``zero``: in a sparse column code 0 is the value zero; this is where it stands in the declared order of the others.
    """

    values: NDArray[Any]
    validity: Validity | None = None
    labels: Callable[[NDArray[np.int64]], Sequence[Any]] | None = None
    limit: int = 0
    declared: bool = False
    zero: int = 0

    @property
    def order(self) -> NDArray[np.int64]:
        """The codes in their declared order."""
        return np.insert(np.arange(1, self.limit), self.zero, 0) if self.zero else np.arange(self.limit)


def categories_of(column: Column, codes: NDArray[np.int64], where: str) -> Labels:
    """The categories of some codes; BadCell at the first row that holds one which cannot be a category."""
    assert column.labels is not None
    values = column.labels(codes)
    verb = "declares" if column.declared else "holds"
    try:
        return canonical_labels(values, where, verb)
    except BadLabel as wrong:
        rules = {int(codes[wrong.place]): wrong.rule}
    for code, value in zip(codes.tolist(), values, strict=True):
        try:
            canonical_labels([value], where, verb)
        except BadLabel as wrong:
            rules[code] = wrong.rule
    here = np.flatnonzero(~absent(column) & np.isin(column.values, list(rules)))
    if not len(here):
        raise DataError(f"{where} {next(iter(rules.values()))}")
    raise BadCell(rules[int(column.values[here[0]])], int(here[0]))


def validity(present: NDArray[np.bool_]) -> Validity | None:
    """The bitmap of the rows that are there; None when all are."""
    return None if present.all() else (np.packbits(present, bitorder="little"), 0)


def absent(column: Column) -> NDArray[np.bool_]:
    """Which rows are missing: (n,)."""
    values = column.values
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    if column.labels is not None and values.dtype.kind == "i":
        missing |= values == -1
    if column.validity is not None:
        bits, offset = column.validity
        missing |= np.unpackbits(bits, bitorder="little")[offset : offset + len(values)] == 0
    return missing


def plain(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers as the kernels know them: native byte order, at most 64 bits, in steps of whole values. A copy only where needed.

    BadCell, with its place in the flattened array, for a number that 64 bits do not hold.
    """
    if values.dtype.kind not in "biuf":
        return values
    given = values
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind == "f" and values.dtype.itemsize not in {4, 8}:
        values = values.astype(np.float32 if values.dtype.itemsize == 2 else np.float64)
        lost = (values != given) & (given == given) if given.dtype.itemsize > 8 else np.zeros(0, bool)  # noqa: PLR0124 not NaN
        if lost.any():
            raise BadCell(f"must hold numbers of at most 64 bits, found {given[lost][0]!r}", int(np.argmax(lost)))
    if any(step % values.itemsize for step in values.strides):  # a field of a structured array
        values = values.copy()
    return values


def from_array(values: NDArray[Any], mask: NDArray[np.bool_] | None = None) -> Column:
    """A column of a NumPy array of any dtype; ``mask`` marks missing rows."""
    present = None if mask is None else validity(~mask)
    if values.dtype.kind in "biuf":
        return Column(plain(values), present)
    if values.dtype.kind not in "OUSTMm":
        raise BadCell(f"must hold categories, found the dtype {values.dtype}", 0)
    column = _from_moments(values) if values.dtype.kind in "Mm" else from_objects(values.tolist())
    return Column(column.values, present, column.labels, column.limit)


def _from_moments(values: NDArray[Any]) -> Column:
    distinct, codes = np.unique(values, return_inverse=True)
    kept = list(distinct[~np.isnat(distinct)])  # NaT sorts to the end
    codes = codes.reshape(-1).astype(np.int32)
    codes[codes >= len(kept)] = -1
    return from_codes(codes, kept)


def from_codes(
    codes: NDArray[Any], labels: Sequence[Any], *, declared: bool = False, present: Validity | None = None
) -> Column:
    """Codes and the list of their categories."""
    return Column(codes, present, lambda some: [labels[i] for i in some.tolist()], len(labels), declared)


def from_objects(cells: Sequence[Any]) -> Column:
    """A list of Python objects: each distinct one is looked at once."""
    try:
        distinct = dict.fromkeys(cells)
    except TypeError:
        row = next(i for i, cell in enumerate(cells) if not _hashable(cell))
        raise BadCell(f"must hold categories, found a {type(cells[row]).__name__}", row) from None
    codes: dict[Any, int] = {}
    places: dict[Value, int] = {}
    kinds: dict[str, Any] = {}
    for cell in distinct:
        try:
            value = canonical(cell)
        except TypeError as wrong:
            raise BadCell(f"must hold categories, but {wrong}", _row(cells, cell)) from None
        if value is None:
            codes[cell] = -1
            continue
        kinds.setdefault(kind(value), cell)
        if len(kinds) > 1:
            (first, one), (second, other) = kinds.items()
            raise BadCell(
                f"must hold values of one kind, found {first} ({one!r}) and {second} ({other!r}); turn them all into text "
                "or all into numbers",
                _row(cells, cell),
            )
        codes[cell] = places.setdefault(value, len(places))
    found = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
    return from_codes(found, list(places)) if "numbers" not in kinds else _numbers(found, list(places))


def _numbers(codes: NDArray[np.int32], values: list[Any]) -> Column:
    """Numbers in an object column: whole ones are categories, others follow the rule of float columns."""
    if all(isinstance(value, int) for value in values):
        return from_codes(codes, values)
    for code, value in enumerate(values):
        if isinstance(value, int) and (abs(value) > 2**1000 or float(value) != value):
            rule = f"must not hold {reprlib.repr(value)} beside fractions: doubles cannot tell it from its neighbours"
            raise BadCell(rule, int(np.argmax(codes == code)))
    table = np.array([*map(float, values), np.nan])
    return Column(table[codes])


def _hashable(cell: Any) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True


def _row(cells: Iterable[Any], wanted: Any) -> int:
    return next(i for i, cell in enumerate(cells) if cell is wanted or cell == wanted)
