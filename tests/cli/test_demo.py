"""``misieve demo``."""

import json

import polars as pl


def test_the_demo_keeps_neither_noise_nor_identifier(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    shown = run("demo", "--folder", "there/demo")
    assert "$ misieve select there/demo/breast-cancer.csv --target diagnosis --report there/demo/report.html" in shown
    assert "27 of 32 features are kept" in shown
    report = tmp_path / "there" / "demo" / "report.html"
    assert f"open {report.as_uri()}" in shown
    assert report.stat().st_size > 100_000
    assert pl.read_csv("there/demo/breast-cancer.csv").shape == (569, 33)
    found = json.loads(run("select", "there/demo/breast-cancer.csv", "-t", "diagnosis", "--format", "json"))
    dropped = {one["name"] for one in found["features"] if not one["kept"]}
    assert {"patient", "noise"} < dropped
    assert {one["kind"] for one in found["warnings"]} == {"identifier", "noise"}
    estimates = json.loads(
        run("select", "there/demo/breast-cancer.csv", "-t", "diagnosis", "--rule", "empirical", "--format", "json")
    )
    assert {"patient", "noise"} < {one["name"] for one in estimates["features"] if one["kept"]}
