"""Run every benchmark, one after the other."""

import argparse
import subprocess
import sys

BENCHMARKS = (
    "kernels.moments",
    "law_accuracy",
    "incomplete_accuracy",
    "missing",
    "counting",
    "frames",
    "discretizing",
    "prequential",
    "naive_bayes",
    "high_cardinality",
    "fdr",
    "fdr",
    "high_cardinality",
    "naive_bayes",
)


def main() -> None:
    """Run all, or those named, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(BENCHMARKS)}; all if none is named")
    names = parser.parse_args().names
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}: choose from {', '.join(BENCHMARKS)}")
    for name in names or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main()
