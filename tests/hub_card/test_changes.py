"""Which version a change needs, and what the changelog says of it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from hub_card.changes import Level, Published, changelog, check_version, date_of, difference, least_version, parse_sums
from hub_card.facts import ReleaseError, Version
from hub_card.layout import CONFIGS
from hub_card.manifest import manifest
from tests.hub_card import rows

SUMS = {"README.md": "a", "analysis/cli.py": "b", "data/labels/train-00000-of-00001.parquet": "c"}


def stated() -> dict[str, Any]:
    built = rows.tables()
    counts, digests = dict.fromkeys(CONFIGS, 10), dict.fromkeys(CONFIGS, "d")
    return manifest(rows.facts(built), counts, digests, {})


def published() -> Published:
    return Published(Version(1, 0, 0), stated(), SUMS, "# Changelog\n\n## 1.0.0\n\n- First release.\n")


CHANGES: list[tuple[Callable[[Any], Any], Level, str]] = [
    (lambda m: m["configs"]["labels"].update(rows=12), Level.MINOR, "`labels`: 10 rows became 12."),
    (lambda m: m["configs"]["labels"].update(digest="e"), Level.MINOR, "`labels`: the content of its 10 rows changed."),
    (lambda m: m["configs"].pop("attempts"), Level.MAJOR, "`attempts` is gone."),
    (lambda m: m["configs"].update(extra={}), Level.MINOR, "`extra` is new."),
    (lambda m: m["configs"]["labels"]["columns"].pop("votes"), Level.MAJOR, "`labels`: column `votes` is gone."),
    (lambda m: m["configs"]["labels"]["columns"].update(x="int8"), Level.MINOR, "`labels`: column `x` is new."),
    (
        lambda m: m["configs"]["labels"]["columns"].update(votes="int16"),
        Level.MAJOR,
        "`labels`: column `votes` was int8, is int16.",
    ),
    (lambda m: m.update(tier="gated"), Level.MINOR, "The tier was public, is gated."),
    (lambda m: m["codebook"].update(version="2.0"), Level.MINOR, "The codebook was 1.0, is 2.0."),
    (lambda m: m["judge_records"].clear(), Level.PATCH, "The records of judges changed."),
    (lambda m: m.update(code_version="0.2.0"), Level.PATCH, "The toolkit was 0.1.0, is 0.2.0."),
    (lambda m: m.update(title="Other"), Level.PATCH, "Nothing but the version."),
]


@pytest.mark.parametrize(("change", "level", "line"), CHANGES)
def test_each_change_has_its_level_and_line(change: Callable[[Any], Any], level: Level, line: str) -> None:
    new = deepcopy(stated())
    change(new)
    assert difference(published(), new, SUMS) == (level, (line,))


def test_the_highest_level_counts() -> None:
    new = stated()
    new["configs"].pop("attempts")
    new["code_version"] = "0.2.0"
    assert difference(published(), new, SUMS | {"analysis/cli.py": "x"}).level is Level.MAJOR


def test_other_files_are_a_patch_and_stamped_ones_nothing() -> None:
    new = SUMS | {"README.md": "x", "analysis/cli.py": "y"}
    assert difference(published(), stated(), new) == (Level.PATCH, ("Other files changed: analysis/cli.py.",))


@pytest.mark.parametrize(("level", "least"), [(Level.PATCH, "1.2.4"), (Level.MINOR, "1.3.0"), (Level.MAJOR, "2.0.0")])
def test_the_least_version_of_a_level(level: Level, least: str) -> None:
    assert str(least_version(Version(1, 2, 3), level)) == least


@pytest.mark.parametrize("version", ["1.0.0", "0.9.0", "1.0.1"])
def test_a_version_too_low_is_refused_with_the_one_that_is_wanted(version: str) -> None:
    new = stated()
    new["configs"]["labels"]["rows"] = 12
    changed = difference(published(), new, SUMS)
    with pytest.raises(ReleaseError, match=r"Want at least 1\.1\.0: set release_version"):
        check_version(published(), Version.parse(version), changed)
    check_version(published(), Version(1, 1, 0), changed)
    check_version(published(), Version(3, 0, 0), changed)


def test_the_changelog_grows_from_the_top() -> None:
    new = stated()
    new["configs"]["labels"]["rows"] = 12
    text = changelog(published(), Version(1, 1, 0), difference(published(), new, SUMS), "2026-11-02")
    assert text == (
        "# Changelog\n\n## 1.1.0 (2026-11-02)\n\n- `labels`: 10 rows became 12.\n\n## 1.0.0\n\n- First release.\n"
    )
    first = changelog(None, Version(1, 0, 0), None, "2026-11-01")
    assert first == "# Changelog\n\n## 1.0.0 (2026-11-01)\n\n- First release.\n"


def test_the_date_of_a_version_is_read_back() -> None:
    log = "# Changelog\n\n## 1.1.0 (2026-11-02)\n\n- Rows.\n\n## 1.0.0\n\n- First release.\n"
    assert date_of(log, Version(1, 1, 0)) == "2026-11-02"
    assert date_of(log, Version(1, 0, 0)) is None
    assert date_of(log, Version(1, 1, 1)) is None


def test_checksums_are_read_back() -> None:
    assert parse_sums("aa  a b.txt\nbb  c.txt\n") == {"a b.txt": "aa", "c.txt": "bb"}


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "01.0.0", "1.0.0-rc1", "", "1.0.0.0"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"want X\.Y\.Z"):
        Version.parse(text)
