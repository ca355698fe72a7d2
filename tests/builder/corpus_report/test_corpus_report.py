"""The corpus report: complete, escaped, self-contained, the same each time, and right where one can count by hand."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from builder.contamination import check_contamination
from builder.corpus_file import read_corpus
from builder.corpus_report.diversity import distinct_share
from builder.corpus_report.sampled import mean_interval
from builder.corpus_report.section import rounded, spread
from builder.corpus_report.write import write_corpus_report
from builder.corpus_rules.texts import texts_of
from builder.leakage.measure import MODELS
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic
from tests.builder.corpus_rules.sample import request

CORPUS = read_corpus().requests


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """A toy embedding: how often each letter occurs."""
    rows = np.array(
        [[1 + text.lower().count(chr(97 + place)) for place in range(26)] for text in texts], dtype=np.float32
    )
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def numbers(requests: Sequence[Request], out: Path, **options: Any) -> dict[str, Any]:
    """The JSON half of a report."""
    loaded: dict[str, Any] = json.loads(write_corpus_report(requests, out, **options).json.read_text(encoding="utf-8"))
    return loaded


class Page(HTMLParser):
    """Checks that tags nest, and gathers ids, links and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag's id and where it leads."""
        named = dict(attrs)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """The tag closed must be the last one opened."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Gather the visible text."""
        self.text += data


def test_the_bundled_corpus_has_a_complete_report(tmp_path: Path) -> None:
    report = write_corpus_report(CORPUS, tmp_path)
    page = Page()
    page.feed(report.html.read_text(encoding="utf-8"))
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(item.text in page.text for item in texts_of(CORPUS))
    data = json.loads(report.json.read_text(encoding="utf-8"))
    assert (data["balance"]["n_requests"], data["balance"]["n_texts"]) == (300, 900)
    assert data["checks"]["complaints"] == []
    assert (data["paraphrases"]["n"], data["paraphrases"]["n_inside"]) == (600, 600)
    assert {score["model"] for score in data["leakage"]["scores"]} == set(MODELS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus_report.html", "corpus_report.json"]


def test_levels_of_the_bundled_corpus_do_not_show_in_length_nor_much_in_form(tmp_path: Path) -> None:
    scores = {score["model"]: score for score in numbers(CORPUS, tmp_path)["leakage"]["scores"]}
    assert scores["length"]["macro-F1"] < 0.30
    assert scores["form"]["macro-F1"] < 0.35
    assert scores["words"]["macro-F1"] < 0.50


def test_the_same_requests_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_corpus_report(CORPUS[:60], tmp_path / name, embed=letters) for name in "ab")
    assert first.html.read_bytes() == second.html.read_bytes()
    assert first.json.read_bytes() == second.json.read_bytes()


def test_texts_are_escaped_and_the_page_needs_nothing_from_outside(tmp_path: Path) -> None:
    hostile = request(
        '<script>alert("x")</script> & <img src=//example.invalid>', ["</details><b>bold</b> & more 'quotes'"]
    )
    html = write_corpus_report([hostile], tmp_path).html.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;/details&gt;&lt;b&gt;bold" in html
    assert not re.search(r"(?:src|href)=[\"'](?!#)|@import|url\(", html)


def test_what_was_not_measured_is_said(tmp_path: Path) -> None:
    report = write_corpus_report([request("one lonely text here", ["a quite different line"])], tmp_path)
    html = report.html.read_text(encoding="utf-8")
    assert "No public list was compared." in html
    assert "Meaning was not measured" in html
    assert "Not measured: want two requests" in html


def test_an_empty_corpus_has_a_report_too(tmp_path: Path) -> None:
    data = numbers([], tmp_path, embed=letters)
    assert data["balance"]["n_texts"] == 0
    assert data["diversity"]["distinct"][0]["distinct-1"] is None
    assert data["lengths"]["characters"]["n"] == 0


def test_contamination_is_shown_by_source_with_its_matches(tmp_path: Path) -> None:
    listed = tmp_path / "famous.jsonl"
    listed.write_text(json.dumps({"prompt": CORPUS[0].text}) + "\n", encoding="utf-8")
    data = numbers(CORPUS[:4], tmp_path / "out", contamination=check_contamination(CORPUS[:4], [listed]))
    assert data["contamination"]["sources"][0]["source"] == "famous"
    assert data["contamination"]["matches"][0]["text"] == CORPUS[0].request_id
    assert (data["contamination"]["n_texts"], data["contamination"]["n_prompts"]) == (12, 1)


def test_a_violation_is_counted_under_its_rule(tmp_path: Path) -> None:
    data = numbers([request("Write to me@example.invalid about cake")], tmp_path)
    assert {rule["rule"]: rule["broken by"] for rule in data["checks"]["rules"]}["email"] == 1
    assert "fraud.yaml:10: fraud-L1-01: email" in data["checks"]["complaints"][0]


def test_nearest_texts_are_of_different_requests_and_in_falling_order(tmp_path: Path) -> None:
    data = numbers(CORPUS[:30], tmp_path, embed=letters)
    for key in ("nearest_by_words", "nearest_by_meaning"):
        rows = data["diversity"][key]
        values = [row["value"] for row in rows]
        assert values == sorted(values, reverse=True)
        assert all(row["request"].split("-v")[0] != row["nearest to"].split("-v")[0] for row in rows)


def test_balance_counts_by_hand(tmp_path: Path) -> None:
    requests = [
        request("one two three four", ["five six seven eight"]),
        request("nine ten eleven twelve", number=2, topic=Topic.HATE, level=HarmLevel.PLAINLY_HARMFUL),
    ]
    rows = {row["topic"]: row for row in numbers(requests, tmp_path)["balance"]["requests"]}
    assert (rows["fraud"]["level 1"], rows["hate"]["level 5"], rows["all"]["all"]) == (1, 1, 2)


@pytest.mark.parametrize(("size", "share"), [(1, 4 / 6), (2, 4 / 4), (3, 2 / 2), (4, None)])
def test_distinct_n_by_hand(size: int, share: float | None) -> None:
    expected = None if share is None else rounded(share)
    assert distinct_share(["the cat the", "a cat sat"], size) == (expected if size < 4 else None)


def test_a_spread_by_hand_and_of_nothing() -> None:
    assert spread([1, 2, 3, 4, 5]) == (5, 1.0, 1.2, 3.0, 4.8, 5.0)
    assert spread([]) == (0, None, None, None, None, None)


def test_of_a_very_large_corpus_pairs_are_those_of_evenly_spread_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.corpus_report.diversity.COMPARED", 60)
    report = write_corpus_report(CORPUS[:120], tmp_path, embed=letters)
    data = json.loads(report.json.read_text(encoding="utf-8"))["diversity"]
    assert data["n_requests_compared"] == 60
    assert sum(row["n pairs"] for row in data["pairs"]) == 60 * 59 / 2
    assert "Pairs are those of 60 of the 120 requests" in report.html.read_text(encoding="utf-8")
    whole = {
        row["pairs of base texts"]: row["mean n-gram cosine"] for row in _every_pair(tmp_path, monkeypatch)["pairs"]
    }
    for name, (low, high) in data["mean_cosine_95"].items():
        assert low < whole[name] < high
        assert high - low < 0.1


def test_of_a_very_large_corpus_the_nearest_texts_are_those_of_all_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = request(f"{CORPUS[5].text} Now.", number=99)
    corpus = [*CORPUS[:7], copy, *CORPUS[7:40]]
    exact = numbers(corpus, tmp_path)["diversity"]["nearest_by_words"]
    monkeypatch.setattr("builder.corpus_report.diversity.COMPARED", 10)
    data = numbers(corpus, tmp_path)["diversity"]
    assert exact[0]["request"] == "fraud-L1-99"
    assert data["nearest_by_words"][0] == exact[0]
    assert data["nearest_of_n_texts"] == data["distinct"][1]["n texts"]


def test_an_interval_of_a_mean_by_hand() -> None:
    values = np.array([[0.0, 0.1, 0.2], [0.1, 0.0, 0.6], [0.2, 0.6, 0.0]])
    found = mean_interval(values, np.tril(np.ones((3, 3), dtype=bool), k=-1))
    # Means with the two others: .15, .35, .40, about .3; twice their deviation: −.3, .1, .2; sd √.07.
    off = 1.959964 * (0.07 / 3) ** 0.5
    assert found == pytest.approx((0.3 - off, 0.3 + off))
    assert mean_interval(values, np.zeros((3, 3), dtype=bool)) is None


def _every_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("builder.corpus_report.diversity.COMPARED", 1000)
    return numbers(CORPUS[:120], tmp_path)["diversity"]
