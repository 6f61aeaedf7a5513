import numpy as np
import pytest
import scipy.sparse as sp

from misieve._errors import DataError, OptionError
from misieve._optional import need
from misieve._validate import count_array, fraction, known_option


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, -2], [3, 4]], r"counts must not be negative, found -2 at index \(0, 1\)"),
        ([[[1, 2], [3, 4]], [[1, 2], [np.nan, 4]]], r"must not be NaN, found nan at index \(1, 1, 0\)"),
        ([[1, 2], [np.inf, 4]], r"must be finite, found inf at index \(1, 0\)"),
        ([["a", "b"], ["c", "d"]], "must be numbers, found an array of dtype"),
        ([[1 + 2j, 1], [1, 1]], "must be numbers, found an array of dtype complex"),
        ([[1, 2], [3]], r"rectangular array of shape \(\.\.\., r, s\)"),
        ([1, 2, 3], r"must have the shape \(\.\.\., r, s\), a table or a batch of tables; found the shape \(3,\)"),
        (np.zeros((0, 2)), r"at least one row and one column, found the shape \(0, 2\)"),
        (np.zeros((5, 2, 0)), r"at least one row and one column, found the shape \(5, 2, 0\)"),
        ([[2**53, 1], [1, 1]], r"total of counts must stay below 2\^53"),
        (np.full((2, 2), 1e308), r"total of counts must stay below 2\^53"),
        ([[10**30, 1], [1, 1]], r"total of counts must stay below 2\^53"),
        (np.full((2, 2), 2**62), r"total of counts must stay below 2\^53"),
        (np.ma.masked_array([[1, 2], [3, 4]], mask=[[1, 0], [0, 0]]), "counts must not be masked: fill"),
        (sp.csr_array(np.eye(2)), r"must be a dense array, found a sparse csr_array: pass its toarray\(\)"),
    ],
)
def test_bad_counts_are_refused(counts, message):
    with pytest.raises(DataError, match=message):
        count_array(counts)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32, np.float64])
def test_every_numeric_type_is_taken(dtype):
    table = count_array(np.ones((2, 3), dtype=dtype))
    assert table.dtype == np.float64
    assert table.flags.c_contiguous


def test_a_near_miss_is_named():
    with pytest.raises(OptionError, match="law must be one of 'beta', 'gamma', not 'gama'; did you mean 'gamma'"):
        known_option("law", "gama", ["beta", "gamma"])


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 2, "half", None, True, float("nan")])
def test_a_level_lies_strictly_between_0_and_1(value):
    with pytest.raises(OptionError, match="level must be a number strictly between 0 and 1"):
        fraction("level", value)


def test_a_missing_library_names_its_extra():
    with pytest.raises(ImportError, match=r"plotting needs the library 'no_such_module'.*pip install 'misieve\[plot\]'"):
        need("no_such_module", extra="plot", purpose="plotting")
