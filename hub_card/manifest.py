"""`manifest.json`: what a release is made of and what became of every planned record, for machines."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hub_card.facts import ReleaseError, ReleaseFacts, StageCount
from hub_card.layout import MANIFEST
from schemas.printable import one_line
from schemas.rows import TABLES
from schemas.tables import columns_of

FORMAT = 1


def manifest(
    facts: ReleaseFacts, rows: Mapping[str, int], digests: Mapping[str, str], withheld: Mapping[str, int]
) -> dict[str, Any]:
    """The manifest of a release as plain JSON values."""
    return {
        "format": FORMAT,
        "name": facts.name,
        "title": facts.title,
        "version": facts.version,
        "tier": facts.tier,
        "canary": facts.canary,
        "code_version": facts.code_version,
        "corpus_sha256": facts.corpus_hash,
        "prompts_sha256": dict(facts.prompt_hashes),
        "codebook": {"version": facts.codebook.version, "sha256": facts.codebook.sha256},
        "settings": dict(facts.settings),
        "targets": [
            {"asked": asked, "served": [one_line(model) for model in served]}
            for asked, served in sorted(facts.targets.items())
        ],
        "judge_records": [dict(record) for record in facts.judge_records],
        "counts": [{**asdict(count), "missing": dict(count.missing)} for count in facts.counts],
        "withheld": dict(withheld),
        "configs": {
            config: {"rows": rows[config], "digest": digests[config], "columns": columns_by_name(config)}
            for config in rows
        },
    }


def columns_by_name(config: str) -> dict[str, str]:
    """The columns of a config with their types in words: what a later version compares its own with."""
    found = {}
    for column in columns_of(TABLES[config]):
        kind = f"class({', '.join(column.class_names)})" if column.class_names else column.dtype
        found[column.name] = f"list({kind})" if column.is_list else kind
    return found


def dump_json(value: Any) -> str:
    """JSON for people to read: sorted names, two spaces. Raises ValueError for NaN, TypeError for what JSON has not."""
    return json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def load_manifest(release: Path) -> dict[str, Any]:
    """The manifest of a release. Raises ReleaseError if there is none or it is not a JSON object."""
    file = release / MANIFEST
    try:
        loaded = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ReleaseError(f"{release} is no release: it has no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise ReleaseError(f"{file} cannot be read as JSON: {error}") from error
    except RecursionError:
        raise ReleaseError(f"{file} cannot be read as JSON: it is nested too deep") from None
    if not isinstance(loaded, dict):
        raise ReleaseError(f"{file}: want a JSON object, got {type(loaded).__name__}")
    return loaded


def counts_of(loaded: Mapping[str, Any]) -> tuple[StageCount, ...]:
    """The counts of a loaded manifest. Raises ReleaseError if they do not have the form of counts."""
    try:
        return tuple(StageCount(**count) for count in loaded["counts"])
    except (KeyError, TypeError):
        raise ReleaseError(
            f"{MANIFEST}: counts are not in the form this version writes: want a list of objects with stage, target, "
            "planned, made and missing"
        ) from None
