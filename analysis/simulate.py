"""Simulated predictors of refusal with known truth, for coverage, power and questions about boundary requests."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from .metrics.arrays import Bools, Floats, Ints

THRESHOLDS = (0.25, 0.5, 0.85, 1.3)
Predictor = Literal["oracle", "constant_d_prime", "own_threshold"]


@dataclass(frozen=True, slots=True)
class KnownDetection:
    """Model A: a predictor whose marginal d' and c are exactly `d_prime` and `criterion`.

    `sharing_actual`, `sharing_predicted`: how much of outcome and evidence a request's rows share (0 independent).
    `confidence_steps`: |evidence| above which confidence rises to 2, 3, 4, 5, seen through `meta_noise`.
    """

    n_requests: int
    n_rows: int
    base_rate: float
    d_prime: float
    criterion: float
    sharing_actual: float = 0.8
    sharing_predicted: float = 0.6
    meta_noise: float = 0.0
    confidence_steps: tuple[float, float, float, float] = THRESHOLDS


@dataclass(frozen=True, slots=True)
class LatentHarm:
    """Model B: requests with refusal rates θ from 62 % Beta near 0, 18 % spread, 20 % near 1, and a predictor of θ.

    `d_prime` and `criterion` matter to the constant predictor, `introspective_noise` (probit scale) to the own one.
    """

    n_requests: int
    n_rows: int
    predictor: Predictor = "oracle"
    d_prime: float = 2.4
    criterion: float = 0.0
    introspective_noise: float = 0.5


@dataclass(frozen=True, slots=True)
class SimulatedRows:
    """Arrays of equal length: request code, outcome 0/1, prediction 0/1, confidence 1..5."""

    request: Ints
    actual: Ints
    pred: Ints
    confidence: Ints


@dataclass(frozen=True, slots=True)
class LatentRows:
    """`SimulatedRows` and the true refusal rate of each row's request."""

    rows: SimulatedRows
    theta: Floats


def known_detection(model: KnownDetection, rng: np.random.Generator) -> SimulatedRows:
    """Rows of model A: A = 1[√ρ_a a_g + √(1−ρ_a) e > z(1−π)], x = d'(A − ½) − c + √ρ_p u_g + √(1−ρ_p) e', pred = 1[x
    > 0] and confidence 1 + #{steps below |x| + σ_m e''}: clustered, with marginal d' and c untouched.
    """
    shape = (model.n_requests, model.n_rows)
    harm = _shared(model.sharing_actual, shape, rng)
    actual = harm > special.ndtri(1 - model.base_rate)
    evidence = model.d_prime * (actual - 0.5) - model.criterion + _shared(model.sharing_predicted, shape, rng)
    felt = np.abs(evidence) + model.meta_noise * rng.standard_normal(shape)
    return _rows(actual, evidence > 0, felt, model.confidence_steps)


def latent_harm(model: LatentHarm, rng: np.random.Generator) -> LatentRows:
    """Rows of model B: A ~ Bernoulli(θ_g).

    The oracle says refuse iff θ > ½; the constant predictor has evidence d'(A − ½) − c + e whatever θ; the own one
    sees z(θ) through noise. Confidence follows |evidence|.
    """
    theta = _mixture(model.n_requests, rng)
    shape = (model.n_requests, model.n_rows)
    actual = rng.random(shape) < theta[:, None]
    known = special.ndtri(np.clip(theta, 1e-6, 1 - 1e-6))[:, None]
    noise = rng.standard_normal(shape)
    match model.predictor:
        case "oracle":
            evidence = np.broadcast_to(known, shape)
        case "constant_d_prime":
            evidence = model.d_prime * (actual - 0.5) - model.criterion + noise
        case "own_threshold":
            evidence = known - model.criterion + model.introspective_noise * noise
    rows = _rows(actual, evidence > 0, np.abs(evidence), THRESHOLDS)
    return LatentRows(rows, np.repeat(theta, model.n_rows))


def _mixture(n_requests: int, rng: np.random.Generator) -> Floats:
    part = rng.choice(3, size=n_requests, p=(0.62, 0.18, 0.20))
    a, b = np.array([0.4, 1.2, 8.0])[part], np.array([12.0, 1.2, 0.5])[part]
    return rng.beta(a, b)


def _shared(sharing: float, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    common = rng.standard_normal((shape[0], 1))
    return math.sqrt(sharing) * common + math.sqrt(1 - sharing) * rng.standard_normal(shape)


def _rows(actual: Bools, pred: Bools, felt: Floats, steps: tuple[float, float, float, float]) -> SimulatedRows:
    n_requests, n_rows = actual.shape
    confidence = 1 + np.searchsorted(np.array(steps), felt.ravel(), side="left")
    return SimulatedRows(
        np.repeat(np.arange(n_requests, dtype=np.int64), n_rows),
        actual.ravel().astype(np.int64),
        pred.ravel().astype(np.int64),
        confidence.astype(np.int64),
    )
