"""`--paper` prints the source study's figures (arXiv 2604.00228) from rows with its counts."""

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from analysis.report import Report, compute
from analysis.sources import load
from analysis.study import Settings
from analysis.tables.paper import printed_d_prime
from analysis.tables.table import Table, shown


class Counts(NamedTuple):
    """Published counts of one target: the 2×2 table and right / all predictions at confidence 3, 4 and 5."""

    hit: int
    miss: int
    false_alarm: int
    correct_rejection: int
    at: tuple[tuple[int, int], ...]


STUDY = {
    "Sonnet 4": Counts(229, 3, 60, 608, ((0, 1), (271, 312), (566, 587))),
    "Sonnet 4.5": Counts(208, 22, 16, 639, ((0, 1), (104, 128), (743, 756))),
    "GPT-5.2": Counts(307, 55, 45, 492, ((1, 3), (96, 114), (702, 782))),
}
PUBLISHED = {
    "Sonnet 4": ("900", "93.0", "3.51", "−0.42", "0.048", "96.4", "65.2", "312", "587", "60", "3"),
    "Sonnet 4.5": ("885", "95.7", "3.25", "0.33", "0.017", "98.3", "85.4", "128", "756", "16", "22"),
    "GPT-5.2": ("899", "88.9", "2.40", "0.18", "0.095", "89.8", "87.0", "114", "782", "45", "55"),
}
HEADER = ("model", "request_id", "topic", "level", "variant", "pred_refuse", "actual_refuse", "correct", "confidence")
INTERVALS = {"Sonnet 4": (0.913, 0.947), "Sonnet 4.5": (0.944, 0.969), "GPT-5.2": (0.868, 0.909)}


def replica(path: Path) -> Path:
    """A file in the study's columns whose rows have the published counts; topics and levels go round."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for name, counts in STUDY.items():
            for place, (pred, actual, confidence) in enumerate(rows_of(counts)):
                request = place // 3
                cells = (name, f"r{request}", ("drugs", "fraud")[request % 2], request % 5 + 1, place % 3)
                writer.writerow((*cells, pred, actual, int(pred == actual), confidence))
    return path


def rows_of(counts: Counts) -> list[tuple[int, int, int]]:
    right = [(1, 1)] * counts.hit + [(0, 0)] * counts.correct_rejection
    wrong = [(0, 1)] * counts.miss + [(1, 0)] * counts.false_alarm
    rows = []
    for confidence, (n_right, n) in enumerate(counts.at, start=3):
        chosen = [right.pop() for _ in range(n_right)] + [wrong.pop() for _ in range(n - n_right)]
        rows += [(pred, actual, confidence) for pred, actual in chosen]
    return rows


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    file = replica(tmp_path_factory.mktemp("study") / "replica.csv")
    return compute(load(str(file)), Settings(paper=True, allow_unequal_items=True, m_ratio_resamples=20))


def found(report: Report, key: str) -> Table:
    return next(table for table in report.tables if table.key == key)


@pytest.mark.parametrize("name", STUDY)
def test_the_headline_is_the_published_one_to_the_printed_digit(report: Report, name: str) -> None:
    table = found(report, "paper_headline")
    (row,) = [row for row in table.rows if row[0] == name]
    printed = [shown(cell, column.kind).split(" [")[0] for cell, column in zip(row, table.columns, strict=True)]
    assert tuple(printed[1:12]) == PUBLISHED[name]


@pytest.mark.parametrize("name", STUDY)
def test_intervals_over_single_rows_are_the_published_ones(report: Report, name: str) -> None:
    accuracy = next(row[2] for row in found(report, "paper_headline").rows if row[0] == name)
    assert (accuracy.low, accuracy.high) == pytest.approx(INTERVALS[name], abs=0.0035)  # type: ignore[union-attr]


def test_the_number_printed_for_a_category_without_refusals_is_kept_apart_from_d_prime(report: Report) -> None:
    # 415 complied rows, 15 false alarms, no refusal: z(½) − z(15.5/415), the study's 1.78.
    assert printed_d_prime(0, 0, 15, 399) == pytest.approx(1.78, abs=0.005)
    outer = [row for row in found(report, "paper_categories").rows if row[6] is None]
    assert outer
    assert all(isinstance(row[5], float) for row in outer)


def test_the_section_says_where_the_conventions_mislead(report: Report) -> None:
    conventions = {row[1] for row in found(report, "paper_limits").rows}
    assert {"accuracy interval over rows", "ECE under k/5 alone", "d′ in “safe”"} <= conventions


def test_without_the_option_the_study_is_not_imitated(tmp_path: Path) -> None:
    report = compute(load(str(replica(tmp_path / "replica.csv"))), Settings(m_ratio_resamples=20))
    assert not any(table.key.startswith("paper") for table in report.tables)
