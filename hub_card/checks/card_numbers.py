"""The card's text: every part of it that is counted from rows is counted again."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hub_card.card_parts import composition, missing, provenance, quality, results
from hub_card.facts import Codebook, ReleaseFacts, Report
from hub_card.layout import CARD, CODEBOOK, CONFIGS, MANIFEST
from hub_card.manifest import counts_of, load_manifest
from hub_card.problems import Problem
from hub_card.stored import StoredRows

ACTION = f"Validate with the toolkit's version named in {MANIFEST}, or build the release again."


def check_card_numbers(release: Path, headline: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Computed parts that do not stand on the card as rows, manifest and the report's headline table give them.

    Wants a release that keeps every other rule.
    """
    said = (release / CARD).read_text(encoding="utf-8")
    manifest = load_manifest(release)
    tables: dict[str, Any] = {config: StoredRows(release, config) for config in CONFIGS}
    for name, text in _parts(tables, _facts(release, manifest), headline).items():
        if text not in said:
            yield Problem(CARD, name, "what it says of this differs from what rows and manifest give", ACTION)


def _parts(
    tables: Mapping[str, Sequence[Any]], facts: ReleaseFacts, headline: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    return {
        "summary": provenance.summary(tables, facts),
        "configs": composition.configs(tables),
        "requests": composition.requests(tables),
        "how it was made": provenance.made_with(facts),
        "labels": composition.labels(tables),
        "bins": composition.bins(tables),
        "judges": quality.judges(tables, facts.judge_records),
        "people": quality.people(tables),
        "missing": missing.missing(tables, facts.counts),
        "outcomes": results.outcome_counts(tables),
        "headline numbers": results.estimates(Report(headline)),
        "tier": provenance.tier(tables, facts),
    }


def _facts(release: Path, manifest: Mapping[str, Any]) -> ReleaseFacts:
    codebook = release / CODEBOOK
    text = codebook.read_text(encoding="utf-8") if codebook.is_file() else ""
    return ReleaseFacts(
        name=manifest["name"],
        version=manifest["version"],
        tier=manifest["tier"],
        code_version=manifest["code_version"],
        corpus_hash=manifest["corpus_sha256"],
        prompt_hashes=manifest["prompts_sha256"],
        codebook=Codebook(manifest["codebook"]["version"], manifest["codebook"]["sha256"], text),
        targets={target["asked"]: tuple(target["served"]) for target in manifest["targets"]},
        counts=counts_of(manifest),
        settings=manifest["settings"],
        canary=manifest["canary"],
        judge_records=tuple(manifest["judge_records"]),
    )
