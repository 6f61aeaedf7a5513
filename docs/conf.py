"""Sphinx configuration."""

from importlib import metadata

project = "misieve"
author = "The misieve developers"
copyright = "2026, the misieve developers"
release = metadata.version("misieve")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "myst_parser"]
myst_enable_extensions = ["dollarmath", "amsmath"]
html_theme = "furo"
html_title = "misieve"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
exclude_patterns = ["_build"]
