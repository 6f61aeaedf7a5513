"""Whether a package is there, as an adapter's ``available()`` says it."""

from importlib.util import find_spec


def needs(package: str) -> str:
    """An empty string, or the sentence that says what is missing."""
    return "" if find_spec(package) else f"{package} is not installed (pip install 'misieve[bench]')"
