# One-command development: every target sets up what it needs on a fresh clone.
# Only python3 (3.11 or newer), make and, for the native core, a C++17 compiler are assumed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NATIVE := $(wildcard native/*.cpp native/*.hpp native/*.cmake native/CMakeLists.txt)
# What an extra of pyproject.toml needs, without building misieve again.
needs = $$($(BIN)/python -c 'import tomllib; print(*(n for n in tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$(1)"] if "misieve" not in n))' | tr ' ' '\n')
# One process per core: the suite is made of many short tests.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal -q

.DEFAULT_GOAL := help
.PHONY: help setup demo test twin lint types bench paper docs pictures clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(READY)  ## make .venv and install misieve into it, with its native core where a compiler is found
$(READY): pyproject.toml $(NATIVE)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "misieve needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet 'scikit-build-core>=0.11' 'nanobind>=2.4' cmake ninja
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[dev]'
	@touch $@

demo: $(READY)  ## select from real data: the table, and the path of the report
	$(BIN)/misieve demo

test: $(READY)  ## the whole suite, on the core that was built
	$(PYTEST)

twin: $(READY)  ## the whole suite on the NumPy twin of the native core
	MISIEVE_CORE=twin $(PYTEST)

lint: $(READY)  ## style, formatting and import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)  ## mypy, strict
	$(BIN)/mypy

$(VENV)/.bench: $(READY)
	$(BIN)/python -m pip install --quiet $(call needs,bench)
	@touch $@
bench: $(VENV)/.bench  ## accuracy and speed, measured here and now
	$(BIN)/python -m benchmarks

paper: $(READY)  ## rerun the paper (QUICK=1: two random orders, and fail if what must hold does not)
	QUICK=$(QUICK) $(BIN)/python -m paper

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet $(call needs,docs)
	@touch $@
docs: $(VENV)/.docs  ## the documentation as a site, warnings are errors
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

pictures: $(READY)  ## draw docs/pictures anew from the examples
	$(BIN)/python docs/pictures.py

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist docs/_build docs/gallery docs/sg_execution_times.rst
