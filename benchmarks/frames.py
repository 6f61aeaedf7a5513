"""Frames, encoded and counted, beside what their own library takes to cast text to categories; and the smallest call.

``python -m benchmarks.frames [rows [columns]]`` prints seconds, best of some repeats, and the ratios of the same run:
text against the library's cast of the same frame (all columns), categories against the kernel on their codes.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import misieve
from benchmarks.timing import alternating
from misieve._core import CORE, kernels
from misieve._optional import need
from misieve._threads import threads

REPEATS = 5


def best(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Seconds of the quickest of some calls."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def report(name: str, seconds: float, yardstick: float, than: str) -> None:
    """One line."""
    print(f"  {name:<34} {seconds:8.4f} s   {seconds / yardstick:5.2f} x {than} ({yardstick:.4f} s)")


def frames(rows: int, columns: int) -> None:
    """Text and categorical columns of pandas, polars and pyarrow."""
    pd = need("pandas", extra="bench", purpose="this benchmark")
    pl = need("polars", extra="bench", purpose="this benchmark")
    need("pyarrow", extra="bench", purpose="this benchmark")
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, values, rows).astype(np.uint8) for values in rng.integers(2, 21, columns)]
    words = [np.array([f"value_{i}" for i in rng.permutation(20)]) for _ in codes]
    y = rng.integers(0, 2, rows).astype(np.uint8)
    matrix = np.asfortranarray(np.column_stack(codes))
    jobs = threads(None)
    limits = np.full(columns, 20, np.int64)
    text = pl.DataFrame({f"c{j}": pl.Series(words[j].tolist(), dtype=pl.String).gather(codes[j]) for j in range(columns)})
    print(f"{rows} rows, {columns} columns of 2 to 20 values, two classes, {jobs} threads, {CORE} core")

    print("text")
    cast = lambda: text.with_columns(pl.all().cast(pl.Categorical))  # noqa: E731
    report("polars String", *alternating(lambda: misieve.count(text, y), cast, REPEATS), "its cast to Categorical")
    table = text.to_arrow()
    encode = lambda: [column.dictionary_encode() for column in table.columns]  # noqa: E731
    report("pyarrow large_string", *alternating(lambda: misieve.count(table, y), encode, REPEATS), "its dictionary_encode")
    pandas = text.to_pandas()
    category = lambda: pandas.astype("category")  # noqa: E731
    report(
        f"pandas {pandas.dtypes.iloc[0]}", *alternating(lambda: misieve.count(pandas, y), category, 3), "its cast to category"
    )
    objects = pandas.astype(object)
    category = lambda: objects.astype("category")  # noqa: E731
    report("pandas object", *alternating(lambda: misieve.count(objects, y), category, 2), "its cast to category")

    print("categories")
    # The kernel on the same codes, one array for each column as frames have them.
    enums = text.with_columns(pl.col(name).cast(pl.Enum(sorted(set(words[0].tolist())))) for name in text.columns)
    casted, categories, dictionary = cast(), pandas.astype("category"), enums.to_arrow()
    for name, frame, stored in (
        ("polars Enum", enums, enums.select(pl.all().to_physical())),
        ("polars Categorical", casted, casted.select(pl.all().to_physical())),
        ("pandas category", categories, pl.DataFrame({name: categories[name].cat.codes.to_numpy() for name in categories})),
        ("pyarrow dictionary", dictionary, enums.select(pl.all().to_physical())),
    ):
        arrays = [column.to_numpy() for column in stored.get_columns()]
        alone = lambda arrays=arrays: kernels.count_columns(arrays, [None] * columns, y, 2, limits, n_jobs=jobs)  # noqa: E731
        report(
            name,
            *alternating(lambda frame=frame: misieve.count(frame, y), alone, REPEATS),
            f"the kernel on {arrays[0].dtype} columns",
        )

    kernel = lambda: kernels.count_dense(matrix, y, 2, limits, n_jobs=jobs)  # noqa: E731
    print("numbers")
    report("numpy uint8, F order", *alternating(lambda: misieve.count(matrix, y), kernel, REPEATS), "the kernel alone")
    numbers = pl.DataFrame({f"c{j}": codes[j] for j in range(columns)})
    report("polars UInt8", *alternating(lambda: misieve.count(numbers, y), kernel, REPEATS), "the kernel on uint8, F order")
    frame = pd.DataFrame(matrix)
    report("pandas uint8", *alternating(lambda: misieve.count(frame, y), kernel, REPEATS), "the kernel on uint8, F order")


def small() -> None:
    """The whole call on a small array."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    print("500 x 20, whole call and kernel alone")
    for dtype in ("uint8", "int64", "float64"):
        x = rng.integers(0, 5, (500, 20)).astype(dtype)
        codes, limits = y.astype(np.uint8), np.full(20, 64, np.int64)

        def calls(x: Any = x) -> None:
            for _ in range(100):
                misieve.count(x, y)

        def alone(x: Any = x, codes: Any = codes, limits: Any = limits) -> None:
            for _ in range(100):
                kernels.count_dense(x, codes, 2, limits)

        print(f"  {dtype:<10} {best(calls, 20) * 1e4:7.1f} us   kernel {best(alone, 20) * 1e4:7.1f} us")


if __name__ == "__main__":
    sizes = [int(argument) for argument in sys.argv[1:]]
    frames(*(sizes + [1_000_000, 50][len(sizes) :]))
    small()
