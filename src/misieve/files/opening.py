"""Which format a file has: its name says so."""

from pathlib import Path

from misieve._errors import DataError
from misieve.files.arff import Arff
from misieve.files.columnar import Columnar, JsonLines
from misieve.files.datafile import DataFile, Reading
from misieve.files.delimited import Delimited
from misieve.files.packed import PACKINGS, packing_of

__all__ = ["FORMATS", "format_of", "open_data"]

#: Endings and what they mean.
FORMATS = {
    ".csv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".arff": "arff",
    ".svmlight": "svmlight",
    ".svm": "svmlight",
    ".libsvm": "svmlight",
}


def format_of(path: Path) -> str:
    """The format by the name of a file, compressed or not; DataError for one that is not known."""
    ending = (path.with_suffix("") if packing_of(path) else path).suffix.lower()
    if ending not in FORMATS:
        raise DataError(
            f"the file's name must end in {', '.join(FORMATS)}, or one of these and {', '.join(PACKINGS)}; "
            f"found {path.name!r}: rename it, or read it yourself and pass a frame (on the command line, say --input-format)"
        )
    return FORMATS[ending]


def open_data(path: str | Path, reading: Reading | None = None, *, label: str = "", format: str | None = None) -> DataFile:
    """Recognise a file of rows (svmlight, which has entries, is read by :func:`misieve.files.svmlight.read_svmlight`)."""
    reading, path = Reading() if reading is None else reading, Path(path)
    format = format or format_of(path)
    label = label or str(path)
    if not path.exists():
        raise DataError(f"there is no file {str(path)!r}")
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder, not a file")
    if format in {"csv", "tsv"}:
        separator = "\t" if format == "tsv" and reading.separator is None else reading.separator
        return Delimited(path, label, Reading(reading.exclude, reading.text, reading.missing, reading.header, separator))
    if format == "ndjson":
        return JsonLines(path, label, reading)
    if format == "arff":
        return Arff(path, label, reading)
    if format in {"parquet", "arrow"}:
        return Columnar(path, label, reading, format)
    raise DataError(f"{label} is an svmlight file, which holds a sparse matrix: sklearn.datasets.load_svmlight_file reads it")
