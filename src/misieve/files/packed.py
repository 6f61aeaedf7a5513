"""Compressed files as if they were not, lines in blocks, and standard input as a file."""

import bz2
import gzip
import io
import lzma
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from misieve._errors import DataError
from misieve._optional import need

__all__ = ["PACKINGS", "Share", "first_line", "last_end", "line_blocks", "packing_of", "spooled", "unpacked"]

#: Endings of compressed files; what stands before them says the format.
PACKINGS = (".gz", ".bz2", ".xz", ".zst")

#: Tells which share of a file has been read so far.
Share = Callable[[], float]


def packing_of(path: Path) -> str:
    """The ending of a compressed file, else nothing."""
    ending = path.suffix.lower()
    return ending if ending in PACKINGS else ""


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[IO[bytes], Share]]:
    """The bytes of a file, decompressed on the way, and how far it has been read; DataError when it is damaged."""
    packing = packing_of(path)
    damaged: tuple[type[Exception], ...] = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)
    if packing == ".bz2":
        damaged = (*damaged, OSError)
    opened: Any = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(packing)
    if packing == ".zst":
        zstandard = need("zstandard", extra="cli", purpose="reading .zst files")
        opened, damaged = partial(_Zstd.buffered, zstandard), (*damaged, zstandard.ZstdError)
    total = max(path.stat().st_size, 1)
    with path.open("rb") as raw:
        try:
            yield opened(raw) if opened else raw, lambda: min(raw.tell() / total, 1.0)
        except damaged as wrong:
            raise DataError(f"the {packing} file is damaged or cut short: {wrong}") from wrong


class _Zstd(io.RawIOBase):
    """Decompressed bytes; unlike the library's own reader it does not take a file that is cut short for a whole one."""

    def __init__(self, zstandard: Any, raw: IO[bytes]) -> None:
        self._raw = raw
        self._start = zstandard.ZstdDecompressor().decompressobj
        self._frame = self._start()
        self._ready = b""
        self._begun = False

    @classmethod
    def buffered(cls, zstandard: Any, raw: IO[bytes]) -> io.BufferedReader:
        """The same with lines."""
        return io.BufferedReader(cls(zstandard, raw), 1 << 20)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._raw.read(1 << 18)
            if not packed:
                if self._begun and not self._frame.eof:
                    raise EOFError("it ends before its end-of-frame mark")
                return 0
            self._begun = True
            while packed:
                if self._frame.eof:
                    self._frame = self._start()
                self._ready += self._frame.decompress(packed)
                packed = self._frame.unused_data
        taken = min(len(buffer), len(self._ready))
        buffer[:taken], self._ready = self._ready[:taken], self._ready[taken:]
        return taken


def first_line(file: IO[bytes]) -> bytes:
    """A line, which may hold quoted line breaks."""
    line = file.readline()
    while line.count(b'"') % 2 and (more := file.readline()):
        line += more
    return line if line.endswith(b"\n") else line + b"\n"


def last_end(block: bytes) -> int:
    """Where the last whole line ends: the number of quotes before that is even. 0 if there is none."""
    cut = block.rfind(b"\n") + 1
    while cut and block.count(b'"', 0, cut) % 2:
        cut = block.rfind(b"\n", 0, cut - 1) + 1
    return cut


def line_blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Whole lines, about ``size`` bytes of them at a time."""
    rest = b""
    while block := file.read(size):
        rest += block
        cut = last_end(rest)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest.strip():
        yield rest


@contextmanager
def spooled() -> Iterator[Path]:
    """Standard input in a temporary file, so that it can be read twice; removed at the end."""
    with tempfile.NamedTemporaryFile(prefix="misieve-") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)
