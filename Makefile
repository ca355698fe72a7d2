# make dataset   the main job: build the dataset with a small real model, then its report
# make test      every test
# make check     what CI runs: lint, types, import rules, tests
# All of them first create .venv from requirements.lock; they need Python 3.11 or newer and nothing else installed.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$python >/dev/null 2>&1 && $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	&& echo $$python && break; done)
BIN := .venv/bin
READY := .venv/.ready
RUN ?= runs/default

.PHONY: dataset test check lint lock clean

dataset: $(READY)
	$(BIN)/build-dataset --topics all --run $(RUN)
	$(BIN)/analyze-dataset $(RUN)/release

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports

check: lint test

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found: install one, or make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv || { echo "Python cannot make environments: on Debian or Ubuntu, apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

lock:
	$(BIN)/uv pip compile pyproject.toml --extra local --extra similarity --extra dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --quiet --output-file requirements.lock

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
