"""Which rules judged: the lexical judge's counterpart of a prompt's hash."""

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
KINDS = (".py", ".yaml")


@cache
def rules_hash() -> str:
    """SHA-256 over the judge's rules and language files: it changes whenever a verdict may."""
    found = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in KINDS:
            found.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
