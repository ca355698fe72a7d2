"""Text on its way to Argilla and back."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.argilla.plain_text import escaped, marked, original
from annotation.argilla.push import push
from annotation.items import HEAD, TAIL, folded, progress
from tests.annotation.argilla.hostile import TEXTS, hostile_items
from tests.annotation.argilla.people import Study
from tests.annotation.argilla.server import Serving


@given(st.text())
def test_escaping_is_undone_exactly(text: str) -> None:
    assert original(escaped(text)) == text
    assert not set("<>") & set(escaped(text))


@given(st.text(min_size=1), st.data())
def test_what_a_page_marks_is_found_again(text: str, data: st.DataObject) -> None:
    shown = text.replace("\0", "")
    start = data.draw(st.integers(0, len(shown)))
    end = data.draw(st.integers(start, len(shown)))

    def units(part: str) -> int:
        return len(part.encode("utf-16-le")) // 2

    assert marked(escaped(text), units(shown[:start]), units(shown[:end])) == shown[start:end]
    assert units(shown[:end]) <= len(escaped(text))  # else the server refuses the mark


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert original(escaped("a\ud83db")) == "a\ufffdb"


@pytest.mark.parametrize("length", [10, HEAD + TAIL + 999, HEAD + TAIL + 1000, 200_000])
def test_long_texts_are_folded_in_the_middle(length: int) -> None:
    text = "".join(str(place % 10) for place in range(length))
    short = folded(text)
    assert short.startswith(text[:HEAD])
    assert short.endswith(text[-TAIL:])
    assert (short == text) == (length < HEAD + TAIL + 1000)
    assert len(short) < HEAD + TAIL + 1100


def test_hostile_text_lies_in_argilla_byte_for_byte(argilla: Serving, tmp_path: Path) -> None:
    study, items = Study(argilla, tmp_path, "hostile"), hostile_items()
    with study.api() as api:
        wanted = list(items.values())
        assert push(api, "hostile", wanted, progress(wanted, ()), {}, print).new == len(TEXTS)
        assert push(api, "hostile", wanted, progress(wanted, ()), {}, print).unchanged == len(TEXTS)
    records = {r["external_id"]: r["fields"] for r in study.seen_by("ada", study.datasets()["/label-2-people"])}
    for item in items.values():
        fields = records[item.key]
        whole = original(fields.get("whole", fields["response"]))
        assert whole == item.response.replace("\ud83d", "\ufffd")
        assert original(fields["response"]) == folded(item.response).replace("\ud83d", "\ufffd")


SDK = """
import sys, argilla as rg
url, key, name = sys.argv[1:]
client = rg.Argilla(api_url=url, api_key=key)
texts = [rg.TextField(name="text")]
label = rg.LabelQuestion(name="label", labels=["a", "b"])
settings = rg.Settings(fields=texts, questions=[label], metadata=[rg.IntegerMetadataProperty(name="turn")])
dataset = rg.Dataset(name=name, workspace="refusals", settings=settings, client=client).create()
dataset.records.log([{"id": str(n), "text": f"word{n} all", "turn": n, "label": "ab"[n % 2]} for n in range(20)])
def found(*conditions, text=None):
    query = rg.Query(query=text, filter=rg.Filter(list(conditions)) if conditions else None)
    return sorted(int(record.id) for record in dataset.records(query=query))
print(found(("metadata.turn", ">=", 15)), found(("label.suggestion", "==", "a")) , found(text="word3"))
print(len(list(dataset.records)), dataset.progress()["total"], dataset.records.to_datasets().num_rows)
"""


def test_argillas_own_client_works_with_this_server(argilla: Serving) -> None:
    command = [sys.executable, "-W", "ignore", "-c", SDK, argilla.url, argilla.owner_key, "sdk"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if re.match(r"[\[\d]", line)]
    even = list(range(0, 20, 2))
    assert lines == [f"{list(range(15, 20))} {even} [3]", "20 20 20"]
