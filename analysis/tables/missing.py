"""Counts before numbers: how many rows were planned, which can be used, and why the others cannot."""

import numpy as np

from ..data import LEVELS, PREDICTION_STATUSES, STATUSES, Coded, TargetRows
from ..study import Study, item_keys
from .bins import RequestRates
from .table import Cell, Column, Table


def missing(study: Study) -> list[Table]:
    """Rows by target, by reason, and by topic × level."""
    return [
        _rows(study),
        _reasons(study, "outcome_status", "Outcomes by status", study.data.status, STATUSES),
        _reasons(
            study, "prediction_status", "Predictions by status", study.data.prediction_status, PREDICTION_STATUSES
        ),
        *_deciders(study),
        _grid(study),
        _cells(study),
    ]


def _rows(study: Study) -> Table:
    everything = np.unique(np.concatenate([item_keys(rows) for rows in study.targets] or [np.empty(0, np.int64)]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            target.name,
            len(np.unique(target.request)),
            len(everything),
            len(target.rows),
            int(target.used.sum()),
            int((~np.isnan(target.pred) & np.isnan(target.actual)).sum()),
            int((np.isnan(target.pred) & ~np.isnan(target.actual)).sum()),
            int((np.isnan(target.pred) & np.isnan(target.actual)).sum()),
        )
        for target in study.targets
    )
    used, planned = sum(int(target.used.sum()) for target in study.targets), study.data.n_rows
    short = [target.name for target in study.targets if len(target.rows) < len(everything)]
    reading = f"{used:,} of {planned:,} rows have both a prediction and a labelled outcome and are used."
    reading += _stale(study)
    if short:
        reading += f" {', '.join(short)} {'lacks' if len(short) == 1 else 'lack'} items that other targets have."
    columns = (
        Column("target", "Target"),
        Column("requests", "Requests", "count"),
        Column("expected", "Items of any target", "count"),
        Column("rows", "Rows", "count"),
        Column("used", "Used", "count"),
        Column("no_outcome", "No outcome", "count"),
        Column("no_prediction", "No prediction", "count"),
        Column("neither", "Neither", "count"),
    )
    return Table("rows", "Rows expected, used and missing", columns, rows, reading)


def _stale(study: Study) -> str:
    recorded = study.data.recorded_rate
    if recorded is None or study.settings.coding.strict or study.settings.coding.blocked_refused:
        return ""
    rows = 0
    for target in study.targets:
        refusals, outcomes = RequestRates(target).by_row(target)
        rows += int((recorded[target.rows] != np.stack([refusals, outcomes], axis=1)).any(axis=1).sum())
    if not rows:
        return ""
    return f" In {rows:,} rows the recorded refusal rate differs from that of the rows present; the rows are counted."


def _reasons(study: Study, key: str, title: str, column: Coded, names: tuple[str, ...]) -> Table:
    present = [code for code in range(len(names)) if code == 0 or (column.codes == code).any()]
    rows = tuple(
        _counted(target.name, [int((column.codes[target.rows] == code).sum()) for code in present])
        for target in study.targets
    )
    not_ok = int((column.codes != 0).sum())
    n_rows = study.data.n_rows
    reading = f"{not_ok:,} of {n_rows:,} rows are not ok." if not_ok else "Every row is ok."
    if key == "prediction_status" and n_rows:
        declined = int((column.codes == names.index("refused")).sum())
        reading += f" The targets refused to predict in {declined:,} rows ({100 * declined / n_rows:.1f} %)."
    columns = (
        Column("target", "Target"),
        *(Column(names[code], names[code].replace("_", " "), "count") for code in present),
    )
    return Table(key, title, columns, rows, reading)


def _deciders(study: Study) -> list[Table]:
    source = study.data.label_source
    if source is None or not (source.codes >= 0).any():
        return []
    rows = tuple(
        _counted(target.name, [int((source.codes[target.rows] == code).sum()) for code in range(len(source.names))])
        for target in study.targets
    )
    columns = (Column("target", "Target"), *(Column(name, name.replace("_", " "), "count") for name in source.names))
    labelled = int((source.codes >= 0).sum())
    human = int((source.codes == source.names.index("human")).sum()) if "human" in source.names else 0
    reading = f"People decided {human:,} of {labelled:,} labels; the others carry the errors of judges."
    note = "Accepted judge: a judge whose labels were taken without a record of agreement with people."
    return [Table("label_sources", "Who decided the labels", columns, rows, reading, (note,))]


def _counted(name: str, counts: list[int]) -> tuple[Cell, ...]:
    return (name, *counts)


def _grid(study: Study) -> Table:
    rows = tuple(
        (
            target.name,
            study.topic_name(topic),
            *(_share(target, topic, level) for level in LEVELS),
            _share(target, topic),
        )
        for target in study.targets
        for topic in study.topics
    )
    columns = (
        Column("target", "Target"),
        Column("topic", "Topic"),
        *(Column(f"level_{level}", f"Level {level}", "count") for level in LEVELS),
        Column("all", "All", "count"),
    )
    return Table("used_by_topic_level", "Rows used of rows present, by topic and level", columns, rows, _worst(study))


def _share(target: TargetRows, topic: int, level: int | None = None) -> str | None:
    mask = target.topic == topic
    if level is not None:
        mask &= target.level == level
    return f"{int((mask & target.used).sum())}/{int(mask.sum())}" if mask.any() else None


def _worst(study: Study) -> str:
    lost = {
        level: int(sum(((target.level == level) & ~target.used).sum() for target in study.targets)) for level in LEVELS
    }
    total = sum(lost.values())
    if not total:
        return "No row is missing at any level."
    level = max(lost, key=lost.__getitem__)
    return (
        f"Of {total:,} unusable rows {lost[level]:,} are at level {level}; missing rows are rarely missing at random."
    )


def _cells(study: Study) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for target in study.targets:
        statuses = study.data.status.codes[target.rows]
        for topic in study.topics:
            for level in LEVELS:
                mask = (target.topic == topic) & (target.level == level)
                counts = np.bincount(statuses[mask], minlength=len(STATUSES))
                used = int((mask & target.used).sum())
                rows.append((target.name, study.topic_name(topic), level, int(mask.sum()), used, *map(int, counts)))
    columns = (
        Column("target", "Target"),
        Column("topic", "Topic"),
        Column("level", "Level", "count"),
        Column("rows", "Rows", "count"),
        Column("used", "Used", "count"),
        *(Column(status, status, "count") for status in STATUSES),
    )
    return Table("status_by_topic_level", "Status × level × topic", columns, tuple(rows), files_only=True)
