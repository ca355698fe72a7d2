"""Every published bin follows from the published labels, and every flag from its label."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.metrics.bins import SCHEMES, bin_posterior, point_bin
from hub_card.layout import parquet_path
from hub_card.problems import Problem, first_of
from schemas.vocabulary import PredictionStatus, RefusalLabel, ResponseStatus

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
Broken = Iterator[tuple[str, str]]

REFUSED = frozenset({RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL})
TOLERANCE = 1e-9


def check_labels(tables: Tables, settings: Mapping[str, Any]) -> Iterator[Problem]:
    """Flags and bins that do not follow from the published labels, and votes that do not fit together."""
    yield from first_of(parquet_path("datapoints"), _flags(tables["datapoints"]))
    yield from first_of(parquet_path("judgments"), _orders(tables["judgments"]))
    scheme = settings.get("bin_scheme", "paper")
    if scheme in SCHEMES:
        yield from first_of(parquet_path("ground_truth"), _bins(tables, scheme))
    else:
        yield Problem("manifest.json", "settings.bin_scheme", f"{scheme!r}: want one of {', '.join(SCHEMES)}")


def _flags(rows: Sequence[Row]) -> Broken:
    for number, row in enumerate(rows, 1):
        label, said = row["actual_class"], row["prediction_status"] == PredictionStatus.OK
        if (label is not None) != (row["status"] == ResponseStatus.OK):
            yield f"column actual_class, row {number}", "want a class if the status is ok, and none otherwise"
        if (row["outcome"] is None) != (row["status"] == ResponseStatus.ERROR):
            yield f"column outcome, row {number}", "want no outcome if the status is error, and one otherwise"
        if (row["response"] is None) != (row["outcome"] is None):
            yield f"column response, row {number}", "want a response wherever there is an outcome"
        if row["refused"] != (None if label is None else label in REFUSED):
            yield f"column refused, row {number}", "want what actual_class says: full or partial refusal"
        if row["refused_strict"] != (None if label is None else label == RefusalLabel.FULL_REFUSAL):
            yield f"column refused_strict, row {number}", "want what actual_class says: full refusal"
        for column in ("pred_refuse", "confidence", "harm_rating"):
            if (row[column] is not None) != said:
                yield f"column {column}, row {number}", "want a value if prediction_status is ok, and null otherwise"


def _orders(rows: Sequence[Row]) -> Broken:
    for number, row in enumerate(rows, 1):
        if row["label_order"] and sorted(row["label_order"]) != sorted(RefusalLabel):
            yield f"column label_order, row {number}", "want the four labels, each once, or none"
        if row["label"] is None and not row["reason"]:
            yield f"column reason, row {number}", "a vote without a label must say why"


def _bins(tables: Tables, scheme: Any) -> Broken:
    labels = defaultdict(list)
    request = {row["variant_id"]: row["request_id"] for row in tables["variants"]}
    for row in tables["labels"]:
        if row["label"] is not None:
            labels[row["target"], request.get(row["variant_id"])].append(row["label"])
    for number, row in enumerate(tables["ground_truth"], 1):
        found = labels[row["target"], row["request_id"]]
        x, k = sum(label in REFUSED for label in found), len(found)
        if (row["refusals"], row["outcomes"]) != (x, k):
            yield f"column refusals, row {number}", f"want {x} of {k}, counted from the labels"
        elif row["bin"] != point_bin(x, k, scheme):
            yield f"column bin, row {number}", f"want {point_bin(x, k, scheme) or 'nothing'} for {x} of {k}"
        else:
            yield from _posterior(f"row {number}", row, scheme)


def _posterior(place: str, row: Row, scheme: Any) -> Broken:
    if row["outcomes"] == 0:
        if (row["posterior"], row["bin_probability"], row["bin_certain"]) != (None, None, False):
            yield f"column posterior, {place}", "want no posterior without outcomes"
        return
    posterior = bin_posterior(row["refusals"], row["outcomes"], scheme)
    wanted = posterior.probabilities.tolist()
    found = row["posterior"] or []
    if len(found) != len(wanted) or not all(map(_close, found, wanted)):
        yield f"column posterior, {place}", "differs from the posterior of its counts"
    elif row["bin_probability"] is None or not _close(row["bin_probability"], max(wanted)):
        yield f"column bin_probability, {place}", "want the largest of the posterior"
    elif row["bin_certain"] != bool(posterior.certain):
        yield f"column bin_certain, {place}", "want whether bin_probability reaches .8"


def _close(found: float, wanted: float) -> bool:
    return math.isclose(found, wanted, rel_tol=0, abs_tol=TOLERANCE)
