#!/usr/bin/env bash
# Builds the native core with the address and undefined-behaviour sanitizers and runs the tests of the cores on it.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/sanitized
rm -rf $venv
python3 -m venv $venv
# The libraries of the development environment, without its misieve: a .pth file adds the folder, not the hooks in it.
.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
  >"$($venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/development.pth"
MISIEVE_REQUIRE_NATIVE=1 $venv/bin/python -m pip install --quiet --no-deps --force-reinstall . \
  -C build-dir=build/sanitized-objects -C cmake.define.MISIEVE_SANITIZE=address,undefined -C install.strip=false
LD_PRELOAD="$(${CXX:-g++} -print-file-name=libasan.so) $(${CXX:-g++} -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc MISIEVE_CORE=native \
  $venv/bin/python -m pytest -q -p no:cacheprovider tests/test_cores.py
