"""Files of many formats -> polars frames, whole or in batches of bounded memory: the only place that knows file formats.

:func:`open_data` recognises a file by its name and returns a :class:`DataFile`, which says what it found and gives the rows as
frames. Compressed files are read through. svmlight files are sparse: :func:`read_svmlight` gives a matrix and labels.
"""

from misieve.files.datafile import DataFile, Reading, Widened, until_typed
from misieve.files.opening import FORMATS, format_of, open_data
from misieve.files.packed import spooled
from misieve.files.svmlight import TARGET, read_svmlight
from misieve.files.writing import WRITABLE, replacing, write_frame, written_format

__all__ = [
    "FORMATS",
    "TARGET",
    "WRITABLE",
    "DataFile",
    "Reading",
    "Widened",
    "format_of",
    "open_data",
    "read_svmlight",
    "replacing",
    "spooled",
    "until_typed",
    "write_frame",
    "written_format",
]
