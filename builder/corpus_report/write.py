"""Builds the corpus report and writes its two files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from annotation.pairs import PairSummary
from builder.contamination import Contamination
from builder.corpus_report.balance import balance_section
from builder.corpus_report.bands import band_section
from builder.corpus_report.browse import browse_html
from builder.corpus_report.checks import check_section
from builder.corpus_report.diversity import diversity_section
from builder.corpus_report.foreign import contamination_section
from builder.corpus_report.lengths import length_section
from builder.corpus_report.page import page
from builder.corpus_report.surface import leakage_section
from builder.similarity.meaning import CorpusMeaning, embed_corpus
from builder.similarity.minilm import Embed
from schemas.records import Request


class CorpusReport(NamedTuple):
    """Where the page and the numbers were written."""

    html: Path
    json: Path


def write_corpus_report(
    requests: Sequence[Request],
    out_dir: Path,
    contamination: Contamination | None = None,
    embed: Embed | None = None,
    people: PairSummary | None = None,
) -> CorpusReport:
    """Writes `corpus_report.html` and `corpus_report.json` under `out_dir` and returns their paths.

    The same requests give the same bytes. Without `embed` (see `load_minilm`) meaning is left out, and the report says
    so; without `contamination` likewise. `people` is what people said of the paraphrases. Raises OSError if `out_dir`
    cannot be written.
    """
    meaning: CorpusMeaning | None = embed_corpus(requests, embed) if embed and requests else None
    sections = (
        balance_section(requests),
        length_section(requests),
        diversity_section(requests, meaning),
        band_section(requests, meaning, people),
        contamination_section(contamination),
        leakage_section(requests),
        check_section(requests),
    )
    lead = f"{len(requests)} requests, each with its paraphrases; every number stands with its n."
    written = CorpusReport(out_dir / "corpus_report.html", out_dir / "corpus_report.json")
    out_dir.mkdir(parents=True, exist_ok=True)
    _replace(written.html, page("Corpus report", lead, sections, browse_html(requests)))
    data = {section.key: section.data for section in sections}
    _replace(written.json, json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")
    return written


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)
