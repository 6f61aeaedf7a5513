"""Links to the examples of the repository lead to the gallery of the site: ``examples/plot_x.py`` to ``gallery/plot_x``."""

import re

from sphinx.util.typing import ExtensionMetadata

_EXAMPLE = re.compile(r"\]\(((?:\.\./)*)examples/(?:(plot_\w+)\.py)?\)")


def _to_gallery(_app, _name: str, source: list[str]) -> None:
    source[0] = _EXAMPLE.sub(lambda link: f"]({link[1]}gallery/{link[2] or 'index'}.rst)", source[0])


def setup(app) -> ExtensionMetadata:
    """Rewrite the pages as they are read."""
    app.connect("source-read", _to_gallery)
    return {"parallel_read_safe": True}
