# make dataset   the main job: dataset and report, with a small real model on this machine
# make test      every test
# make scale     add what runs over several machines (Daft and Ray, about 150 MB); test and check need it too
# make check     what CI runs: lint, types, import rules, tests
# All of them first create .venv from requirements.lock; they need Python 3.11 or newer and nothing else installed.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$python >/dev/null 2>&1 && $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	&& echo $$python && break; done)
BIN := .venv/bin
READY := .venv/.ready
SCALE := .venv/.scale
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN ?= runs/default

.PHONY: dataset test check lint scale lock clean

dataset: $(READY)
	$(BIN)/build-dataset --topics all --run "$(RUN)"

test: $(SCALE)
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadgroup

lint: $(SCALE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports

check: lint test

scale: $(SCALE)

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found: install one, or make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv || { echo "Python cannot make environments: on Debian or Ubuntu, apt-get install python3-venv"; exit 1; }
	$(PIP) --no-deps --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $(READY)

$(SCALE): $(READY) requirements-scale.lock
	$(PIP) --no-deps --require-hashes -r requirements-scale.lock
	@touch $(SCALE)

# What `scale` adds is locked on top of the rest, which stays as it is without it.
LOCK := $(BIN)/uv pip compile pyproject.toml --extra local --extra similarity --extra dev --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate --no-emit-index-url --quiet

lock:
	$(LOCK) --output-file requirements.lock
	$(LOCK) --extra scale --constraint requirements.lock --output-file requirements-scale.lock

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
