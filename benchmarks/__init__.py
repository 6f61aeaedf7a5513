"""Accuracy and speed, measured where you are: ``make bench``, or one of them with ``python -m benchmarks.NAME``."""
