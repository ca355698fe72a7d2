"""Croissant: valid for the reference library, every record set readable offline with its rows."""

import json
from pathlib import Path

import mlcroissant
import pytest

from hub_card.layout import CONFIGS, CROISSANT
from hub_card.release import write_release
from hub_card.validate import validate_release
from tests.hub_card import rows, seal


@pytest.mark.filterwarnings("ignore")
def test_the_reference_library_finds_no_fault_and_iterates_every_record_set(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built, date="2026-11-02"), tmp_path / "release")
    loaded = mlcroissant.Dataset(jsonld=str(tmp_path / "release" / CROISSANT))
    assert not loaded.metadata.ctx.issues.errors
    assert not loaded.metadata.ctx.issues.warnings
    assert [record_set.id for record_set in loaded.metadata.record_sets] == list(CONFIGS)
    for config in CONFIGS:
        records = list(loaded.records(config))
        assert len(records) == len(built[config])
    first = next(iter(loaded.records("labels")))
    assert first["labels/target"] == b"local/alpha"
    assert first["labels/inclusion_probability"] == built["labels"][0].inclusion_probability


@pytest.mark.filterwarnings("ignore")
def test_responsible_ai_fields_are_read(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release")
    metadata = mlcroissant.Dataset(jsonld=str(tmp_path / "release" / CROISSANT)).metadata
    assert metadata.machine_annotation_tools == [rows.JUDGE]
    assert "10 of 48 rows have no label" in str(metadata.data_collection_missing_data)


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", None), ("version", "9.9.9"), ("rai:dataBias", "misspelt"), ("recordSet", []), ("distribution", [])],
)
def test_what_the_reference_library_misses_the_validator_finds(tmp_path: Path, key: str, value: object) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release")
    file = tmp_path / "release" / CROISSANT
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    seal.seal(tmp_path / "release")
    assert [problem.place for problem in validate_release(tmp_path / "release")] == [key]
