"""Whether the files that were read are those of the release: compared with the SHA256SUMS beside them."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def changed(files: Iterable[Path]) -> Iterator[str]:
    """Those of `files`, as named in their release, whose bytes are not those SHA256SUMS states.

    A file beside listed ones that is not listed itself counts too; without a SHA256SUMS above a file nothing is said.
    Raises OSError if a file cannot be read.
    """
    for file in files:
        path = file.resolve()
        release = next((place for place in path.parents if (place / "SHA256SUMS").is_file()), None)
        if release is None:
            continue
        stated = _stated(release / "SHA256SUMS")
        name = path.relative_to(release).as_posix()
        folders = {listed.rpartition("/")[0] for listed in stated}
        if name in stated or (file.suffix == ".parquet" and name.rpartition("/")[0] in folders - {""}):
            with path.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != stated.get(name):
                    yield name


def _stated(sums: Path) -> dict[str, str]:
    lines = sums.read_text(encoding="utf-8", errors="replace").split("\n")
    return {found[2]: found[1] for found in map(LINE.fullmatch, lines) if found}
