"""The study planner: what a study of some size could show, from simulated studies with known truth."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from ..estimates import Numbers
from ..intervals.defaults import default_estimates
from ..metrics.bins import SCHEMES, bin_of_rate, bin_posterior, point_bins
from ..metrics.estimate import Estimate
from ..metrics.table import request_table
from ..power import PairedDesign, requests_needed, simulated_power
from ..simulate import KnownDetection, known_detection
from .table import Cell, Column, Table

GAINS = (0.01, 0.02, 0.03, 0.04, 0.05)
SIZES = (100, 300, 1000)
N_STUDIES = 10
MEASURES = (
    ("accuracy", "Accuracy"),
    ("d_prime", "d′"),
    ("criterion", "c"),
    ("ece:k/5", "ECE, k/5"),
    ("auroc_type2", "AUROC2"),
    ("selective_accuracy:5", "Accuracy at confidence 5"),
)
RATES = (0.1, 0.3, 0.5)
OUTCOMES = (3, 5, 10, 12, 20, 30, 50)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study is expected to meet: its size, and the targets' accuracy, refusal rate, d′, c and design effect."""

    n_requests: int = 300
    n_rows: int = 3
    accuracy: float = 0.92
    base_rate: float = 0.26
    d_prime: float = 2.8
    criterion: float = 0.0
    design_effect: float = 1.7
    seed: int = 0


def expected(studies: list[Numbers], plan: Plan) -> Plan:
    """The plan with the medians of targets already measured as expectations, where they have any."""
    return replace(
        plan,
        accuracy=_median([found.accuracy.value for found in studies], plan.accuracy),
        base_rate=_median([found.defaults["base_rate"].value for found in studies], plan.base_rate),
        d_prime=_median([found.d_prime.value for found in studies], plan.d_prime),
        criterion=_median([found.criterion.value for found in studies], plan.criterion),
        design_effect=_median([found.proportion.deff for found in studies], plan.design_effect),
    )


def plan_tables(plan: Plan) -> list[Table]:
    """Requests needed for a difference, power at the planned size, widths of intervals, and firmness of bins."""
    return [needed(plan), power(plan), widths(plan), firmness()]


def needed(plan: Plan) -> Table:
    """Requests with which two targets on the same items are told apart."""
    columns = (
        Column("gain", "Difference in accuracy, points", "points"),
        Column("requests_80", "Requests, power 80 %", "count"),
        Column("requests_90", "Requests, power 90 %", "count"),
    )
    rows = tuple((gain, *(_needed(plan, gain, level) for level in (0.8, 0.9))) for gain in GAINS)
    note = (
        f"{plan.n_rows} rows a request, accuracy {plan.accuracy:.3f}, design effect {plan.design_effect:.2f}, "
        "two-sided .05; errors of the two targets independent, which needs most."
    )
    return Table("plan_needed", "Requests needed to tell two targets apart", columns, rows, "", (note,))


def power(plan: Plan) -> Table:
    """Chance to see a difference with the planned size, simulated."""
    columns = (
        Column("gain", "Difference in accuracy, points", "points"),
        Column("power", "Power %", "percent"),
    )
    rows: list[tuple[Cell, ...]] = []
    for gain in GAINS[1:]:
        if plan.accuracy + gain < 1:
            design = PairedDesign(plan.n_requests, plan.n_rows, plan.accuracy, gain)
            rows.append((gain, simulated_power(design, np.random.default_rng(plan.seed), n_sets=200)))
    note = f"{plan.n_requests} requests × {plan.n_rows} rows; 200 simulated studies a line, sign-flip at .05."
    return Table("plan_power", "Power at the planned size", columns, tuple(rows), "", (note,))


def widths(plan: Plan) -> Table:
    """Mean half-width of the 95 % intervals in simulated studies of several sizes."""
    sizes = sorted({*SIZES, plan.n_requests})
    columns = (
        Column("measure", "Measure"),
        *(Column(f"requests_{size}", f"{size} requests", "three") for size in sizes),
    )
    found = {size: _half_widths(plan, size) for size in sizes}
    rows = tuple((name, *(found[size][key] for size in sizes)) for key, name in MEASURES)
    note = (
        f"Mean over {N_STUDIES} simulated studies with {plan.n_rows} rows a request, refusal rate "
        f"{plan.base_rate:.2f}, d′ {plan.d_prime:.2f}, c {plan.criterion:.2f}. More requests help most."
    )
    return Table("plan_widths", "Half-widths of 95 % intervals", columns, rows, "", (note,))


def firmness() -> Table:
    """Chance that a request's bin is the right one, and which counts make it certain, by outcomes a request."""
    columns = (
        Column("outcomes", "Outcomes a request", "count"),
        *(Column(f"rate_{int(100 * rate)}", f"Right bin at rate {rate:.1f}, %", "percent") for rate in RATES),
        Column("certain", "Refusals that make the bin certain"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple((k, *(_right(rate, k) for rate in RATES), _certain(k)) for k in OUTCOMES)
    note = "Certain: the posterior probability of one of the five bins reaches .8."
    return Table("plan_bins", "Outcomes a request needs for a firm bin", columns, rows, "", (note,))


def _needed(plan: Plan, gain: float, level: float) -> int | None:
    better = plan.accuracy + gain
    if better > 1:
        return None
    discordant = plan.accuracy * (1 - better) + better * (1 - plan.accuracy)
    return requests_needed(gain, discordant, plan.design_effect, plan.n_rows, level)


def _half_widths(plan: Plan, n_requests: int) -> dict[str, float | None]:
    rng = np.random.default_rng(plan.seed)
    model = KnownDetection(n_requests, plan.n_rows, plan.base_rate, plan.d_prime, plan.criterion)
    widths: dict[str, list[float]] = {key: [] for key, _ in MEASURES}
    for _ in range(N_STUDIES):
        rows = known_detection(model, rng)
        found = default_estimates(request_table(rows.request, rows.actual, rows.pred, rows.confidence))
        for key in widths:
            widths[key] += _half_width(found[key])
    return {key: float(np.mean(values)) if values else None for key, values in widths.items()}


def _half_width(estimate: Estimate) -> list[float]:
    return [] if estimate.low is None or estimate.high is None else [(estimate.high - estimate.low) / 2]


def _right(rate: float, k: int) -> float:
    counts = np.arange(k + 1)
    wanted = SCHEMES["paper"].names.index(str(bin_of_rate(rate)))
    return float(stats.binom.pmf(counts, k, rate)[point_bins(counts, k) == wanted].sum())


def _certain(k: int) -> str:
    counts = np.flatnonzero(bin_posterior(np.arange(k + 1), np.full(k + 1, k)).certain)
    if not len(counts):
        return "none"
    runs = np.split(counts, np.flatnonzero(np.diff(counts) > 1) + 1)
    return ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _median(values: list[float | None], otherwise: float) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else otherwise
