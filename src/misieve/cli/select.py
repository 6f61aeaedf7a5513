"""``misieve select``: which columns of a file to keep, and how sure that is."""

import shlex
import sys
import warnings
from typing import Annotated, Any

import typer

from misieve._errors import MisieveWarning, OptionError
from misieve.cli import options

__all__ = ["select"]

FORMATS = ("table", "json", "csv")


def select(
    data: options.Data,
    target: options.Target,
    rule: options.Rule = "forward",
    epsilon: options.Epsilon = 0.005,
    unit: options.Unit = "share",
    level: options.Level = 0.95,
    prior: options.Prior = "uniform",
    law: options.Law = "noncentral-beta",
    variance: options.Variance = "auto",
    independence: options.Independence = "auto",
    missing: options.Missing = "model",
    format: Annotated[str, typer.Option(metavar="table|json|csv", help="Of what is printed.")] = "table",
) -> None:
    """Keep the columns that surely tell about the target.

    Examples: `misieve select churn.csv --target churned`
    """
    from misieve import count
    from misieve import select as decide
    from misieve.cli.inputs import check_column, naming, opened
    from misieve.cli.showing import show
    from misieve.files import Reading
    from misieve.report import build_facts

    if format not in FORMATS:
        raise OptionError(f"--format must be one of {', '.join(FORMATS)}, found {format!r}")
    settings: dict[str, Any] = {
        "rule": rule,
        "epsilon": epsilon,
        "unit": unit,
        "level": level,
        "prior": options.number(prior),
        "law": law,
        "variance": variance,
        "independence": options.number(independence),
    }
    with warnings.catch_warnings(record=True) as said, opened(data, Reading()) as file, naming(file.label):
        warnings.simplefilter("always", MisieveWarning)
        check_column(target, file.names)
        frame = file.whole()
        tables = count(frame, target, bins="mdl", missing=missing)
        selection = decide(tables, **settings)
        facts = build_facts(
            selection,
            tables,
            data={
                "source": file.label,
                "format": file.format,
                "rows": frame.height,
                "target": target,
                "excluded": [],
                "read": [],
                "notes": file.notes,
            },
            settings=settings | {"missing": missing},
            reproduce={"command": shlex.join(["misieve", *sys.argv[1:]]), "python": None},
            warnings=[str(one.message) for one in said if issubclass(one.category, MisieveWarning)],
        )
    show(facts, format)
