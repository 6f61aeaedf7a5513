"""Any dataframe, array or sparse matrix -> named columns: the only place that knows frames.

:func:`read` recognises what it is given and returns a :class:`Batch`: names, a number of rows, and the data as one matrix,
one sparse matrix or a :class:`Reader` of columns. :func:`stream` does the same for what comes in many batches: files, lazy
frames, iterables of frames. pandas, polars and Arrow are read natively, every other frame through narwhals.
"""

from misieve.frames.batch import Batch, Reader, read
from misieve.frames.build import build_frame
from misieve.frames.column import BadCell, Column
from misieve.frames.streams import is_stream, opened, stream

__all__ = ["BadCell", "Batch", "Column", "Reader", "build_frame", "is_stream", "opened", "read", "stream"]
