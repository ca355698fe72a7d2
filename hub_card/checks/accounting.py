"""The manifest: its form, and that every planned record is accounted for by the rows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from hub_card.facts import ReleaseError, Tier, Version
from hub_card.layout import CONFIGS, MANIFEST
from hub_card.manifest import FORMAT, counts_of
from hub_card.problems import Problem, spelled
from hub_card.redact import is_marker

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
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
    try:
        counts_of(manifest)
    except ReleaseError as error:
        yield Problem(MANIFEST, "counts", str(error))


def check_accounting(tables: Tables, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Planned ≠ made + missing, rows that nobody planned, and stated targets or withheld cells that are not there."""
    asked = sorted({row["target"] for row in tables["datapoints"]})
    stated = sorted(str(target.get("asked")) for target in manifest["targets"] if isinstance(target, dict))
    if asked != stated:
        yield Problem(MANIFEST, "targets", f"states {spelled(stated)}, but the rows have {spelled(asked)}")
    rows = {stage: Counter(row["target"] for row in tables[config]) for stage, config in STAGES.items()}
    yield from _check_counts(rows, manifest, asked)
    for column, count in manifest["withheld"].items():
        config, _, name = column.partition(".")
        found = sum(is_marker(row.get(name)) for row in tables.get(config, ()))
        if found != count:
            yield Problem(MANIFEST, f"withheld.{column}", f"states {count}, but {found} cells are markers")


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
