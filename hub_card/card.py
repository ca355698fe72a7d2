"""The card of a release (README.md): its metadata, and below it a template filled from the rows as published."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from hub_card.card_parts import composition, loading, missing, provenance, quality, results
from hub_card.facts import ReleaseFacts, Report
from hub_card.layout import CARD, LICENCE_URL
from hub_card.markdown import inline
from hub_card.papers import write_text

Rows = Mapping[str, Sequence[Any]]


def write_card(release: Path, front: str, tables: Rows, facts: ReleaseFacts, report: Report) -> None:
    """Writes the card; `front` is its YAML block, `tables` are the rows as published. It never quotes a response."""
    write_text(release / CARD, f"{front}\n{card_text(tables, facts, report)}")


def card_text(tables: Rows, facts: ReleaseFacts, report: Report) -> str:
    """The card below its metadata. Every number in it is counted from `tables` or given by `facts` and `report`."""
    template = Template(files("hub_card").joinpath("card.md").read_text(encoding="utf-8"))
    text = template.substitute(
        title=inline(facts.title),
        version=facts.version,
        canary=inline(facts.canary),
        licence_url=LICENCE_URL,
        summary=provenance.summary(tables, facts),
        figures=results.figures(report),
        loading=loading.loading(tables, facts.version),
        configs=composition.configs(tables),
        requests=composition.requests(tables),
        made_with=provenance.made_with(facts),
        labels=composition.labels(tables),
        bins=composition.bins(tables),
        judges=quality.judges(tables, facts.judge_records),
        people=quality.people(tables),
        missing=missing.missing(tables, facts.counts),
        outcome_counts=results.outcome_counts(tables),
        estimates=results.estimates(report),
        tier=provenance.tier(tables, facts),
    )
    return text.replace("\n\n\n\n", "\n\n").replace("\n\n\n", "\n\n")
