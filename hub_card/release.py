"""From rows to a release directory: written beside the old one, then put in its place; same rows, same bytes."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pyarrow as pa

from hub_card.card import write_card
from hub_card.croissant import croissant
from hub_card.echoes import echo_finder, published_texts, withhold_echoes
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
    parquet_path,
)
from hub_card.manifest import dump_json, manifest
from hub_card.metadata import TableSize, card_metadata, check_features, front_matter
from hub_card.papers import checksums, citation, first_changelog, write_text
from hub_card.parquet import features, plain_rows, row_digest, write_table
from hub_card.redact import is_marker, redact, withheld_texts
from hub_card.wellformed import wellformed

Rows = Mapping[str, Sequence[Any]]
TEXT_FILES = frozenset({".md", ".json", ".cff", ".csv", ".html", ".txt", ".tex", ".svg"})


def write_release(tables: Rows, facts: ReleaseFacts, out: Path, report: Reporter | None = None) -> ReleaseSummary:
    """Writes the release of `tables` (rows of `schemas.rows`, unredacted) into `out`, replacing a release there.

    `report` is called with the unfinished directory once tables, manifest and `analysis/` are there; what it writes
    becomes part of the release, what it returns goes into the card. Nothing but the arguments goes into the bytes.
    Raises ReleaseError if a table is missing or unknown, if there are no datapoints, if `out` holds something else, or
    if a withheld text got out.
    """
    if set(tables) != set(CONFIGS):
        raise ReleaseError(f"want the tables {', '.join(CONFIGS)}; got {', '.join(tables)}")
    if not tables[DEFAULT_CONFIG]:
        raise ReleaseError(f"{DEFAULT_CONFIG} has no rows: there is nothing to release")
    _check_replaceable(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
        staging = Path(beside) / out.name
        staging.mkdir()
        summary = _write(wellformed(tables), facts, staging, out, report)
        _put_in_place(staging, out)
    return summary


def _write(tables: Rows, facts: ReleaseFacts, release: Path, out: Path, report: Reporter | None) -> ReleaseSummary:
    redacted = redact(tables, facts.tier)
    echoes = echo_finder(withheld_texts(tables, redacted), published_texts(redacted))
    kept = withhold_echoes(redacted, echoes)
    written = {config: write_table(release, config, kept[config]) for config in CONFIGS}
    digests = {config: row_digest(plain_rows(config, written[config])) for config in CONFIGS}
    rows = {config: len(kept[config]) for config in CONFIGS}
    summary = ReleaseSummary(out, facts.version, facts.tier, rows, digests, _withheld(kept))
    _copy_analysis(release)
    _write_papers(release, facts, summary)
    reported = Report() if report is None else report(release)
    metadata = card_metadata(facts, _sizes(release, written), people=bool(kept["annotations"]))
    check_features(metadata, {config: features(config) for config in CONFIGS})
    write_card(release, front_matter(metadata), kept, facts, reported)
    write_text(release / CROISSANT, dump_json(croissant(release, kept, facts)))
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


def _sizes(release: Path, written: Mapping[str, pa.Table]) -> dict[str, TableSize]:
    return {
        config: TableSize(table.num_rows, table.nbytes, (release / parquet_path(config)).stat().st_size)
        for config, table in written.items()
    }


def _withheld(tables: Rows) -> dict[str, int]:
    columns = {"datapoints": ("response",), "responses": ("text",), "predictions": ("text", "reason")}
    columns |= {"judgments": ("evidence", "reason"), "annotations": ("note",)}
    return {
        f"{name}.{column}": sum(is_marker(getattr(row, column)) for row in tables[name])
        for name, wanted in columns.items()
        for column in wanted
    }


def _copy_analysis(release: Path) -> None:
    with as_file(files(ANALYSIS)) as package:
        shutil.copytree(package, release / ANALYSIS, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))


def _check_texts(release: Path, echoes: Any) -> None:
    for name in files_of(release):
        if Path(name).suffix in TEXT_FILES and echoes((release / name).read_text(encoding="utf-8")):
            raise ReleaseError(f"{name} holds a piece of a withheld response; nothing was written")


def _check_replaceable(out: Path) -> None:
    if out.exists() and not (out.is_dir() and ((out / MANIFEST).is_file() or not any(out.iterdir()))):
        raise ReleaseError(f"{out} exists and is no release; give another directory or remove it")


def _put_in_place(staging: Path, out: Path) -> None:
    old = out.with_name(f".{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    staging.rename(out)
    shutil.rmtree(old, ignore_errors=True)
