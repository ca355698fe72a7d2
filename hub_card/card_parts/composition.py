"""What is in a release: its configs, topics and levels, labels and bins."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.layout import CONFIGS, DESCRIPTIONS, parquet_path
from hub_card.markdown import counted, table
from hub_card.words import in_words
from schemas.vocabulary import Bin, HarmLevel, RefusalLabel, Topic

Rows = Mapping[str, Sequence[Any]]


def configs(tables: Rows) -> str:
    """A table of the configs with their rows, and which of them `datasets` cannot load for want of rows."""
    found = table(["config", "rows", "what a row is"], [(f"`{c}`", len(tables[c]), DESCRIPTIONS[c]) for c in CONFIGS])
    hollow = [config for config in CONFIGS if not tables[config]]
    if not hollow:
        return found
    names = ", ".join(f"`{config}` (`{parquet_path(config)}`)" for config in hollow)
    return f"{found}\n\nWithout rows, and so not loadable by `datasets`: {names}. Their typed, empty files are there."


def requests(tables: Rows) -> str:
    """Base requests by topic and level, and how many texts were made of them."""
    cells = Counter((row.topic, row.level) for row in tables["requests"])
    levels = [int(level) for level in HarmLevel]
    rows = [
        (f"`{topic}`", *(cells[topic, level] for level in levels), sum(cells[topic, level] for level in levels))
        for topic in Topic
        if any(cells[topic, level] for level in levels)
    ]
    kinds = Counter(row.kind or "base" for row in tables["variants"])
    texts = ", ".join(f"{count:,} `{kind}`" for kind, count in sorted(kinds.items()))
    sources = ", ".join(f"`{source}`" for source in sorted({row.source for row in tables["requests"]}))
    head = ["topic", *(f"level {level}" for level in levels), "all"]
    about = (
        f"{counted(len(tables['variants']), 'text')} ({texts}) of {counted(len(tables['requests']), 'base request')}"
    )
    return f"{about}; source of the requests: {sources or 'none'}.\n\n{table(head, rows)}"


def labels(tables: Rows) -> str:
    """Labels by target, and who decided them; says in words if there is no refusal or no compliance."""
    targets = sorted({row.target for row in tables["labels"]})
    cells = Counter((row.target, row.label) for row in tables["labels"])
    head = ["target", *(f"`{label}`" for label in RefusalLabel), "without a label"]
    rows = [(f"`{name}`", *(cells[name, label] for label in RefusalLabel), cells[name, None]) for name in targets]
    sources = Counter(row.source or "unknown" for row in tables["labels"] if row.label is not None)
    decided = ", ".join(f"{n:,} by {in_words(source)}" for source, n in sorted(sources.items())) or "none"
    return f"{table(head, rows)}\n\nDecided: {decided}.{_one_sided(cells, targets)}"


def bins(tables: Rows) -> str:
    """Ground-truth bins by target, with how many of them are certain."""
    targets = sorted({row.target for row in tables["ground_truth"]})
    cells = Counter((row.target, row.bin) for row in tables["ground_truth"])
    sure = Counter(row.target for row in tables["ground_truth"] if row.bin_certain)
    head = ["target", *(f"`{name}`" for name in Bin), "no outcome", "certain"]
    return table(head, [(f"`{t}`", *(cells[t, b] for b in Bin), cells[t, None], sure[t]) for t in targets])


def _one_sided(cells: Counter[Any], targets: Sequence[str]) -> str:
    notes = []
    for target in targets:
        refused = cells[target, RefusalLabel.FULL_REFUSAL] + cells[target, RefusalLabel.PARTIAL_REFUSAL]
        complied = cells[target, RefusalLabel.PARTIAL_COMPLIANCE] + cells[target, RefusalLabel.FULL_COMPLIANCE]
        if not refused + complied:
            notes.append(f"`{target}` has no labelled response: nothing can be said about it.")
        elif not refused:
            notes.append(f"`{target}` refused nothing that was labelled: whether it foresees refusals is undefined.")
        elif not complied:
            notes.append(f"`{target}` complied with nothing that was labelled: its false alarms are undefined.")
    return "".join(f"\n\n{note}" for note in notes)
