# Everything here sets itself up: an environment in .venv with pinned versions, nothing outside the folder but caches.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto
MINUTES ?= 30

.PHONY: setup run tour test check lint test-slow soak fuzz bench clean help

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 12

setup: $(VENV)/.ready  ## the environment (used by all others; nothing to do when it is there)

$(VENV)/.ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "unsorry needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "cannot make $(VENV): on Debian or Ubuntu, apt-get install python3-venv"; exit 2; }
	@echo "setting up $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[train,agent,hunt,dev]'
	@touch $@

run: setup       ## the main job: train a prover from nothing, every stage, then have it prove a file
	@$(BIN)/unsorry run recipes/tiny.toml

tour: setup      ## the sorries of examples/tour.lean with the search prover: about ten, one false, one too hard
	@$(BIN)/unsorry prove examples/tour.lean --timeout 11; test $$? -le 1

test: lint       ## ruff, mypy and the tests
	@$(BIN)/pytest -n $(WORKERS) -m "not slow"

check lint: setup     ## ruff and mypy alone
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet src tests benchmarks tools
	@$(BIN)/mypy

test-slow: setup ## the tests that take minutes
	@$(BIN)/pytest -n $(WORKERS) -m slow

soak: setup      ## runs of the pipeline killed 20 times and resumed (half an hour); 10,000 judgements in one process
	@$(BIN)/python -m benchmarks.interruptions recipes/tiny.toml
	@$(BIN)/python -m benchmarks.interruptions --endpoint
	@$(BIN)/python -m benchmarks.soak

fuzz: setup      ## the reader of compiled files for MINUTES (30), then 100,000 changed files through the whole judge
	@$(BIN)/python -m benchmarks.fuzz $(MINUTES)
	@$(BIN)/python -m benchmarks.fuzz_judge

bench: setup     ## the measurements behind docs/results.md
	@$(BIN)/python -m benchmarks

clean:           ## remove the environment and build products
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache dist
