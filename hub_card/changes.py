"""What changed between two releases, and the version that such a change needs."""

import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from hub_card.facts import ReleaseError, Version
from hub_card.layout import CARD, CHANGELOG, CITATION, CROISSANT, MANIFEST, SUMS

STAMPED = frozenset({CARD, CHANGELOG, CITATION, CROISSANT, MANIFEST, SUMS})
SHOWN = 5


class Level(IntEnum):
    """How much a change asks of those who use the data: nothing, new texts, new rows, new code."""

    PATCH = 1
    MINOR = 2
    MAJOR = 3


class Published(NamedTuple):
    """What is known of an earlier version: enough to compare, without its rows."""

    version: Version
    manifest: Mapping[str, Any]
    sums: Mapping[str, str]
    changelog: str


class Difference(NamedTuple):
    """The level of a change and its lines for the changelog."""

    level: Level
    lines: tuple[str, ...]


def parse_sums(text: str) -> dict[str, str]:
    """File name → SHA-256 of a SHA256SUMS text."""
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines()) if name}


def difference(old: Published, manifest: Mapping[str, Any], sums: Mapping[str, str]) -> Difference:
    """How the release with this manifest and these checksums differs from an earlier one.

    Columns or configs that are gone or have another type: major. Rows that changed, columns, configs or a tier that are
    new: minor. Anything else: patch.
    """
    found = [*_configs(old.manifest["configs"], manifest["configs"]), *_provenance(old.manifest, manifest)]
    found += _files(old.sums, sums)
    level = max((level for level, _ in found), default=Level.PATCH)
    return Difference(level, tuple(line for _, line in found) or ("Nothing but the version.",))


def check_version(old: Published, version: Version, changed: Difference) -> None:
    """Raises ReleaseError unless `version` is high enough above the published one for what changed."""
    least = least_version(old.version, changed.level)
    if version < least:
        why = "; ".join(changed.lines)
        raise ReleaseError(
            f"version {version} is too low: {old.version} is published and this release differs ({why}). "
            f"Want at least {least}: set release_version and build again."
        )


def least_version(old: Version, level: Level) -> Version:
    """The lowest version above `old` for a change of this level."""
    if level is Level.MAJOR:
        return Version(old.major + 1, 0, 0)
    if level is Level.MINOR:
        return Version(old.major, old.minor + 1, 0)
    return Version(old.major, old.minor, old.patch + 1)


def changelog(old: Published | None, version: Version, changed: Difference | None, date: str) -> str:
    """CHANGELOG.md with an entry for this version of this date (YYYY-MM-DD) above those of the version before."""
    lines = changed.lines if changed else ("First release.",)
    entry = f"## {version} ({date})\n\n" + "".join(f"- {line}\n" for line in lines)
    before = old.changelog.removeprefix("# Changelog\n").lstrip("\n") if old else ""
    return f"# Changelog\n\n{entry}" + (f"\n{before}" if before else "")


def date_of(changelog: str, version: Version) -> str | None:
    """The date of the entry for this version in a CHANGELOG.md; None if it has none."""
    found = re.search(rf"^## {re.escape(str(version))} \((\d{{4}}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    return found and found.group(1)


def _configs(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[Level, str]]:
    for config in sorted(old.keys() - new.keys()):
        yield Level.MAJOR, f"`{config}` is gone."
    for config in new:
        if config not in old:
            yield Level.MINOR, f"`{config}` is new."
            continue
        yield from _columns(config, old[config].get("columns", {}), new[config]["columns"])
        before, after = old[config]["rows"], new[config]["rows"]
        if before != after:
            yield Level.MINOR, f"`{config}`: {before:,} rows became {after:,}."
        elif old[config]["digest"] != new[config]["digest"]:
            yield Level.MINOR, f"`{config}`: the content of its {after:,} rows changed."


def _columns(config: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[Level, str]]:
    for name in sorted(old.keys() - new.keys()):
        yield Level.MAJOR, f"`{config}`: column `{name}` is gone."
    for name in sorted(new.keys() - old.keys()):
        yield Level.MINOR, f"`{config}`: column `{name}` is new."
    for name in sorted(old.keys() & new.keys()):
        if old[name] != new[name]:
            yield Level.MAJOR, f"`{config}`: column `{name}` was {old[name]}, is {new[name]}."


def _provenance(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[Level, str]]:
    if old["tier"] != new["tier"]:
        yield Level.MINOR, f"The tier was {old['tier']}, is {new['tier']}."
    if old["codebook"] != new["codebook"]:
        yield Level.MINOR, f"The codebook was {old['codebook'].get('version')}, is {new['codebook'].get('version')}."
    if old["judge_records"] != new["judge_records"]:
        yield Level.PATCH, "The records of judges changed."
    if old["code_version"] != new["code_version"]:
        yield Level.PATCH, f"The toolkit was {old['code_version']}, is {new['code_version']}."


def _files(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[Level, str]]:
    names = [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
    names = [name for name in names if name not in STAMPED and not name.startswith("data/")]
    if names:
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        yield Level.PATCH, f"Other files changed: {', '.join(names[:SHOWN])}{more}."
