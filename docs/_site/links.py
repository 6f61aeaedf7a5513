"""Links to files of the repository that are pages of the site: ``examples/plot_x.py`` there is ``gallery/plot_x`` here."""

import re

from sphinx.util.typing import ExtensionMetadata

_EXAMPLE = re.compile(r"\]\(((?:\.\./)*)examples/(plot_\w+)\.py\)")


def _to_gallery(_app, _name: str, source: list[str]) -> None:
    source[0] = _EXAMPLE.sub(r"](\1gallery/\2.rst)", source[0])


def setup(app) -> ExtensionMetadata:
    """Rewrite the pages as they are read."""
    app.connect("source-read", _to_gallery)
    return {"parallel_read_safe": True}
