import pytest

from misieve.files import delimited


@pytest.fixture
def small(monkeypatch):
    """Types are found in a kilobyte, batches are of a kilobyte."""
    monkeypatch.setattr(delimited, "SAMPLE_BYTES", 1000)
    monkeypatch.setattr(delimited, "LEAST_BYTES", 1000)
