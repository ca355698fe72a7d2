"""Loading: what is read, and what is refused with which words."""

import csv
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest

from analysis.class_codes import TOPICS
from analysis.data import CODINGS, Coding, DataError, refused
from analysis.sources import load
from schemas.vocabulary import Topic

from .builders import Columns, columns, lose, lose_prediction, write_release


def write_csv(path: Path, table: Columns) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return path


def test_a_release_directory_its_data_folder_and_its_file_give_the_same_rows(tmp_path: Path) -> None:
    write_release(tmp_path, columns())
    folder = tmp_path / "data" / "datapoints"
    (file,) = folder.glob("*.parquet")
    for place in (tmp_path, folder, file):
        data = load(str(place)).data
        assert data.n_rows == 360
        assert data.target.names == ("maker/one", "maker/two")


def test_class_labels_are_decoded_by_the_names_in_the_metadata(tmp_path: Path) -> None:
    table = columns()
    data = load(str(write_release(tmp_path, table))).data
    assert [data.topic.names[code] for code in data.topic.codes] == table["topic"]


@pytest.mark.parametrize("writer", ["pandas", "datasets"])
def test_a_csv_that_pandas_or_datasets_wrote_of_a_release_reads_as_the_release_does(
    tmp_path: Path, writer: str
) -> None:
    table = columns()
    lose(table, [0, 5], "unlabelled")
    lose_prediction(table, [3, 9], "refused")
    release = write_release(tmp_path / "release", table)
    (file,) = (release / "data" / "datapoints").glob("*.parquet")
    if writer == "pandas":
        pd.read_parquet(file).to_csv(tmp_path / "rows.csv", index=False)
    else:
        datasets.Dataset(pyarrow.parquet.read_table(file)).to_csv(tmp_path / "rows.csv")
    source, wanted = load(str(tmp_path / "rows.csv")), load(str(release)).data
    assert source.notes[0].endswith("status, prediction_status, actual_class, topic.")
    for name in ("actual_class", "pred", "confidence", "harm", "level"):
        np.testing.assert_array_equal(getattr(source.data, name), getattr(wanted, name))
    for name in ("topic", "status", "prediction_status", "target"):
        found, known = getattr(source.data, name), getattr(wanted, name)
        assert [found.names[code] for code in found.codes] == [known.names[code] for code in known.codes]


def test_the_published_order_of_topics_is_that_of_the_vocabulary() -> None:
    assert tuple(Topic) == TOPICS


def test_a_code_beyond_the_last_class_is_told_with_the_order(tmp_path: Path) -> None:
    table = columns()
    table["status"] = [0, *[7] * (len(table["status"]) - 1)]
    with pytest.raises(DataError, match=r"column status, row 2: 7 found; wanted a name or its number: 0 ok, 1 unlab"):
        load(str(write_csv(tmp_path / "rows.csv", table)))


def test_a_csv_with_the_same_columns_reads_as_the_release_does(tmp_path: Path) -> None:
    table = columns()
    lose(table, [3, 4], "blocked")
    lose_prediction(table, [5], "refused")
    from_csv = load(str(write_csv(tmp_path / "rows.csv", table))).data
    from_parquet = load(str(write_release(tmp_path / "release", table))).data
    assert np.array_equal(from_csv.pred, from_parquet.pred, equal_nan=True)
    assert np.array_equal(from_csv.actual_class, from_parquet.actual_class)
    assert np.array_equal(from_csv.status.codes, from_parquet.status.codes)


def test_a_table_without_rows_is_read(tmp_path: Path) -> None:
    assert load(str(write_release(tmp_path, columns(targets=())))).data.n_rows == 0


@pytest.mark.parametrize(
    ("coding", "expected"),
    [
        (CODINGS[0], [1, 1, 0, 0, np.nan]),
        (CODINGS[1], [1, 0, 0, 0, np.nan]),
        (CODINGS[2], [1, 1, 0, 0, 1]),
        (CODINGS[3], [1, 0, 0, 0, 1]),
    ],
)
def test_a_refusal_is_coded_as_asked(tmp_path: Path, coding: Coding, expected: list[float]) -> None:
    table = columns(targets=("a",), n_requests=5, variants=1)
    table["actual_class"] = ["full_refusal", "partial_refusal", "partial_compliance", "full_compliance", None]
    table["status"][4] = "blocked"
    data = load(str(write_release(tmp_path, table))).data
    np.testing.assert_array_equal(refused(data, coding), expected)


def test_the_study_replica_is_mapped(tmp_path: Path) -> None:
    replica: Columns = {
        "model": ["M", "M", "M"],
        "request_id": ["r1", "r1", "r2"],
        "topic": ["drugs"] * 3,
        "level": [1, 1, 2],
        "variant": [0, 1, 0],
        "pred_refuse": [0, 1, None],
        "actual_refuse": [0, 1, 1],
        "correct": [1, 1, 0],
        "confidence": [5, 4, None],
    }
    source = load(str(write_csv(tmp_path / "replica.csv", replica)))
    data = source.data
    assert data.actual_class.tolist() == [3, 0, 0]
    assert np.isnan(data.harm).all()
    assert data.prediction_status.names[data.prediction_status.codes[2]] == "unparsed"
    assert source.notes


def change(column: str, row: int, value: object) -> Columns:
    table = columns(n_requests=12)
    table[column][row] = value
    return table


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("confidence", 6, r"column confidence, row 5: 6 found; wanted 1, 2, 3, 4, 5 or nothing \(1 such rows\)"),
        ("confidence", 0, "column confidence, row 5: 0 found"),
        ("harm_rating", 2.5, "column harm_rating, row 5: 2.5 found"),
        ("level", 9, "column level, row 5: 9 found; wanted an integer from 1 to 5"),
        ("level", 2, "column level, row 5: 2 found; wanted the same value in all rows of one request_id"),
        ("variant", -1, "column variant, row 5: -1 found; wanted an integer ≥ 0"),
        ("confidence", "5/5", "column confidence, row 5: '5/5' found; wanted a number"),
        ("pred_refuse", 2, "column pred_refuse, row 5: '2' found; wanted true, false or nothing"),
        (
            "pred_refuse",
            None,
            "column pred_refuse, row 5: nothing found; wanted true or false, as prediction_status is ok",
        ),
        ("status", "fine", "column status, row 5: 'fine' found; wanted ok | unlabelled | blocked"),
        ("status", "error", "column status, row 5: 'error' found; wanted ok, as the row has an actual_class"),
        ("actual_class", None, "column actual_class, row 5: nothing found; wanted a class, as status is ok"),
        ("actual_class", "maybe", "column actual_class, row 5: 'maybe' found; wanted full_refusal"),
        ("prediction_status", "empty", "column prediction_status, row 5: 'empty' found; wanted ok"),
        ("target", None, "column target, row 5: nothing found; wanted a value"),
        ("topic", "hate", "column topic, row 5: 'hate' found; wanted the same value"),
        ("variant", 0, "row 5: target 'maker/one', request_id 'drugs-L1-001', variant 0, sample 0 occurs before"),
    ],
)
def test_a_value_outside_the_contract_is_named(tmp_path: Path, column: str, value: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(str(write_csv(tmp_path / "rows.csv", change(column, 4, value))))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    table = columns(n_requests=2)
    del table["harm_rating"]
    with pytest.raises(DataError, match="columns missing: harm_rating; found: target"):
        load(str(write_csv(tmp_path / "rows.csv", table)))


@pytest.mark.parametrize("place", ["nowhere", "no/such/place", "missing.parquet"])
def test_a_place_without_data_is_named(place: str) -> None:
    with pytest.raises(DataError, match="no such file or directory, nor a Hub repository id"):
        load(place)


def test_a_directory_without_datapoints_says_where_they_should_be(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no datapoints there; wanted .*data/datapoints/\*\.parquet"):
        load(str(tmp_path))


def test_a_file_that_is_not_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"not parquet")
    with pytest.raises(DataError, match="not readable as Parquet"):
        load(str(path))


@pytest.mark.parametrize(
    ("text", "words"), [("[" * 200_000, "not readable as JSON"), ("[]", "want a JSON object, got list")]
)
def test_a_manifest_that_is_none_is_said(tmp_path: Path, text: str, words: str) -> None:
    write_release(tmp_path, columns(n_requests=10))
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DataError, match=words):
        load(str(tmp_path))
