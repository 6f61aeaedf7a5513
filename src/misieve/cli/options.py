"""Options that several commands share, with their help."""

from typing import Annotated

import typer

__all__ = [
    "Data",
    "Epsilon",
    "Independence",
    "Law",
    "Level",
    "Missing",
    "Prior",
    "Rule",
    "Target",
    "Unit",
    "Variance",
    "number",
]

INPUT, DECISION, POSTERIOR = "What is read", "What is kept", "How sure it is"

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        show_default=False,
        help="A file: CSV, TSV, Parquet, Arrow, NDJSON, ARFF or svmlight, compressed (.gz .bz2 .xz .zst) or not; - is standard "
        "input.",
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--target",
        "-t",
        metavar="COLUMN",
        show_default=False,
        rich_help_panel=INPUT,
        help="The column to be told about. An svmlight file has its own, 'label'.",
    ),
]
Rule = Annotated[
    str,
    typer.Option(
        metavar="forward|backward|empirical|fdr",
        rich_help_panel=DECISION,
        help="Keep a feature if its MI surely exceeds epsilon; unless it surely does not; if its estimate does; or as many as "
        "a false discovery rate of 1 - level allows.",
    ),
]
Epsilon = Annotated[float, typer.Option(metavar="NUMBER", rich_help_panel=DECISION, help="The least MI worth keeping.")]
Unit = Annotated[
    str,
    typer.Option(metavar="share|nats|bits", rich_help_panel=DECISION, help="Of epsilon; a share is of the target's entropy."),
]
Level = Annotated[
    float, typer.Option(metavar="PROBABILITY", rich_help_panel=DECISION, help="How sure is sure, between 0 and 1.")
]
Prior = Annotated[
    str,
    typer.Option(
        metavar="uniform|jeffreys|haldane|perks|NUMBER",
        rich_help_panel=POSTERIOR,
        help="Counts added to every cell of a table.",
    ),
]
Law = Annotated[
    str,
    typer.Option(
        metavar="normal|gamma|beta|noncentral-chi2|noncentral-beta|sampled",
        rich_help_panel=POSTERIOR,
        help="Shape of the posterior of the MI.",
    ),
]
Variance = Annotated[
    str, typer.Option(metavar="auto|series|exact", rich_help_panel=POSTERIOR, help="How the variance is computed.")
]
Independence = Annotated[
    str,
    typer.Option(
        metavar="auto|PROBABILITY",
        rich_help_panel=POSTERIOR,
        help="Prior probability that a feature tells nothing; auto learns it from all of them.",
    ),
]
Missing = Annotated[
    str,
    typer.Option(
        metavar="model|pairwise|category|error",
        rich_help_panel=INPUT,
        help="What becomes of missing values: incomplete rows that still inform; left out feature by feature; a value of its "
        "own; an error.",
    ),
]


def number(text: str) -> str | float:
    """A number where the text is one, else a name: what ``--prior`` and ``--independence`` take."""
    try:
        return float(text)
    except ValueError:
        return text
