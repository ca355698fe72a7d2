"""What stands against a written text: the rules of the bundled corpus, alone and beside everything accepted so far."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from builder.corpus_file import Complaint
from builder.corpus_rules.form import check_form
from builder.corpus_rules.paraphrase_bands import check_paraphrase_bands
from builder.corpus_rules.texts import texts_of
from builder.corpus_rules.uniqueness import check_uniqueness
from builder.similarity.meaning import check_band, embed_corpus
from builder.similarity.minilm import Embed
from builder.similarity.near import NEAR
from builder.similarity.search import near_pairs_between
from builder.stages import validate
from schemas.records import Request


def objection_alone(request: Request, text: str) -> str | None:
    """What is wrong with a text whatever stands beside it, or None.

    Form comes first: no other rule is shown a text of any length and any characters.
    """
    alone = (replace(request, text=text, paraphrases=()),)
    wrong = next(check_form(alone), None) or next(iter(validate.check(alone, complete=False)), None)
    return None if wrong is None else _words(wrong)


def objections_together(known: Sequence[Request], candidates: Sequence[Request]) -> dict[str, str]:
    """Why candidates cannot join `known`, by id. Of two that do not go together the later one is named."""
    requests, names = (*known, *candidates), {candidate.request_id for candidate in candidates}
    return _near_others(requests, names) | _first_about(names, check_uniqueness(requests))


def paraphrase_objections(requests: Sequence[Request], written: Collection[str]) -> dict[str, str]:
    """Why written paraphrases cannot stay, by name (`<request>-v<place in the request's list>`).

    What is not among `written` never loses to what is, wherever in the corpus it stands.
    """
    complaints = chain(check_uniqueness(requests), check_paraphrase_bands(requests))
    return _near_others(requests, written) | _first_about(written, complaints)


def meaning_objections(requests: Sequence[Request], written: Collection[str], embed: Embed) -> dict[str, str]:
    """Why written paraphrases lie outside the band of meaning, by name; other texts count as bases alone."""
    about = {name.rpartition("-v")[0] for name in written}
    shown = [request if request.request_id in about else replace(request, paraphrases=()) for request in requests]
    return _first_about(written, check_band(embed_corpus(shown, embed)))


def _first_about(names: Collection[str], complaints: Iterable[Complaint]) -> dict[str, str]:
    found: dict[str, str] = {}
    for complaint in complaints:
        if complaint.item in names:
            found.setdefault(complaint.item, _words(complaint))
    return found


def _near_others(requests: Sequence[Request], names: Collection[str]) -> dict[str, str]:
    items = list(texts_of(requests))
    places = [place for place, item in enumerate(items) if item.name in names]
    texts = [item.text for item in items]
    found: dict[str, str] = {}
    for pair in near_pairs_between([texts[place] for place in places], texts, NEAR):
        item, other = items[places[pair.left]], items[pair.right]
        if other.request is not item.request and (other.name not in names or pair.right < places[pair.left]):
            alike = f"n-gram cosine {pair.cosine:.2f}, word Jaccard {pair.jaccard:.2f}"
            found.setdefault(item.name, f"near-duplicate: too near to {other.name} ({alike})")
    return found


def _words(complaint: Complaint) -> str:
    return f"{complaint.rule}: {complaint.advice}"
