"""What this engine may be put on: one version of Argilla, one kind of database, one state of its tables."""

import sqlite3

ARGILLA_VERSION = "2.8.0"
DATABASE_REVISION = "580a6553186f"


class UnsupportedError(Exception):
    """An Argilla or a database this engine was not written for; the message says which, and what to do."""


def check_version(found: str) -> None:
    """Raises UnsupportedError unless the server is the version whose tables this engine reads."""
    if found != ARGILLA_VERSION:
        raise UnsupportedError(
            f"this search engine reads the tables of argilla-server {ARGILLA_VERSION}, but {found} is installed: "
            f"install argilla-server=={ARGILLA_VERSION}, or use that Argilla with its own search engine"
        )


def check_database(url: str) -> None:
    """Raises UnsupportedError unless the URL names an SQLite file."""
    if not url.lower().startswith("sqlite"):
        kind = url.partition(":")[0]
        raise UnsupportedError(
            f"this search engine reads Argilla's own SQLite file, but ARGILLA_DATABASE_URL names a {kind} database: "
            "unset it, or use that Argilla with its own search engine"
        )


def check_revision(database: str) -> None:
    """Raises UnsupportedError if the file holds tables of an Argilla that this one does not follow on."""
    with sqlite3.connect(database) as connection:
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
        rows = connection.execute("SELECT version_num FROM alembic_version").fetchall() if known else []
    connection.close()
    if rows and rows[0][0] != DATABASE_REVISION:
        raise UnsupportedError(
            f"{database} was written by another Argilla (tables of revision {rows[0][0]}, want {DATABASE_REVISION}, "
            f"those of {ARGILLA_VERSION}): restore a backup of this server, or give another --home directory"
        )
