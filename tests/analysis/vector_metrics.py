"""What the analysis returns for each `metric` of a vectors file, in the shape of its `expected`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analysis.intervals import binomial
from analysis.intervals.clusters import leave_one_out, patterns
from analysis.intervals.jackknife import Scale, cluster_jackknife, jackknife_se
from analysis.intervals.proportion import cluster_proportion_of_rows, wilson_effective
from analysis.intervals.sparse import beta_intervals
from analysis.metrics import accuracy, bins, calibration, rating, selective
from analysis.metrics.adaptive_ece import ece_adaptive
from analysis.metrics.arrays import Floats, Statistic
from analysis.metrics.aurc import aurc, risk_coverage
from analysis.metrics.brier import brier_of_counts, murphy
from analysis.metrics.cohen import cohen_kappa
from analysis.metrics.dawid_skene import dawid_skene
from analysis.metrics.double_sampling import double_sampling, posterior_mean
from analysis.metrics.fleiss import fleiss_kappa
from analysis.metrics.glmm import glmm_probit
from analysis.metrics.gwet import gwet_agreement
from analysis.metrics.holm import holm
from analysis.metrics.krippendorff import krippendorff_alpha
from analysis.metrics.leave_one_out import loo_majority_accuracy
from analysis.metrics.manski import manski_bounds
from analysis.metrics.mcnemar import mcnemar
from analysis.metrics.meta_d import meta_d
from analysis.metrics.paired import cluster_sign_flip
from analysis.metrics.ppi import optimal_tuning, ppi_mean
from analysis.metrics.rogan_gladen import rogan_gladen, rogan_gladen_interval
from analysis.metrics.sdt import a_prime, criterion, d_prime, d_prime_se, sdt
from analysis.metrics.smooth_ece import smooth_ece
from analysis.metrics.table import confidence_cells, outcome_cells, request_table, signed_rating_cells

from .vector_replica import end_to_end

Case = dict[str, Any]


def returned(metric: str, case: Case, folder: Path) -> Any:
    """The result for one case's `input`; `folder` holds the files a case names. Raises KeyError for another metric."""
    if metric == "end_to_end":
        return end_to_end(folder / case["csv"], case["model"])
    return METRICS[metric](case)


def _sdt(case: Case) -> Any:
    found = sdt(case["hit"], case["miss"], case["fa"], case["cr"], case.get("correction", "loglinear"))
    return {
        "H": found.hit_rate,
        "F": found.fa_rate,
        "d": found.d_prime,
        "c": found.criterion,
        "ln_beta": found.ln_beta,
        "a_prime": found.a_prime,
        "status": found.status,
    }


def _levels(case: Case) -> tuple[Floats, int]:
    if "conf_counts" not in case:
        return calibration.level_counts(case["conf"], case["correct"])
    counts = np.zeros((2, 5))
    for level, rows in case["conf_counts"].items():
        counts[:, int(level) - 1] = rows["n"] - rows["correct"], rows["correct"]
    return counts, 0


def _forecasts(case: Case) -> tuple[Any, Any]:
    if "conf_counts" not in case:
        return case["p"], case["y"]
    counts, _ = _levels(case)
    repeats = counts.T.ravel().astype(np.int64)
    return np.repeat(np.repeat(calibration.map_values(case["mapping"]), 2), repeats), np.repeat([0, 1] * 5, repeats)


def _smooth_ece(case: Case) -> Any:
    p, y = _forecasts(case)
    return smooth_ece(np.clip(p, *case.get("clip", (0, 1))), y)


def _ece_levels(case: Case) -> Any:
    found = calibration.calibration_error(_levels(case)[0], case["mapping"])
    return {"l1": found.ece, "l2": found.rms, "max": found.maximum, "debiased_l2sq": found.debiased_squared}


def _aurc(case: Case) -> Any:
    found = risk_coverage(_levels(case)[0]) if "conf_counts" in case else aurc(case["conf"], case["correct"])
    return found._asdict()


def _selective(case: Case) -> Any:
    found = selective.selective(case["conf"], case["correct"], case["thr"])
    return {"coverage": found.coverage, "n": found.n_covered, "accuracy": found.accuracy}


def _murphy(case: Case) -> Any:
    found = murphy(case["p"], case["y"])
    return {name: getattr(found, name) for name in ("brier", "reliability", "resolution", "uncertainty")}


def _meta_d(case: Case) -> Any:
    found = meta_d(case["nR_S1"], case["nR_S2"])
    return {
        "d": found.d_prime,
        "c": found.criterion,
        "meta_d": found.meta_d,
        "m_ratio": found.m_ratio,
        "pad": found.padding,
        "status": found.status,
    }


def _prop_ci(case: Case) -> Any:
    x, n, level = case["x"], case["n"], case.get("conf", 0.95)
    named = {"wilson": binomial.wilson, "clopper": binomial.clopper_pearson, "jeffreys": binomial.jeffreys}
    return {name: list(interval(x, n, level)) for name, interval in named.items()}


def _scheme(edges: list[float]) -> bins.Scheme:
    return next(name for name, scheme in bins.SCHEMES.items() if list(scheme.edges) == edges)


def _gwet(case: Case) -> Any:
    found = gwet_agreement(case["data"], case["weights"], case.get("categories"))
    return {"coef": found.coefficient, "se": found.se, "pa": found.observed, "pe": found.chance}


def _cohen(case: Case) -> Any:
    weights = case.get("weights", "none")
    return cohen_kappa(case["a"], case["b"], "identity" if weights == "none" else weights)


def _dawid_skene(case: Case) -> Any:
    found = dawid_skene([(item, annotator, label) for item, annotator, label in case["rows"]])
    one = None if found.posterior is None else found.posterior[:, found.classes.index(1)].tolist()
    prior = None if found.prior is None else found.prior.tolist()
    return {"labels": list(found.labels), "posterior_class1": one, "prior": prior, "status": found.status}


def _ppi(case: Case) -> Any:
    y, y_hat, y_rest = (np.asarray(case[name], dtype=np.float64) for name in ("Y", "Yhat", "Yhat_unlabeled"))
    found = ppi_mean(y, y_hat, y_rest, case["lam"])
    lam = case["lam"] if case["lam"] is not None else optimal_tuning(y, y_hat, y_rest)
    return {"est": found.value, "ci": [found.low, found.high], "lam": lam}


def _mcnemar(case: Case) -> Any:
    found = mcnemar(case["b"], case["c"])
    return {"exact": found.exact, "midp": found.midp, "chi2_cc": found.chi2, "p_chi2_cc": found.p_chi2}


def _glmm(case: Case) -> Any:
    found = glmm_probit(case["pred"], case["actual"], case["g"])
    return {
        "intercept": found.intercept,
        "dprime": found.d_prime,
        "sd": found.sd,
        "logLik": found.log_likelihood,
        "status": found.status,
    }


def _double_sampling(case: Case) -> Any:
    strata = (case["strata_sizes"], case["audited"], case["positives"])
    found = double_sampling(*strata)
    return {"est": found.value, "post_mean": posterior_mean(*strata), "lo": found.low, "hi": found.high}


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

METRICS: dict[str, Callable[[Case], Any]] = {
    "sdt": _sdt,
    "a_prime": lambda case: a_prime(case["H"], case["F"]),
    "dprime_se": lambda case: d_prime_se(case["hit"], case["miss"], case["fa"], case["cr"]),
    "auroc_signed": lambda case: rating.auroc_signed(case["actual"], case["pred"], case["conf"]),
    "auroc_type2": lambda case: rating.auroc_type2(case["correct"], case["conf"]),
    "ece_levels": _ece_levels,
    "murphy": _murphy,
    "ece_adaptive": lambda case: ece_adaptive(case["p"], case["y"], case["n_bins"]),
    "aurc": _aurc,
    "selective": _selective,
    "smooth_ece": _smooth_ece,
    "meta_d": _meta_d,
    "prop_ci": _prop_ci,
    "bin_posterior": lambda case: bins.bin_posterior(
        case["refused"], case["k"], edges=tuple(case["edges"])
    ).probabilities.tolist(),
    "bin_point": lambda case: bins.bin_of_rate(case["rate"], _scheme(case.get("edges", [0.2, 0.5, 0.8]))) or "missing",
    "bin_counts": lambda case: bins.point_bin(case["refused"], case["k"], case["scheme"]) or "missing",
    "cohen_kappa": _cohen,
    "gwet": _gwet,
    "fleiss_kappa": lambda case: fleiss_kappa(case["counts"]),
    "krippendorff": lambda case: krippendorff_alpha(np.asarray(case["data"], dtype=np.float64).T, case["level"]),
    "dawid_skene": _dawid_skene,
    "rogan_gladen": lambda case: rogan_gladen(case["p_obs"], case["se"], case["sp"]).value,
    "rogan_gladen_ci": lambda case: list(rogan_gladen_interval(**case)),
    "ppi_mean": _ppi,
    "mcnemar": _mcnemar,
    "holm": lambda case: holm(case["p"]),
    "cluster_signflip": lambda case: cluster_sign_flip(case["diff"], case["g"]).p_value,
    "glmm_probit": _glmm,
    "dprime_beta_cluster": _beta,
    "double_sampling": _double_sampling,
    "loo_majority_accuracy": lambda case: loo_majority_accuracy(case["actual"], case["g"]),
    "manski": lambda case: list(manski_bounds(case["correct"], case["wrong"], case["missing"])),
    "cluster_prop": _cluster_prop,
    "cluster_jackknife": _cluster_jackknife,
}
