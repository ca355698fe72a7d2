"""Withholding: what a public release must not hold, and what it must keep."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub_card.echoes import PIECE, Echoes
from hub_card.facts import ReleaseError, Report
from hub_card.layout import files_of
from hub_card.passages import passages, standing_in
from hub_card.redact import is_marker, levels_of, redact, trial_of, withheld_trials
from hub_card.release import write_release
from hub_card.windows import HashSet
from schemas.vocabulary import PredictionStatus, RefusalLabel
from tests.hub_card import rows

REFUSALS = {RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL}


def everything_in(release: Path) -> Iterator[tuple[str, str]]:
    """Every text of a release: each file as it is, and each cell of each Parquet file."""
    for name in files_of(release):
        if name.endswith(".parquet"):
            for column, values in pq.ParquetFile(release / name).read().to_pydict().items():
                yield f"{name}:{column}", "\n".join(str(value) for value in values)
        yield name, (release / name).read_bytes().decode("utf-8", "replace")


def harmful(built: rows.Tables) -> list[str]:
    """The texts that may not be public, found without the code under test."""
    level = {row.variant_id: row.level for row in built["variants"]}
    label = {(row.target, row.variant_id, row.sample): row.label for row in built["labels"]}
    answers = [
        row.text for row in built["responses"]
        if row.text and level[row.variant_id] >= 4 and label[row.target, row.variant_id, row.sample] not in REFUSALS
    ]  # fmt: skip
    said = [
        row.text for row in built["predictions"]
        if row.text and level[row.variant_id] >= 4 and row.status is not PredictionStatus.OK
    ]  # fmt: skip
    return answers + said


def leaks(release: Path, texts: list[str]) -> list[str]:
    pieces = {text[start : start + PIECE] for text in texts for start in range(max(1, len(text) - PIECE + 1))}
    return [place for place, text in everything_in(release) for piece in pieces if piece in text]


def spread(built: rows.Tables, text: str) -> rows.Tables:
    """The tables with a piece of a text in every derived column that could carry it."""
    piece = f"… {text[60:110]} …"
    first = built["judgments"][0]
    kept = next(row for row in built["judgments"] if row.label in REFUSALS)
    columns: dict[str, dict[str, Any]] = {
        "annotations": {"note": piece},
        "attempts": {"error": piece, "stop_reason": piece},
        "labels": {"route_reason": piece},
        "datapoints": {"route_reason": piece},
        "predictions": {"text": piece, "reason": piece},
    }
    changed = {name: [replace(built[name][0], **found), *built[name][1:]] for name, found in columns.items()}
    others = [row for row in built["judgments"] if row not in (first, kept)]
    changed["judgments"] = [
        replace(first, label=None, reason=piece),
        replace(kept, evidence=piece, reason=piece),
        *others,
    ]
    return {**built, **changed}


def test_no_piece_of_a_harmful_answer_occurs_in_any_file_of_a_public_release(tmp_path: Path) -> None:
    built = rows.tables()
    texts = harmful(built)
    assert len(texts) > 10
    write_release(built, rows.facts(built), tmp_path / "release")
    assert leaks(tmp_path / "release", texts) == []


def test_a_harmful_answer_quoted_elsewhere_is_withheld_there_too(tmp_path: Path) -> None:
    built = rows.tables()
    texts = harmful(built)
    write_release(spread(built, texts[0]), rows.facts(built), tmp_path / "release")
    assert leaks(tmp_path / "release", texts) == []


def test_a_report_that_quotes_a_harmful_answer_stops_the_release(tmp_path: Path) -> None:
    built = rows.tables()
    quoted = harmful(built)[0][10:60]

    def report(release: Path) -> Report:
        (release / "report").mkdir()
        (release / "report" / "report.html").write_text(f"<p>{quoted}</p>")
        return Report()

    with pytest.raises(ReleaseError, match=r"report/report.html holds a piece of a withheld response"):
        write_release(built, rows.facts(built), tmp_path / "release", report)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("tier", ["gated", "private"])
def test_other_tiers_keep_all_text(tier: Any) -> None:
    built = rows.tables()
    assert redact(built, tier, levels_of(built["variants"])) == built


def test_exactly_the_harmful_answers_become_markers() -> None:
    built = rows.tables()
    public = redact(built, "public", levels_of(built["variants"]))
    texts = set(harmful(built))
    for before, after in zip(built["responses"], public["responses"], strict=True):
        assert after.redacted == is_marker(after.text) == (before.text in texts)
        assert after.redacted or after == before
        assert (after.sha256, after.characters) == (before.sha256, before.characters)
    for before, after in zip(built["datapoints"], public["datapoints"], strict=True):
        assert after.response_redacted == is_marker(after.response) == (before.response in texts)


def test_a_marker_tells_hash_and_length_of_what_it_stands_for() -> None:
    built = rows.tables()
    public = redact(built, "public", levels_of(built["variants"]))
    for row in public["responses"]:
        if row.redacted:
            assert row.text == f"[withheld: sha256:{row.sha256[:16]}, {row.characters} characters]"


def test_quotes_and_notes_go_with_the_answer_and_failure_codes_stay() -> None:
    built = rows.tables()
    public = redact(built, "public", levels_of(built["variants"]))
    withheld = withheld_trials(built, levels_of(built["variants"]))
    mine = [row for row in public["judgments"] if trial_of(row) in withheld]
    assert all(is_marker(row.evidence) for row in mine)
    assert {is_marker(row.reason) for row in mine if row.label} == {True}
    assert {row.reason for row in mine if row.label is None} == {"unparsed: no quote"}


def test_an_answer_without_a_label_or_a_known_level_is_withheld() -> None:
    built = rows.tables()
    answer = next(row for row in built["responses"] if row.text and "-L1-" in row.variant_id)
    level = levels_of(row for row in built["variants"] if row.variant_id != answer.variant_id)
    labels = [row for row in built["labels"] if row.response_key != answer.response_key]
    assert trial_of(answer) in withheld_trials({**built, "labels": labels}, level)


def test_redaction_twice_is_redaction_once() -> None:
    built = rows.tables()
    level = levels_of(built["variants"])
    once = redact(built, "public", level)
    assert redact(once, "public", level) == once


def echoes(text: str, withheld: list[str], published: list[str]) -> bool:
    return bool(Echoes(lambda: withheld, lambda: published).among([text]))


def test_an_echo_is_forty_characters_that_are_not_public_anyway() -> None:
    secret = rows.words("secret")
    shared = "the very same forty characters stand in both texts"
    texts = [f"{secret} {shared}"], [f"A request: {shared}?"]
    assert echoes(f"xx{secret[7:47]}yy", *texts)
    assert not echoes(f"xx{secret[7:46]}\nyy", *texts)
    assert not echoes(f"they say {shared} today", *texts)
    assert echoes("a short secret of 25 letters!", ["short secret of 25 letters"], [])


def test_only_the_texts_with_an_echo_are_named() -> None:
    secrets = [rows.words("secret", n) for n in range(50)]
    said = [f"{n}: {secret[n : n + 41]}" if n % 7 == 0 else rows.words("said", n) for n, secret in enumerate(secrets)]
    found = Echoes(lambda: secrets, lambda: [rows.words("public", n) for n in range(50)]).among(said)
    assert found == set(said[::7])


def test_answers_that_go_round_in_circles_are_searched_quickly() -> None:
    loop = "and then and then " * 400
    withheld = [f"{n} {loop}" for n in range(200)]
    assert echoes(loop, withheld, [])
    assert not echoes("but not now " * 400, withheld, [])


@given(
    st.text("abé漢", max_size=90), st.integers(0, 60), st.integers(15, 60), st.text("ab", max_size=30), st.booleans()
)
def test_an_echo_is_found_wherever_it_stands(secret: str, start: int, length: int, other: str, published: bool) -> None:
    text = other + secret[start : start + length] + other
    pieces = {secret[at : at + PIECE] for at in range(max(1, len(secret) - PIECE + 1))}
    held = len(secret) >= 20 and any(piece in text for piece in pieces)
    assert echoes(text, [other, secret], [f"{other}{text}"] if published else []) == (
        not published and (held or (len(other) >= 20 and other in text))
    )


@given(st.lists(st.text("abé", min_size=20, max_size=22), min_size=1), st.lists(st.text("abé", max_size=200)))
def test_passages_are_found_in_texts_as_by_looking_for_each(pieces: list[str], texts: list[str]) -> None:
    for width in {len(piece) for piece in pieces}:
        mine = [piece for piece in pieces if len(piece) == width]
        known = passages(mine, width)
        found = set(standing_in(texts, {width: HashSet([known.hashes])})[width].tolist())
        at = zip(known.owner.tolist(), known.hashes.tolist(), strict=True)
        assert {mine[owner] for owner, name in at if name in found} == {
            piece for piece in mine if any(piece in text for text in texts)
        }
