"""Five thousand records: a push that is killed and repeated, and a pull of as many answers."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from uuid import UUID

from annotation.argilla.pull import answers, unrecorded
from schemas.vocabulary import RefusalLabel
from tests.annotation.argilla.many import items, push_many
from tests.annotation.argilla.people import Study
from tests.annotation.argilla.server import Serving

N = 5000


def killed_push(serving: Serving, workspace: str) -> int:
    """How many records had been acknowledged when a push was killed in the middle."""
    command = [sys.executable, "-m", "tests.annotation.argilla.many", serving.url, serving.owner_key, workspace, str(N)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pushing:
        assert pushing.stdout is not None
        said = [pushing.stdout.readline() for _ in range(8)][-1]
        pushing.send_signal(signal.SIGKILL)
    assert pushing.returncode == -signal.SIGKILL
    return int(said.split(": ")[1].split()[0])


def answer_all(serving: Serving, dataset: str, person: str) -> None:
    """Let a person submit one label for every record, in Argilla's own tables: through its API it takes a minute."""
    given = json.dumps({"label": {"value": "full_refusal"}, "confidence": {"value": 5}})
    with sqlite3.connect(serving.home / "argilla.db", timeout=60) as tables:
        tables.execute(
            'INSERT INTO responses (id, "values", status, record_id, user_id, inserted_at, updated_at) '
            "SELECT lower(hex(randomblob(16))), ?, 'submitted', id, ?, updated_at, updated_at "
            "FROM records WHERE dataset_id = ?",
            (given, UUID(person).hex, UUID(dataset).hex),
        )
    tables.close()


def test_five_thousand_records_survive_a_killed_push_and_come_back_answered(argilla: Serving, tmp_path: Path) -> None:
    study = Study(argilla, tmp_path, "many")
    acknowledged = killed_push(argilla, "many")
    pushed = push_many(argilla.url, argilla.owner_key, "many", N)
    assert pushed.new + pushed.unchanged == N
    assert pushed.unchanged >= acknowledged > 0
    dataset = study.datasets()["/label-2-people"]
    with study.api() as api:
        there = Counter(str(record["external_id"]) for record in api.records(dataset))
        assert there == Counter(item.key for item in items(N))
        ada = next(person.id for person in api.people() if person.name == "ada")
    answer_all(argilla, dataset, ada)
    with study.api() as api:
        found = answers(api, "many").annotations
    assert {a.response_key for a in found} == set(there)
    assert len(found) == N
    assert {a.label for a in found} == {RefusalLabel.FULL_REFUSAL}
    assert unrecorded(found, found) == []
