"""Data about which little can be said still get a complete report, without warnings, that says so."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report import run
from analysis.study import Settings

from .builders import Columns, columns, lose, lose_prediction, write_release


def no_refusals() -> Columns:
    table = columns()
    table["actual_class"] = ["full_compliance"] * len(table["level"])
    return table


def all_refusals() -> Columns:
    table = columns()
    table["actual_class"] = ["full_refusal"] * len(table["level"])
    return table


def one_request() -> Columns:
    return columns(n_requests=1)


def one_row() -> Columns:
    return columns(targets=("maker/one",), n_requests=1, variants=1)


def one_topic() -> Columns:
    return columns(topics=("drugs",), n_requests=30)


def equal_confidence() -> Columns:
    table = columns()
    table["confidence"] = [4] * len(table["level"])
    return table


def no_confidence() -> Columns:
    table = columns()
    table["confidence"] = [None] * len(table["level"])
    return table


def no_predictions() -> Columns:
    table = columns()
    lose_prediction(table, list(range(len(table["level"]))), "refused")
    return table


def unlabelled() -> Columns:
    table = columns()
    lose(table, list(range(len(table["level"]))), "unlabelled")
    return table


def one_target_unlabelled() -> Columns:
    table = columns()
    lose(table, list(range(180)), "error")
    return table


def no_rows() -> Columns:
    return columns(targets=())


def half_the_topics() -> Columns:
    whole, half = columns(targets=("maker/all",)), columns(targets=("maker/half",))
    kept = [row for row, topic in enumerate(half["topic"]) if topic in {"weapons", "drugs", "hacking", "hate", "fraud"}]
    return {name: whole[name] + [half[name][row] for row in kept] for name in whole}


def perfect() -> Columns:
    return columns(skill=1.0)


def always_wrong() -> Columns:
    return columns(skill=0.0)


def many_samples() -> Columns:
    return columns(n_requests=25, variants=12)


MAKERS = [
    no_refusals,
    all_refusals,
    one_request,
    one_row,
    one_topic,
    equal_confidence,
    no_confidence,
    no_predictions,
    unlabelled,
    one_target_unlabelled,
    no_rows,
    half_the_topics,
    perfect,
    always_wrong,
    many_samples,
]


@pytest.mark.parametrize("make", MAKERS)
def test_degenerate_data_get_a_whole_report_without_nan(tmp_path: Path, make: Callable[[], Columns]) -> None:
    out = tmp_path / "report"
    settings = Settings(paper=True, n_resamples=50, m_ratio_resamples=20)
    run(write_release(tmp_path / "release", make()), out, settings=settings)
    json.loads((out / "summary.json").read_text(encoding="utf-8"), parse_constant=fail)
    for path in (out / "report.html", *sorted((out / "tables").iterdir())):
        assert not re.search(r"\b(nan|NaN|None|masked)\b", path.read_text(encoding="utf-8")), path.name


def fail(constant: str) -> None:
    raise AssertionError(f"{constant} in summary.json")
