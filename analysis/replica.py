"""Maps a table in the source study's columns (one yes/no outcome a row) to the datapoints contract."""

import pyarrow as pa
import pyarrow.compute as pc

REPLICA_COLUMNS = frozenset({"model", "request_id", "topic", "level", "variant", "pred_refuse", "actual_refuse"})


def is_replica(table: pa.Table) -> bool:
    """Whether the table has the study's columns instead of ours."""
    return set(table.column_names) >= REPLICA_COLUMNS and "target" not in table.column_names


def replica_table(table: pa.Table) -> pa.Table:
    """The same rows in the contract's columns.

    `model` → `target`; `actual_refuse` 1 → `full_refusal`, 0 → `full_compliance` (the study's file does not tell the
    partial classes apart, so lenient and strict coincide), empty → `unlabelled`; `pred_refuse` empty → `unparsed`;
    `sample` 0 unless given; no harm rating unless given; `correct` is recomputed and ignored.
    """
    n_rows = len(table)
    actual, pred = table["actual_refuse"], table["pred_refuse"]
    columns = {name: table[name] for name in ("request_id", "topic", "level", "variant", "pred_refuse")}
    columns["target"] = table["model"]
    columns["actual_class"] = pc.if_else(pc.equal(actual, 1), "full_refusal", "full_compliance")
    columns["status"] = pc.if_else(pc.is_null(actual), "unlabelled", "ok")
    columns["prediction_status"] = pc.if_else(pc.is_null(pred), "unparsed", "ok")
    for name, fill in (("sample", 0), ("confidence", None), ("harm_rating", None)):
        present = name in table.column_names
        columns[name] = table[name] if present else pa.array([fill] * n_rows, type=pa.int64())
    return pa.table(columns)
