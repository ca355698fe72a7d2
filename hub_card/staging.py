"""The files that are published: the release, with its repository's name and its changelog filled in."""

import shutil
from pathlib import Path

from hub_card.changes import Difference, Published, changelog, check_version, difference, parse_sums
from hub_card.facts import Version
from hub_card.layout import CARD, CHANGELOG, CITATION, CROISSANT, REPOSITORY, SUMS, files_of
from hub_card.manifest import load_manifest
from hub_card.papers import checksums, write_text


def stage(release: Path, out: Path, old: Published | None, repository: str | None, date: str) -> Difference | None:
    """Copies a release to `out` as it is to be published after `old` on `date`, and returns what changed since.

    A function of its arguments: run again, it gives the same bytes. Raises ReleaseError if the version is too low.
    """
    manifest = load_manifest(release)
    version = Version.parse(manifest["version"])
    changed = None
    if old is not None:
        changed = difference(old, manifest, parse_sums((release / SUMS).read_text(encoding="utf-8")))
        check_version(old, version, changed)
    for name in files_of(release):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release / name, out / name, follow_symlinks=False)
    write_text(out / CHANGELOG, changelog(old, version, changed, date))
    if repository is not None:
        for name in (CARD, CITATION, CROISSANT):
            write_text(out / name, (out / name).read_text(encoding="utf-8").replace(REPOSITORY, repository))
    write_text(out / SUMS, checksums(out))
    return changed
