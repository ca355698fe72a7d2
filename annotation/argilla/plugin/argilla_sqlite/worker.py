# mypy: disable-error-code="import-not-found"
"""Argilla's background worker with the search engine registered: `python -m argilla_sqlite.worker worker`."""

from argilla_server.cli import app

from . import engine as engine

if __name__ == "__main__":
    app()
