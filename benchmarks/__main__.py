"""Run every benchmark, one after the other, and keep what each prints in ``benchmarks/results``."""

import argparse

from benchmarks.record import RESULTS, run

#: Each benchmark with the options of its quick run.
BENCHMARKS = {
    "kernels.moments": [],
    "law_accuracy": [],
    "incomplete_accuracy": ["--quick"],
    "missing": ["--quick"],
    "counting": ["--quick"],
    "frames": ["100000"],
    "command_line": ["200000"],
    "discretizing": ["200000"],
    "prequential": [],
    "naive_bayes": ["--quick"],
    "high_cardinality": ["--seeds", "10"],
    "fdr": ["--seeds", "5"],
}


def main() -> None:
    """Run all, or those named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(BENCHMARKS)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="fewer rows, draws and seeds where there are many")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}: choose from {', '.join(BENCHMARKS)}")
    for name in options.names or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        run([f"benchmarks.{name}", *(BENCHMARKS[name] if options.quick else [])], RESULTS / f"{name}.txt")


if __name__ == "__main__":
    main()
