"""Adapters for statistics of predictions, confidence and refusal rates."""

from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.metrics import bins, calibration, rating, selective
from analysis.metrics.adaptive_ece import ece_adaptive
from analysis.metrics.arrays import Floats
from analysis.metrics.aurc import aurc, risk_coverage
from analysis.metrics.brier import murphy
from analysis.metrics.leave_one_out import loo_majority_accuracy
from analysis.metrics.meta_d import meta_d
from analysis.metrics.sdt import a_prime, d_prime_se, sdt
from analysis.metrics.smooth_ece import smooth_ece

Case = dict[str, Any]


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


def _scheme(edges: list[float]) -> bins.Scheme:
    return next(name for name, scheme in bins.SCHEMES.items() if list(scheme.edges) == edges)


SCORES: dict[str, Callable[[Case], Any]] = {
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
    "bin_posterior": lambda case: bins.bin_posterior(
        case["refused"], case["k"], edges=tuple(case["edges"])
    ).probabilities.tolist(),
    "bin_point": lambda case: bins.bin_of_rate(case["rate"], _scheme(case.get("edges", [0.2, 0.5, 0.8]))) or "missing",
    "bin_counts": lambda case: bins.point_bin(case["refused"], case["k"], case["scheme"]) or "missing",
    "loo_majority_accuracy": lambda case: loo_majority_accuracy(case["actual"], case["g"]),
}
