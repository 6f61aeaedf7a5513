"""Text and arrays as one compressed, base64-coded string that a page can hold: no markup can occur in it."""

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIGNED", "pack"]

#: Arrays start at multiples of this many bytes, as typed arrays in the page demand.
ALIGNED = 8

# Types by the letter and size that both sides know.
TYPES = ("<u2", "<u4", "<i4", "<f4", "<f8", "|u1")


def pack(text: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """One string: the length of a JSON header, the header, then the arrays, all under zlib and base64."""
    flat = {name: np.ascontiguousarray(array).ravel() for name, array in arrays.items()}
    kinds = {name: array.dtype.newbyteorder("<").str for name, array in flat.items()}
    assert set(kinds.values()) <= set(TYPES), kinds
    header = json.dumps(
        {"text": text, "arrays": [[name, kinds[name], len(array)] for name, array in flat.items()]},
        allow_nan=False,
        separators=(",", ":"),
    ).encode()
    parts = [_filled(len(header).to_bytes(4, "little") + header)]
    parts += [_filled(array.astype(kinds[name], copy=False).tobytes()) for name, array in flat.items()]
    return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")


def _filled(data: bytes) -> bytes:
    return data + bytes(-len(data) % ALIGNED)
