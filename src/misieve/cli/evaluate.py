"""``misieve evaluate DATA --target Y``: which rule does best in front of naive Bayes, row by row."""

import json
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from misieve._errors import DataError, MisieveWarning, OptionError
from misieve.cli.options import Data, Epsilon, Independence, Law, Level, Missing, Prior, Target, Unit, Variance, number

if TYPE_CHECKING:
    from misieve.progressive import Prequential

__all__ = ["evaluate"]

FORMATS = ("table", "json", "csv")
PICTURES = (".png", ".svg", ".pdf")
RULES = ["forward", "empirical", "backward", "all"]
SEED = 0


def evaluate(
    data: Data,
    target: Target,
    rule: Annotated[
        list[str],
        typer.Option(
            metavar="forward|empirical|backward|all", help="A rule to compare, once for each; all keeps every column."
        ),
    ] = RULES,
    orders: Annotated[
        int,
        typer.Option(min=1, metavar="NUMBER", help="Random orders of the rows; 1, without --seed, takes them as they stand."),
    ] = 10,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="NUMBER", help="Of the random orders.", show_default=str(SEED))
    ] = None,
    batch: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="Rows that come in before all is decided anew.")] = 1,
    epsilon: Epsilon = 0.003,
    unit: Unit = "nats",
    level: Level = 0.95,
    prior: Prior = "uniform",
    law: Law = "beta",
    variance: Variance = "series",
    independence: Independence = "0",
    missing: Missing = "model",
    exclude: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="A column to leave out, once for each.")] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the curves: .png, .svg or .pdf.", show_default=False)
    ] = None,
    format: Annotated[
        str, typer.Option(metavar="table|json|csv", help="For people, for machines, or every row of every order.")
    ] = "table",
) -> None:
    """Compare the rules by how well naive Bayes does with what they keep.

    Rows come one after the other. For each, the rules decide from the rows before it which features to keep, naive Bayes
    predicts its class, and then both learn it. Continuous columns are first cut into bins by MDL on the whole file. The
    defaults are those of the paper, over ten random orders of the rows.

    Examples:

        misieve evaluate churn.csv --target churned --plot churn.svg

        misieve evaluate votes.csv --target party --rule forward --rule all --orders 1
    """
    from misieve._validate import known_option
    from misieve.cli.discrete import read_discrete
    from misieve.files import Reading
    from misieve.progressive import prequential
    from misieve.progressive.filters import Filters

    known_option("--format", format, FORMATS)
    if plot is not None:
        _check_picture(plot)
    settings: dict[str, Any] = {
        "rules": list(rule),
        "epsilon": epsilon,
        "unit": unit,
        "level": level,
        "prior": number(prior),
        "law": law,
        "variance": variance,
        "independence": number(independence),
    }
    Filters.checked(*settings.values())  # before a long file is read
    if seed is None and orders > 1:
        seed = SEED
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MisieveWarning)
        found = read_discrete(data, target, Reading(exclude=tuple(exclude or ())), missing=missing)
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
