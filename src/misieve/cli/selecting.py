"""What ``misieve select`` does: check, read and count, decide, write, show."""

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy import log

from misieve._errors import DataError, MisieveWarning, OptionError
from misieve._validate import fraction, known_option
from misieve.cli import options
from misieve.cli.inputs import STDIN, naming, refuse_others
from misieve.cli.outputs import check_output
from misieve.cli.wording import as_options
from misieve.files import TARGET, format_of, replacing, written_format

if TYPE_CHECKING:
    from misieve.decide import Selection
    from misieve.tables import Tables

__all__ = ["Found", "Inputs", "Outputs", "check_inputs", "is_svmlight", "run"]

SVMLIGHT = (".svmlight", ".svm", ".libsvm")

# What the names of outputs end in.
ENDINGS = {"--report": (".html", ".htm"), "--tables": (".npz",)}

# What the facts say in better words.
SAID_ELSEWHERE = (
    "the target has one class",
    ".* has no value in any row",
    ".* as many values as there are rows",
    "the cuts of .* come from the first batch",
)


@dataclass(frozen=True)
class Inputs:
    """What is read, as the options say."""

    data: str
    target: str | None
    positive: str | None = None
    exclude: Sequence[str] = ()
    categorical: Sequence[str] = ()
    markers: Sequence[str] = ()
    format: str | None = None
    separator: str | None = None
    header: bool = True
    resume: Path | None = None
    memory: float | None = None

    @property
    def counts(self) -> bool:
        """Whether the data are counted already: a file of Tables."""
        return self.format is None and self.data.lower().endswith(".npz")

    @property
    def label(self) -> str:
        """What messages call the data."""
        return "standard input" if self.data == STDIN else self.data


@dataclass(frozen=True)
class Outputs:
    """What is written, as the options say."""

    format: str = "table"
    top: int = 50
    output: Path | None = None
    with_target: bool = False
    report: Path | None = None
    tables: Path | None = None

    @property
    def paths(self) -> dict[str, Path]:
        """The files to be written, by option."""
        given = {"--output": self.output, "--report": self.report, "--tables": self.tables}
        return {option: path for option, path in given.items() if path is not None}


@dataclass(frozen=True)
class Found:
    """What was read and counted.

    data: facts about what was read.  python: lines that make these tables.  write: writes the kept features, with the target or
    without, to a file.  first: the rows of the first batch, if it set the cuts for others.
    """

    tables: "Tables"
    data: dict[str, Any]
    python: Sequence[str]
    write: Callable[[Path, "Selection", bool], None]
    first: int | None = None


def run(inputs: Inputs, settings: Mapping[str, Any], outputs: Outputs, words: Sequence[str] | None = None) -> None:
    """Select; ``words`` are the command line to be shown, by default the one that was given."""
    sparse = not inputs.counts and is_svmlight(inputs)
    _check(inputs, settings, outputs, sparse=sparse)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", MisieveWarning)
        for known in SAID_ELSEWHERE:
            warnings.filterwarnings("ignore", known, MisieveWarning)
        if inputs.counts:
            from misieve.cli.state import counted_state as counted
        elif sparse:
            from misieve.cli.sparse import counted_entries as counted
        else:
            from misieve.cli.rows import counted_rows as counted
        with counted(inputs, settings, _earlier(inputs.resume)) as found:
            _conclude(inputs, settings, outputs, found, sys.argv[1:] if words is None else words, said)


def _conclude(
    inputs: Inputs, settings: Mapping[str, Any], outputs: Outputs, found: Found, words: Sequence[str], said: Sequence[Any]
) -> None:
    """Decide, write and show."""
    from misieve.cli.reproduce import command_line, python_lines
    from misieve.cli.showing import show
    from misieve.decide import select
    from misieve.report import build_facts, build_page

    deciding = ("rule", "epsilon", "unit", "level", "prior", "law", "variance", "independence")
    selection = select(found.tables, **{name: settings[name] for name in deciding}).at_least(settings["min_features"])
    facts = build_facts(
        selection,
        found.tables,
        data=found.data,
        settings=settings,
        reproduce={
            "command": command_line(words),
            "python": python_lines(found.python, settings),
        },
        warnings=[
            *dict.fromkeys(str(one.message) for one in said if issubclass(one.category, MisieveWarning)),
            *_of_cuts(inputs, settings, outputs, found),
            *_of_epsilon(selection, found.tables),
        ],
    )
    for one in facts["warnings"]:
        one["text"] = as_options(one["text"])
    written = []
    if outputs.tables is not None:
        found.tables.save(outputs.tables)
        written.append(f"{outputs.tables}: the counts, for --resume and misieve merge")
    if outputs.report is not None:
        with replacing(outputs.report) as temporary:
            temporary.write_text(build_page(facts, selection, found.tables), encoding="utf-8")
        written.append(f"{outputs.report}: the report, to be opened in a browser")
    if outputs.output is not None and selection.support.any():
        found.write(outputs.output, selection, outputs.with_target)
        written.append(f"{outputs.output}: the kept features{' and the target' if outputs.with_target else ''}")
    # Last, because whoever reads what is printed may stop at any line.
    show(facts, outputs.format, outputs.top)
    if outputs.output is not None and not selection.support.any():
        raise DataError(f"no feature is kept, so {outputs.output} is not written: --min-features 1 keeps the best one")
    for line in written:
        print(f"wrote {line}", file=sys.stdout if outputs.format == "table" else sys.stderr)


def _of_cuts(inputs: Inputs, settings: Mapping[str, Any], outputs: Outputs, found: Found) -> list[str]:
    """What to know of cuts that stay as they are."""
    from misieve.cli.cuts import cut_warnings

    if inputs.counts:
        return []
    resumed = None if inputs.resume is None else str(inputs.resume)
    begun = None if outputs.tables is None or resumed is not None else str(outputs.tables)
    return cut_warnings(found.tables, bins=settings["discretize"], begun=begun, resumed=resumed, first=found.first)


def _of_epsilon(selection: "Selection", tables: "Tables") -> list[str]:
    """A threshold that is beyond what any feature could tell."""
    rows = tables.class_counts[tables.class_counts > 0]
    entropy = float(-(rows / rows.sum() * log(rows / rows.sum())).sum())
    nats = selection.epsilon * {"nats": 1.0, "bits": float(log(2.0))}.get(selection.unit, 0.0)
    if not 0.0 < entropy < nats:
        return []
    return [
        f"No feature can exceed --epsilon {selection.epsilon:g} {selection.unit}: the target's whole entropy is "
        f"{entropy * selection.epsilon / nats:.3g} {selection.unit}."
    ]


def is_svmlight(inputs: Inputs) -> bool:
    """Whether the data are entries of a sparse matrix instead of rows."""
    if inputs.format is not None or inputs.data == STDIN:
        return inputs.format == "svmlight"
    with naming(inputs.label):
        refuse_others(Path(inputs.data))
        return Path(inputs.data).is_file() and format_of(Path(inputs.data)) == "svmlight"


def check_inputs(inputs: Inputs, *, sparse: bool) -> None:
    """OptionError for what cannot be read so."""
    if inputs.counts:
        return
    if inputs.target is None and not sparse:
        raise OptionError("--target must name the column to be told about")
    if sparse and inputs.target not in {None, TARGET}:
        raise OptionError(f"the target of an svmlight file is called {TARGET!r}, found --target {inputs.target}: leave it out")
    if sparse and (inputs.exclude or inputs.categorical):
        raise OptionError("--exclude and --categorical are for columns with names, which an svmlight file does not have")
    known_option("--input-format", inputs.format or "csv", options.INPUT_FORMATS)
    if inputs.separator is not None and (len(inputs.separator) != 1 or ord(inputs.separator) > 127):
        raise OptionError(f"--separator must be one character, found {inputs.separator!r}")


def _check(inputs: Inputs, settings: Mapping[str, Any], outputs: Outputs, *, sparse: bool) -> None:
    """OptionError or DataError for what is wrong before anything is read."""
    if inputs.counts:
        _check_counts(inputs, settings, outputs)
    check_inputs(inputs, sparse=sparse)
    for option, value, known in (
        ("--rule", settings["rule"], options.RULES),
        ("--unit", settings["unit"], options.UNITS),
        ("--law", settings["law"], options.LAWS),
        ("--variance", settings["variance"], options.VARIANCES),
        ("--missing", settings["missing"], options.MISSING),
        ("--format", outputs.format, options.FORMATS),
    ):
        known_option(option, value, known)
    fraction("--level", settings["level"])
    if not 0.0 <= settings["epsilon"] < float("inf"):
        raise OptionError(f"--epsilon must be a number from 0 up, found {settings['epsilon']:g}")
    if settings["unit"] == "share" and settings["epsilon"] >= 1.0:
        raise OptionError(
            f"--epsilon must be below 1, found {settings['epsilon']:g}: with --unit share it is a share of the target's entropy"
        )
    if settings["n_jobs"] is not None and settings["n_jobs"] < 1:
        raise OptionError(f"--jobs must be a number from 1 up, found {settings['n_jobs']}: by default all cores are used")
    if inputs.memory is not None and not 0.0 <= inputs.memory < float("inf"):
        raise OptionError(f"--memory must be a number of GB, found {inputs.memory:g}")
    for option, path in outputs.paths.items():
        check_output(path, option, inputs.data)
    if outputs.output is not None:
        if sparse and outputs.output.suffix not in SVMLIGHT:
            raise OptionError(f"what is kept of an svmlight file goes into one: --output must end in {', '.join(SVMLIGHT)}")
        if not sparse:
            written_format(outputs.output)
    given = [path.absolute() for path in outputs.paths.values()]
    if len(set(given)) < len(given):
        raise OptionError(f"two outputs must not be the same file, found {given[0]} twice")
    for option, path in outputs.paths.items():
        endings = ENDINGS.get(option, (path.suffix.lower(),))
        if path.suffix.lower() not in endings:
            raise OptionError(f"{option} must end in {' or '.join(endings)}, found {path.name!r}")


def _check_counts(inputs: Inputs, settings: Mapping[str, Any], outputs: Outputs) -> None:
    """OptionError for options that need the rows, which a file of counts does not have."""
    for option, given in (
        ("--output", outputs.output),
        ("--with-target", outputs.with_target),
        ("--positive", inputs.positive),
        ("--categorical", inputs.categorical),
        ("--missing-value", inputs.markers),
        ("--missing", settings["missing"] != "model"),
        ("--discretize", settings["discretize"] != "mdl"),
        ("--separator", inputs.separator),
        ("--no-header", not inputs.header),
    ):
        if given:
            raise OptionError(f"{option} needs the rows, but {inputs.data} holds their counts: leave it out")
    if inputs.resume is not None:
        raise OptionError("--resume adds rows to counts, and two files of counts are added by misieve merge")


def _earlier(path: Path | None) -> "Tables | None":
    """The counts of an earlier run."""
    if path is None:
        return None
    from misieve.tables import Tables

    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r} to --resume from")
    return Tables.load(path)
