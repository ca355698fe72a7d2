"""`build-dataset --check-contamination` and `--corpus-report`: looking at the corpus without asking anybody."""

import sys
from collections.abc import Sequence
from pathlib import Path

from builder.contamination import Contamination, Semantic, check_contamination
from builder.contamination_lists import count_prompts
from builder.corpus_report.write import write_corpus_report
from builder.counted import counted
from builder.similarity.meaning import MEANING
from builder.similarity.minilm import Embed, SimilarityModelError, load_minilm
from builder.summary import columns
from schemas.printable import plain
from schemas.records import Request

MODEL = "all-MiniLM-L6-v2 int8"
SHOWN = 20


def check(requests: Sequence[Request], lists: Sequence[Path], report: Path | None) -> int:
    """Compare the corpus with lists of public prompts, write its report if asked; returns how many texts match.

    Raises PromptListError for a list that cannot be read, before anything is compared.
    """
    n_prompts = count_prompts(lists)
    embed = _embedding()
    found = None
    if lists:
        semantic = None if embed is None else Semantic(MODEL, embed, MEANING.duplicate)
        names = ", ".join(path.name for path in lists)
        sys.stderr.write(f"comparing with {counted(n_prompts, 'prompt')} of {names} …\n")
        found = check_contamination(requests, lists, semantic=semantic)
        sys.stdout.write(f"{contamination_text(found)}\n")
    if report is not None:
        written = write_corpus_report(requests, report, found, embed)
        sys.stdout.write(f"Corpus report: {written.html}\n")
    return len(found.matches) if found is not None else 0


def contamination_text(found: Contamination) -> str:
    """Each list with the highest values met, and the matches."""
    rows: list[Sequence[str]] = [("list", "prompts", "matches", "max n-grams", "max words", "max meaning")]
    for source in found.sources:
        meaning = "–" if source.max_meaning is None else f"{source.max_meaning:.2f}"
        counts = (f"{source.n_prompts:,}", str(len(source.matches)))
        rows.append((plain(source.source), *counts, f"{source.max_cosine:.2f}", f"{source.max_jaccard:.2f}", meaning))
    limits = f"n-gram cosine ≥ {found.limits.cosine}, word Jaccard ≥ {found.limits.jaccard}"
    if found.meaning_limit is not None:
        limits += f", meaning ≥ {found.meaning_limit}"
    lines = [f"{counted(found.n_texts, 'text')} compared; a match has {limits}", columns(rows)]
    if not found.exhaustive:
        lines.append("  by words only pairs that MinHash brings together were compared: the highest values are theirs")
    lines += [f"  {m.item} ~ {plain(m.source)}:{m.row}: {plain(m.prompt)[:100]}" for m in found.matches[:SHOWN]]
    if len(found.matches) > SHOWN:
        lines.append(f"  and {len(found.matches) - SHOWN} more")
    return "\n".join(lines)


def _embedding() -> Embed | None:
    try:
        return load_minilm()
    except SimilarityModelError as problem:
        sys.stderr.write(f"meaning is left out: {problem}\n")
        return None
