"""Formulas as MathML, which browsers draw by themselves: nothing is loaded from elsewhere, and the pages work offline."""

from docutils.nodes import SkipNode
from latex2mathml import converter
from sphinx.util.typing import ExtensionMetadata

_THIN = '<mspace width="0.17em"></mspace>'


def convert(formula: str, display: str = "inline") -> str:
    """MathML of a formula, with the thin space before and after "log" that TeX would leave."""
    return converter.convert(formula, display=display).replace("<mi>log</mi>", f"{_THIN}<mi>log</mi>{_THIN}")


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
