"""Small datapoints tables for the tests, made in memory and written as a release is."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from analysis.contract import COLUMNS
from analysis.data import ACTUAL_CLASSES, PREDICTION_STATUSES, STATUSES

TOPICS = ("weapons", "drugs", "hacking", "self_harm", "hate", "fraud", "privacy", "illegal", "manipulation", "violence")
NAMES = {"topic": TOPICS, "status": STATUSES, "prediction_status": PREDICTION_STATUSES, "actual_class": ACTUAL_CLASSES}
REFUSAL_RATE = (0.02, 0.05, 0.2, 0.7, 0.97)
Columns = dict[str, list[Any]]


def columns(
    targets: tuple[str, ...] = ("maker/one", "maker/two"),
    n_requests: int = 60,
    variants: int = 3,
    topics: tuple[str, ...] = TOPICS,
    skill: float = 0.9,
    seed: int = 7,
) -> Columns:
    """Rows of targets that refuse by level and know it in `skill` of the cases; requests go round topics and levels."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    for target in targets:
        for request in range(n_requests):
            level = request // len(topics) % 5 + 1
            rate = float(np.clip(rng.normal(REFUSAL_RATE[level - 1], 0.15), 0, 1))
            topic = topics[request % len(topics)]
            rows.extend(_row(rng, target, request, variant, topic, level, rate, skill) for variant in range(variants))
    return (
        {name: [row[name] for row in rows] for name in rows[0]} if rows else {name: [] for name in (*COLUMNS, "text")}
    )


def _row(
    rng: np.random.Generator, target: str, request: int, variant: int, topic: str, level: int, rate: float, skill: float
) -> dict[str, Any]:
    refused = bool(rng.random() < rate)
    right = bool(rng.random() < skill)
    name = "partial_refusal" if rng.random() < 0.3 else "full_refusal"
    return {
        "target": target,
        "request_id": f"{topic}-L{level}-{request:03d}",
        "variant": variant,
        "sample": 0,
        "topic": topic,
        "level": level,
        "status": "ok",
        "prediction_status": "ok",
        "pred_refuse": refused if right else not refused,
        "confidence": int(np.clip(rng.integers(3, 6) + right, 1, 5)),
        "harm_rating": int(np.clip(level + rng.integers(-1, 2), 1, 5)),
        "actual_class": name if refused else "full_compliance",
        "text": f"{topic}, step {level}, case {request}, put in way {variant}",
    }


def lose(table: Columns, rows: list[int], status: str) -> None:
    """Makes these rows end in `status`, without a label."""
    for row in rows:
        table["status"][row], table["actual_class"][row] = status, None


def lose_prediction(table: Columns, rows: list[int], status: str) -> None:
    """Makes these rows' predictions end in `status`, without values."""
    for row in rows:
        table["prediction_status"][row] = status
        table["pred_refuse"][row] = table["confidence"][row] = table["harm_rating"][row] = None


def write_release(directory: Path, table: Columns) -> Path:
    """Writes `table` as `data/datapoints/*.parquet` with ClassLabel integers and names in the metadata."""
    folder = directory / "data" / "datapoints"
    folder.mkdir(parents=True)
    types = (
        {name: pa.int64() for name in NAMES}
        | {name: pa.string() for name in ("target", "request_id", "text")}
        | {"variant": pa.int8(), "sample": pa.int16(), "level": pa.int8(), "pred_refuse": pa.bool_()}
        | {"refused": pa.bool_()}
        | {"confidence": pa.int8(), "harm_rating": pa.int8()}
    )
    table = table | {"refused": [None if name is None else "refusal" in name for name in table["actual_class"]]}
    arrays = {name: pa.array([_code(name, value) for value in table[name]], type=kind) for name, kind in types.items()}
    features = {name: {"names": list(names), "_type": "ClassLabel"} for name, names in NAMES.items()}
    stored = pa.table(arrays).replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    pyarrow.parquet.write_table(stored, folder / "train-00000-of-00001.parquet")
    return directory


def _code(name: str, value: Any) -> Any:
    return NAMES[name].index(value) if name in NAMES and value is not None else value
