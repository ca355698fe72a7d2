"""Publishes a release into a directory of releases: `DIR/v1.0.0`, `DIR/v1.1.0`, …; a version never changes."""

import shutil
import tempfile
from argparse import ArgumentTypeError
from pathlib import Path
from typing import NamedTuple

from hub_card.changes import Difference, Published, date_of, parse_sums
from hub_card.facts import ReleaseError, Version
from hub_card.layout import CHANGELOG, MANIFEST, SUMS
from hub_card.manifest import load_manifest
from hub_card.staging import stage
from hub_card.verify import verify

JOURNAL = "journal.sqlite"


def named(text: str) -> Path:
    """The path that an argument names. Raises ArgumentTypeError for an empty one, as of a variable that is not set."""
    if not text.strip():
        raise ArgumentTypeError("an empty name; want a directory (. is the current one)")
    return Path(text)


def published_versions(directory: Path) -> dict[Version, Path]:
    """The versions in a directory of releases."""
    found = {}
    for path in directory.glob("v*"):
        try:
            found[Version.parse(path.name[1:])] = path
        except ValueError:
            continue
    return found


class Move(NamedTuple):
    """What publishing into a directory does: to which place, after which version, what changed, whether it is done."""

    place: Path
    before: Version | None
    changed: Difference | None
    done: bool


def check_place(release: Path, directory: Path) -> None:
    """Raises ReleaseError if `directory` cannot be one of releases: a file, or in a release or the run it comes from.

    Links are followed. A folder more in a release would make it invalid.
    """
    source, place = release.resolve(), directory.resolve()
    above = (place, *place.parents)
    there = next(path for path in above if path.exists())
    if not there.is_dir():
        raise ReleaseError(f"{directory}: {there} is a file; want a directory of releases")
    if source in above:
        raise ReleaseError(f"{directory} is inside RELEASE, which it would break; want a directory outside {source}")
    other = next((path for path in above if (path / MANIFEST).is_file() and (path / SUMS).is_file()), None)
    if other is not None:
        raise ReleaseError(f"{directory} is inside the release {other}, which it would break; want one outside")
    if place == source.parent and (place / JOURNAL).is_file():
        raise ReleaseError(f"{directory} is the run that RELEASE comes from; want a directory outside {place}")


def plan_move(release: Path, directory: Path, date: str) -> Move:
    """What publishing would do, without doing any of it. Raises ReleaseError if it must not be done."""
    with tempfile.TemporaryDirectory() as folder:
        return _staged(release, directory, Path(folder), date)


def publish_to_directory(release: Path, directory: Path, date: str) -> Path:
    """Copies a release to its version's place, verifies that it loads from there and returns the place.

    `date` (YYYY-MM-DD) goes into the changelog. The same release again keeps its date and is verified again. Raises
    ReleaseError for a version that is too low or taken.
    """
    manifest = load_manifest(release)
    partial = directory / f".v{manifest['version']}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        move = _staged(release, directory, partial, date)
        if not move.done:
            partial.rename(move.place)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    verify(str(move.place), {name: stated["digest"] for name, stated in manifest["configs"].items()})
    return move.place


def _staged(release: Path, directory: Path, partial: Path, date: str) -> Move:
    version = Version.parse(load_manifest(release)["version"])
    versions = published_versions(directory)
    if versions and version < max(versions):
        raise ReleaseError(f"version {version} is too low: {max(versions)} is published. Set a higher release_version.")
    place = directory / f"v{version}"
    before = max((known for known in versions if known < version), default=None)
    log = place / CHANGELOG
    first = date_of(log.read_text(encoding="utf-8"), version) if log.is_file() else None
    old = None if before is None else _published(before, versions[before])
    changed = stage(release, partial, old, None, first or date)
    if version in versions and (partial / SUMS).read_bytes() != (place / SUMS).read_bytes():
        raise ReleaseError(
            f"{place} has other content, and a published version never changes. Set a higher release_version."
        )
    return Move(place, before, changed, done=version in versions)


def _published(version: Version, place: Path) -> Published:
    sums = parse_sums((place / SUMS).read_text(encoding="utf-8"))
    return Published(version, load_manifest(place), sums, (place / CHANGELOG).read_text(encoding="utf-8"))
