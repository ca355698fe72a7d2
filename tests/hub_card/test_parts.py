"""Checking in parts: the parts hold every row once and whole trials, and their size changes no problem."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hub_card.checks.across import ATTEMPTS, CORPUS, TRIALS, check_across
from hub_card.checks.attempts import COLUMNS
from hub_card.checks.parts import hashes, parts, whole
from hub_card.checks.rows import TRIAL, key_in
from hub_card.layout import MANIFEST, parquet_path
from hub_card.manifest import load_manifest
from hub_card.parquet import plain_rows, read_table
from hub_card.release import write_release
from tests.hub_card import rows, seal

SMALL = 25


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = rows.tables(samples=2)
    release = tmp_path_factory.mktemp("sound") / "release"
    write_release(built, rows.facts(built), release)
    return release


@pytest.fixture
def release(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "release"))


@pytest.mark.parametrize("size", [SMALL, 10**6])
def test_parts_hold_every_row_once_with_its_number_and_no_trial_is_split(sound: Path, size: int) -> None:
    found = list(parts(sound, TRIALS, whole(sound, CORPUS), rows=size))
    assert (len(found) > 5) == (size == SMALL)
    for config in TRIALS:
        numbered = dict(pair for part in found for pair in part[config].numbered())
        table = read_table(sound / parquet_path(config))
        assert [numbered[number + 1] for number in range(len(numbered))] == list(plain_rows(config, table))
    trials = [{key_in(row, TRIAL) for config in TRIALS for row in part[config]} for part in found]
    assert sum(map(len, trials)) == len(set().union(*trials))


def test_parts_by_key_have_some_columns(sound: Path) -> None:
    for part in parts(sound, ATTEMPTS, whole(sound, CORPUS), COLUMNS, SMALL):
        assert all(tuple(row) == COLUMNS[config] for config in COLUMNS for row in part[config])
        known = {row["key"] for row in part["attempts"]}
        assert {row["response_key"] for row in part["responses"] if row["outcome"]} <= known


def test_equal_values_have_equal_hashes_and_columns_are_not_exchangeable() -> None:
    texts, numbers = pa.chunked_array([["a", "b"], ["a"]]), pa.chunked_array([[1, 2, 1]])
    first, second, third = hashes([texts, numbers]).tolist()
    assert first == third != second
    assert hashes([pa.chunked_array([["a"]]), pa.chunked_array([["b"]])]) != hashes(
        [pa.chunked_array([["b"]]), pa.chunked_array([["a"]])]
    )


def dropped(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(0, 5), table.slice(6)])


def doubled(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table, table.slice(3, 2)])


def shuffled(table: pa.Table) -> pa.Table:
    order = list(range(table.num_rows))
    random.Random(5).shuffle(order)
    return table.take(order)


def reversed_texts(table: pa.Table) -> pa.Table:
    """Every cell of the last column that has text or truth in another row."""
    name = table.column_names[-1]
    return table.set_column(
        table.num_columns - 1, table.schema.field(name), table[name].take(list(range(len(table)))[::-1])
    )


def damages() -> Iterator[tuple[str, Callable[[pa.Table], pa.Table]]]:
    for config in (*TRIALS, *CORPUS, "attempts"):
        for change in (dropped, doubled, shuffled, reversed_texts):
            yield config, change


@pytest.mark.parametrize(("config", "change"), list(damages()))
def test_the_size_of_parts_changes_no_problem(
    release: Path, config: str, change: Callable[[pa.Table], pa.Table]
) -> None:
    file = release / parquet_path(config)
    pq.write_table(change(read_table(file)), file)
    seal.seal(release, config)
    manifest = load_manifest(release)
    at_once = list(check_across(release, manifest))
    assert list(check_across(release, manifest, SMALL)) == at_once
    assert at_once or change is not doubled


def test_row_order_is_no_rule_between_tables(release: Path) -> None:
    file = release / parquet_path("labels")
    pq.write_table(shuffled(read_table(file)), file)
    seal.seal(release, "labels")
    assert list(check_across(release, load_manifest(release), SMALL)) == []


def test_a_withheld_cell_that_is_no_text_is_a_problem_and_no_crash(release: Path) -> None:
    manifest = json.loads((release / MANIFEST).read_text())
    manifest["withheld"]["responses.characters"] = 3
    (problem,) = check_across(release, manifest)
    assert problem.rule == "states 3, but 0 cells are markers"
