"""Facts about a selection: a plain dict for machines, and one self-contained page for people."""

from misieve.report.facts import build_facts
from misieve.report.page import build_page

__all__ = ["build_facts", "build_page"]
