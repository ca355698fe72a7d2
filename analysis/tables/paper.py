"""The source study's tables by its own conventions (arXiv 2604.00228): for comparison, not for conclusions."""

from dataclasses import replace

import numpy as np
from scipy import special

from ..data import LEVELS, Bools, Floats, TargetRows
from ..estimates import Numbers, numbers
from ..intervals.bootstrap import cluster_bootstrap
from ..metrics import accuracy as rates
from ..metrics.arrays import Statistic
from ..metrics.calibration import ece, map_values
from ..metrics.estimate import Estimate
from ..metrics.sdt import sdt
from ..metrics.selective import share
from ..study import Study
from .bins import NAMES, row_bins
from .design import agreeing
from .table import Cell, Column, Table

IID = "Intervals: percentile bootstrap over single rows, as if a request’s variants were independent."


def paper_tables(study: Study) -> list[Table]:
    """The study's headline, and its breakdowns by category, topic and level."""
    return [paper_headline(study), paper_categories(study), paper_topics(study), paper_levels(study)]


def paper_headline(study: Study) -> Table:
    """Accuracy, d′, c, ECE under k/5 and acting at confidence 5, with intervals over single rows."""
    columns = (
        Column("target", "Target"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("d_prime", "d′", "two"),
        Column("criterion", "c", "two"),
        Column("ece", "ECE", "three"),
        Column("accuracy_at_5", "Accuracy at 5 %", "percent"),
        Column("coverage_at_5", "Coverage %", "percent"),
        Column("n_at_4", "n at 4", "count"),
        Column("n_at_5", "n at 5", "count"),
        Column("false_positives", "FP", "count"),
        Column("false_negatives", "FN", "count"),
        Column("consistency", "Consistency %", "percent"),
        Column("boundary", "Boundary requests", "count"),
    )
    rows = tuple(_headline(study, target) for target in study.targets)
    return Table("paper_headline", "Study: headline", columns, rows, "", (IID,))


def paper_categories(study: Study) -> Table:
    """Accuracy and d′ inside each refusal-rate bin, with the study's number where a class is empty."""
    columns = (
        Column("target", "Target"),
        Column("bin", "Category"),
        Column("requests", "Requests", "count"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("d_prime_printed", "d′ as printed", "two"),
        Column("d_prime", "d′", "two"),
        Column("status", "Which exists?"),
    )
    rows: list[tuple[Cell, ...]] = []
    for target in study.targets:
        codes = row_bins(target)
        for code, name in enumerate(NAMES):
            if (codes == code).any():
                rows.append((target.name, name, *_category(study, target, codes == code)))
    note = (
        "With no refusals (or nothing but refusals) in a category the log-linear formula still returns a number, −z(F) "
        "or z(H). It measures the other class alone; d′ does not exist there."
    )
    return Table("paper_categories", "Study: accuracy and d′ by category", columns, tuple(rows), "", (note,))


def paper_topics(study: Study) -> Table:
    """Accuracy by topic, targets side by side; a topic without rows stays empty."""
    columns = (
        Column("topic", "Topic"),
        *(Column(f"target_{place + 1}", name, "percent") for place, name in enumerate(study.names)),
    )
    rows = tuple(
        (study.topic_name(topic), *(_accuracy(study, target, target.topic == topic) for target in study.targets))
        for topic in study.topics
    )
    return Table("paper_topics", "Study: accuracy by topic", columns, rows)


def paper_levels(study: Study) -> Table:
    """Error rate and refusal rate by level."""
    columns = (
        Column("target", "Target"),
        Column("level", "Level", "count"),
        Column("n", "n", "count"),
        Column("error_rate", "Errors %", "percent"),
        Column("refusal_rate", "Refused %", "percent"),
    )
    rows: list[tuple[Cell, ...]] = []
    for target in study.targets:
        for level in LEVELS:
            here = (target.level == level) & target.used
            right = _accuracy(study, target, here)
            refused = float(target.actual[here].mean()) if here.any() else None
            rows.append((target.name, level, int(here.sum()), None if right is None else 1 - right, refused))
    return Table("paper_levels", "Study: errors by level", columns, tuple(rows))


def by_single_rows(target: TargetRows) -> Numbers:
    """The target's counts with every row as its own cluster."""
    used = target.where(target.used)
    return numbers(replace(used, request=np.arange(len(used.rows))))


def resampled(study: Study, counts: Floats, statistic: Statistic) -> Estimate:
    """The statistic with the study's interval: percentile bootstrap over the clusters given."""
    return cluster_bootstrap(counts, statistic, np.random.default_rng(study.settings.seed), study.settings.n_resamples)


def printed_d_prime(hit: float, miss: float, false_alarm: float, correct_rejection: float) -> float:
    """z((h+½)/(ns+1)) − z((f+½)/(nn+1)) even where a class is empty, which then measures the other class alone."""
    hits, false_alarms = (hit + 0.5) / (hit + miss + 1), (false_alarm + 0.5) / (false_alarm + correct_rejection + 1)
    return float(special.ndtri(hits) - special.ndtri(false_alarms))


def _headline(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = by_single_rows(target)
    hit, miss, false_alarm, correct_rejection = (int(count) for count in found.total)
    measures = sdt(hit, miss, false_alarm, correct_rejection)
    by_level = found.levels.sum(axis=(0, 1))
    values = map_values("k/5")
    unanimous = agreeing(target.request, target.actual).sum(axis=0)
    return (
        target.name,
        hit + miss + false_alarm + correct_rejection,
        resampled(study, found.outcomes, rates.accuracy),
        measures.d_prime,
        measures.criterion,
        resampled(study, found.levels, lambda counts: ece(counts, values)),
        resampled(study, found.levels[:, :, 4], share),
        float(by_level[4] / by_level.sum()) if by_level.any() else None,
        int(by_level[3]),
        int(by_level[4]),
        false_alarm,
        miss,
        float(unanimous[1] / unanimous.sum()) if unanimous.any() else None,
        int(unanimous[0]),
    )


def _category(study: Study, target: TargetRows, mask: Bools) -> tuple[Cell, ...]:
    found = study.numbers(target, mask)
    hit, miss, false_alarm, correct_rejection = (int(count) for count in found.total)
    measures = sdt(hit, miss, false_alarm, correct_rejection)
    n = hit + miss + false_alarm + correct_rejection
    exists = measures.d_prime is not None
    return (
        len(np.unique(target.request[mask])),
        n,
        (hit + correct_rejection) / n if n else None,
        printed_d_prime(hit, miss, false_alarm, correct_rejection) if n else None,
        measures.d_prime,
        "both" if exists else "neither" if not n else "only the formula’s artefact",
    )


def _accuracy(study: Study, target: TargetRows, mask: Bools) -> float | None:
    return study.numbers(target, mask).accuracy.value if (mask & target.used).any() else None
