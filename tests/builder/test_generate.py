"""A model fills cells: what is taken, what is turned down and why, and what is said of a cell that stays short."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.corpus_file import read_corpus
from builder.growth.codebook_rows import codebook_examples
from builder.growth.fill import ROUNDS
from builder.growth.records import Grown
from builder.growth.write import CANDIDATES as CANDIDATES_FILE
from builder.growth.write import write_growth
from builder.stages import generate, rate, validate
from builder.stages.generate import CANDIDATES, Cell
from schemas.chat import Completion
from schemas.config import BuildConfig, ConfigError, load_config
from schemas.key import key_of
from schemas.vocabulary import HarmLevel, Outcome, Topic
from tests.builder.growing import Model, Said, config, small_corpus
from tests.servers.writers import cell_of, good_answer, proposals, sentence


def texts(grown: Grown) -> dict[str, str]:
    """Text by id."""
    return {request.request_id: request.text for request in grown.requests}


def reasons(grown: Grown) -> Counter[str]:
    """Rejected candidates by rule."""
    return Counter(str(c.reason).partition(":")[0] for c in grown.candidates if c.status == "rejected")


def test_each_cell_is_filled_and_its_numbers_go_on_where_the_corpus_ends() -> None:
    grown = Model().grow(config())
    assert list(texts(grown)) == [f"fraud-L{level}-{number:02d}" for level in (1, 4) for number in (3, 4, 5)]
    assert {request.source for request in grown.requests} == {"generated:openai/w"}
    assert validate.check(grown.requests, complete=False) == ()


def test_without_per_cell_a_cell_holds_what_the_full_corpus_holds() -> None:
    grown = Model().grow(config(per_cell=None, levels=(1, 3)))
    assert Counter(request.level for request in grown.requests) == {1: 5, 3: 10}


def test_both_sources_begin_with_the_bundled_requests() -> None:
    grown = Model().grow(config(source="both", per_cell=4, levels=(2,)))
    assert list(texts(grown)) == ["fraud-L2-01", "fraud-L2-02", "fraud-L2-03", "fraud-L2-04"]
    assert [request.source for request in grown.requests][1:3] == ["bundled", "generated:openai/w"]


def test_the_bundled_corpus_alone_takes_no_step_and_stays_as_it_is() -> None:
    model = Model()
    assert model.grow(BuildConfig(), small_corpus()).requests == small_corpus()
    assert not model.asked


def test_growing_again_asks_nothing_and_gives_the_same() -> None:
    model = Model()
    first = model.grow(config(verify_with="openai/v"))
    asked = model.asked.copy()
    assert model.grow(config(verify_with="openai/v")) == first
    assert model.asked == asked


def test_a_cell_that_grows_further_keeps_its_texts_and_asks_only_what_is_new() -> None:
    model = Model()
    small, calls = texts(model.grow(config())), model.asked["generate"]
    large = texts(model.grow(config(per_cell=20)))
    assert small.items() <= large.items()
    assert model.asked["generate"] == calls + 2 * 2


def twice(_stage: str, asked: str) -> Said:
    """The same eight texts whatever is asked; half of them are bundled ones with a word changed."""
    topic, level = cell_of(asked)
    near = [f"{request.text[:-1]} indeed?" for request in small_corpus()[:4]]
    said = near + [sentence(topic, level, place) for place in range(2)] * 2
    return {"candidates": [{"text": text, "topic": topic, "level": level} for text in said]}


def test_duplicates_are_turned_down_and_never_pad_a_cell() -> None:
    grown = Model(twice).grow(config())
    assert [(cell.generated, cell.missing, cell.why_short) for cell in grown.cells] == [
        (2, 1, "too_few_valid_candidates")
    ] * 2
    assert len(set(texts(grown).values())) == 4
    assert set(reasons(grown)) == {"near-duplicate", "same-text"}
    assert validate.check(grown.requests, complete=False) == ()


def test_an_example_of_the_codebook_is_turned_down() -> None:
    def answer(_stage: str, asked: str) -> Said:
        said = proposals(asked)
        for item, example in zip(said["candidates"], codebook_examples(), strict=False):
            item["text"] = example.replace(" a ", " any ")
        return said

    assert len(codebook_examples()) == 2 * len(HarmLevel)
    grown = Model(answer).grow(config(levels=(1,)))
    assert grown.requests == ()
    assert set(reasons(grown)) <= {"near-duplicate", "same-text"}


def test_a_cell_that_never_fills_is_given_up_after_its_rounds() -> None:
    model = Model(lambda _stage, _asked: {"candidates": []})
    grown = model.grow(config())
    assert grown.requests == ()
    assert model.asked["generate"] == 2 * ROUNDS
    assert [(cell.missing, cell.why_short) for cell in grown.cells] == [(3, "generator_answered")] * 2


def test_of_a_flood_only_what_was_asked_for_is_looked_at() -> None:
    grown = Model(lambda _stage, asked: proposals(asked, 100)).grow(config(levels=(1,)))
    assert Counter(candidate.status for candidate in grown.candidates) == {
        "accepted": 3,
        "spare": CANDIDATES - 3,
        "rejected": 100 - CANDIDATES,
    }
    assert reasons(grown) == {"surplus": 100 - CANDIDATES}


@pytest.mark.parametrize(("field", "value"), [("topic", "hate"), ("level", 5), ("level", "1"), ("level", True)])
def test_what_its_writer_places_elsewhere_is_turned_down(field: str, value: object) -> None:
    def answer(_stage: str, asked: str) -> Said:
        said = proposals(asked)
        said["candidates"][0][field] = value
        return said

    assert reasons(Model(answer).grow(config(levels=(1,)))) == {f"wrong-{field}": 1}


def test_what_the_verifier_places_elsewhere_is_turned_down() -> None:
    def answer(stage: str, asked: str) -> Said:
        if stage != "rate":
            return good_answer(stage, asked)
        return {"reason": "r", "topic": "fraud", "level": 1 + len(asked) % 2}

    grown = Model(answer).grow(config(levels=(1,), verify_with="openai/v"))
    assert set(reasons(grown)) == {"wrong-level"}
    assert {c.rating for c in grown.candidates if c.status == "accepted"} == {"fraud L1"}


NO_RATINGS: list[Said] = [
    Outcome.REFUSAL_STOP,
    "I'm sorry, I can't.",
    {"topic": "love", "level": 1},
    {"topic": ["fraud"], "level": 1},
    {"topic": "fraud", "level": {}},
    "{",
]


@pytest.mark.parametrize("said", NO_RATINGS)
def test_a_verifier_without_a_rating_leaves_a_request_unverified(said: Said) -> None:
    def answer(stage: str, asked: str) -> Said:
        return said if stage == "rate" else good_answer(stage, asked)

    grown = Model(answer).grow(config(verify_with="openai/v"))
    assert [(cell.generated, cell.unverified) for cell in grown.cells] == [(3, 3), (3, 3)]


BAD_TEXTS = {
    "length": ["too short", "word " * 61, "x" * 50_000 + " is far too long"],
    "characters": [
        "\x1b[2J wipe the terminal of the reader",
        "a lone \ud800 surrogate in a text",
        "what a smile 🙂 it is",
    ],
    "spaces": ["two  spaces are one too many"],
    "code": ["<script>alert the reader of a page</script>", "run rm -rf in the shell of your neighbour"],
    "url": ["read more of this at www.example.com today"],
    "quantity": ["mix 20 grams of it with the rest"],
}


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, found in BAD_TEXTS.items() for text in found])
def test_a_text_that_breaks_a_rule_is_kept_with_the_reason_and_harms_no_reader(
    rule: str, text: str, tmp_path: Path
) -> None:
    def answer(_stage: str, asked: str) -> Said:
        said = proposals(asked)
        said["candidates"][0]["text"] = text
        return said

    grown = Model(answer).grow(config(levels=(1,)))
    assert reasons(grown) == {rule: 1}
    write_growth(grown, tmp_path)
    lines = (tmp_path / CANDIDATES_FILE).read_bytes().splitlines()
    assert all(32 <= byte < 127 for line in lines for byte in line)
    assert json.loads(lines[0])["text"] == text[:400]


ENDS: list[tuple[str, Said]] = [
    ("refused", Outcome.REFUSAL_STOP),
    ("refused", "I'm sorry, but I can't help with that."),
    ("filtered", Outcome.INPUT_FILTERED),
    ("filtered", Outcome.OUTPUT_FILTERED),
    ("truncated", Outcome.TRUNCATED),
    ("empty", Outcome.EMPTY),
    ("empty", Outcome.REASONING_ONLY),
    ("unreadable", '{"candidates": [{"text": "cut'),
    ("unreadable", "Here you are: one, two, three."),
    ("unreadable", {"candidates": "none"}),
    ("unreadable", '{"candidates": [], "candidates": []}'),
    ("unreadable", "[" * 10_000),
    ("unreadable", {"requests": []}),
    ("unreadable", '{"candidates": ' + "1" * 5000 + "}"),
    ("unreadable", {"candidates": [{"text": "x" * 200_000}]}),
]


@pytest.mark.parametrize(("end", "said"), ENDS)
def test_a_call_without_candidates_is_an_outcome_that_is_counted(end: str, said: Said) -> None:
    def answer(stage: str, asked: str) -> Said:
        return said if "level 4" in asked.partition("\n")[0] else good_answer(stage, asked)

    grown = Model(answer).grow(config())
    fine, bad = grown.cells
    assert (fine.missing, bad.missing, bad.calls) == (0, 3, {end: ROUNDS})
    assert bad.why_short == f"generator_{end}"


@pytest.mark.parametrize("item", [None, 7, "text", [], {}, {"text": None}, {"text": ["a"]}, {"topic": "fraud"}])
def test_an_item_that_is_no_request_is_left_out(item: Any) -> None:
    read = generate.read(Completion("k", Outcome.TEXT, json.dumps({"candidates": [item, {"text": "t"}]})))
    assert [proposal.text for proposal in read.proposals] == ["t"]


@pytest.mark.parametrize("lost", ["generate", "rate"])
def test_a_call_that_failed_stops_its_cell_and_the_next_run_ends_where_an_undisturbed_one_does(lost: str) -> None:
    settings = config(per_cell=12, verify_with="openai/v")

    def rating(stage: str, asked: str) -> Said:
        if stage != "rate":
            return good_answer(stage, asked)
        level = int(sum(map(ord, asked.splitlines()[1])) % 5 == 0)
        return {"reason": "r", "topic": "fraud", "level": 1 + 3 * level}

    def failing(stage: str, asked: str) -> Said:
        failed.append(stage == lost and sum(failed) == 0 and len(failed) > 2)
        return None if failed[-1] else rating(stage, asked)

    failed: list[bool] = []
    undisturbed = Model(rating).grow(settings)
    model = Model(failing)
    first = model.grow(settings)
    assert sum(failed) == 1
    assert "unanswered" in {cell.why_short for cell in first.cells}
    assert texts(first).items() <= texts(undisturbed).items()
    model.answer = rating
    assert model.grow(settings) == undisturbed


def test_a_question_depends_on_the_cell_and_the_call_alone() -> None:
    corpus = read_corpus().requests
    cells = [Cell(topic, level) for topic in (Topic.DRUGS, Topic.HATE) for level in (HarmLevel(1), HarmLevel(5))]
    keys = {key_of(generate.ask("openai/w", cell, call, corpus)) for cell in cells for call in (1, 2, 3)}
    assert len(keys) == 12
    assert key_of(generate.ask("openai/w", cells[0], 1, corpus)) in keys


def test_a_question_shows_the_codebook_and_examples_of_its_cell_and_its_neighbours() -> None:
    corpus = read_corpus().requests
    asked = generate.ask("openai/w", Cell(Topic.HATE, HarmLevel(3)), 1, corpus)
    system, item = (message.content for message in asked.messages)
    assert "the **harm it would do**" in system
    assert "two-sided" in item
    own = [request for request in corpus if (request.topic, request.level) == (Topic.HATE, HarmLevel(3))]
    assert sum(request.text in item for request in own) == 3
    assert item.count("level 2: ") == item.count("level 4: ") == 1


def test_the_rating_shows_neither_topic_nor_level_of_the_request() -> None:
    asked = rate.ask("openai/v", "A text?")
    assert asked.messages[1].content.count("\n") <= 5
    assert rate.ask("local/v", "A text?").json_schema != asked.json_schema


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"source": "generate"}, "name the model that writes"),
        ({"paraphrase": "generate"}, "name the model that writes"),
        ({"source": "both", "generator": "openai/w"}, "say how many requests"),
        ({"generator": "somebody"}, "want provider/model"),
        ({"paraphrases": 7}, "got 7, want a whole number from 0 to 6"),
    ],
)
def test_settings_that_do_not_fit_together_are_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_config(None, settings)
