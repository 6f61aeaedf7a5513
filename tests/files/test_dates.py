import datetime as dt

import polars as pl
import pytest

from misieve.files import Reading, open_data, until_typed
from misieve.files.dates import date_type

DAYS = [str(dt.date(2020, 1, 1) + dt.timedelta(days=i)) for i in range(1500)]


@pytest.fixture
def write(tmp_path):
    def write(cells, name="data.csv", beside="1"):
        path = tmp_path / name
        if name.endswith("json"):
            path.write_text("".join(f'{{"when": "{cell}", "z": {beside}}}\n' for cell in cells))
        else:
            path.write_text("when,z\n" + "".join(f"{cell},{beside}\n" for cell in cells))
        return path

    return write


def read(data, way):
    return data.whole() if way == "whole" else pl.concat(until_typed(lambda: list(data.batches(1))))


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        (["2024-02-29", None], pl.Date),
        (["0001-01-01", "9999-12-31"], pl.Date),
        (["2024-02-29 10:11", "2024-02-29T10:11:12"], pl.Datetime("us")),
        (["2024-02-29 10:11:12.5", "2024-02-29"], pl.Datetime("us")),
        (["2024-02-29 10:11:12.123456"], pl.Datetime("us")),
        (["2023-02-29"], None),
        (["0000-01-01"], None),
        (["2024-02-29", "2024/03/01"], None),
        (["2024-02-29", "01/02/2024"], None),
        (["2024-2-29"], None),
        (["20240229"], None),
        (["2024-02"], None),
        (["2024-02-29 10"], None),
        (["2024-02-29 24:00"], None),
        (["2024-02-29 10:11:60"], None),
        (["2024-02-29 10:11:12."], None),
        (["2024-02-29 10:11:12.1234567"], None),
        (["2024-02-29 10:11Z"], None),
        (["2024-02-29 10:11:12+02:00"], None),
        (["2024-02-29\n"], None),
        (["٢٠٢٤-٠٢-٢٩"], None),
        ([None], None),
        ([], None),
    ],
)
def test_what_is_a_date(cells, dtype):
    assert date_type(pl.Series("when", cells, pl.String)) == dtype


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize("name", ["data.csv", "data.ndjson"])
def test_dates_are_dates(way, name, write):
    frame = read(open_data(write(DAYS, name)), way)
    assert frame["when"].dtype == pl.Date
    assert frame["when"].cast(pl.String).to_list() == DAYS


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_dates_with_a_time(way, write):
    frame = read(open_data(write([f"{day} 10:30" for day in DAYS])), way)
    assert frame["when"].dtype == pl.Datetime("us")
    assert frame["when"].to_list() == [dt.datetime.fromisoformat(f"{day} 10:30") for day in DAYS]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize("late", ["soon", "01/02/2024", "2024/02/01", "2023-02-29", "7"])
def test_what_is_no_date_makes_the_column_text(way, late, write):
    data = open_data(write([*DAYS, late, *DAYS]))
    frame = read(data, way)
    assert frame["when"].cast(pl.String).to_list() == [*DAYS, late, *DAYS]
    assert isinstance(frame["when"].dtype, pl.Categorical)
    assert data.notes == ["column 'when' begins as dates but holds others, too: it is read as text"]


@pytest.mark.parametrize("late", ["soon", "2023-02-29"])
def test_later_blocks_of_json_lines(late, write):
    path = write([*DAYS[:50], late], "data.ndjson")
    frame = read(open_data(path), "batches")
    assert frame["when"].to_list() == [*DAYS[:50], late]
    path = write([*DAYS[:50], "2024-01-01T10:11:12"], "data.ndjson")
    assert read(open_data(path), "batches")["when"].dtype == pl.Datetime("us")
    text = read(open_data(path, Reading(text=("when",))), "batches")
    assert text["when"].to_list() == [*DAYS[:50], "2024-01-01T10:11:12"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_a_late_time_of_day_makes_all_of_them_dates_with_a_time(way, write):
    data = open_data(write([*DAYS, "2024-01-01T10:11:12", *DAYS]))
    frame = read(data, way)
    assert frame["when"].dtype == pl.Datetime("us")
    assert frame["when"][[0, 1500]].to_list() == [dt.datetime(2020, 1, 1), dt.datetime(2024, 1, 1, 10, 11, 12)]
    assert frame["when"].null_count() == 0
    assert data.notes == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
@pytest.mark.parametrize("marker", ["", "NA", "?"])
def test_missing_dates(way, marker, write):
    for cells in ([marker, *DAYS], [*DAYS, marker], [marker] * 600 + DAYS):
        frame = read(open_data(write(cells)), way)
        assert frame["when"].dtype == pl.Date
        assert frame["when"].null_count() == cells.count(marker)
    frame = read(open_data(write(["2020-01-01", *DAYS]), Reading(missing=("2020-01-01",))), way)
    assert (frame["when"].dtype, frame["when"].null_count()) == (pl.Date, 2)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_columns_that_are_to_be_text_stay_text(way, write):
    cells = [f"{day} 10:30" for day in DAYS]
    for beside in ("1", " 1 "):
        frame = read(open_data(write(cells, beside=beside), Reading(text=("when", "z"))), way)
        assert frame["when"].cast(pl.String).to_list() == cells


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_dates_between_spaces(way, write):
    frame = read(open_data(write([f"  {day} " for day in DAYS])), way)
    assert frame["when"].dtype == pl.Date


def test_numbers_between_spaces_that_are_to_be_text_keep_their_zeros(write):
    frame = open_data(write([" 007", " 010"]), Reading(text=("when",))).whole()
    assert frame["when"].cast(pl.String).to_list() == ["007", "010"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_numbers_between_spaces_and_then_a_date(way, write):
    frame = read(open_data(write([*[" 1"] * 1500, " 2020-01-01"])), way)
    assert frame["when"].cast(pl.String).unique().sort().to_list() == ["1", "2020-01-01"]
