"""Formulas as MathML, which browsers draw by themselves: nothing is loaded from elsewhere, and the pages work offline."""

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.util.typing import ExtensionMetadata


def _inline(translator, node) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def _display(translator, node) -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app) -> ExtensionMetadata:
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True}
