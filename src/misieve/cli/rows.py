"""Files of rows: read, counted, and written again with fewer columns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misieve._errors import DataError, OptionError
from misieve._validate import near
from misieve.cli.counted import Counted, count_file
from misieve.cli.cuts import cut_notes
from misieve.cli.inputs import STDIN, check_column, listed, naming, opened
from misieve.cli.memory import allowance
from misieve.cli.outputs import write_columns
from misieve.cli.reproduce import counting_lines, reading_rows
from misieve.cli.seen import columns_read
from misieve.cli.selecting import Found, Inputs
from misieve.cli.targets import Target
from misieve.files import DataFile, Reading, open_data
from misieve.frames.streams import BATCH_BYTES
from misieve.tables import Tables

if TYPE_CHECKING:
    from misieve.decide import Selection

__all__ = ["chosen", "counted_rows", "reading_of"]

SPACES = (
    ": cells must be separated by commas, semicolons, tabs or bars; where they are by spaces, "
    "sed -E 's/^ +| +$//g; s/ +/,/g' puts commas there"
)


@contextmanager
def counted_rows(inputs: Inputs, settings: Mapping[str, Any], earlier: Tables | None) -> Iterator[Found]:
    """Count a file of rows; ``earlier`` counts are added to."""
    assert inputs.target is not None
    plain = reading_of(inputs)
    with opened(inputs.data, plain, inputs.format) as whole:
        with naming(inputs.label):
            file = chosen(whole, inputs, plain)
            if earlier is not None:
                _check_resumed(file, inputs.target, earlier, str(inputs.resume))
            target = Target(inputs.target, inputs.positive, text=inputs.target in file.reading.text)
            found = count_file(
                file,
                target,
                like=earlier,
                bins=settings["discretize"],
                missing=settings["missing"],
                jobs=settings["n_jobs"],
                memory=allowance(inputs.memory),
            )
        if earlier is not None:
            _check_classes(found.tables, inputs.target, earlier, str(inputs.resume))
        notes = [*file.notes, *_resumed_notes(earlier, inputs.resume, found.rows)]
        first = None if found.batch is None or earlier is not None else found.first
        notes += cut_notes(found.tables, first, None if earlier is None else str(inputs.resume))
        tables = found.tables if earlier is None else earlier + found.tables
        read = columns_read(found.types, found.missing, tables, file.reading.text, resumed=earlier is not None)

        def write(path: Path, selection: "Selection", with_target: bool) -> None:
            target = [inputs.target] if with_target else []
            write_columns(path, file, found, [*map(str, selection.kept), *map(str, target)])

        yield Found(
            tables,
            {
                "source": file.label,
                "format": inputs.format or file.format,
                "rows": found.rows,
                "target": inputs.target,
                "excluded": list(file.reading.exclude),
                "read": read,
                "notes": notes,
            },
            _python(whole, file, inputs, settings, found, plainly=earlier is not None),
            write,
            first,
        )


def reading_of(inputs: Inputs) -> Reading:
    """How all columns are read."""
    return Reading((), (), (*Reading().missing, *inputs.markers), inputs.header, inputs.separator)


def chosen(file: DataFile, inputs: Inputs, plain: Reading) -> DataFile:
    """The file without the columns that are excluded, and with those read as text that are said to be categories."""
    assert inputs.target is not None
    names = file.names
    if len(names) < 2 and inputs.target not in names:
        advice = SPACES if file.format == "csv" else ""
        raise DataError(f"the file must have two columns at least, the target and a feature, found {names}{advice}")
    check_column(inputs.target, names)
    exclude, text = listed(inputs.exclude, names), listed(inputs.categorical, names)
    for option, given in (("--exclude", exclude), ("--categorical", text)):
        for name in given:
            if name not in names:
                raise DataError(f"there is no column {name!r} for {option}: {near(name, names)}")
    if inputs.target in exclude:
        raise OptionError(f"--exclude must not name the target, found {inputs.target!r}")
    both = [name for name in text if name in exclude]
    if both:
        raise OptionError(f"a column is either excluded or categorical, found {both[0]!r} for both")
    if not exclude and not text:
        return file
    reading = Reading(exclude, text, plain.missing, plain.header, plain.separator)
    return open_data(file.path, reading, label=file.label, format=inputs.format or (None if file.path.suffix else "csv"))


def _check_resumed(file: DataFile, target: str, earlier: Tables, resume: str) -> None:
    """DataError unless the earlier counts are those of the same columns."""
    if target in earlier:
        raise DataError(
            f"{resume} holds {target!r} as a feature, so it was counted against another target: start anew, or name that target"
        )
    here = [name for name in file.names if name != target]
    more = [name for name in here if name not in earlier]
    lacks = [name for name in earlier.features if name not in set(here)]
    if more:
        raise DataError(f"{resume} must hold counts of the same columns, but {more[0]!r} is new: --exclude it, or start anew")
    if lacks:
        raise DataError(f"{resume} must hold counts of the same columns, but {lacks[0]!r} is absent here: start anew")


def _check_classes(here: Tables, target: str, earlier: Tables, resume: str) -> None:
    """DataError if the target has none of the classes that were counted before."""
    now = [value for value, rows in zip(here.classes, here.class_counts.tolist(), strict=True) if rows]
    if now and earlier.classes and not set(now) & set(earlier.classes):
        raise DataError(
            f"{resume} must hold counts against the same target, but {target!r} is {_few(now)} here and was "
            f"{_few(earlier.classes)} there: start anew, or name the other target"
        )


def _few(values: Sequence[Any]) -> str:
    return " or ".join(map(repr, values[:3])) + (" or another" if len(values) > 3 else "")


def _python(
    whole: DataFile, file: DataFile, inputs: Inputs, settings: Mapping[str, Any], found: Counted, *, plainly: bool
) -> list[str]:
    """Lines that count the same: by the path alone where that finds the same cuts, as ``plainly`` says it surely does."""
    resume = None if inputs.resume is None else str(inputs.resume)
    usual = inputs.format is None and inputs.positive is None and inputs.data != STDIN and whole.reading == Reading()
    exclude = file.reading.exclude
    if usual and not file.reading.text and not (exclude and (resume or whole.format not in {"csv", "tsv"})):
        missing_refused = exclude and settings["missing"] == "error"
        if not missing_refused and (plainly or not found.tables.cuts or _in_one_batch(whole, found.rows)):
            source = f"{inputs.data!r}, {inputs.target!r}"
            return counting_lines(source, settings, resume, exclude)
    assert inputs.target is not None
    lines = reading_rows(
        inputs.data, file.reading, inputs.format, target=inputs.target, positive=inputs.positive, batch=found.batch
    )
    return [*lines, *counting_lines(f"rows, {inputs.target!r}", settings, resume)]


def _in_one_batch(whole: DataFile, rows: int) -> bool:
    """Whether :func:`misieve.count` sees all rows of a file at once, so that it cuts at the same points."""
    if whole.estimated_bytes() > 2 * BATCH_BYTES:
        return False
    with closing(whole.batches(BATCH_BYTES)) as batches:  # type: ignore[type-var]
        return bool(next(batches).height == rows)


def _resumed_notes(earlier: Tables | None, resume: Path | None, rows: int) -> Sequence[str]:
    if earlier is None:
        return ()
    return (f"{earlier.class_counts.sum():,.6g} rows were counted in {resume}, {rows:,} are added",)
