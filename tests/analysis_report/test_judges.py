"""Judges against people: votes are joined to human labels, rates are corrected by the random audit."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from analysis.contract import datapoints
from analysis.data import ACTUAL_CLASSES, DataError, Datapoints
from analysis.judgments import load_votes
from analysis.metrics.estimate import Estimate
from analysis.metrics.sdt import sdt
from analysis.report import compute
from analysis.sources import load
from analysis.study import Settings
from analysis.tables.judges import judge_tables

from .builders import columns, write_release

Rows = list[dict[str, Any]]


def write_votes(release: Path, n: int = 240, stream: str | None = "audit") -> Path:
    """`n` responses: the judge calls every third a refusal; people labelled two thirds and differ in each tenth."""
    votes: Rows = []
    labels: Rows = []
    for row in range(n):
        said = 0 if row % 3 == 0 else 3
        true = 3 - said if row % 10 == 0 else said
        asked = row % 3 != 2
        key, variant = f"key{row}", f"drugs-L1-{row // 3:03d}-v{row % 3}"
        votes.append(
            {
                "response_key": key,
                "target": "maker/one",
                "variant_id": variant,
                "sample": 0,
                "judge": "j",
                "label": said,
            }
        )
        labels.append(
            {
                "response_key": key,
                "label": true if asked else said,
                "source": "human" if asked else "judges",
                "stream": stream if asked else None,
                "inclusion_probability": (0.5 if said == 0 else 0.25) if asked and stream else None,
            }
        )
    votes.append(
        {
            "response_key": "key0",
            "target": "maker/one",
            "variant_id": "drugs-L1-000-v0",
            "sample": 0,
            "judge": "j",
            "label": None,
        }
    )
    write_table(release, "judgments", votes)
    write_table(release, "labels", labels)
    return release


def predicted(n: int = 240) -> Datapoints:
    """The target of `write_votes` foresees a refusal wherever the judge sees one, and at every fourth other row."""
    rows = [
        {
            "target": "maker/one",
            "request_id": f"drugs-L1-{row // 3:03d}",
            "variant": row % 3,
            "sample": 0,
            "topic": "drugs",
            "level": 1,
            "status": "ok",
            "prediction_status": "ok",
            "pred_refuse": row % 3 == 0 or row % 4 == 0,
            "confidence": 3,
            "harm_rating": 1,
            "actual_class": "full_refusal",
        }
        for row in range(n)
    ]
    return datapoints(pa.Table.from_pylist(rows))


def write_table(release: Path, name: str, rows: Rows) -> None:
    folder = release / "data" / name
    folder.mkdir(parents=True)
    features = {"label": {"names": list(ACTUAL_CLASSES), "_type": "ClassLabel"}}
    table = pa.Table.from_pylist(rows).replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})}
    )
    pyarrow.parquet.write_table(table, folder / "train-00000-of-00001.parquet")


def test_a_release_without_judgments_has_no_votes(tmp_path: Path) -> None:
    assert load_votes(write_release(tmp_path, columns(n_requests=2))) is None


def test_votes_are_joined_to_what_people_said(tmp_path: Path) -> None:
    votes = load_votes(write_votes(tmp_path))
    assert votes is not None
    assert (len(votes.vote), votes.n_without_vote) == (240, 1)
    assert int((votes.human >= 0).sum()) == 160
    assert len(votes.request.names) == 80


def test_a_judge_is_measured_on_what_was_drawn_at_random(tmp_path: Path) -> None:
    votes = load_votes(write_votes(tmp_path))
    assert votes is not None
    judges, corrected, _ = judge_tables(votes, predicted())
    (row,) = judges.rows
    assert row[:4] == ("j", 240, 160, 160)
    # Of 80 human items called refusals 8 were not; the weights do not change a share inside one class of votes.
    assert isinstance(row[6], Estimate)
    assert row[6].value == pytest.approx(72 / 80)
    (rate,) = corrected.rows
    assert rate[4] == pytest.approx(80 / 240)
    assert isinstance(rate[5], Estimate)
    assert rate[5].value == pytest.approx((80 * 72 / 80 + 160 * 8 / 80) / 240)


def test_without_a_random_draw_a_rate_is_not_corrected(tmp_path: Path) -> None:
    votes = load_votes(write_votes(tmp_path, stream=None))
    assert votes is not None
    judges, corrected, _ = judge_tables(votes, predicted())
    assert judges.rows[0][3] == 0
    assert isinstance(corrected.rows[0][5], Estimate)
    assert corrected.rows[0][5].value is None


def test_the_report_of_a_release_with_judgments_has_the_chapter(tmp_path: Path) -> None:
    place = write_votes(write_release(tmp_path, columns(n_requests=25)))
    report = compute(load(str(place)), Settings(n_resamples=20, m_ratio_resamples=20))
    assert [section.key for section in report.sections][-2:] == ["judges", "methods"]


def test_an_unreadable_table_is_named(tmp_path: Path) -> None:
    place = write_votes(tmp_path)
    (file,) = (place / "data" / "labels").glob("*.parquet")
    file.write_bytes(b"not parquet")
    with pytest.raises(DataError, match=r"labels.*not readable as Parquet"):
        load_votes(place)


def test_detection_is_corrected_beside_what_the_judge_says(tmp_path: Path) -> None:
    votes = load_votes(write_votes(tmp_path))
    assert votes is not None
    (row,) = judge_tables(votes, predicted())[2].rows
    # The judge: 80 hits, no miss, 40 false alarms among 160, so 120 correct rejections.
    assert row[:4] == ("maker/one", "j", 240, 160)
    assert row[4] == pytest.approx(200 / 240)
    judged, corrected = row[6], row[7]
    assert judged == pytest.approx(sdt(80, 0, 40, 120).d_prime)
    assert isinstance(judged, float)
    assert isinstance(corrected, Estimate)
    # People overturn a tenth of the refusals, all predicted, so the target foresees less than the judge believes.
    assert corrected.value is not None
    assert corrected.value < judged


def test_a_response_whose_prediction_is_missing_is_not_counted(tmp_path: Path) -> None:
    votes = load_votes(write_votes(tmp_path))
    assert votes is not None
    (row,) = judge_tables(votes, predicted(120))[2].rows
    assert row[2] == 120
