"""``misieve select``: which columns of a file to keep, and how sure that is."""

from pathlib import Path
from typing import Annotated

import typer

from misieve.cli import options

__all__ = ["select"]


def select(
    data: options.Data,
    target: options.TargetIfAny = None,
    # What is read
    positive: options.Positive = None,
    exclude: options.Exclude = None,
    categorical: options.Categorical = None,
    missing: options.Missing = "model",
    missing_value: options.MissingValue = None,
    discretize: options.Discretize = "mdl",
    input_format: options.InputFormat = None,
    separator: options.Separator = None,
    no_header: options.NoHeader = False,
    # What is kept
    rule: options.Rule = "forward",
    epsilon: options.Epsilon = 0.005,
    unit: options.Unit = "share",
    level: options.Level = 0.95,
    min_features: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", rich_help_panel=options.DECISION, help="Keep at least the best so many.")
    ] = 0,
    # How sure it is
    prior: options.Prior = "uniform",
    law: options.Law = "noncentral-beta",
    variance: options.Variance = "auto",
    independence: options.Independence = "auto",
    # What is written
    format: options.Format = "table",
    top: Annotated[
        int,
        typer.Option(min=0, metavar="NUMBER", rich_help_panel=options.WRITTEN, help="Features that the table shows; 0: all."),
    ] = 50,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=options.WRITTEN,
            help="The kept columns: .parquet .csv .tsv .arrow .feather .ndjson .jsonl; of svmlight: .svmlight, with the label.",
        ),
    ] = None,
    with_target: Annotated[
        bool, typer.Option("--with-target", rich_help_panel=options.WRITTEN, help="Put the target into --output, too.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", rich_help_panel=options.WRITTEN, help="All of it as one page for a browser."),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", rich_help_panel=options.WRITTEN, help="The counts, to be continued or merged."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            rich_help_panel=options.READ,
            help="Add to the counts of an earlier --tables.",
        ),
    ] = None,
    memory: options.Memory = None,
    jobs: options.Jobs = None,
) -> None:
    """Keep the columns of a file that surely tell about its target.

    Types are inferred: text, truth values, dates and whole numbers of at most 64 values are categories; other numbers are cut
    into bins where the class changes. Missing values inform the posterior as incomplete rows. Amounts of mutual information
    (MI) are shown in nats.

    Examples:

    - `misieve select churn.csv --target churned --report churn.html`
    - `misieve select churn.csv -t churned --exclude id,name --output kept.parquet`
    - `misieve select churn.csv.gz -t churned --rule fdr --level 0.9 --format json > facts.json`
    - `misieve select monday.csv -t churned --tables state.npz`, and a day later
      `misieve select tuesday.csv -t churned --resume state.npz --tables state.npz`
    """
    from misieve.cli.selecting import Inputs, Outputs, run

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
        resume=resume,
        memory=memory,
    )
    settings = {
        "rule": rule,
        "epsilon": epsilon,
        "unit": unit,
        "level": level,
        "prior": options.prior_of(prior),
        "law": law,
        "variance": variance,
        "independence": options.independence_of(independence),
        "missing": missing,
        "discretize": options.bins_of(discretize),
        "min_features": min_features,
        "n_jobs": jobs,
    }
    run(inputs, settings, Outputs(format=format, top=top, output=output, with_target=with_target, report=report, tables=tables))
