"""Benchmarks of single kernels."""
