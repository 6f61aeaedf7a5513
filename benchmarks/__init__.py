"""Speed and accuracy beside other tools, measured in one run: ``python -m benchmarks.counting``."""
