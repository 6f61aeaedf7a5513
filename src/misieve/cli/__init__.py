"""The command line: ``misieve select``, ``misieve demo`` and others. Each command is a function in a module of its name."""

from misieve.cli.app import main

__all__ = ["main"]
