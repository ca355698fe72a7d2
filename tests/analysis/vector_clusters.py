"""Adapters for intervals and the mixed model."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from analysis.intervals import binomial
from analysis.intervals.clusters import leave_one_out, patterns
from analysis.intervals.jackknife import Scale, cluster_jackknife, jackknife_se
from analysis.intervals.proportion import cluster_proportion_of_rows, wilson_effective
from analysis.intervals.sparse import beta_intervals
from analysis.metrics import accuracy, calibration, rating, selective
from analysis.metrics.arrays import Floats, Statistic
from analysis.metrics.brier import brier_of_counts
from analysis.metrics.glmm import glmm_probit
from analysis.metrics.sdt import criterion, d_prime
from analysis.metrics.table import confidence_cells, outcome_cells, request_table, signed_rating_cells

Case = dict[str, Any]


def _prop_ci(case: Case) -> Any:
    x, n, level = case["x"], case["n"], case.get("conf", 0.95)
    named = {"wilson": binomial.wilson, "clopper": binomial.clopper_pearson, "jeffreys": binomial.jeffreys}
    return {name: list(interval(x, n, level)) for name, interval in named.items()}


def _glmm(case: Case) -> Any:
    found = glmm_probit(case["pred"], case["actual"], case["g"])
    return {
        "intercept": found.intercept,
        "dprime": found.d_prime,
        "sd": found.sd,
        "logLik": found.log_likelihood,
        "status": found.status,
    }


def _cells(case: Case) -> Floats:
    return request_table(case["g"], case["actual"], case["pred"], case.get("conf")).cells


def _beta(case: Case) -> Any:
    found = beta_intervals(outcome_cells(_cells(case)))
    return {
        "d": list(found.d_prime),
        "c": list(found.criterion),
        "deff_H": found.deff_hit,
        "deff_F": found.deff_fa,
    }


def _cluster_prop(case: Case) -> Any:
    found = cluster_proportion_of_rows(case["y"], case["g"])
    wilson = list(wilson_effective(found))
    return {"p": found.value, "se": found.se, "deff": found.deff, "n_eff": found.n_eff, "wilson_eff": wilson}


def _cluster_jackknife(case: Case) -> Any:
    project, statistic = JACKKNIFED[case["stat"]]
    scale: Scale = case.get("scale", "raw")
    support = (0.0, 1.0) if case["stat"] in ("ece", "brier", "aurc") else (-np.inf, np.inf)
    counts = project(_cells(case))
    found = cluster_jackknife(counts, statistic, scale, support)
    se = jackknife_se(leave_one_out(patterns(counts), counts.sum(axis=0), statistic), scale)
    return {"est": found.value, "lo": found.low, "hi": found.high, "se": se}


def _ece_k5(levels: Floats) -> Floats:
    return calibration.ece(levels, calibration.map_values("k/5"))


JACKKNIFED: dict[str, tuple[Callable[[Floats], Floats], Statistic]] = {
    "acc": (outcome_cells, accuracy.accuracy),
    "accuracy": (outcome_cells, accuracy.accuracy),
    "dprime": (outcome_cells, d_prime),
    "d": (outcome_cells, d_prime),
    "c": (outcome_cells, criterion),
    "criterion": (outcome_cells, criterion),
    "ece": (confidence_cells, _ece_k5),
    "brier": (confidence_cells, partial(brier_of_counts, p=calibration.map_values("k/5"))),
    "auroc1": (signed_rating_cells, rating.auroc_of_counts),
    "auroc2": (confidence_cells, rating.auroc_of_counts),
    "acc5": (partial(selective.covered_counts, threshold=5), selective.share),
}


CLUSTERS: dict[str, Callable[[Case], Any]] = {
    "prop_ci": _prop_ci,
    "cluster_prop": _cluster_prop,
    "cluster_jackknife": _cluster_jackknife,
    "dprime_beta_cluster": _beta,
    "glmm_probit": _glmm,
}
