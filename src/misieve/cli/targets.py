"""The target column of a file: is it one of classes, and which of them is asked about."""

from typing import Any

from misieve._errors import DataError, OptionError
from misieve._validate import near
from misieve.files.dates import to_dates

__all__ = ["Target"]

# A column of numbers has at most so many distinct ones if it is one of categories, as features have.
MANY = 64


class Target:
    """A target: its name and, if one class is asked about against all others, that class.

    text: whether its values are classes whatever they look like.
    """

    def __init__(self, name: str, positive: str | None, *, text: bool) -> None:
        self.name, self.positive, self.text = name, positive, text
        self.start()

    def start(self) -> None:
        """Begin a reading."""
        self._rows = 0
        self._distinct: set[Any] = set()
        self._found = self._some = False

    def prepared(self, frame: Any) -> Any:
        """A frame whose target holds the classes to count; DataError if it is continuous."""
        column = frame[self.name]
        self._some = self._some or len((column.drop_nans() if column.dtype.is_float() else column).drop_nulls()) > 0
        if self.positive is not None:
            return frame.with_columns(self._against(column, self.positive))
        if column.dtype.is_numeric() and not self.text:
            self._refuse_continuous(column)
        self._rows += frame.height
        return frame

    def finish(self, *, alone: bool = True) -> None:
        """DataError if there was no class at all and no other rows have any (``alone``), or if that asked about is absent."""
        if alone and not self._some:
            raise DataError(f"the target {self.name!r} has no value in any row")
        if self.positive is not None and not self._found:
            shown = sorted(map(str, self._distinct))
            raise DataError(f"no row has the target {self.name!r} equal to {self.positive!r}: {near(self.positive, shown)}")

    def _refuse_continuous(self, column: Any) -> None:
        advice = (
            f"cut it into a few classes first, or say --categorical {self.name} if its values are classes, or --positive VALUE "
            "to ask about one of them"
        )
        if column.dtype.is_float():
            broken = ((column % 1) != 0) & column.is_not_nan() & column.is_not_null()
            if broken.any():
                row = int(broken.arg_max() or 0)
                raise DataError(
                    f"the target {self.name!r} must hold classes, found {column[row]} (row {row + self._rows}): "
                    f"it is continuous: {advice}"
                )
        if len(self._distinct) <= MANY:
            self._distinct.update(column.drop_nulls().unique().head(MANY + 1).to_list())
        if len(self._distinct) > MANY:
            raise DataError(
                f"the target {self.name!r} must hold classes, found more than {MANY} different numbers: "
                f"it is continuous: {advice}"
            )

    def _against(self, column: Any, positive: str) -> Any:
        """The column as two classes: the one that is asked about, and not."""
        import polars as pl

        if column.dtype.is_numeric():
            try:
                same = column == float(positive)
            except ValueError:
                raise OptionError(f"--positive must be a number, as the target {self.name!r} has, found {positive!r}") from None
        elif isinstance(column.dtype, pl.Datetime) and (moment := to_dates(pl.Series([positive]), column.dtype)[0]) is not None:
            same = column.dt.replace_time_zone(None) == moment
        else:
            same = column.cast(pl.String) == positive
        if not self._found:
            self._found = bool(same.any())
        if len(self._distinct) <= MANY:
            self._distinct.update(column.drop_nulls().unique().head(MANY + 1).to_list())
        other = f"not {positive}"
        classes = pl.Enum([other, positive])
        if column.dtype.is_float():
            same = pl.select(pl.when(column.is_not_nan()).then(same)).to_series()
        chosen = pl.when(same).then(pl.lit(positive)).when(same.is_not_null()).then(pl.lit(other))
        return pl.select(chosen.cast(classes).alias(self.name)).to_series()
