"""Table schemas: derived from the rows in one place, and described on the page about them."""

import re
from dataclasses import fields
from pathlib import Path

import datasets
import pytest

from schemas.rows import TABLES, DatapointRow, GroundTruthRow, RequestRow
from schemas.tables import arrow_table, columns_of, features_of
from schemas.vocabulary import Bin, Topic

DOCS = Path(__file__).parents[2] / "docs" / "tables.md"


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_a_feature_for_every_field(name: str) -> None:
    assert list(features_of(TABLES[name])) == [item.name for item in fields(TABLES[name])]


def test_closed_vocabularies_become_class_labels_in_their_order() -> None:
    feature = features_of(DatapointRow)["bin"]
    assert isinstance(feature, datasets.ClassLabel)
    assert feature.names == [member.value for member in Bin]


def test_rows_become_a_typed_table_with_nulls() -> None:
    rows = [
        GroundTruthRow("t", "r", Topic.FRAUD, 3, 1, 3, Bin.LEANING_SAFE, [0.5, 0.5], 0.5, bin_certain=False),
        GroundTruthRow("t", "s", Topic.WEAPONS, 1, 0, 0, None, None, None, bin_certain=False),
    ]
    table = arrow_table(GroundTruthRow, rows)
    assert table.column("topic").to_pylist() == [list(Topic).index(Topic.FRAUD), 0]
    assert table.column("bin").to_pylist() == [1, None]
    assert table.column("posterior").to_pylist() == [[0.5, 0.5], None]
    assert str(table.schema.field("level").type) == "int8"


def test_no_rows_make_an_empty_table_of_the_same_schema() -> None:
    assert arrow_table(RequestRow, []).schema == features_of(RequestRow).arrow_schema


def test_only_columns_that_may_be_unknown_are_nullable() -> None:
    nullable = {column.name for column in columns_of(DatapointRow) if column.nullable}
    assert {"pred_refuse", "actual_class", "bin"} <= nullable
    assert not nullable & {"target", "request_id", "status", "level"}


def test_the_page_about_tables_names_every_column_of_datapoints() -> None:
    described = set(re.findall(r"`(\w+)`", DOCS.read_text()))
    assert {item.name for item in fields(DatapointRow)} <= described
