"""Paraphrases: how far each lies from its base, in words and in meaning, and which are outside the band."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from annotation.pairs import PairSummary
from builder.corpus_report.section import SPREAD_HEAD, Cell, Section, Table, records, rounded, spread
from builder.corpus_rules.paraphrase_bands import COPY_COSINE, COPY_JACCARD, check_paraphrase_bands
from builder.corpus_rules.texts import texts_of
from builder.similarity.meaning import MEANING, BandValue, CorpusMeaning, band_values, check_meaning
from builder.similarity.near import pair_similarity
from schemas.records import Request
from schemas.vocabulary import ParaphraseKind

EXTREMES = 6
_SPREAD = ("to the base", *SPREAD_HEAD)
_KINDS = ("meaning to the base, by kind", *SPREAD_HEAD)
_FURTHEST = ("meaning", "paraphrase", "base text", "text")


def band_section(
    requests: Sequence[Request], meaning: CorpusMeaning | None, people: PairSummary | None = None
) -> Section:
    """Similarities to the base, the share inside the band, what people said, and the paraphrases nearest its edges."""
    items = [item for item in texts_of(requests) if item.variant]
    cosine, jaccard = pair_similarity([i.text for i in items], [i.request.text for i in items])
    values = () if meaning is None else band_values(meaning)
    rows: list[tuple[Cell, ...]] = [("n-gram cosine", *spread(cosine)), ("word Jaccard", *spread(jaccard))]
    complaints = list(check_paraphrase_bands(requests))
    paragraphs = [f"Words: below n-gram cosine {COPY_COSINE} and word Jaccard {COPY_JACCARD}, else a near-copy."]
    if meaning is None:
        paragraphs.append("Meaning was not measured: no embedding was given.")
    else:
        complaints += [found for found in check_meaning(meaning) if found.rule.startswith("paraphrase")]
        others = [value.nearest_meaning for value in values if value.nearest is not None]
        rows += [
            ("meaning", *spread([value.meaning for value in values])),
            ("meaning − n-gram cosine", *spread([value.meaning - value.cosine for value in values])),
            ("meaning to the nearest other base", *spread(others)),
        ]
        paragraphs.append(
            f"Meaning: from {MEANING.drift} up to {MEANING.copy}, at least {MEANING.surplus} above the n-gram cosine, "
            f"no other base nearer by {MEANING.margin}. An embedding does not see a changed intent."
        )
    outside = len({complaint.item for complaint in complaints})
    paragraphs.append(f"Inside the band: {len(items) - outside} of {len(items)} paraphrases.")
    paragraphs += _told(people, len(items))
    tables = [Table("Similarity of a paraphrase to its base", _SPREAD, tuple(rows))]
    if values:
        tables += [Table("Meaning by kind", _KINDS, _by_kind(values)), *_edges(values)]
    return Section(
        key="paraphrases",
        title="Paraphrases",
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        data={
            "n": len(items),
            "n_inside": len(items) - outside,
            "outside": [str(complaint) for complaint in complaints],
            "limits": {"copy_cosine": COPY_COSINE, "copy_jaccard": COPY_JACCARD, **MEANING._asdict()},
            "to_base": records(_SPREAD, rows),
            "people": None if people is None else asdict(people),
            "by_kind": records(_KINDS, _by_kind(values)) if values else None,
        },
    )


def _told(people: PairSummary | None, n_paraphrases: int) -> list[str]:
    if people is None:
        return [f"Checked by people: 0 of {n_paraphrases} (annotate-dataset push --what paraphrases)."]
    told = [f"{people.words[0].upper()}{people.words[1:]}."]
    for title, names in (("Rejected", people.rejected), ("Of another kind", people.wrong_kind)):
        told += [f"{title}: {', '.join(names)}."] if names else []
    return told


def _by_kind(values: Sequence[BandValue]) -> tuple[tuple[Cell, ...], ...]:
    kinds = [value.item.request.paraphrases[value.item.variant - 1].kind for value in values]
    found = np.array([value.meaning for value in values])
    return tuple((kind.value, *spread(found[[kind == other for other in kinds]])) for kind in ParaphraseKind)


def _edges(values: Sequence[BandValue]) -> list[Table]:
    ordered = sorted(values, key=lambda value: (rounded(value.meaning), value.item.name))
    named = (("Furthest from their base", ordered[:EXTREMES]), ("Nearest to their base", ordered[::-1][:EXTREMES]))
    return [
        Table(
            title,
            _FURTHEST,
            tuple((rounded(v.meaning), v.item.name, v.item.request.text, v.item.text) for v in chosen),
        )
        for title, chosen in named
    ]
