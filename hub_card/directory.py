"""Publishes a release into a directory of releases: `DIR/v1.0.0`, `DIR/v1.1.0`, …; a version never changes."""

import shutil
from pathlib import Path

from hub_card.changes import Published, parse_sums
from hub_card.facts import ReleaseError, Version
from hub_card.layout import CHANGELOG, SUMS
from hub_card.manifest import load_manifest
from hub_card.staging import stage
from hub_card.verify import verify


def published_versions(directory: Path) -> dict[Version, Path]:
    """The versions in a directory of releases."""
    found = {}
    for path in directory.glob("v*"):
        try:
            found[Version.parse(path.name[1:])] = path
        except ValueError:
            continue
    return found


def publish_to_directory(release: Path, directory: Path) -> Path:
    """Copies a release to its version's place, verifies that it loads from there and returns the place.

    The same release again is verified again. Raises ReleaseError for a version that is too low or taken.
    """
    manifest = load_manifest(release)
    version = Version.parse(manifest["version"])
    versions = published_versions(directory)
    if versions and version < max(versions):
        raise ReleaseError(f"version {version} is too low: {max(versions)} is published. Set a higher release_version.")
    place, partial = directory / f"v{version}", directory / f".v{version}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    before = max((known for known in versions if known < version), default=None)
    stage(release, partial, None if before is None else _published(before, versions[before]), None)
    if version not in versions:
        partial.rename(place)
    elif (partial / SUMS).read_bytes() == (place / SUMS).read_bytes():
        shutil.rmtree(partial)
    else:
        shutil.rmtree(partial)
        raise ReleaseError(
            f"{place} has other content, and a published version never changes. Set a higher release_version."
        )
    verify(str(place), {name: stated["digest"] for name, stated in manifest["configs"].items()})
    return place


def _published(version: Version, place: Path) -> Published:
    sums = parse_sums((place / SUMS).read_text(encoding="utf-8"))
    return Published(version, load_manifest(place), sums, (place / CHANGELOG).read_text(encoding="utf-8"))
