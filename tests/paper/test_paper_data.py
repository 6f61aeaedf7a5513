import os

import numpy as np
import pytest
from paper.data import EXTRAS, PAPER_SETS, load

from misieve import DataError, OptionError
from paper import data, readers

needs_data = pytest.mark.data
without = pytest.mark.skipif(not os.environ.get("MISIEVE_DATA"), reason="MISIEVE_DATA is not set")

#: rows, features, majority; the paper's where a comment does not say otherwise.
KNOWN = {
    "australian": (690, 14, 0.555),  # the paper: 36 features
    "chess": (3196, 36, 0.522),  # the paper: .520
    "crx": (653, 15, 0.547),
    "german-org": (1000, 17, 0.700),
    "hypothyroid": (2338, 23, 0.942),  # the paper: 2238 rows
    "lymphography": (148, 18, 0.547),
    "shuttle-small": (5800, 8, 0.790),  # another tenth than the paper's, with .787
    "spam": (1099, 21611, 0.562),  # the paper: 1101 rows, .563
    "vote": (435, 16, 0.614),
}


def test_led24_needs_no_file(tmp_path):
    led = load("led24", str(tmp_path))
    assert led.X.shape == (3200, 24)
    assert {len(values) for values in led.categories} == {2}
    assert led.majority == pytest.approx(0.105, abs=0.01)


def test_an_unknown_name_is_refused():
    with pytest.raises(OptionError, match="there is no data set 'iris'"):
        load("iris")


def prepare(cells, declared, complete):
    names = [f"a{i}" for i in range(len(declared))]
    *rows, target = cells
    return data.prepare(
        "toy", names, declared, [list(row) for row in zip(*rows, strict=True)], list(target), (), complete=complete
    )


def test_cuts_come_first_then_rows_with_unknowns_go():
    # a0 is cut at 4.5 whatever its unknown; a1 has one interval, and its unknown costs no row; a2 declares a value never seen.
    cells = (
        ["1", "2", "3", "4", "5", "6", "7", "?"] * 4,
        ["3", "3", "3", "3", "3", "?", "3", "3"] * 4,
        ["x", "y", "x", "y", "x", "y", "?", "x"] * 4,
        ["p"] * 4 + ["q"] * 4 + (["p"] * 4 + ["q"] * 4) * 3,
    )
    toy = prepare(cells, [None, None, ("x", "y", "z")], complete=True)
    assert toy.features == ("a0", "a2")
    assert toy.categories == (("(-inf, 4.5]", "(4.5, inf]"), ("x", "y", "z"))
    assert len(toy.X) == 6 * 4
    assert np.array_equal(toy.X[:6, 0], [0, 0, 0, 0, 1, 1])
    assert np.array_equal(toy.y[:6], [0, 0, 0, 0, 1, 1])
    assert "a1" in " ".join(toy.notes)
    whole = prepare(cells, [None, None, ("x", "y", "z")], complete=False)
    assert len(whole.X) == 8 * 4
    assert whole.X[6:8].tolist() == [[1, -1], [-1, 0]]


def test_an_undeclared_value_is_an_error():
    with pytest.raises(DataError, match="a0 has the values \\['w'\\]"):
        prepare((["x", "w"], ["p", "q"]), [("x", "y")], complete=True)


def test_a_question_mark_can_be_a_value():
    toy = prepare((["n", "?", "y"], ["p", "q", "p"]), [("n", "y", "?")], complete=True)
    assert toy.X[:, 0].tolist() == [0, 2, 1]


def test_arff_declares_its_values(tmp_path):
    path = tmp_path / "toy.arff"
    path.write_text(
        "% toy\n@relation toy\n@attribute 'a b' { 'x y', z}\n@ATTRIBUTE size real\n@attribute class {p,q}\n"
        "@data\n'x y',2.5,p\nz,?,q\n"
    )
    names, declared, cells, target, _ = readers.arff(path)
    assert names == ["a b", "size"]
    assert declared == [["x y", "z"], None]
    assert cells == [["x y", "2.5"], ["z", "?"]]
    assert target == ["p", "q"]


@needs_data
@without
@pytest.mark.parametrize("name", KNOWN)
def test_the_sets_have_the_size_they_should(name):
    found = load(name)
    rows, features, majority = KNOWN[name]
    assert found.X.shape == (rows, features)
    assert len(found.features) == len(found.categories) == features
    assert found.majority == pytest.approx(majority, abs=0.0006)
    assert found.X.min() >= 0
    assert all(column.max() < len(values) for column, values in zip(found.X.T, found.categories, strict=True))


@needs_data
@without
def test_declared_values_that_never_occur_are_counted():
    def sizes(name):
        found = load(name)
        return dict(zip(found.features, map(len, found.categories), strict=True)), found

    thyroid, found = sizes("hypothyroid")
    constant = [f for f, column in zip(found.features, found.X.T, strict=True) if len(np.unique(column)) == 1]
    assert [thyroid[f] for f in constant] == [2] * 5
    assert sizes("australian")[0]["A6"] == 9
    assert sizes("crx")[0]["A4"] == 4
    assert set(sizes("vote")[0].values()) == {3}


@needs_data
@without
@pytest.mark.parametrize("name", EXTRAS)
def test_the_extras_load(name):
    found = load(name)
    assert found.X.shape == (len(found.y), len(found.features))
    assert found.X.min() == (0 if name == "BASEHOCK" else -1)
    assert len(found.classes) >= 2


def test_names_are_in_the_order_of_the_tables():
    assert list(PAPER_SETS) == sorted(PAPER_SETS)
