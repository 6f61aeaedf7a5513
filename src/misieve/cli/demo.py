"""``misieve demo``: a selection on real data, with two columns that are traps."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["demo"]

TARGET, NOISE_VALUES, SEED = "diagnosis", 100, 0


def demo(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the data and the report are put; made if it is not there.")
    ] = Path("misieve-demo"),
) -> None:
    """Select from real data: measurements of breast tumours, malignant or benign.

    The data are those that ship with scikit-learn (Wisconsin, 569 patients, 30 measurements), and two columns that no one
    should keep: an identifier, and noise of 100 values. A threshold on estimates of mutual information keeps both.
    """
    from misieve.cli.selecting import Inputs, Outputs, run
    from misieve.estimators.selector import MISelector

    folder.mkdir(parents=True, exist_ok=True)
    data, report = folder / "breast-cancer.csv", folder / "report.html"
    write_data(data)
    words = ["select", str(data), "--target", TARGET, "--report", str(report)]
    print(f"$ misieve {shlex.join(words)}\n")
    run(Inputs(str(data), TARGET), MISelector().get_params(), Outputs(report=report), words)
    print(f"open {report.resolve().as_uri()}")


def write_data(path: Path) -> None:
    """The data with the two columns, as CSV."""
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    from misieve._optional import need
    from misieve.files import replacing

    pl = need("polars", extra="cli", purpose="the demo")
    loaded = load_breast_cancer()
    n = len(loaded.data)
    noise = np.random.default_rng(SEED).integers(0, NOISE_VALUES, n)
    columns = {
        "patient": [f"P{i:04d}" for i in range(1, n + 1)],
        **dict(zip(loaded.feature_names.tolist(), loaded.data.T, strict=True)),
        "noise": [f"n{i:02d}" for i in noise.tolist()],
        TARGET: loaded.target_names[loaded.target].tolist(),
    }
    with replacing(path) as temporary:
        pl.DataFrame(columns).write_csv(temporary)
