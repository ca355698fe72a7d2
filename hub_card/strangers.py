"""Files in a release directory that no build put there: a user's notes, which replacing the release would delete."""

import re
from pathlib import Path

from hub_card.layout import SUMS

LISTED = re.compile(r"[0-9a-f]{64}  (.+)")
MADE_ANEW = ("__pycache__", ".cache")


def strangers(release: Path) -> list[str]:
    """The files and links that SHA256SUMS does not list, sorted, relative; without caches, which come again.

    All of them if there is no SHA256SUMS, none if there is no such directory. Raises OSError if it cannot be read.
    """
    sums = release / SUMS
    text = sums.read_text(encoding="utf-8", errors="replace") if sums.is_file() else ""
    ours = {SUMS, *(found[1] for found in map(LISTED.fullmatch, text.split("\n")) if found)}
    there = (path for path in release.rglob("*") if path.is_symlink() or not path.is_dir())
    names = (path.relative_to(release) for path in there if not set(path.relative_to(release).parts) & set(MADE_ANEW))
    return sorted(name.as_posix() for name in names if name.as_posix() not in ours)
