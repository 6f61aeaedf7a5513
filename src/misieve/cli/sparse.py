"""svmlight files: a sparse matrix stays one, from the file to the file of what is kept."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, OptionError
from misieve.cli.inputs import STDIN, naming
from misieve.cli.progress import working
from misieve.cli.reproduce import counting_lines
from misieve.cli.selecting import Found, Inputs
from misieve.counting import count
from misieve.decide import Selection
from misieve.files import TARGET, read_svmlight, replacing, spooled
from misieve.tables import Tables

__all__ = ["counted_entries", "file_of", "first_index", "labels_of"]


@contextmanager
def counted_entries(inputs: Inputs, settings: Mapping[str, Any], earlier: Tables | None) -> Iterator[Found]:
    """Count the features of an svmlight file against its labels; they are called x0, x1, ... by their index in the file."""
    with file_of(inputs) as path, naming(inputs.label):
        with working(f"reading {inputs.label}"):
            X, y = read_svmlight(path)
        if not X.shape[0]:
            raise DataError("the file must have at least one row, found none")
        labels = labels_of(y, inputs.positive)
        if earlier is None:
            first = first_index(X)
            indices = list(range(first, X.shape[1]))
        else:
            indices = _indices(earlier)
            _widen(X, max(indices, default=-1) + 1)
            first = min(indices, default=0)
        with working(f"counting {X.shape[0]:,} rows of {inputs.label}"):
            tables = _counted(X, labels, indices, settings, earlier)

    def write(path: Path, selection: Selection, with_target: bool) -> None:  # noqa: ARG001 an svmlight file has labels
        _write(path, X, y, [index for index, keep in zip(indices, selection.support, strict=True) if keep])

    notes = [f"a sparse matrix with {X.nnz:,} entries that are not zero, indices from {first} to {max(indices, default=0)}"]
    if earlier is not None:
        notes.append(f"{earlier.class_counts.sum():,.6g} rows were counted in {inputs.resume}, {X.shape[0]:,} are added")
    reading = [
        "from pathlib import Path",
        "from misieve.files import read_svmlight",
        f"X, y = read_svmlight(Path({inputs.data!r}))",
    ]
    if inputs.positive is not None:
        reading.append(
            f"y = [{inputs.positive!r} if one == {float(inputs.positive)!r} else 'not {inputs.positive}' for one in y]"
        )
    resume = None if inputs.resume is None else str(inputs.resume)
    yield Found(
        tables,
        {
            "source": inputs.label,
            "format": "svmlight",
            "rows": X.shape[0],
            "target": TARGET,
            "excluded": [],
            "read": [],
            "notes": notes,
        },
        [*reading, *counting_lines(f"X[:, {first}:], y" if first else "X, y", settings, resume)],
        write,
    )


@contextmanager
def file_of(inputs: Inputs) -> Iterator[Path]:
    """The svmlight file; standard input is made into one."""
    if inputs.data == STDIN:
        with spooled() as path:
            yield path
    else:
        if not Path(inputs.data).is_file():
            raise DataError(f"there is no file {inputs.data!r}")
        yield Path(inputs.data)


def first_index(X: Any) -> int:
    """Indices begin at 0 or at 1, and only the data tell."""
    return int(X.shape[1] > 1 and not X[:, [0]].nnz)


def _counted(
    X: Any, labels: NDArray[Any], indices: Sequence[int], settings: Mapping[str, Any], earlier: Tables | None
) -> Tables:
    options = {"missing": settings["missing"], "n_jobs": settings["n_jobs"]}
    if earlier is not None:
        return earlier + count(X[:, indices], labels, like=earlier, **options)
    return count(X, labels, bins=settings["discretize"], **options).take(np.array(indices, np.int64))


def _widen(X: Any, width: int) -> None:
    """Add columns of zeros up to those of an earlier file; DataError if there are more already."""
    if X.shape[1] > width:
        raise DataError(f"batches must have the same columns as the first, but 'x{X.shape[1] - 1}' is new")
    X.resize(X.shape[0], width)


def _indices(like: Tables) -> list[int]:
    """The indices of the features of an earlier svmlight file."""
    odd = next((name for name in like.features if not re.fullmatch(r"x\d+", str(name))), None)
    if odd is not None:
        raise DataError(f"batches must have the same columns as the first, but that has {odd!r}, which no svmlight file has")
    return [int(name[1:]) for name in like.features]


def labels_of(y: NDArray[Any], positive: str | None) -> NDArray[Any]:
    """Labels as whole numbers, or as one of them against the others."""
    if positive is not None:
        try:
            same = y == float(positive)
        except ValueError:
            raise OptionError(f"--positive must be a number, as the labels are, found {positive!r}") from None
        if not same.any():
            raise DataError(f"no row has the label {positive}; there are {', '.join(f'{v:g}' for v in np.unique(y)[:8])}")
        return np.where(same, positive, f"not {positive}")
    broken = y != np.trunc(y)
    if broken.any():
        row = int(np.argmax(broken))
        raise DataError(
            f"the target {TARGET!r} must hold classes, found {y[row]:g} (row {row}): it is continuous: "
            "cut it into a few classes first"
        )
    return y.astype(np.int64)


def _write(path: Path, X: Any, y: NDArray[Any], kept: Sequence[int]) -> None:
    """The kept features as an svmlight file, under the indices they had, with the labels."""
    from sklearn.datasets import dump_svmlight_file

    matrix = X.tocsc(copy=True)
    dropped = np.ones(matrix.shape[1], np.bool_)
    dropped[list(kept)] = False
    matrix.data[np.repeat(dropped, np.diff(matrix.indptr))] = 0
    matrix.eliminate_zeros()
    with replacing(path) as temporary:
        dump_svmlight_file(matrix.tocsr(), y, str(temporary), zero_based=True)
