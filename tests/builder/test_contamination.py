"""Contamination: planted prompts are found in every file form, and a list that cannot be read says why."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from builder.check_cli import check, contamination_text
from builder.contamination import Semantic, check_contamination
from builder.contamination_lists import COLUMNS, PromptListError, read_prompts
from builder.corpus_file import read_corpus
from builder.corpus_report.foreign import contamination_section
from tests.builder.corpus_rules.sample import request

TEXT = "Why do old ladies in cartoons always carry such heavy handbags with them?"
REQUESTS = (
    request(TEXT, ["cartoon grannies, weighty bags, reason"]),
    request("Which cheese does a mouse like?", number=2),
)
PROMPTS = ["How tall is the tallest tree?", "why do old ladies in cartoons always carry such HUGE handbags with them"]


def jsonl(path: Path, rows: Sequence[object]) -> Path:
    """Writes one JSON value a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def as_csv(path: Path, column: str, prompts: Sequence[str]) -> Path:
    """Writes a CSV with a byte-order mark, as spreadsheets do."""
    with path.open("w", encoding="utf-8-sig", newline="") as lines:
        csv.writer(lines).writerows([["id", column], *([str(n), prompt] for n, prompt in enumerate(prompts))])
    return path


def as_parquet(path: Path, column: str, prompts: Sequence[str]) -> Path:
    """Writes a Parquet file with a second, unused column."""
    pq.write_table(pa.table({"id": range(len(prompts)), column: prompts}), path)
    return path


@pytest.mark.parametrize("column", [*COLUMNS, "Goal", " PROMPT "])
def test_a_planted_prompt_is_found_in_each_file_form_and_under_each_column_name(tmp_path: Path, column: str) -> None:
    files = [
        jsonl(tmp_path / "a.jsonl", [{"id": 1, column: prompt} for prompt in PROMPTS]),
        as_csv(tmp_path / "b.csv", column, PROMPTS),
        as_parquet(tmp_path / "c.parquet", column, PROMPTS),
    ]
    found = check_contamination(REQUESTS, files)
    assert [(m.source, m.row, m.item) for m in found.matches] == [(s, 2, "fraud-L1-01") for s in "abc"]
    assert [(s.source, s.n_prompts, len(s.matches)) for s in found.sources] == [(s, 2, 1) for s in "abc"]
    assert found.n_texts == 3
    assert all(m.cosine > 0.6 and m.jaccard > 0.7 and m.meaning is None for m in found.matches)


def test_rows_name_their_own_source_and_empty_prompts_are_passed_over(tmp_path: Path) -> None:
    rows = [{"prompt": "one two", "source": "first"}, {"prompt": " "}, {"prompt": None}, {"prompt": "three"}]
    prompts = list(read_prompts(jsonl(tmp_path / "list.jsonl", rows)))
    assert [tuple(prompt) for prompt in prompts] == [("first", 1, "one two"), ("list", 4, "three")]


def test_a_list_without_a_match_reports_the_highest_values_it_met(tmp_path: Path) -> None:
    (source,) = check_contamination(REQUESTS, [jsonl(tmp_path / "l.jsonl", [{"prompt": PROMPTS[0]}])]).sources
    assert source.matches == []
    assert 0 < source.max_cosine < 0.6
    assert source.max_meaning is None


def test_an_embedding_finds_what_shares_no_word(tmp_path: Path) -> None:
    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1, 0] if "cheese" in text or "brie" in text else [0, 1] for text in texts], dtype=np.float32)

    files = [jsonl(tmp_path / "l.jsonl", [{"prompt": "Do rodents enjoy brie?"}, {"prompt": PROMPTS[1]}])]
    found = check_contamination(REQUESTS, files, semantic=Semantic("toy", embed, 0.9))
    by_meaning = [(m.row, m.item) for m in found.matches if m.cosine < 0.6]
    assert (1, "fraud-L1-02") in by_meaning
    assert (found.meaning_model, found.meaning_limit, found.sources[0].max_meaning) == ("toy", 0.9, 1.0)
    assert len({(m.row, m.item) for m in found.matches}) == len(found.matches)


def test_a_list_may_begin_with_a_byte_order_mark_and_hold_unusual_ends_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    file.write_bytes(f'\ufeff{{"prompt": "{TEXT}"}}\n{{"prompt": "a\u2028b\x85c"}}\n'.encode())
    assert [prompt.text for prompt in read_prompts(file)] == [TEXT, "a\u2028b\x85c"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 100_000, "nested too deep"),
        (f'{{"prompt": {"9" * 5000}}}', "too many digits"),
        (r'{"prompt": "a\ud800 b"}', "half a character"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "l.jsonl").write_text(f"{line}\n")
    with pytest.raises(PromptListError, match=f"(line|row) 1.*{words}"):
        list(read_prompts(tmp_path / "l.jsonl"))


def test_a_corpus_without_requests_is_compared_with_nothing(tmp_path: Path) -> None:
    found = check_contamination([], [jsonl(tmp_path / "l.jsonl", [{"prompt": TEXT}])])
    assert (found.n_texts, found.matches, found.sources[0].n_prompts) == (0, (), 1)


def test_in_a_large_corpus_it_finds_what_comparing_every_pair_finds_and_says_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = read_corpus().requests
    words = [request.text.split() for request in requests]
    changed = [" ".join([*said[:3], "anything", *said[4:]]) for said in words[::5]]
    files = [jsonl(tmp_path / "l.jsonl", [{"prompt": text} for text in [*PROMPTS, *changed]])]
    every = check_contamination(requests, files)
    monkeypatch.setattr("builder.contamination.EVERY_PAIR", 0)
    hashed = check_contamination(requests, files)
    assert (every.exhaustive, hashed.exhaustive) == (True, False)
    assert [match[:5] for match in hashed.matches] == [match[:5] for match in every.matches]
    assert len(every.matches) >= 55
    assert "that MinHash brings together" in contamination_text(hashed)
    assert "MinHash" not in contamination_text(every)
    assert "that MinHash brings together" in contamination_section(hashed).paragraphs[0]


def test_a_list_that_is_wrong_is_reported_before_anything_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = jsonl(tmp_path / "good.jsonl", [{"prompt": "one two three"}] * 5000)
    late = tmp_path / "late.jsonl"
    late.write_text(f"{good.read_text()}not JSON\n")
    monkeypatch.setattr("builder.check_cli.load_minilm", lambda: pytest.fail("it loaded the embedding first"))
    for wrong in (tmp_path / "nowhere.jsonl", late):
        with pytest.raises(PromptListError, match=wrong.name):
            check(REQUESTS, [good, wrong], None)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("list.txt", b"a", r"list.txt: want a list of prompts as .jsonl, .csv, .parquet"),
        ("list.jsonl", b'{"title": "a"}\n', r"want a column called prompt, text, goal.*; found title"),
        ("list.jsonl", b'{"prompt": "a"}\nnot json\n', "line 2 is not JSON"),
        ("list.jsonl", b'["a"]\n', "line 1 is list, want an object"),
        ("list.jsonl", b'{"prompt": 7}\n', "row 1: prompt is int, want text"),
        ("list.jsonl", b'{"prompt": "\xff"}\n', "cannot be read: not UTF-8"),
        ("list.csv", b"id,title\n1,a\n", "want a column called .*; found id, title"),
        ("list.parquet", b"not parquet", "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_read_says_what_is_wrong(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(PromptListError, match=message):
        list(read_prompts(path))


def test_a_missing_file_and_a_parquet_without_a_prompt_are_named(tmp_path: Path) -> None:
    with pytest.raises(PromptListError, match=r"nowhere\.jsonl: cannot be read"):
        list(read_prompts(tmp_path / "nowhere.jsonl"))
    with pytest.raises(PromptListError, match="found id, title"):
        list(read_prompts(as_parquet(tmp_path / "l.parquet", "title", ["a"])))
