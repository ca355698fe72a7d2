"""Balance: how many requests a topic and level hold, and which kinds of paraphrase."""

from collections import Counter
from collections.abc import Sequence

from builder.corpus_report.section import Cell, Section, Table, records
from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic


def balance_section(requests: Sequence[Request]) -> Section:
    """Requests by topic and level, paraphrases by topic and kind and by level and kind."""
    cells = Counter((request.topic, request.level) for request in requests)
    by_level: list[tuple[Cell, ...]] = [
        (topic.value, *(cells[topic, level] for level in HarmLevel), sum(cells[topic, level] for level in HarmLevel))
        for topic in Topic
    ]
    totals = [sum(cells[topic, level] for topic in Topic) for level in HarmLevel]
    by_level.append(("all", *totals, sum(totals)))
    head = ("topic", *(f"level {level.value}" for level in HarmLevel), "all")
    topics = _kinds({topic.value: [r for r in requests if r.topic == topic] for topic in Topic})
    levels = _kinds({f"level {level.value}": [r for r in requests if r.level == level] for level in HarmLevel})
    kind_head = ("of", *ParaphraseKind, "all")
    n_texts = len(requests) + sum(len(request.paraphrases) for request in requests)
    return Section(
        key="balance",
        title="Balance",
        paragraphs=(f"{len(requests)} requests and {n_texts - len(requests)} paraphrases: {n_texts} texts.",),
        tables=(
            Table("Requests by topic and level", head, tuple(by_level)),
            Table("Paraphrases by topic and kind", kind_head, topics),
            Table("Paraphrases by level and kind", kind_head, levels),
        ),
        data={
            "n_requests": len(requests),
            "n_texts": n_texts,
            "requests": records(head, by_level),
            "paraphrases_by_topic": records(kind_head, topics),
            "paraphrases_by_level": records(kind_head, levels),
        },
    )


def _kinds(groups: dict[str, list[Request]]) -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for name, requests in groups.items():
        found = Counter(paraphrase.kind for request in requests for paraphrase in request.paraphrases)
        rows.append((name, *(found[kind] for kind in ParaphraseKind), found.total()))
    return tuple(rows)
