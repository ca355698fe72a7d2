"""From rows to a release directory: written beside the old one, then put in its place; same rows, same bytes."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from hub_card.card import write_card
from hub_card.croissant import croissant
from hub_card.echoes import Echoes
from hub_card.facts import ReleaseError, ReleaseFacts, ReleaseSummary, Report, Reporter
from hub_card.layout import (
    ANALYSIS,
    CHANGELOG,
    CITATION,
    CODEBOOK,
    CONFIGS,
    CROISSANT,
    DEFAULT_CONFIG,
    MANIFEST,
    SUMS,
    files_of,
)
from hub_card.manifest import dump_json, manifest
from hub_card.metadata import card_metadata, check_features, front_matter
from hub_card.papers import checksums, citation, first_changelog, write_text
from hub_card.parquet import features
from hub_card.prepared import Prepared, prepare
from hub_card.stored import StoredRows
from hub_card.strangers import strangers
from hub_card.written import Each, count_withheld, digests_of, echoes_of, withhold_echoes, write_tables

Rows = Mapping[str, Sequence[Any]]
TEXT_FILES = frozenset({".md", ".json", ".cff", ".csv", ".html", ".txt", ".tex", ".svg"})
SHOWN = 3


def write_release(tables: Rows, facts: ReleaseFacts, out: Path, report: Reporter | None = None) -> ReleaseSummary:
    """Writes the release of `tables` (rows of `schemas.rows`, unredacted) into `out`, replacing a release there.

    `report` is called with the unfinished directory once tables, manifest and `analysis/` are there; what it writes
    becomes part of the release, what it returns goes into the card. Nothing but the arguments goes into the bytes.
    Raises ReleaseError if a table is missing or unknown, if there are no datapoints, if `out` holds something else
    (even one file that its SHA256SUMS does not list), or if a withheld text got out.
    """
    if set(tables) != set(CONFIGS):
        raise ReleaseError(f"want the tables {', '.join(CONFIGS)}; got {', '.join(tables)}")
    return write_pieces((prepare(tables, facts.tier) for _ in range(1)), facts, out, report)


def write_pieces(
    pieces: Iterable[Prepared], facts: ReleaseFacts, out: Path, report: Reporter | None = None, each: Each = map
) -> ReleaseSummary:
    """Like `write_release`, of rows that come in pieces: each is written and let go before the next one is taken.

    `each` maps a function over arguments, in order; it may do so in several processes.
    """
    check_replaceable(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
        staging = Path(beside) / out.name
        staging.mkdir()
        summary = _write(pieces, facts, staging, out, report, each)
        check_replaceable(out)
        _put_in_place(staging, out)
    return summary


def _write(
    pieces: Iterable[Prepared], facts: ReleaseFacts, release: Path, out: Path, report: Reporter | None, each: Each
) -> ReleaseSummary:
    withheld = release.with_name("withheld")
    sizes = write_tables(pieces, release, withheld)
    if not sizes[DEFAULT_CONFIG].rows:
        raise ReleaseError(f"{DEFAULT_CONFIG} has no rows: there is nothing to release")
    echoes = echoes_of(release, withheld)
    sizes |= withhold_echoes(release, echoes)
    rows = {config: size.rows for config, size in sizes.items()}
    summary = ReleaseSummary(out, facts.version, facts.tier, rows, digests_of(release, each), count_withheld(release))
    _copy_analysis(release)
    _write_papers(release, facts, summary)
    reported = Report() if report is None else report(release)
    metadata = card_metadata(facts, sizes, people=rows["annotations"] > 0)
    check_features(metadata, {config: features(config) for config in CONFIGS})
    stored: dict[str, Any] = {config: StoredRows(release, config) for config in CONFIGS}
    write_card(release, front_matter(metadata), stored, facts, reported)
    write_text(release / CROISSANT, dump_json(croissant(release, stored, facts)))
    _check_texts(release, echoes)
    write_text(release / SUMS, checksums(release))
    return summary


def _write_papers(release: Path, facts: ReleaseFacts, summary: ReleaseSummary) -> None:
    stated = manifest(facts, summary.rows, summary.digests, summary.withheld)
    write_text(release / MANIFEST, dump_json(stated))
    write_text(release / CITATION, citation(facts))
    write_text(release / CHANGELOG, first_changelog(facts.version))
    if facts.codebook.text:
        write_text(release / CODEBOOK, facts.codebook.text)


def _copy_analysis(release: Path) -> None:
    with as_file(files(ANALYSIS)) as package:
        shutil.copytree(package, release / ANALYSIS, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))


def _check_texts(release: Path, echoes: Echoes) -> None:
    names = [name for name in files_of(release) if Path(name).suffix in TEXT_FILES]
    found = echoes.among((release / name).read_text(encoding="utf-8") for name in names)
    for name in names if found else ():
        if (release / name).read_text(encoding="utf-8") in found:
            raise ReleaseError(f"{name} holds a piece of a withheld response; nothing was written")


def check_replaceable(out: Path) -> None:
    """Raise ReleaseError if a release cannot be written at `out` without deleting what is not of a release."""
    if out.exists() and not (out.is_dir() and ((out / MANIFEST).is_file() or not any(out.iterdir()))):
        raise ReleaseError(f"{out} exists and is no release; give another directory, or move it away and run again")
    found = strangers(out)
    if found:
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise ReleaseError(
            f"{out} holds files that are not of the release, and a new release would delete them: "
            f"{', '.join(found[:SHOWN])}{more}. Move them out of {out} and run the same command again; nothing is lost."
        )


def _put_in_place(staging: Path, out: Path) -> None:
    old = out.with_name(f".{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    staging.rename(out)
    shutil.rmtree(old, ignore_errors=True)
