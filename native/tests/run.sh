#!/bin/sh
# Builds the kernel tests and runs them under the address and undefined-behaviour sanitizers, then under the thread sanitizer.
# Usage: native/tests/run.sh [build directory]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build/sanitized}
for sanitizers in address,undefined thread; do
    echo "== -fsanitize=$sanitizers"
    cmake -S "$here" -B "$build/$sanitizers" -DMISIEVE_SANITIZE="$sanitizers" >/dev/null
    cmake --build "$build/$sanitizers" --parallel 2
    if [ "$sanitizers" = thread ]; then only=threads; else only=; fi
    "$build/$sanitizers/kernel_tests" $only
done
