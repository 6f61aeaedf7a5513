"""Accuracy and speed, measured where they run."""
