"""Working part by part: the parts, and that neither their size nor the number of processes changes a byte."""

import os
from pathlib import Path

import pytest

from annotation.decide import Policy
from benchmarks.scripted_answers import fill
from builder.conclude import conclude
from builder.corpus_file import read_corpus
from builder.journal.lookup import completion_in, results_of
from builder.journal.store import Entry, Journal
from builder.partition import Part, parts
from builder.pipeline import BuildResult, conclude_build
from builder.release_facts import release_facts
from builder.stages import respond
from builder.work import Work, accounts, derive, plan_work
from builder.workers import workers
from hub_card.layout import files_of
from hub_card.release import write_pieces
from hub_card.validate import validate_release
from schemas.chat import Completion, FailedAttempt
from schemas.config import LEXICAL, BuildConfig
from schemas.key import key_of
from schemas.vocabulary import HarmLevel, Outcome, Topic

CONFIG = BuildConfig(
    topics=(Topic.FRAUD, Topic.PRIVACY),
    levels=(HarmLevel.EDUCATIONAL, HarmLevel.PLAINLY_HARMFUL),
    targets=("scripted/a", "scripted/b"),
    judges=(LEXICAL,),
    samples=3,
)


@pytest.fixture(scope="module")
def work() -> Work:
    return plan_work(read_corpus().requests, CONFIG)


@pytest.fixture(scope="module")
def run(work: Work, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose journal has scripted answers to everything, and some people's labels."""
    folder = tmp_path_factory.mktemp("run")
    with Journal(folder / "journal.sqlite") as journal:
        fill(journal, work)
    return folder


def released(work: Work, run: Path, out: Path, least: int, many: int = 10**9) -> dict[str, bytes]:
    """Every file of the release made in parts of at least `least` rows, by processes from `many` rows on."""
    folder = out.with_suffix(".readings")
    folder.mkdir()
    with Journal(run / "journal.sqlite") as journal, workers(len(work.trials), many) as each:
        found = conclude(work, journal, Policy(), folder, each, least=least)
        write_pieces(found.pieces(journal, each), release_facts(work, found.tallies), out, None, each)
    assert not any(folder.iterdir())
    return {name: (out / name).read_bytes() for name in files_of(out)}


@pytest.mark.parametrize("least", [1, 7, 50, 10**6])
def test_parts_hold_every_row_once_and_in_order_and_split_no_request(work: Work, least: int) -> None:
    found = list(parts(work.rows, least))
    for field in Part._fields:
        joined = [row for part in found for row in getattr(part, field)]
        assert joined == list(getattr(work.rows, field))
    cells = [{(trial.target, trial.variant.request_id) for trial in part.trials} for part in found]
    assert sum(map(len, cells)) == len(set().union(*cells))
    assert all(len({trial.target for trial in part.trials}) == 1 for part in found)


def test_the_size_of_parts_leaves_no_trace_in_a_release(work: Work, run: Path, tmp_path: Path) -> None:
    whole = released(work, run, tmp_path / "whole", 10**6)
    assert released(work, run, tmp_path / "single", 1) == whole
    assert validate_release(tmp_path / "whole") == []


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core: there is only one way")
def test_processes_leave_no_trace_in_a_release(work: Work, run: Path, tmp_path: Path) -> None:
    alone = released(work, run, tmp_path / "alone", 40)
    assert released(work, run, tmp_path / "shared", 40, many=1) == alone


def test_a_build_leaves_no_reading_behind(work: Work, run: Path) -> None:
    with Journal(run / "journal.sqlite") as journal:
        result = conclude_build(BuildResult(work), journal, (), run)
    assert result.derived is not None
    assert sum(account.planned for account in accounts(work, result.derived)) == len(work.trials)
    assert not [path for path in run.iterdir() if path.name.startswith(".")]


def test_labels_all_at_once_are_those_part_by_part(work: Work, run: Path, tmp_path: Path) -> None:
    with Journal(run / "journal.sqlite") as journal:
        whole = derive(work, journal, Policy())
        found = conclude(work, journal, Policy(), tmp_path, map, least=5)
    assert tuple(label for part in found.labels for label in part) == whole.labels


def test_every_attempt_at_a_key_is_found_oldest_first(work: Work, tmp_path: Path) -> None:
    asked = [respond.ask(trial, CONFIG) for trial in work.trials[:3]]
    keys = [key_of(request) for request in asked]
    with Journal(tmp_path / "journal.sqlite") as journal:
        failed = [FailedAttempt(keys[0], "rate_limit", str(n), 429) for n in range(2)]
        answer = Completion(keys[0], Outcome.TEXT, "words")
        journal.append([Entry("respond", asked[0], failure) for failure in failed])
        journal.append([Entry("respond", asked[0], answer)])
        journal.append([Entry("respond", asked[1], FailedAttempt(keys[1], "network", "gone"))])
        found = results_of(journal, keys)
    assert found[keys[0]] == [*failed, answer]
    assert completion_in(found[keys[0]]) == answer
    assert completion_in(found[keys[1]]) is None
    assert keys[2] not in found
