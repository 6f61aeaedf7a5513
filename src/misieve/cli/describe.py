"""``misieve describe 40,10/20,80``: the posterior of one table."""

import json
import sys
from typing import Annotated, Any

import typer

from misieve.cli import options

__all__ = ["describe"]

FORMATS = ("table", "json")


def describe(
    table: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE",
            show_default=False,
            help="Counts, a row for each value of the feature, a column for each class: 40,10/20,80. Rows end at / or ; or a "
            "line break; - is standard input.",
        ),
    ],
    epsilon: options.Epsilon = 0.005,
    unit: options.Unit = "share",
    level: options.Level = 0.95,
    prior: options.Prior = "uniform",
    law: options.Law = "noncentral-beta",
    variance: options.Variance = "auto",
    independence: options.Independence = "auto",
    seed: Annotated[
        int,
        typer.Option(min=0, metavar="NUMBER", rich_help_panel=options.POSTERIOR, help="Of the draws of the sampled law."),
    ] = 0,
    format: Annotated[
        str,
        typer.Option(
            metavar="|".join(FORMATS),
            autocompletion=lambda: list(FORMATS),
            rich_help_panel=options.WRITTEN,
            help="Of what is printed: for people or for machines.",
        ),
    ] = "table",
) -> None:
    """Show the posterior of one table of counts.

    Mean, standard deviation, credible interval, the probability that the mutual information (MI) exceeds epsilon and the
    probability that feature and target are independent, in numbers and as a picture.

    Examples:

    - `misieve describe 40,10/20,80`
    - `misieve describe "40 10 5; 20 80 9" --epsilon 0.01 --unit nats`
    - `misieve describe - --format json < counts.csv`
    """
    from rich.console import Console

    from misieve._validate import known_option
    from misieve.cli.counts import read_counts
    from misieve.cli.describing import described, print_description
    from misieve.decide import check_rule
    from misieve.posteriors import posterior

    for option, value, known in (
        ("--format", format, FORMATS),
        ("--unit", unit, options.UNITS),
        ("--law", law, options.LAWS),
        ("--variance", variance, options.VARIANCES),
    ):
        known_option(option, value, known)
    check_rule("forward", epsilon, unit, level)
    text = sys.stdin.read() if table == ["-"] else " ".join(table)
    settings: dict[str, Any] = {
        "prior": options.prior_of(prior),
        "law": law,
        "variance": variance,
        "independence": options.independence_of(independence),
    }
    counts = read_counts(text)
    p = posterior(counts, rng=seed, **settings)
    facts = described(p, counts, epsilon=epsilon, unit=unit, level=level, settings=settings)
    if format == "json":
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        print_description(Console(highlight=False), p, counts, facts)
