"""praznik (R): miScores of all columns by two threads, timed within R after the data have become factors."""

import os
import shutil
import subprocess
import tempfile

NAME = "praznik miScores"
TABLES = False

_HAS = 'quit(status = if (requireNamespace("praznik", quietly = TRUE)) 0 else 1)'
_TIME = """
a <- commandArgs(TRUE); n <- as.integer(a[2]); p <- as.integer(a[3])
f <- file(a[1], "rb")
x <- as.data.frame(lapply(seq_len(p), function(j) factor(readBin(f, "integer", n, size = 1, signed = FALSE))))
y <- factor(readBin(f, "integer", n, size = 1, signed = FALSE))
close(f)
times <- sapply(1:3, function(i) system.time(praznik::miScores(x, y, threads = 2))[["elapsed"]])
cat(min(times))
"""


def available() -> str:
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    found = subprocess.run(["Rscript", "-e", _HAS], capture_output=True, check=False)
    return "" if found.returncode == 0 else "R has no praznik: install.packages('praznik')"


def prepare(x, y):
    return x, y


def run_elsewhere(x, y) -> float:
    """Seconds of the best of three runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "columns")
        with open(path, "wb") as out:
            for j in range(x.shape[1]):
                out.write(x[:, j].tobytes())
            out.write(y.tobytes())
        command = ["Rscript", "-e", _TIME, path, str(x.shape[0]), str(x.shape[1])]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
