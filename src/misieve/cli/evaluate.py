"""``misieve evaluate DATA --target Y``: which rule does best in front of naive Bayes, row by row."""

import json
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from misieve._errors import DataError, MisieveWarning, OptionError
from misieve.cli import options

if TYPE_CHECKING:
    from misieve.progressive import Prequential

__all__ = ["evaluate"]

PICTURES = (".png", ".svg", ".pdf")
RULES = ["forward", "empirical", "backward", "all"]
SEED = 0
COURSE = "In which order rows come"


def evaluate(
    data: options.Data,
    target: options.TargetIfAny = None,
    # What is read
    positive: options.Positive = None,
    exclude: options.Exclude = None,
    categorical: options.Categorical = None,
    missing: options.Missing = "model",
    missing_value: options.MissingValue = None,
    input_format: options.InputFormat = None,
    separator: options.Separator = None,
    no_header: options.NoHeader = False,
    # What is compared, and on which rows
    rule: Annotated[
        list[str],
        typer.Option(
            metavar="|".join(RULES),
            autocompletion=lambda: RULES,
            rich_help_panel=options.DECISION,
            help="A rule to compare, once for each; all keeps every column.",
        ),
    ] = RULES,
    epsilon: options.Epsilon = 0.003,
    unit: options.Unit = "nats",
    level: options.Level = 0.95,
    orders: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="NUMBER",
            rich_help_panel=COURSE,
            help="Random orders of the rows; 1, without --seed, takes them as they stand.",
        ),
    ] = 10,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="NUMBER", rich_help_panel=COURSE, help="Of the random orders.", show_default=str(SEED)),
    ] = None,
    batch: Annotated[
        int,
        typer.Option(min=1, metavar="NUMBER", rich_help_panel=COURSE, help="Rows that come in before all is decided anew."),
    ] = 1,
    # How sure it is
    prior: options.Prior = "uniform",
    law: options.Law = "beta",
    variance: options.Variance = "series",
    independence: options.Independence = "0",
    # What is written
    format: Annotated[
        str,
        typer.Option(
            metavar="|".join(options.FORMATS),
            autocompletion=lambda: list(options.FORMATS),
            rich_help_panel=options.WRITTEN,
            help="Of what is printed; csv has a line for every rule, order and row.",
        ),
    ] = "table",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", rich_help_panel=options.WRITTEN, help="The curves as a picture: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Compare the rules by how well naive Bayes does with what they keep.

    Rows come one after the other. For each, the rules decide from the rows before it which features to keep, naive Bayes
    predicts its class, and then both learn it. Continuous columns are first cut into bins by MDL on the whole file. The
    defaults are those of the paper, over ten random orders of the rows.

    Examples:

    - `misieve evaluate churn.csv --target churned --plot churn.svg`
    - `misieve evaluate votes.csv -t party --rule forward --rule all --orders 1`
    """
    from misieve._validate import known_option
    from misieve.cli.discrete import read_discrete
    from misieve.cli.selecting import Inputs
    from misieve.progressive import prequential
    from misieve.progressive.filters import Filters

    for option, value, known in (
        ("--format", format, options.FORMATS),
        ("--unit", unit, options.UNITS),
        ("--law", law, options.LAWS),
        ("--variance", variance, options.VARIANCES),
        ("--missing", missing, options.MISSING),
        *(("--rule", one, RULES) for one in rule),
    ):
        known_option(option, value, known)
    if plot is not None:
        _check_picture(plot)
    settings: dict[str, Any] = {
        "rules": list(rule),
        "epsilon": epsilon,
        "unit": unit,
        "level": level,
        "prior": options.prior_of(prior),
        "law": law,
        "variance": variance,
        "independence": options.independence_of(independence),
    }
    Filters.checked(*settings.values())  # before a long file is read
    inputs = Inputs(
        data=data,
        target=target,
        positive=positive,
        exclude=exclude or (),
        categorical=categorical or (),
        markers=missing_value or (),
        format=input_format,
        separator=separator,
        header=not no_header,
    )
    if seed is None and orders > 1:
        seed = SEED
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MisieveWarning)
        found = read_discrete(inputs, missing)
        p = prequential(found.X, found.y, **settings, missing=missing, batch=batch, orders=orders, rng=seed)
    said = list(dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, MisieveWarning)))
    for words in said:
        print(f"misieve: warning: {words}", file=sys.stderr)
    p = replace(p, order=found.rows[p.order])  # as the rows are numbered in the file
    if plot is not None:
        _draw(p, plot)
    if format == "csv":
        import narwhals

        sys.stdout.write(narwhals.from_native(p.to_frame(), eager_only=True).write_csv())
        return
    from misieve.cli.evaluating import evaluated, print_evaluation

    facts = evaluated(p, found, {**settings, "missing": missing, "seed": seed}, said)
    if format == "json":
        print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from rich.console import Console

        print_evaluation(Console(highlight=False), p, facts)


def _check_picture(path: Path) -> None:
    """Say what is wrong with the name of a picture before the work is done."""
    from misieve._optional import need

    if path.suffix.lower() not in PICTURES:
        raise OptionError(f"the name of a picture must end in {', '.join(PICTURES)}, found {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise DataError(f"there is no folder {str(path.parent)!r} to write {path.name!r} into")
    need("matplotlib", extra="plot", purpose="--plot").use("Agg")  # a file needs no display


def _draw(p: "Prequential", path: Path) -> None:
    from misieve.files import replacing
    from misieve.plots import plot

    figure = plot(p).get_figure()
    assert figure is not None
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:].lower(), dpi=150)  # type: ignore[union-attr]
