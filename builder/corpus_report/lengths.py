"""Lengths: words and characters by level and by kind of paraphrase."""

from collections.abc import Sequence

import numpy as np

from builder.corpus_report.section import SPREAD_HEAD, Cell, Section, Table, records, rounded, spread
from builder.corpus_rules.texts import texts_of
from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind

_HEAD = ("texts", "mean", *SPREAD_HEAD)


def length_section(requests: Sequence[Request]) -> Section:
    """Words of base texts by level, of all texts by level and by kind, and characters overall."""
    bases = _rows({f"base, level {level.value}": [r.text for r in requests if r.level == level] for level in HarmLevel})
    items = list(texts_of(requests))
    levels = {f"all, level {level.value}": [i.text for i in items if i.request.level == level] for level in HarmLevel}
    kinds = {
        kind.value: [p.text for request in requests for p in request.paraphrases if p.kind == kind]
        for kind in ParaphraseKind
    }
    characters = spread([len(item.text) for item in items])
    tables = (
        Table("Words of base texts by level", _HEAD, bases),
        Table("Words of all texts by level", _HEAD, _rows(levels)),
        Table("Words of paraphrases by kind", _HEAD, _rows(kinds)),
    )
    return Section(
        key="lengths",
        title="Lengths",
        paragraphs=(
            "Levels should not differ in length: a length-only model is scored under leakage.",
            "Characters of a text: {1:.0f} to {5:.0f}, median {3:.0f} (n = {0}).".format(*characters)
            if characters.n
            else "No text.",
        ),
        tables=tables,
        data={
            "characters": characters._asdict(),
            "words_of_bases": records(_HEAD, tables[0].rows),
            "words_of_all": records(_HEAD, tables[1].rows),
            "words_by_kind": records(_HEAD, tables[2].rows),
        },
    )


def _rows(groups: dict[str, list[str]]) -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for name, texts in groups.items():
        words = [len(text.split()) for text in texts]
        rows.append((name, rounded(float(np.mean(words))) if words else None, *spread(words)))
    return tuple(rows)
