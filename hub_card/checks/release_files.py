"""Files: exactly those listed in SHA256SUMS, with these bytes, at places where a release has files."""

import re
from collections.abc import Iterator
from pathlib import Path

from hub_card.layout import (
    ANALYSIS,
    CARD,
    CHANGELOG,
    CITATION,
    CODEBOOK,
    CONFIGS,
    CROISSANT,
    MANIFEST,
    REPORT,
    SUMS,
    files_of,
    irregular_of,
    parquet_path,
)
from hub_card.papers import file_sha256
from hub_card.problems import Problem

LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
PARQUET = frozenset(map(parquet_path, CONFIGS))
REQUIRED = frozenset({CARD, MANIFEST, SUMS, CITATION, CHANGELOG, CROISSANT, *PARQUET})
KNOWN = REQUIRED | {CODEBOOK}
FOLDERS = (f"{ANALYSIS}/", f"{REPORT}/")
REWRITTEN = f"its bytes are not those {SUMS} states: it was rewritten or damaged after it was released"
LINKED = "Put a copy of the file in its place, or download the release with --local-dir."
DOWNLOAD = "Download the file again from the release's tag, or build the release again."


def check_regular(release: Path) -> Iterator[Problem]:
    """Links, which would bring in what is elsewhere, and whatever else is neither file nor folder."""
    for name in irregular_of(release):
        kind = "a symbolic link" if (release / name).is_symlink() else "no regular file"
        yield Problem(name, "", f"{kind}; a release has files alone", LINKED)


def check_files(release: Path) -> Iterator[Problem]:
    """Missing, changed, unlisted and misplaced files, and what is not the form of SHA256SUMS."""
    present = set(files_of(release))
    for name in sorted(REQUIRED - present):
        yield Problem(name, "", "the file is missing", DOWNLOAD)
    for name in sorted(present - KNOWN):
        if not name.startswith(FOLDERS):
            yield Problem(name, "", "not a file of a release; `datasets` may read it as data", "Remove it.")
    if SUMS in present:
        yield from _check_sums(release, present - {SUMS})


def _check_sums(release: Path, present: set[str]) -> Iterator[Problem]:
    try:
        text = (release / SUMS).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        yield Problem(SUMS, f"byte {error.start}", "not UTF-8", DOWNLOAD)
        return
    listed: list[str] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        found = LINE.fullmatch(line)
        if found is None:
            yield Problem(SUMS, f"line {number}", "want 64 hex digits, two spaces and a path", DOWNLOAD)
            continue
        digest, name = found.groups()
        listed.append(name)
        if name in present and file_sha256(release / name) != digest:
            yield Problem(name, "", REWRITTEN, DOWNLOAD)
    if not text.endswith("\n") or listed != sorted(set(listed)):
        yield Problem(SUMS, "", "want each file once, sorted, one a line, ending in a line feed", DOWNLOAD)
    for name in sorted(set(listed) - present):
        yield Problem(name, "", f"listed in {SUMS} but missing", DOWNLOAD)
    yield from _unlisted(sorted(present - set(listed)))


def _unlisted(names: list[str]) -> Iterator[Problem]:
    for folder in FOLDERS:
        inside = [name for name in names if name.startswith(folder)]
        if len(inside) > 1:
            rule = f"{len(inside)} files are not listed in {SUMS}, such as {inside[0]}"
            yield Problem(folder, "", rule, "Move the folder out of the release, or build the release again.")
            names = [name for name in names if name not in inside]
    for name in names:
        yield Problem(name, "", f"not listed in {SUMS}", "Remove it, or build the release again.")
