"""Options that several commands share, with their help.

The names that an option may have stand here once more, because the modules that define them take long to load: a test
compares them.
"""

from difflib import get_close_matches
from typing import Annotated, Any

import typer

from misieve._errors import OptionError

__all__ = [
    "Categorical",
    "Data",
    "Discretize",
    "Epsilon",
    "Exclude",
    "Format",
    "Independence",
    "InputFormat",
    "Jobs",
    "Law",
    "Level",
    "Memory",
    "Missing",
    "MissingValue",
    "NoHeader",
    "Positive",
    "Prior",
    "Rule",
    "Separator",
    "Target",
    "TargetIfAny",
    "Unit",
    "Variance",
    "bins_of",
    "independence_of",
    "number",
    "prior_of",
]

READ, DECISION, POSTERIOR, WRITTEN = "What is read", "What is kept", "How sure it is", "What is written"

RULES = ("forward", "backward", "empirical", "fdr")
UNITS = ("share", "nats", "bits")
PRIORS = ("uniform", "jeffreys", "haldane", "perks")
LAWS = ("normal", "gamma", "beta", "noncentral-chi2", "noncentral-beta", "sampled", "quadrature")
VARIANCES = ("auto", "series", "exact")
MISSING = ("model", "pairwise", "category", "error")
INPUT_FORMATS = ("csv", "tsv", "parquet", "arrow", "ndjson", "arff", "svmlight")
FORMATS = ("table", "json", "csv")


def _choice(names: tuple[str, ...], **options: Any) -> Any:
    """An option that is one of some names, which a shell completes."""
    return typer.Option(metavar="|".join(names), autocompletion=lambda: list(names), **options)


# ---- What is read ----------------------------------------------------------------------------------------------------------

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        show_default=False,
        help="A file: CSV, TSV, Parquet, Arrow, NDJSON, ARFF or svmlight, compressed (.gz .bz2 .xz .zst) or not; - is standard "
        "input. For select also .npz, the counts of --tables or misieve merge.",
    ),
]
_TARGET = typer.Option(
    "--target",
    "-t",
    metavar="COLUMN",
    show_default=False,
    rich_help_panel=READ,
    help="The column to be told about. (An svmlight file has its own.)",
)
Target = Annotated[str, _TARGET]
TargetIfAny = Annotated[str | None, _TARGET]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE", rich_help_panel=READ, help="Ask about this value of the target against all others, as two classes."
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        "-x",
        metavar="COLUMN,...",
        rich_help_panel=READ,
        help="Columns to be left out, such as identifiers. May be repeated.",
    ),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN,...",
        rich_help_panel=READ,
        help="Columns whose values are categories although they look like numbers. May be repeated.",
    ),
]
Missing = Annotated[
    str,
    _choice(
        MISSING,
        rich_help_panel=READ,
        help="What becomes of missing values: incomplete rows that still inform; left out feature by feature; a value of its "
        "own; an error.",
    ),
]
MissingValue = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        rich_help_panel=READ,
        help="Stands for a missing value, beside empty cells, NA, N/A, NaN, null and ?. May be repeated.",
    ),
]
Discretize = Annotated[
    str,
    typer.Option(
        metavar="mdl|NUMBER|none",
        rich_help_panel=READ,
        help="How continuous columns are cut into bins: where the class changes; into so many of equal size; not at all.",
    ),
]
InputFormat = Annotated[
    str | None,
    _choice(INPUT_FORMATS, rich_help_panel=READ, help="By default what the file's name says, and CSV for standard input."),
]
Separator = Annotated[
    str | None,
    typer.Option(metavar="CHARACTER", rich_help_panel=READ, help="Between the cells of CSV; by default found out."),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header", rich_help_panel=READ, help="The first line of CSV is data; columns are called column_1, column_2, ..."
    ),
]
Memory = Annotated[
    float | None,
    typer.Option(
        metavar="GB",
        rich_help_panel=READ,
        help="Larger files go through in batches, and continuous columns are then cut at points found in the first of them. By "
        "default a quarter of what is free.",
    ),
]
Jobs = Annotated[int | None, typer.Option(metavar="NUMBER", rich_help_panel=READ, help="Threads for counting; by default all.")]

# ---- What is kept ----------------------------------------------------------------------------------------------------------

Rule = Annotated[
    str,
    _choice(
        RULES,
        rich_help_panel=DECISION,
        help="Keep a feature if its MI surely exceeds epsilon; unless it surely does not; if its estimate does; or as many as "
        "a false discovery rate of 1 - level allows.",
    ),
]
Epsilon = Annotated[float, typer.Option(metavar="NUMBER", rich_help_panel=DECISION, help="The least MI worth keeping.")]
Unit = Annotated[
    str,
    _choice(UNITS, rich_help_panel=DECISION, help="Of epsilon; a share is of the target's entropy."),
]
Level = Annotated[
    float, typer.Option(metavar="PROBABILITY", rich_help_panel=DECISION, help="How sure is sure, between 0 and 1.")
]

# ---- How sure it is --------------------------------------------------------------------------------------------------------

Prior = Annotated[
    str,
    typer.Option(metavar=f"{'|'.join(PRIORS)}|NUMBER", rich_help_panel=POSTERIOR, help="Added to every cell of a table."),
]
Law = Annotated[
    str,
    _choice(LAWS, rich_help_panel=POSTERIOR, help="Shape of the posterior of the MI; quadrature is for 2 x 2 tables only."),
]
Variance = Annotated[str, _choice(VARIANCES, rich_help_panel=POSTERIOR, help="How the variance is computed.")]
Independence = Annotated[
    str,
    typer.Option(
        metavar="auto|PROBABILITY",
        rich_help_panel=POSTERIOR,
        help="Prior probability that a feature tells nothing; auto learns it from all of them.",
    ),
]

# ---- What is written -------------------------------------------------------------------------------------------------------

Format = Annotated[
    str,
    _choice(FORMATS, rich_help_panel=WRITTEN, help="Of what is printed; json and csv hold all features and nothing else."),
]


def number(text: str) -> str | float:
    """A number where the text is one, else a name."""
    try:
        return float(text)
    except ValueError:
        return text


def prior_of(text: str) -> str | float:
    """What ``--prior`` says, as the option of MISelector."""
    found = number(text)
    if found in PRIORS or (isinstance(found, float) and 0.0 <= found < float("inf")):
        return found
    raise OptionError(f"--prior must be {', '.join(PRIORS)} or a number from 0 up, found {text!r}")


def independence_of(text: str) -> str | float:
    """What ``--independence`` says, as the option of MISelector."""
    found = number(text)
    if found == "auto" or (isinstance(found, float) and 0.0 <= found < 1.0):
        return found
    raise OptionError(f"--independence must be auto or a probability from 0 to below 1, found {text!r}")


def bins_of(text: str) -> Any:
    """What ``--discretize`` says, as the option of MISelector."""
    if text in {"mdl", "none"}:
        return None if text == "none" else text
    if text.isdigit() and int(text) >= 2:
        return int(text)
    close = get_close_matches(text.casefold(), ["mdl", "none"], n=1)
    hint = f": did you mean {close[0]}?" if close else ""
    raise OptionError(f"--discretize must be mdl, none or a number of bins from 2 up, found {text!r}{hint}")
