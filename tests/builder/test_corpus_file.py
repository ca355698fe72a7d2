"""Reading corpus files: what is wrong is said with file and line."""

from pathlib import Path

import pytest

from builder.corpus_file import read_corpus, read_topic_file
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic

GOOD = """\
topic: fraud
requests:
  - id: fraud-L2-01
    text: "A text."
    paraphrases:
      - kind: terse
        text: "text"
"""


def read(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "fraud.yaml"
    file.write_text(text)
    return [str(complaint) for complaint in read_topic_file(file).complaints]


def test_a_request_knows_its_line_topic_and_level(tmp_path: Path) -> None:
    file = tmp_path / "fraud.yaml"
    file.write_text(GOOD)
    (request,) = read_topic_file(file).requests
    assert (request.line, request.topic, request.level) == (3, Topic.FRAUD, HarmLevel.EDGY)
    assert request.paraphrases[0].kind is ParaphraseKind.TERSE


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("topic: fraud", "topic: frauds", "fraud.yaml:1: file: topic: got 'frauds'"),
        ("fraud-L2-01", "fraud-L6-01", "fraud.yaml:3: fraud-L6-01: id: want fraud-L1-01"),
        ("fraud-L2-01", "drugs-L2-01", "want fraud-L1-01"),
        ("kind: terse", "kind: short", "fraud.yaml:6: fraud-L2-01: kind: got 'short'"),
        ('text: "A text."', 'words: "A text."', "unexpected or repeated field 'words'"),
        ('text: "A text."', 'text: ""', "fraud.yaml:4: fraud-L2-01: text: want a text"),
        ('"A text."', '"A text.', "file: yaml: cannot be read"),
        ("requests:", "requests: none\nmore:", "want a list of requests"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert any(words in complaint for complaint in read(tmp_path, GOOD.replace(old, new)))


def test_an_empty_file_is_a_complaint(tmp_path: Path) -> None:
    assert read(tmp_path, "")


def test_the_bundled_corpus_is_whole() -> None:
    corpus = read_corpus()
    assert corpus.complaints == ()
    assert len(corpus.requests) == 300
    assert list(dict.fromkeys(request.topic for request in corpus.requests)) == list(Topic)
