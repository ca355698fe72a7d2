"""A search engine for Argilla over its own SQLite file. Runs in the server's environment, on its packages alone.

Argilla commits to its database before it calls the search engine, so the database already holds all that an index would
hold: the writing methods have nothing to do, and there is no second copy that could go stale. Importing this package
raises UnsupportedError on another Argilla or another kind of database.
"""

import os
from importlib.metadata import version

from .support import check_database, check_version

ENGINE_NAME = "sqlite"

check_version(version("argilla-server"))
check_database(os.environ.get("ARGILLA_DATABASE_URL") or "sqlite")
