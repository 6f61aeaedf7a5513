"""Run every benchmark, one after the other."""

import argparse
import importlib

BENCHMARKS = (
    "kernels.moments",
    "law_accuracy",
    "incomplete_accuracy",
    "missing",
    "counting",
    "frames",
    "discretizing",
    "prequential",
)


def main() -> None:
    """Run all, or those named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all if none is named")
    for name in parser.parse_args().names or BENCHMARKS:
        print(f"\n## {name}\n", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
