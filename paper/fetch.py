"""Find the raw data files: in a folder, in the cache, or at their public homes.

A file is taken only if its checksum is the recorded one. Public copies of one data set differ in line ends, separators, quotes
and header lines but not in their values, so what is summed is the *content*: the cells of the rows (or the messages of an
archive), not the bytes around them. A file whose bytes are exactly the recorded ones is taken at once.
"""

import gzip
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from misieve import DataError
from paper.sources import FILES, RawFile

__all__ = ["cache_folder", "check", "content_checksum", "find", "messages", "rows", "text"]

_MESSAGE = re.compile(r"(?:^|/)lemm_stop/(part\d+/[^/]+\.txt)$")


def cache_folder() -> Path:
    """Where fetched files are kept: the platform's folder for caches."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "misieve" / "data"


def find(name: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a raw file, checked against its checksum.

    ``folder`` (by default ``MISIEVE_DATA``) is the only place looked at if there is one; otherwise the cache, and where the
    cache lacks the file its public homes, one after the other.
    """
    file = FILES[name]
    folder = folder or os.environ.get("MISIEVE_DATA")
    path = Path(folder or cache_folder()) / name
    if not path.exists():
        if folder:
            raise DataError(f"{path} is missing: the folder of raw data must hold {name}; without a folder it is fetched")
        _fetch(file, path)
    check(file, path)
    return path


def check(file: RawFile, path: Path) -> None:
    """Raise a DataError unless the file is the recorded one, by its bytes or by its content."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found == file.sha256:
        return
    try:
        content = content_checksum(path)
    except (OSError, EOFError, ValueError, zlib.error, tarfile.TarError) as error:
        raise DataError(f"{path} cannot be read ({error}): fetch it again") from error
    if content != file.content:
        raise DataError(
            f"{path} is not the file the experiments were made with: sha256 {found}, not {file.sha256}, and its values differ "
            f"too (content {content[:12]}, not {file.content[:12]}); remove it to have it fetched again"
        )


def content_checksum(path: Path) -> str:
    """Sum the values in a file: the messages of an archive, the bytes of a .mat file, else the cells of the rows."""
    total = hashlib.sha256()
    if ".tar" in path.suffixes:
        for name, message in sorted(messages(path)):
            total.update(f"{name}\n{message}\n".encode())
    elif path.suffix == ".mat":
        total.update(path.read_bytes())
    else:
        for cells in rows(path):
            total.update((",".join(cells) + "\n").encode())
    return total.hexdigest()


def text(path: Path) -> str:
    """Return the text of a file, unpacked if it is gzipped."""
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the cells of every row, without blank lines, comments, declarations and an added header line."""
    for line in map(str.strip, text(path).splitlines()):
        if not line or line[0] in "%@" or line[:6].lower() == "class,":
            continue
        yield [cell.strip().strip("'\"") for cell in (line.split(",") if "," in line else line.split())]


def messages(path: Path) -> list[tuple[str, str]]:
    """Return name and text of each message of the corpus, in the order of the names."""
    with tarfile.open(path) as archive:
        found = [(match[1], archive.extractfile(item)) for item in archive if (match := _MESSAGE.search(item.name))]
        return sorted((name, stream.read().decode("latin-1").replace("\r\n", "\n")) for name, stream in found if stream)


def _fetch(file: RawFile, path: Path) -> None:
    """Fetch a file from the first of its homes that has it with the right content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name("part." + path.name)
    failures = []
    for url in file.urls:
        try:
            data = b"".join(_download(url))
            if url.endswith(".Z"):  # compress, which Python cannot read and gzip can
                data = subprocess.run(["gzip", "-dc"], input=data, capture_output=True, check=True).stdout
            if path.suffix == ".gz" and data[:2] != b"\x1f\x8b":
                data = gzip.compress(data, mtime=0)
            part.write_bytes(data)
            check(file, part)
        except (OSError, EOFError, DataError, subprocess.CalledProcessError) as error:
            failures.append(f"{url}: {error}")
            with suppress(FileNotFoundError):
                part.unlink()
        else:
            part.replace(path)
            return
    raise DataError(
        f"{file.name} could not be fetched from its public homes; put it into a folder and name that with --data or "
        "MISIEVE_DATA.\n  " + "\n  ".join(failures)
    )


def _download(url: str, block: int = 1 << 16) -> Iterable[bytes]:
    """Yield a file's bytes with a bar on the terminal; a file cut short is an error."""
    request = urllib.request.Request(url, headers={"User-Agent": "misieve"})
    with urllib.request.urlopen(request, timeout=60) as response:
        size = int(response.headers.get("Content-Length") or 0)
        seen = 0
        while data := response.read(block):
            seen += len(data)
            _bar(url.rsplit("/", 1)[-1], seen, size)
            yield data
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if seen < size:
        raise urllib.error.ContentTooShortError(f"{seen} of {size} bytes came", b"")


def _bar(name: str, seen: int, size: int, width: int = 30) -> None:
    if not sys.stderr.isatty():
        return
    share = seen / size if size else 0.0
    done = f"[{'#' * int(share * width):<{width}}] {share:4.0%} " if size else ""
    print(f"\r{name:<24} {done}{seen / 2**20:.1f} MB", end="", file=sys.stderr, flush=True)
