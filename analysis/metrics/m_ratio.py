"""M-ratios of many resamples at once: Newton steps on all together, one by one only where that does not settle."""

import numpy as np

from .arrays import Floats
from .meta_d import bounds, in_use, log_likelihood, meta_d, padded, start, type_one

MAX_STEPS = 60
STEP = 1e-6
SETTLED = 1e-6


def m_ratio_of(totals: Floats) -> Floats:
    """M-ratio = meta-d'/d' of totals (..., 2, 2K), for a bootstrap; NaN where undefined. Equals `meta_d(…).m_ratio`."""
    flat = totals.reshape(-1, *totals.shape[-2:])
    found = np.full(len(flat), np.nan)
    groups: dict[int, list[int]] = {}
    kept = [in_use(total) for total in flat]
    for number, counts in enumerate(kept):
        if counts.shape[1] >= 4 and counts.sum(axis=1).all():
            groups.setdefault(counts.shape[1], []).append(number)
    for members in groups.values():
        found[members] = _together(np.stack([padded(kept[number])[0] for number in members]))
    for number in map(int, np.flatnonzero(np.isnan(found))):
        alone = meta_d(*flat[number]).m_ratio
        found[number] = np.nan if alone is None else alone
    return found.reshape(totals.shape[:-2])


def _together(counts: Floats) -> Floats:
    """M-ratios of counts (n, 2, 2K) by damped Newton steps; NaN where they do not settle."""
    types = np.array([type_one(cells) for cells in counts])
    d_prime = types[:, 0]
    relative = types[:, 1] / np.where(d_prime == 0, np.nan, d_prime)
    ratio = np.full(len(counts), np.nan)
    sound = np.flatnonzero(np.isfinite(relative))
    best, settled = _climb(counts[sound], d_prime[sound], relative[sound])
    ratio[sound[settled]] = best[settled, 0] / d_prime[sound[settled]]
    return ratio


def _climb(
    counts: Floats, d_prime: Floats, relative: Floats
) -> tuple[Floats, "np.ndarray[tuple[int], np.dtype[np.bool_]]"]:
    low, high = bounds(counts.shape[-1] - 2)
    at = start(d_prime, counts.shape[-1] - 2)
    value, slope = log_likelihood(at, counts, relative)
    damping = np.full(len(at), 1e-3)
    scale = counts.sum(axis=(1, 2))
    for _ in range(MAX_STEPS):
        if (_steepness(at, slope, low, high) <= SETTLED * scale).all():
            break
        curve = _curvature(at, slope, counts, relative)
        diagonal = np.abs(np.einsum("nii->ni", curve)) + 1e-9 * scale[:, None]
        matrix = -curve + (damping[:, None] * diagonal)[:, :, None] * np.eye(at.shape[1])
        there = np.clip(at + np.linalg.solve(matrix, slope[..., None])[..., 0], low, high)
        new, new_slope = log_likelihood(there, counts, relative)
        better = new >= value
        at, slope = np.where(better[:, None], there, at), np.where(better[:, None], new_slope, slope)
        value = np.where(better, new, value)
        damping = np.clip(np.where(better, damping / 10, damping * 10), 1e-12, 1e12)
    return at, _steepness(at, slope, low, high) <= SETTLED * scale


def _steepness(at: Floats, slope: Floats, low: Floats, high: Floats) -> Floats:
    """The largest slope that does not lead out of the bounds."""
    outward = ((at <= low) & (slope < 0)) | ((at >= high) & (slope > 0))
    return np.asarray(np.where(outward, 0.0, np.abs(slope)).max(axis=1))


def _curvature(at: Floats, slope: Floats, counts: Floats, relative: Floats) -> Floats:
    columns = []
    for number in range(at.shape[1]):
        moved = at.copy()
        moved[:, number] += STEP
        columns.append((log_likelihood(moved, counts, relative)[1] - slope) / STEP)
    found = np.stack(columns, axis=-1)
    return np.asarray((found + found.transpose(0, 2, 1)) / 2)
