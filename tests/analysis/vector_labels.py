"""Adapters for agreement, judge correction and tests."""

from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.metrics.cohen import cohen_kappa
from analysis.metrics.dawid_skene import dawid_skene
from analysis.metrics.double_sampling import double_sampling, posterior_mean
from analysis.metrics.fleiss import fleiss_kappa
from analysis.metrics.gwet import gwet_agreement
from analysis.metrics.holm import holm
from analysis.metrics.krippendorff import krippendorff_alpha
from analysis.metrics.manski import manski_bounds
from analysis.metrics.mcnemar import mcnemar
from analysis.metrics.paired import cluster_sign_flip
from analysis.metrics.ppi import optimal_tuning, ppi_mean
from analysis.metrics.rogan_gladen import rogan_gladen, rogan_gladen_interval

Case = dict[str, Any]


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


def _double_sampling(case: Case) -> Any:
    strata = (case["strata_sizes"], case["audited"], case["positives"])
    found = double_sampling(*strata)
    return {"est": found.value, "post_mean": posterior_mean(*strata), "lo": found.low, "hi": found.high}


LABELS: dict[str, Callable[[Case], Any]] = {
    "cohen_kappa": _cohen,
    "gwet": _gwet,
    "fleiss_kappa": lambda case: fleiss_kappa(case["counts"]),
    "krippendorff": lambda case: krippendorff_alpha(np.asarray(case["data"], dtype=np.float64).T, case["level"]),
    "dawid_skene": _dawid_skene,
    "rogan_gladen": lambda case: rogan_gladen(case["p_obs"], case["se"], case["sp"]).value,
    "rogan_gladen_ci": lambda case: list(rogan_gladen_interval(**case)),
    "ppi_mean": _ppi,
    "double_sampling": _double_sampling,
    "mcnemar": _mcnemar,
    "holm": lambda case: holm(case["p"]),
    "cluster_signflip": lambda case: cluster_sign_flip(case["diff"], case["g"]).p_value,
    "manski": lambda case: list(manski_bounds(case["correct"], case["wrong"], case["missing"])),
}
