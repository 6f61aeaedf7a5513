"""Sphinx configuration: pages in Markdown, reference from docstrings, examples run while the site is built."""

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "misieve"
author = "The misieve developers"
copyright = "2026, the misieve developers"
release = metadata.version("misieve")
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "_site.formulas",
    "_site.links",
]
exclude_patterns = ["_build", "examples", "**sg_execution_times.rst"]

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_param = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "misieve"
html_static_path = ["_static"]
html_css_files = ["misieve.css"]
html_math_renderer = "mathml"

#: Made by functions, never called by users: shown without what they are made from.
MADE = {f"misieve.{name}" for name in ("Posterior", "Prequential", "Selection", "Tables")}


def setup(app) -> None:
    """Leave out signatures that are nobody's business."""
    app.connect("autodoc-process-signature", lambda _app, _what, name, *_: ("", "") if name in MADE else None)


sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("misieve",),
    "reset_modules": ("_site.look.apply",),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1000,
}
