"""Benchmarks are recorded with the machine they ran on, and the documentation shows each of them."""

import re
import subprocess
from pathlib import Path

import pytest
from benchmarks.__main__ import BENCHMARKS
from benchmarks.record import RESULTS, processor, run

import misieve

SHOWN = re.findall(r"benchmarks/results/(\S+)\.txt", (RESULTS.parent.parent / "docs" / "benchmarks.md").read_text())


def test_what_a_benchmark_prints_is_kept_under_a_head(tmp_path, capfd):
    kept = tmp_path / "new" / "calendar.txt"
    run(["calendar", "2002", "8"], kept)
    head, _, body = kept.read_text().partition("\n\n")
    assert re.fullmatch(
        rf"# python -m calendar 2002 8\n# \d{{4}}-\d\d-\d\d, \d+ s\n# .+ cores, \w+\n# misieve {misieve.__version__} .*", head
    )
    assert body.startswith("    August 2002\nMo Tu We")
    assert capfd.readouterr().out.rstrip() == body.rstrip()


def test_a_benchmark_that_fails_leaves_the_earlier_result(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("as it was")
    with pytest.raises(subprocess.CalledProcessError, match="no_such_module"):
        run(["no_such_module"], kept)
    assert kept.read_text() == "as it was"


def test_the_processor_is_named_where_it_can_be(tmp_path):
    listing = tmp_path / "cpuinfo"
    assert processor(listing) == "a processor"
    listing.write_text("processor : 0\nmodel name\t: Abacus 12: fast\n")
    assert processor(listing) == "Abacus 12: fast"


def test_the_documentation_shows_every_result_and_each_is_that_of_a_benchmark():
    kept = sorted(path.stem for path in RESULTS.glob("*.txt"))
    assert sorted(SHOWN) == kept
    assert len(kept) >= 10
    for name in kept:
        assert name in BENCHMARKS
        assert (RESULTS / f"{name}.txt").read_text().startswith(f"# python -m benchmarks.{name}")
        assert Path(RESULTS.parent, *name.split(".")).with_suffix(".py").exists()
