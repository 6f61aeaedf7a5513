import pytest

from misieve.report import build_page

pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")
pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")


def test_a_page_is_html_that_names_its_target_and_asks_for_nothing(make, mixed):
    page = build_page(*make(*mixed, target="y <b>"))
    assert page.startswith("<!doctype html>")
    assert "y &lt;b&gt;" in page
    assert "y <b>" not in page
    assert not [
        tag
        for tag in ('<link rel="stylesheet', "<script src", "<img src", "@import", "url(")
        if tag in page.split("<script>")[0]
    ]
