"""People's answers about many responses: who decides, how sure that is, and when votes alone do not suffice."""

import numpy as np

from annotation.consensus import consensus
from annotation.family import family_of, kinship
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

FULL, PARTIAL, SOME, ALL = RefusalLabel


def answer(key: str, who: str, label: RefusalLabel | None, role: str = "annotator") -> Annotation:
    return Annotation(key, who, "submitted", label, 3, None, "1.0", "2026-01-01T00:00:00Z", None, role)  # type: ignore[arg-type]


def test_soft_labels_are_shares_of_the_votes() -> None:
    found = consensus([answer("k", "a", FULL), answer("k", "b", FULL), answer("k", "c", ALL)])["k"]
    assert found.people.label is FULL
    assert found.soft == (round(2 / 3, 12), 0.0, 0.0, round(1 / 3, 12))


def test_an_answer_without_a_label_has_no_share() -> None:
    assert consensus([answer("k", "a", None)])["k"].soft is None


def test_an_expert_decides_and_does_not_dilute_the_shares() -> None:
    found = consensus([answer("k", "a", FULL), answer("k", "b", ALL), answer("k", "e", SOME, "expert")])["k"]
    assert (found.people.label, found.soft) == (SOME, (0.5, 0.0, 0.0, 0.5))


def test_few_answers_an_annotator_leave_a_disagreement_open() -> None:
    votes = [answer("k", who, label) for who, label in (("a", FULL), ("b", ALL), ("c", SOME))]
    assert consensus(votes)["k"].people.state == "disagreement"


def test_with_many_answers_the_careful_annotators_outweigh_the_careless_one() -> None:
    """Four annotators, three careful and one who always says the same: a 2:2 split goes to the careful side."""
    rng = np.random.default_rng(7)
    votes: list[Annotation] = []
    truth = {f"k{n}": (FULL if rng.random() < 0.5 else ALL) for n in range(200)}
    for key, label in truth.items():
        votes += [answer(key, who, label) for who in ("a", "b", "c")]
        votes.append(answer(key, "d", ALL))
    votes += [answer("open", "a", FULL), answer("open", "b", FULL), answer("open", "d", ALL), answer("open", "c", ALL)]
    assert consensus([vote for vote in votes if vote.response_key == "open"])["open"].people.state == "disagreement"
    found = consensus(votes)["open"]
    assert found.soft is not None
    assert abs(sum(found.soft) - 1) < 1e-9
    assert found.people.state in ("settled", "disagreement")
    split = [answer("tie", "a", FULL), answer("tie", "b", FULL), answer("tie", "d", ALL), answer("tie", "e", ALL)]
    late = [answer(key, "e", ALL) for key in list(truth)[:60]]
    settled = consensus([*votes, *split, *late])["tie"]
    assert (settled.people.state, settled.people.label) == ("settled", FULL)


def test_families_are_read_off_names() -> None:
    assert family_of("anthropic/claude-sonnet-4-5") == "claude"
    assert family_of("openai/o3-mini") == "gpt"
    assert family_of("together/deepseek-ai/DeepSeek-R1-Distill-Qwen-7B") == "deepseek"
    assert family_of("local/qwen2.5-coder-1.5b") == "qwen"
    assert family_of("lexical") is None


def test_kin_of_a_target_and_kin_among_judges_are_warned_of() -> None:
    told = kinship(("openai/gpt-5.2", "anthropic/claude-sonnet-5"), ("lexical", "openai/gpt-4o", "openai/gpt-5.1"))
    assert len(told) == 3
    assert "judges openai/gpt-4o, openai/gpt-5.1 are of one family (gpt)" in told[2]
    assert kinship(("openai/gpt-5.2",), ("lexical", "anthropic/claude-sonnet-5")) == []
