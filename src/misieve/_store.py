"""State files: arrays and JSON in one ``.npz``, no pickle, a version, and never half written."""

import contextlib
import json
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from misieve._errors import DataError
from misieve.labels import decode, encode

__all__ = ["check_shapes", "load", "save"]

VERSION = 1
FORMAT = "misieve tables"
# What zipfile says of broken files, beside built-in errors.
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error)


def save(path: str | os.PathLike[str], facts: Mapping[str, Any], arrays: Mapping[str, Any], cuts: Mapping[Any, Any]) -> None:
    """Write facts (as JSON), arrays and cut points to a temporary file in the same folder, then rename it."""
    target = Path(path)
    stored = {name: array for name, array in arrays.items() if array is not None}
    stored |= {f"cuts_{i}": cut for i, cut in enumerate(cuts.values())}
    text = json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "names": facts["names"] if isinstance(facts["names"], int) else [*map(encode, facts["names"])],
            "classes": [*map(encode, facts["classes"])],
            "pools": [[*map(encode, pool)] for pool in facts["pools"]],
            "library": facts["library"],
            "cut": [*map(encode, cuts)],
            "arrays": [*stored],
        }
    )
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, facts=np.frombuffer(text.encode(), np.uint8), **stored)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Any], dict[Any, Any]]:
    """Read what :func:`save` wrote and check that its parts fit together."""
    try:
        with open(path, "rb") as file:
            if file.read(2) != b"PK":
                raise ValueError("it does not begin like an .npz file")
            file.seek(0)
            with np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
        facts = json.loads(arrays.pop("facts").tobytes())
        if facts["format"] != FORMAT:
            raise ValueError(f"it holds {facts['format']!r}")
        lost = set(facts.get("arrays", ())) - set(arrays)  # a damaged directory hides whole arrays
        if lost:
            raise ValueError(f"it lacks {min(lost)}")
    except FileNotFoundError:
        raise
    except (AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError, *_BROKEN) as wrong:
        raise DataError(
            f"{os.fspath(path)!r} is not a whole file of Tables: {wrong}; it was cut short, or not written by Tables.save"
        ) from None
    if facts["version"] > VERSION:
        raise DataError(
            f"{os.fspath(path)!r} has format version {facts['version']}, this misieve reads up to {VERSION}: update"
        )
    names = facts["names"]
    facts["names"] = names if isinstance(names, int) else tuple(map(decode, names))
    facts["classes"] = tuple(map(decode, facts["classes"]))
    facts["pools"] = tuple(tuple(map(decode, pool)) for pool in facts["pools"])
    cuts = {decode(name): arrays.pop(f"cuts_{i}") for i, name in enumerate(facts["cut"])}
    return facts, arrays, cuts


def check_shapes(path: str | os.PathLike[str], facts: dict[str, Any], arrays: dict[str, Any]) -> None:
    """DataError unless the arrays have the shapes that names, classes and categories ask for."""
    features = facts["names"] if isinstance(facts["names"], int) else len(facts["names"])
    sizes = np.array([len(pool) for pool in facts["pools"]], np.int64)
    s = len(facts["classes"])
    pool_of = arrays.get("pool_of", np.empty(0))
    fits = pool_of.shape == (features,) and bool(((pool_of >= 0) & (pool_of < len(sizes))).all())
    rows = int(sizes[pool_of].sum()) if fits and features else 0
    shapes = {"counts": (rows, s), "class_counts": (s,), "by_class": (features, s), "by_value": (rows,)}
    for name, shape in shapes.items():
        fits &= arrays[name].shape == shape if name in arrays else name not in {"counts", "class_counts"}
    if not fits:
        raise DataError(f"{os.fspath(path)!r} is not a whole file of Tables: its parts do not fit together")
