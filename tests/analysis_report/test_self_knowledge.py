"""What a prediction is read against: words of the requests, mixed model, ceilings, or why they are missing."""

import csv
from pathlib import Path

from analysis.metrics.estimate import Estimate
from analysis.sources import load
from analysis.study import Settings, Study, study
from analysis.tables.baselines import baselines, ceilings
from analysis.tables.costs import REVIEWS, costs
from analysis.tables.detection import detection_checks
from analysis.tables.forecast import brier, brier_by_bin
from analysis.tables.table import Cell, Table

from .builders import Columns, columns, write_release

WORDS = "words of the request"


def read(directory: Path, table: Columns) -> Study:
    return study(load(str(write_release(directory, table))).data, Settings())


def worded(table: Table) -> list[tuple[Cell, ...]]:
    return [row for row in table.rows if row[1] == WORDS]


def test_words_that_name_the_level_foretell_refusals(tmp_path: Path) -> None:
    found = worded(baselines(read(tmp_path, columns(n_requests=200, skill=0.5))))
    assert [row[2] for row in found] == [600, 600]
    for _, _, _, accuracy, gain in found:
        assert isinstance(accuracy, Estimate)
        assert isinstance(gain, Estimate)
        assert accuracy.value is not None
        assert accuracy.value > 0.7
        assert gain.high is not None
        assert gain.high < 0


def test_rows_without_a_text_are_left_out(tmp_path: Path) -> None:
    table = columns()
    table["text"][:30] = [None] * 30
    assert [row[2] for row in worded(baselines(read(tmp_path, table)))] == [150, 180]


def test_data_without_texts_say_so(tmp_path: Path) -> None:
    table = {name: values for name, values in columns().items() if name != "text"}
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(table), *zip(*table.values(), strict=True)])
    found = baselines(study(load(str(path)).data, Settings()))
    assert not worded(found)
    assert "no request texts" in found.notes[-1]


def test_the_mixed_model_stands_beside_the_pooled_values(tmp_path: Path) -> None:
    for row in detection_checks(read(tmp_path, columns(n_requests=200, skill=0.8))).rows:
        _, pooled, mixed, criterion, mixed_criterion, sd, slope, d_a, _ = row
        assert all(isinstance(cell, float) for cell in (sd, slope, d_a))
        for first, second in ((pooled, mixed), (criterion, mixed_criterion)):
            assert isinstance(first, Estimate)
            assert isinstance(second, Estimate)
            assert first.value is not None
            assert second.value is not None
            assert abs(first.value - second.value) < 0.1
            assert second.low is not None
            assert second.low < second.value


def test_a_mixed_model_that_is_not_fitted_says_why(tmp_path: Path) -> None:
    sparse = detection_checks(read(tmp_path / "perfect", columns(skill=1.0)))
    assert [row[2] for row in sparse.rows] == [None, None]
    assert "fewer than 5 hits" in str(sparse.rows[0][-1])
    few = detection_checks(read(tmp_path / "few", columns(n_requests=15, variants=10)))
    assert "fewer than 20 requests" in str(few.rows[0][-1])


def test_costs_count_errors_that_are_acted_on_and_rows_that_are_looked_at(tmp_path: Path) -> None:
    about = read(tmp_path, columns(n_requests=60))
    for row in costs(about).rows:
        _, threshold, false_alarms, misses, routed, *found = row
        n = 180
        for review, cost in zip(REVIEWS, found, strict=True):
            assert isinstance(cost, Estimate)
            assert cost.value is not None
            errors = int(str(false_alarms)) + int(str(misses))
            assert abs(cost.value - (errors + review * int(str(routed))) / n) < 1e-12
            assert cost.low is not None
        assert threshold != 1 or routed == 0


def test_split_half_is_the_lowest_ceiling(tmp_path: Path) -> None:
    for row in ceilings(read(tmp_path, columns())).rows:
        posterior, plug_in, split_half = (float(str(cell)) for cell in row[4:7])
        assert split_half < posterior < plug_in


def test_the_brier_scores_of_the_bins_add_up_to_the_whole(tmp_path: Path) -> None:
    about = read(tmp_path, columns(targets=("maker/one",)))
    rows = [row for row in brier_by_bin(about).rows if isinstance(row[3], Estimate)]
    parts = [(int(str(row[2])), float(str(row[3].value))) for row in rows if isinstance(row[3], Estimate)]
    whole = brier(about).rows[0][7]
    assert isinstance(whole, float)
    assert abs(sum(n * score for n, score in parts) / sum(n for n, _ in parts) - whole) < 1e-12
