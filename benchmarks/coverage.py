"""`python -m benchmarks.coverage [N_SETS]`: how often 95 % intervals hold the truth of simulated data."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.intervals.bootstrap import cluster_bootstrap
from analysis.intervals.defaults import default_estimates
from analysis.intervals.jackknife import cluster_jackknife
from analysis.intervals.proportion import cluster_proportion
from analysis.metrics.accuracy import accuracy
from analysis.metrics.arrays import Floats, Statistic
from analysis.metrics.calibration import debiased_squared, ece, map_values
from analysis.metrics.estimate import Estimate
from analysis.metrics.rating import auroc_of_counts
from analysis.metrics.sdt import criterion, d_prime
from analysis.metrics.selective import selective_accuracy
from analysis.metrics.table import (
    RequestTable,
    confidence_cells,
    outcome_cells,
    request_table,
    signed_rating_cells,
)
from analysis.simulate import KnownDetection, SimulatedRows, known_detection

N_SETS = 500
N_RESAMPLES = 1000
TRUTH_ROWS = 1_500_000
SURE = (0.02, 0.05, 0.15, 0.5)
SCENARIOS = {
    "sonnet45_like": KnownDetection(300, 3, 0.26, 3.25, 0.33, 0.8, 0.6, 0.3, SURE),
    "gpt_like": KnownDetection(300, 3, 0.40, 2.40, 0.18, 0.8, 0.6, 1.2, SURE),
    "llama_like": KnownDetection(300, 3, 0.08, 3.29, -0.86, 0.8, 0.7, 1.2, SURE),
    "gpt_like_iid": KnownDetection(300, 3, 0.40, 2.40, 0.18, 0.0, 0.0, 1.2, SURE),
    "gpt_like_strong": KnownDetection(300, 3, 0.40, 2.40, 0.18, 0.9, 0.9, 1.2, SURE),
    "pilot_60req": KnownDetection(60, 3, 0.50, 2.50, 0.00, 0.8, 0.6, 0.5, SURE),
    "ten_samples": KnownDetection(300, 10, 0.40, 2.40, 0.18, 0.8, 0.6, 1.2, SURE),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A default estimate and the counts and statistic to bootstrap beside it."""

    name: str
    counts: Callable[[Floats], Floats]
    statistic: Statistic


def _ece(levels: Floats) -> Floats:
    return ece(levels, map_values("k/5"))


def _accuracy_at_five(levels: Floats) -> Floats:
    return selective_accuracy(levels, 5)


MEASURES = (
    Measure("accuracy", outcome_cells, accuracy),
    Measure("d_prime", outcome_cells, d_prime),
    Measure("criterion", outcome_cells, criterion),
    Measure("ece:k/5", confidence_cells, _ece),
    Measure("auroc_signed", signed_rating_cells, auroc_of_counts),
    Measure("auroc_type2", confidence_cells, auroc_of_counts),
    Measure("selective_accuracy:5", confidence_cells, _accuracy_at_five),
)


def table_of(rows: SimulatedRows, independent: bool = False) -> RequestTable:
    """Counts by request, or with every row its own request."""
    request = np.arange(len(rows.request)) if independent else rows.request
    return request_table(request, rows.actual, rows.pred, rows.confidence)


def truths(model: KnownDetection) -> list[float]:
    """Value of each measure over 1.5 million rows; d' and c are those of the model."""
    many = known_detection(replace(model, n_requests=TRUTH_ROWS // model.n_rows), np.random.default_rng(99))
    cells = table_of(many).cells.sum(axis=0)
    found = [float(measure.statistic(measure.counts(cells))) for measure in MEASURES]
    found[1:3] = [model.d_prime, model.criterion]
    return found


def intervals(rows: SimulatedRows, rng: np.random.Generator) -> list[list[Estimate]]:
    """For each measure: row bootstrap, cluster bootstrap, default."""
    table, apart = table_of(rows), table_of(rows, independent=True)
    defaults = default_estimates(table)
    return [
        [
            cluster_bootstrap(measure.counts(apart.cells), measure.statistic, rng, N_RESAMPLES),
            cluster_bootstrap(measure.counts(table.cells), measure.statistic, rng, N_RESAMPLES),
            defaults[measure.name],
        ]
        for measure in MEASURES
    ]


def design_effect(rows: SimulatedRows) -> float:
    """Design effect of accuracy."""
    outcomes = outcome_cells(table_of(rows).cells)
    return (
        cluster_proportion(np.stack([outcomes[:, 1] + outcomes[:, 2], outcomes[:, 0] + outcomes[:, 3]], 1)).deff or 1.0
    )


def run(name: str, model: KnownDetection, n_sets: int) -> None:
    """Prints one Markdown row for each measure of a scenario."""
    rng, truth = np.random.default_rng(2026), truths(model)
    sets = [known_detection(model, rng) for _ in range(n_sets)]
    deff = float(np.mean([design_effect(rows) for rows in sets]))
    found = [intervals(rows, rng) for rows in sets]
    for place, measure in enumerate(MEASURES):
        values = np.array([one[place][2].value for one in found], dtype=np.float64)
        bias = float(np.nanmean(values)) - truth[place]
        shown = [_shown([one[place][kind] for one in found], truth[place]) for kind in range(3)]
        print(
            f"| {name} ({deff:.2f}) | {measure.name} | {truth[place]:.3f} | {bias:+.4f} | {' | '.join(shown)} |",
            flush=True,
        )


def _shown(estimates: list[Estimate], truth: float) -> str:
    bounds = np.array([(one.low, one.high) for one in estimates], dtype=np.float64)
    given = ~np.isnan(bounds[:, 0])
    if not given.any():
        return "–"
    low, high = bounds[given].T
    missing = f", {int((~given).sum())} without" if not given.all() else ""
    return f"{np.mean((low <= truth) & (truth <= high)):.3f} ({np.mean(high - low):.3f}{missing})"


def calibrated(n_sets: int) -> None:
    """Prints what ECE and its interval make of 900 rows that are perfectly calibrated over five levels."""
    rng, p = np.random.default_rng(2026), map_values("level_midpoint")
    found, squared, covered = [], [], 0
    for _ in range(n_sets):
        level = rng.choice(5, size=900, p=(0.05, 0.05, 0.1, 0.2, 0.6))
        counts = np.zeros((900, 2, 5))
        counts[np.arange(900), (rng.random(900) < p[level]).astype(np.int64), level] = 1
        by_request = counts.reshape(300, 3, 2, 5).sum(axis=1)
        estimate = cluster_jackknife(by_request, lambda totals: ece(totals, p), "raw", (0.0, 1.0))
        found.append(estimate.value)
        squared.append(float(debiased_squared(by_request.sum(axis=0), p)))
        covered += estimate.low == 0
    values = np.array(found, dtype=np.float64)
    upper = np.quantile(values, 0.95)
    print(f"\nPerfectly calibrated, 900 rows: mean ECE {values.mean():.4f}, 95th percentile {upper:.4f};")
    print(
        f"clipped jackknife-t reaches 0 in {covered / n_sets:.2f}; mean debiased squared error {np.mean(squared):.1e}."
    )


def main(n_sets: int) -> None:
    """Prints the table of docs/analysis.md."""
    print(f"{n_sets} data sets a scenario, {N_RESAMPLES} resamples.\n")
    print("| scenario (deff) | measure | truth | bias | row bootstrap | cluster bootstrap | default |")
    print("|---|---|---|---|---|---|---|")
    for name, model in SCENARIOS.items():
        run(name, model, n_sets)
    calibrated(n_sets)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else N_SETS)
