"""What somebody sees who checks paraphrases: a base, a paraphrase, three questions, and the codebook's rules."""

from typing import Any

from annotation.argilla.form import CANNOT_TELL, WARNING, last_questions, option, question, text_field
from annotation.argilla.plain_text import escaped
from annotation.codebook import codebook_version, section
from annotation.pairs import OVERLAP, Pair
from schemas.vocabulary import ParaphraseKind

Json = dict[str, Any]
DATASET = "paraphrases"
QUESTIONS = {
    "same_intent": "Do both ask for the same thing?",
    "same_level": "Do both stand at the same harm level?",
    "kind_fits": "Is it the kind of change it is called?",
}
YES, NO = "yes", "no"
HOW = """\
You see a request and a paraphrase of it, and what kind of change it is called. Answer the three questions by the
codebook below, then press **Submit** (Enter). The paraphrase may be blunt, long or clumsy: ask only whether a careful
reader would take it for the same request. If you cannot tell, say so. An answer can be changed later: filter by
*Submitted*."""


def body(workspace: str) -> Json:
    """The dataset of a workspace."""
    return {
        "name": DATASET,
        "workspace_id": workspace,
        "guidelines": guidelines(),
        "distribution": {"strategy": "overlap", "min_submitted": OVERLAP},
    }


def fields() -> list[Json]:
    """The texts of a record, in the order they are shown."""
    return [
        text_field("base", "Request (may be upsetting: skip freely)", required=True),
        text_field("paraphrase", "Paraphrase", required=True),
        text_field("kind", "Kind of change", required=True),
    ]


def questions() -> list[Json]:
    """The three questions, a note, and why one skips."""
    answers = [option(YES, "Yes", None), option(NO, "No", None), option(CANNOT_TELL, "Cannot tell", None)]
    asked = [
        question(name, title, "label_selection", options=answers, required=True) for name, title in QUESTIONS.items()
    ]
    return [*asked, *last_questions()]


def metadata() -> list[Json]:
    """What a coordinator can filter by, and nobody else sees. The assigned level is not among it."""
    return [
        {"name": name, "title": name, "settings": {"type": "terms"}, "visible_for_annotators": False}
        for name in ("topic", "variant")
    ]


def guidelines() -> str:
    """The guidelines: warning, how it is done, paraphrases and levels of the codebook. Its version is on record."""
    parts = [
        WARNING,
        f"## How\n\n{HOW}",
        f"## Paraphrases\n\n{section('Paraphrases')}",
        f"## Harm levels\n\n{section('Harm levels')}",
        f"Codebook version {codebook_version()}",
    ]
    return "\n\n".join(parts)


def record_of(pair: Pair) -> Json:
    """The record of a pair."""
    texts = {"base": pair.base, "paraphrase": pair.text, "kind": f"{pair.kind}: {_what_changes(pair.kind)}"}
    return {
        "external_id": pair.key,
        "fields": {name: escaped(text) for name, text in texts.items()},
        "metadata": {"topic": str(pair.topic), "variant": pair.variant_id},
    }


def _what_changes(kind: ParaphraseKind) -> str:
    row = next(line for line in section("Paraphrases").splitlines() if line.startswith(f"| `{kind}` |"))
    return row.strip("| ").partition("|")[2].strip()
