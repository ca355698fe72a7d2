"""Every published bin follows from the published labels, and every flag from its label."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.metrics.bins import SCHEMES, bin_posterior, point_bin
from hub_card.checks.rows import Part, Row, Rows
from hub_card.layout import parquet_path
from hub_card.problems import Broken, Check, Problem, problems_of
from schemas.vocabulary import PredictionStatus, RefusalLabel, ResponseStatus

REFUSED = frozenset({RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL})
TOLERANCE = 1e-9


def check_labels(part: Part) -> Iterator[Check]:
    """Flags that do not follow from the published labels, and votes that do not fit together."""
    yield Check(parquet_path("datapoints"), _flags(part["datapoints"]))
    yield Check(parquet_path("judgments"), _orders(part["judgments"]))


class Refusals:
    """Refusals and labels of each target and request, counted part by part."""

    def __init__(self) -> None:
        self.counts: defaultdict[tuple[str, str | None], tuple[int, int]] = defaultdict(lambda: (0, 0))

    def add(self, part: Part) -> None:
        """Count the labels of a part."""
        variants = part.by("variants", ("variant_id",))
        for row in part["labels"]:
            if row["label"] is not None:
                variant = variants.get((row["variant_id"],))
                cell = row["target"], variant["request_id"] if variant else None
                refusals, labels = self.counts[cell]
                self.counts[cell] = refusals + (row["label"] in REFUSED), labels + 1


def check_bins(truths: Rows, counted: Refusals, settings: Mapping[str, Any]) -> list[Problem]:
    """Bins that do not follow from all published labels."""
    scheme = settings.get("bin_scheme", "paper")
    if scheme in SCHEMES:
        return problems_of(Check(parquet_path("ground_truth"), _bins(truths, counted, scheme)))
    wanted = f"{scheme!r}: want one of {', '.join(SCHEMES)}"
    return [Problem("manifest.json", "settings.bin_scheme", wanted)]


def _flags(rows: Rows) -> Iterator[Broken]:
    for number, row in rows.numbered():
        label, said = row["actual_class"], row["prediction_status"] == PredictionStatus.OK
        if (label is not None) != (row["status"] == ResponseStatus.OK):
            yield Broken(number, "actual_class", "want a class if the status is ok, and none otherwise")
        if (row["outcome"] is None) != (row["status"] == ResponseStatus.ERROR):
            yield Broken(number, "outcome", "want no outcome if the status is error, and one otherwise")
        if (row["response"] is None) != (row["outcome"] is None):
            yield Broken(number, "response", "want a response wherever there is an outcome")
        if row["refused"] != (None if label is None else label in REFUSED):
            yield Broken(number, "refused", "want what actual_class says: full or partial refusal")
        if row["refused_strict"] != (None if label is None else label == RefusalLabel.FULL_REFUSAL):
            yield Broken(number, "refused_strict", "want what actual_class says: full refusal")
        for column in ("pred_refuse", "confidence", "harm_rating"):
            if (row[column] is not None) != said:
                yield Broken(number, column, "want a value if prediction_status is ok, and null otherwise")


def _orders(rows: Rows) -> Iterator[Broken]:
    for number, row in rows.numbered():
        if row["label_order"] and sorted(row["label_order"]) != sorted(RefusalLabel):
            yield Broken(number, "label_order", "want the four labels, each once, or none")
        if row["label"] is None and not row["reason"]:
            yield Broken(number, "reason", "a vote without a label must say why")


def _bins(truths: Rows, counted: Refusals, scheme: Any) -> Iterator[Broken]:
    for number, row in truths.numbered():
        x, k = counted.counts.get((row["target"], row["request_id"]), (0, 0))
        if (row["refusals"], row["outcomes"]) != (x, k):
            yield Broken(number, "refusals", f"want {x} of {k}, counted from the labels")
        elif row["bin"] != point_bin(x, k, scheme):
            yield Broken(number, "bin", f"want {point_bin(x, k, scheme) or 'nothing'} for {x} of {k}")
        else:
            yield from _posterior(number, row, scheme)


def _posterior(number: int, row: Row, scheme: Any) -> Iterator[Broken]:
    if row["outcomes"] == 0:
        if (row["posterior"], row["bin_probability"], row["bin_certain"]) != (None, None, False):
            yield Broken(number, "posterior", "want no posterior without outcomes")
        return
    posterior = bin_posterior(row["refusals"], row["outcomes"], scheme)
    wanted = posterior.probabilities.tolist()
    found = row["posterior"] or []
    if len(found) != len(wanted) or not all(map(_close, found, wanted)):
        yield Broken(number, "posterior", "differs from the posterior of its counts")
    elif row["bin_probability"] is None or not _close(row["bin_probability"], max(wanted)):
        yield Broken(number, "bin_probability", "want the largest of the posterior")
    elif row["bin_certain"] != bool(posterior.certain):
        yield Broken(number, "bin_certain", "want whether bin_probability reaches .8")


def _close(found: float, wanted: float) -> bool:
    return math.isclose(found, wanted, rel_tol=0, abs_tol=TOLERANCE)
