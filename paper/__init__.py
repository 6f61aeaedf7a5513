"""The experiments of the paper, rerun: ``python -m paper``."""
