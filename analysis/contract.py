"""Checks a table against the data contract (docs/tables.md) and turns it into Datapoints."""

import numpy as np
import pyarrow as pa

from .columns import booleans, coded, integers, ratings, reject
from .data import ACTUAL_CLASSES, PREDICTION_STATUSES, STATUSES, Coded, DataError, Datapoints, Ints

COLUMNS = (
    "target",
    "request_id",
    "topic",
    "level",
    "variant",
    "sample",
    "status",
    "prediction_status",
    "actual_class",
    "pred_refuse",
    "confidence",
    "harm_rating",
)
RATE_COLUMNS = ("refusals", "outcomes")
OPTIONAL_COLUMNS = (*RATE_COLUMNS, "label_source", "text")


def datapoints(table: pa.Table) -> Datapoints:
    """The checked arrays of a table.

    Raises DataError naming column, row, value and what is wanted.
    """
    missing = [name for name in COLUMNS if name not in table.column_names]
    if missing:
        raise DataError(f"columns missing: {', '.join(missing)}; found: {', '.join(table.column_names)}")
    data = Datapoints(
        target=coded(table, "target"),
        request=coded(table, "request_id"),
        topic=coded(table, "topic"),
        level=integers(table, "level", 1, 5),
        variant=integers(table, "variant", 0),
        sample=integers(table, "sample", 0),
        status=coded(table, "status", STATUSES),
        prediction_status=coded(table, "prediction_status", PREDICTION_STATUSES),
        actual_class=coded(table, "actual_class", ACTUAL_CLASSES, nullable=True).codes,
        pred=booleans(table, "pred_refuse"),
        confidence=ratings(table, "confidence"),
        harm=ratings(table, "harm_rating"),
        label_source=_names_if_there(table, "label_source"),
        text=_names_if_there(table, "text"),
        recorded_rate=_recorded_rate(table),
    )
    _check_statuses(data)
    _check_requests(data)
    _check_unique(data)
    return data


def _names_if_there(table: pa.Table, name: str) -> Coded | None:
    return coded(table, name, nullable=True) if name in table.column_names else None


def _recorded_rate(table: pa.Table) -> Ints | None:
    if not set(RATE_COLUMNS) <= set(table.column_names):
        return None
    return np.stack([integers(table, name, 0) for name in RATE_COLUMNS], axis=1)


def _check_statuses(data: Datapoints) -> None:
    labelled, ok = data.actual_class >= 0, data.status.codes == 0
    statuses = _spelled(data.status)
    reject(labelled & ~ok, "status", statuses, "ok, as the row has an actual_class")
    reject(ok & ~labelled, "actual_class", np.full(data.n_rows, np.nan), "a class, as status is ok")
    predicted, read = ~np.isnan(data.pred), data.prediction_status.codes == 0
    reject(predicted & ~read, "prediction_status", _spelled(data.prediction_status), "ok, as the row has pred_refuse")
    reject(read & ~predicted, "pred_refuse", data.pred, "true or false, as prediction_status is ok")


def _check_requests(data: Datapoints) -> None:
    for column, values in (("topic", data.topic.codes), ("level", data.level)):
        first = np.zeros(len(data.request.names), dtype=np.int64)
        first[data.request.codes[::-1]] = values[::-1]
        shown = _spelled(data.topic) if column == "topic" else values
        reject(values != first[data.request.codes], column, shown, "the same value in all rows of one request_id")


def _check_unique(data: Datapoints) -> None:
    keys = (data.sample, data.variant, data.request.codes, data.target.codes)
    order = np.lexsort(keys)
    repeated = np.zeros(data.n_rows, dtype=np.bool_)
    if data.n_rows:
        same = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in keys])
        repeated[order[1:]] = same
    if repeated.any():
        row = int(repeated.argmax())
        target, request = _spelled(data.target)[row], _spelled(data.request)[row]
        raise DataError(
            f"row {row + 1}: target {target!r}, request_id {request!r}, variant {data.variant[row]}, "
            f"sample {data.sample[row]} occurs before; wanted one row each ({int(repeated.sum())} such rows)"
        )


def _spelled(column: Coded) -> "np.ndarray[tuple[int], np.dtype[np.object_]]":
    return np.array([*column.names, None], dtype=object)[column.codes]
