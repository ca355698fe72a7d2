"""The daft transport's parts: rows and files of attempts, what a merge takes over, and what is refused."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from builder.cli import main
from builder.corpus_file import BUNDLED, read_corpus
from builder.journal.export import SCHEMA as JOURNAL_SCHEMA
from builder.journal.store import Entry, Journal
from builder.providers.protocol import CallError
from builder.providers.scripted import plausible
from builder.transports.daft.crew import partition_size
from builder.transports.daft.line import result_message, result_of
from builder.transports.daft.merge import merge
from builder.transports.daft.parts import PartWriter
from builder.transports.daft.rows import SCHEMA, entry_of, new_attempt, row_of
from builder.transports.daft.store import AttemptStore, StoreError, readable
from builder.work import plan_work, predict_asks, respond_asks
from schemas.chat import ChatRequest, Completion, FailedAttempt, Message, Usage
from schemas.config import BuildConfig
from schemas.key import key_of
from schemas.vocabulary import Outcome

NOW = "2026-01-01T00:00:00Z"


def answer(number: int, text: str = "ok") -> Entry:
    request = ChatRequest(
        "scripted/m", (Message("user", str(number)),), temperature=0.5, json_schema={"type": "object"}
    )
    completion = Completion(
        key_of(request),
        Outcome.TEXT,
        text,
        "stop",
        "m-1",
        None,
        "r",
        Usage(3, None, 0, 1),
        0.25,
        "2026-01-01T00:00:00Z",
    )
    return Entry("respond", request, completion)


def failure(number: int, message: str = "busy: try later") -> Entry:
    entry = answer(number)
    return entry._replace(
        result=FailedAttempt(key_of(entry.request), "overloaded", message, 503, "2026-01-01T00:00:00Z")
    )


def filled(tmp_path: Path, *files: list[tuple[str, Entry]]) -> AttemptStore:
    store = AttemptStore(str(tmp_path / "store"))
    for place, rows in enumerate(files):
        store.put_rows(f"respond/{place}.parquet", [row_of(entry, attempt) for attempt, entry in rows])
    return store


@pytest.mark.parametrize("entry", [answer(1), answer(2, ""), answer(3, "é\n\0😀"), failure(4), failure(5, "")])
def test_an_attempt_survives_the_way_through_parquet(tmp_path: Path, entry: Entry) -> None:
    store = filled(tmp_path, [("a", entry)])
    (row,) = store.read("respond/0.parquet").to_pylist()
    assert entry_of(row) == entry
    assert set(JOURNAL_SCHEMA.names) | {"attempt", "request"} == set(SCHEMA.names)


@pytest.mark.parametrize(
    "result",
    [
        answer(1).result,
        CallError("rate_limited", "slow down", status=429, retry_after_s=1.5),
        CallError("connection", "refused", sent=False),
    ],
)
def test_what_a_call_ended_in_survives_the_line(result: Completion | CallError) -> None:
    back = result_of(result_message(result))
    assert vars(back) == vars(result) if isinstance(result, CallError) else back == result


def test_names_of_attempts_sort_as_they_were_given() -> None:
    names = [new_attempt() for _ in range(100)]
    assert names == sorted(set(names))


def test_a_merge_records_each_attempt_once_and_the_first_answer_of_a_key(tmp_path: Path) -> None:
    late, early = answer(1, "late"), answer(1, "early")
    twice = [("2", failure(2)), ("3", failure(2))]
    store = filled(tmp_path, [("9", late), *twice], [("1", early), *twice], [("4", answer(2))])
    with Journal(tmp_path / "j.sqlite") as journal:
        assert merge(store, journal) == 4
        assert merge(store, journal) == 0
        kinds = [type(a.result).__name__ for a in journal.attempts() if a.key == key_of(answer(2).request)]
        assert kinds == ["FailedAttempt", "FailedAttempt", "Completion"]
        assert journal.completion(key_of(early.request)) == early.result


def test_a_merge_leaves_the_answer_that_is_on_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.append([answer(1, "first")])
        assert merge(filled(tmp_path, [("1", answer(1, "second"))]), journal) == 0
        assert journal.completion(key_of(answer(1).request)) == answer(1, "first").result


def test_a_plan_counts_what_workers_left_in_the_store_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, store = tmp_path / "run", AttemptStore(str(tmp_path / "store"))
    small = BuildConfig.model_validate(
        {"topics": "fraud", "levels": "1", "per_cell": 1, "targets": "scripted/plausible", "judges": "lexical"}
    )
    work = plan_work(read_corpus(BUNDLED).requests, small)
    entries = [
        Entry(ask.stage, ask.request, plausible(ask.request, ask.key, 1))
        for ask in (*predict_asks(work), *respond_asks(work))
    ]
    store.put_rows("predict/0.parquet", [row_of(entry, new_attempt()) for entry in entries[:3]])
    study = ["--topics", "fraud", "--levels", "1", "--per-cell", "1", "--targets", "scripted/plausible", "--plan"]
    study += ["--judges", "lexical", "--run", str(run), "--transport", "daft", "--store", store.place]

    def on_record() -> list[str]:
        assert main(study) == 0
        return [line.split()[3] for line in capsys.readouterr().out.splitlines()[1:3]]

    assert on_record() == ["3", "0"]
    assert not run.exists()
    run.mkdir()
    with Journal(run / "journal.sqlite") as journal:
        journal.append(entries[3:4])
        assert on_record() == ["3", "1"]
        assert len(journal.completed_keys()) == 1


def test_a_store_is_read_each_answer_once_whatever_files_it_lies_in(tmp_path: Path) -> None:
    store = filled(
        tmp_path,
        [("3", answer(1, "late")), ("2", failure(2))],
        [("1", answer(1, "early"))],
        [("1", answer(1, "early"))],
    )
    rows = [row for table in readable(store, "respond", ["text"]) for row in table.to_pylist()]
    assert [(row["attempt"], row["text"]) for row in rows] == [("1", "early")]


def test_the_files_of_a_partition_become_one_sorted_by_key(tmp_path: Path) -> None:
    store = AttemptStore(str(tmp_path / "store"))
    seen: list[int] = []

    async def write() -> None:
        async with PartWriter(store) as parts:
            for number in range(5):
                await parts.record(row_of(answer(number), new_attempt()))
                seen.append(sum(store.read(name).num_rows for name in store.names("respond")))

    asyncio.run(write())
    (name,) = store.names("respond")
    keys = store.read(name)["key"].to_pylist()
    assert seen == [1, 2, 3, 4, 5]
    assert keys == sorted(key_of(answer(number).request) for number in range(5))


def test_a_store_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def write() -> None:
        async with PartWriter(AttemptStore(str(tmp_path / "file"))) as parts:
            await parts.record(row_of(answer(1), new_attempt()))

    with pytest.raises(StoreError, match="cannot write respond/"):
        asyncio.run(write())


@pytest.mark.parametrize(
    ("count", "workers", "size"),
    [(1, 2, 1), (6, 2, 3), (100, 2, 50), (900, 2, 113), (1_000_000, 2, 2000), (50, 100, 1)],
)
def test_partitions_keep_every_worker_busy(count: int, workers: int, size: int) -> None:
    assert partition_size(count, workers) == size


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--ray", "auto"], "ray: goes with transport daft only"),
        (["--workers", "3", "--transport", "batch"], "workers: goes with transport daft only"),
        (["--store", "s3://b/x"], "store: goes with transport daft only"),
        (["--transport", "daft", "--ray", "ray://head:10001"], "want HOST:PORT or auto"),
        (["--transport", "daft", "--workers", "0"], "workers"),
    ],
)
def test_what_does_not_apply_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], words: str
) -> None:
    assert main(["--run", str(tmp_path / "run"), *flags]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path) -> None:
    script = "import sys; sys.modules['daft'] = None; from builder.cli import main; sys.exit(main(sys.argv[1:]))"
    flags = [
        "--run",
        str(tmp_path / "run"),
        "--transport",
        "daft",
        "--targets",
        "scripted/plausible",
        "--judges",
        "lexical",
    ]
    done = subprocess.run([sys.executable, "-c", script, *flags], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs daft, not installed here" in done.stderr
    assert ".venv/bin/python -m pip install --editable '.[scale]'" in done.stderr
    assert not (tmp_path / "run").exists()


def test_the_other_transports_import_nothing_of_the_extra() -> None:
    script = "import sys, builder.cli; print({'daft', 'ray'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
