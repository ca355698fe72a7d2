"""The manifest: its form, and that every planned record is accounted for by the rows."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from annotation.judge_record import JudgeRecord
from hub_card.checks.rows import TRIAL, Part, Rows
from hub_card.checks.trials import PLANNED
from hub_card.facts import ReleaseError, Tier, Version
from hub_card.layout import CONFIGS, MANIFEST, parquet_path
from hub_card.manifest import FORMAT, counts_of
from hub_card.problems import Broken, Check, Problem, problems_of, spelled
from hub_card.redact import is_marker

CANARY = re.compile(r"refusal-foresight canary [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STAGES = {"predict": "predictions", "respond": "responses"}
KINDS: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}
WANTED: dict[str, type] = {
    "name": str,
    "version": str,
    "tier": str,
    "canary": str,
    "code_version": str,
    "corpus_sha256": str,
    "prompts_sha256": dict,
    "codebook": dict,
    "settings": dict,
    "targets": list,
    "judge_records": list,
    "counts": list,
    "withheld": dict,
    "configs": dict,
}


def check_manifest(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """What is missing from a manifest or of the wrong kind; after it, the manifest can be read without surprises."""
    if manifest.get("format") != FORMAT:
        yield Problem(
            MANIFEST, "format", f"want {FORMAT}, got {spelled(manifest.get('format'))}", "Use the toolkit it names."
        )
    for name, kind in WANTED.items():
        if not isinstance(manifest.get(name), kind):
            yield Problem(MANIFEST, name, f"want {KINDS[kind]}, got {spelled(manifest.get(name))}")
    if manifest.get("tier") not in get_args(Tier):
        yield Problem(MANIFEST, "tier", f"want one of {', '.join(get_args(Tier))}, got {spelled(manifest.get('tier'))}")
    try:
        Version.parse(str(manifest.get("version")))
    except ValueError as error:
        yield Problem(MANIFEST, "version", str(error))
    configs = manifest.get("configs")
    stated = configs if isinstance(configs, dict) else {}
    if set(stated) != set(CONFIGS) or not all(isinstance(value, dict) for value in stated.values()):
        yield Problem(MANIFEST, "configs", f"want an object for each of {', '.join(CONFIGS)}")
    if isinstance(manifest.get("canary"), str) and CANARY.fullmatch(manifest["canary"]) is None:
        yield Problem(MANIFEST, "canary", f"want the dataset's canary string, got {spelled(manifest['canary'])}")
    try:
        counts_of(manifest)
    except ReleaseError as error:
        yield Problem(MANIFEST, "counts", str(error).removeprefix(f"{MANIFEST}: counts are "))
    yield from _check_records(manifest.get("judge_records"))


def _check_records(records: object) -> Iterator[Problem]:
    for number, record in enumerate(records if isinstance(records, list) else (), 1):
        try:
            JudgeRecord.from_json(json.dumps(record))
        except (ValueError, TypeError) as problem:
            yield Problem(MANIFEST, f"judge_records, record {number}", str(problem))


class Totals:
    """What is counted over all rows, part by part: rows of each target, trials, markers, and people's responses."""

    def __init__(self, withheld: Iterable[str], said: Rows) -> None:
        self.rows: dict[str, Counter[str]] = {name: Counter() for name in ("datapoints", *PLANNED)}
        self.trials = 0
        self.markers = dict.fromkeys(withheld, 0)
        self.unanswered = {row["response_key"] for row in said}

    def add(self, part: Part) -> None:
        """Count the rows of a part that has all rows of each of its trials."""
        for config, counts in self.rows.items():
            counts.update(row["target"] for row in part[config])
        self.trials += len(part.by("datapoints", TRIAL))
        for column in self.markers:
            config, _, name = column.partition(".")
            cells = (row.get(name) for row in part[config])
            self.markers[column] += sum(isinstance(cell, str) and is_marker(cell) for cell in cells)
        if self.unanswered:
            self.unanswered.difference_update(row["response_key"] for row in part["responses"])


def check_totals(totals: Totals, said: Rows) -> Iterator[Problem]:
    """Tables with too few rows for the trials, and people's answers about responses that are not there."""
    for config in PLANNED:
        count = totals.rows[config].total()
        if totals.trials > count:
            rule = f"has {count} rows for {totals.trials} datapoints: want one each"
            yield Problem(parquet_path(config), "", rule)
    strange = (number for number, row in said.numbered() if row["response_key"] in totals.unanswered)
    rule = "responses has no row of this response_key"
    yield from problems_of(Check(parquet_path("annotations"), (Broken(number, "", rule) for number in strange)))


def check_accounting(totals: Totals, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Planned ≠ made + missing, rows that nobody planned, and stated targets or withheld cells that are not there."""
    asked = sorted(totals.rows["datapoints"])
    stated = sorted(str(target.get("asked")) for target in manifest["targets"] if isinstance(target, dict))
    if asked != stated:
        yield Problem(MANIFEST, "targets", f"states {spelled(stated)}, but the rows have {spelled(asked)}")
    yield from _check_counts({stage: totals.rows[config] for stage, config in STAGES.items()}, manifest, asked)
    for column, count in manifest["withheld"].items():
        if totals.markers[column] != count:
            rule = f"states {count}, but {totals.markers[column]} cells are markers"
            yield Problem(MANIFEST, f"withheld.{column}", rule)


def _check_counts(
    rows: Mapping[str, Counter[str]], manifest: Mapping[str, Any], asked: Sequence[str]
) -> Iterator[Problem]:
    counts = counts_of(manifest)
    for count in counts:
        place = f"counts, {count.stage} {count.target}"
        if count.unaccounted or min(count.planned, count.made, *count.missing.values()) < 0:
            rule = f"planned {count.planned} is not made {count.made} + missing {sum(count.missing.values())}"
            yield Problem(MANIFEST, place, rule, "Run the build to its end; what is missing needs a reason.")
        if count.stage in rows and count.planned != rows[count.stage][count.target]:
            rule = f"planned {count.planned}, but {STAGES[count.stage]} has {rows[count.stage][count.target]} rows"
            yield Problem(MANIFEST, place, rule)
    for stage in rows:
        for target in sorted(set(asked) - {count.target for count in counts if count.stage == stage}):
            yield Problem(MANIFEST, "counts", f"nothing is stated of stage {stage} for {target}")
