"""Contamination: what of the corpus stands in the public lists that were given."""

from builder.contamination import Contamination
from builder.corpus_report.section import Cell, Section, Table, records, rounded
from builder.counted import counted

_SOURCES = ("source", "n prompts", "matches", "highest n-gram cosine", "highest word Jaccard", "highest meaning")
_MATCHES = ("text", "source", "row", "n-gram cosine", "word Jaccard", "meaning", "our text", "public prompt")


def contamination_section(found: Contamination | None) -> Section:
    """Matches and highest values by source; says so if no list was given."""
    if found is None:
        return Section("contamination", "Contamination", ("No public list was compared.",), (), {"compared": False})
    sources: tuple[tuple[Cell, ...], ...] = tuple(
        (s.source, s.n_prompts, len(s.matches), rounded(s.max_cosine), rounded(s.max_jaccard), _shown(s.max_meaning))
        for s in found.sources
    )
    matches: tuple[tuple[Cell, ...], ...] = tuple(
        (m.item, m.source, m.row, rounded(m.cosine), rounded(m.jaccard), _shown(m.meaning), m.text, m.prompt)
        for m in found.matches
    )
    n_prompts = sum(source.n_prompts for source in found.sources)
    limits = f"n-gram cosine {found.limits.cosine}, word Jaccard {found.limits.jaccard}"
    if found.meaning_limit is not None:
        limits += f" or meaning {found.meaning_limit} ({found.meaning_model})"
    paragraph = (
        f"{counted(found.n_texts, 'text')} compared with {counted(n_prompts, 'public prompt')}: "
        f"{counted(len(matches), 'match', 'matches')} at or above {limits}."
    )
    if not found.exhaustive:
        paragraph += " By words only pairs that MinHash brings together were compared: the highest values are theirs."
    tables = (Table("By source", _SOURCES, sources), *([Table("Matches", _MATCHES, matches)] if matches else []))
    data: dict[str, object] = {
        "compared": True,
        "n_texts": found.n_texts,
        "n_prompts": n_prompts,
        "exhaustive": found.exhaustive,
        "limits": {**found.limits._asdict(), "meaning": found.meaning_limit},
        "sources": records(_SOURCES, sources),
        "matches": records(_MATCHES, matches),
    }
    return Section("contamination", "Contamination", (paragraph,), tables, data)


def _shown(value: float | None) -> float | None:
    return None if value is None else rounded(value)
