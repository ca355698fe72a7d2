"""`python -m benchmarks.analysis_speed`: a million rows with every default interval; the bootstrap beside scipy's."""

import resource
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from scipy import stats

from analysis.intervals.bootstrap import cluster_bootstrap
from analysis.intervals.defaults import default_estimates
from analysis.metrics.arrays import Floats, Ints
from analysis.metrics.sdt import d_prime
from analysis.metrics.table import outcome_cells, request_table
from analysis.simulate import KnownDetection, known_detection

N_ROWS = 1_000_000
N_RESAMPLES = 10_000
Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result and the CPU seconds it took."""
    start = time.process_time()
    return work(), time.process_time() - start


def million_rows(rows_per_request: int) -> tuple[float, int]:
    """Seconds from row arrays to every default interval, and how many estimates that are."""
    model = KnownDetection(N_ROWS // rows_per_request, rows_per_request, 0.4, 2.4, 0.18, meta_noise=1.0)
    rows = known_detection(model, np.random.default_rng(0))
    found, seconds = timed(
        lambda: default_estimates(request_table(rows.request, rows.actual, rows.pred, rows.confidence))
    )
    return seconds, len(found)


def bootstrap_times(n_requests: int) -> dict[str, float]:
    """CPU seconds for 10 000 resamples of d' over the same requests: ours, scipy's with a statistic of the rows of the
    requests drawn, and scipy's fed with our counts and vectorised statistic.
    """
    rows = known_detection(KnownDetection(n_requests, 3, 0.4, 2.4, 0.18), np.random.default_rng(0))
    counts = outcome_cells(request_table(rows.request, rows.actual, rows.pred).cells)
    cell = np.array([[3, 2], [1, 0]])[rows.actual, rows.pred]
    cells_of = np.split(cell, np.flatnonzero(np.diff(rows.request)) + 1)

    def of_rows(requests: Ints) -> float:
        return float(
            d_prime(np.bincount(np.concatenate([cells_of[request] for request in requests]), minlength=4).astype(float))
        )

    def of_counts(hit: Floats, miss: Floats, fa: Floats, cr: Floats, axis: int) -> Floats:
        return d_prime(np.stack([hit.sum(axis), miss.sum(axis), fa.sum(axis), cr.sum(axis)], axis=-1))

    def scipy_bootstrap(data: tuple[Any, ...], statistic: Callable[..., Any], vectorized: bool) -> Any:
        return stats.bootstrap(
            data,
            statistic,
            paired=vectorized,
            vectorized=vectorized,
            n_resamples=N_RESAMPLES,
            batch=500,
            method="percentile",
            rng=np.random.default_rng(1),
        )

    return {
        "ours": timed(lambda: cluster_bootstrap(counts, d_prime, np.random.default_rng(1), N_RESAMPLES))[1],
        "scipy, rows": timed(lambda: scipy_bootstrap((np.arange(n_requests),), of_rows, False))[1],
        "scipy, our counts": timed(lambda: scipy_bootstrap(tuple(counts.T), of_counts, True))[1],
    }


def main() -> None:
    """Prints the figures of docs/analysis.md."""
    for rows_per_request in (3, 30):
        seconds, n_estimates = million_rows(rows_per_request)
        print(
            f"{N_ROWS:,} rows, {rows_per_request} a request: {n_estimates} estimates with intervals in {seconds:.1f} s"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2:.2f} GiB")
    bootstrap_times(30)
    for n_requests in (300, 3000):
        seconds_by = bootstrap_times(n_requests)
        for name, seconds in seconds_by.items():
            times = seconds / seconds_by["ours"]
            print(
                f"{N_RESAMPLES:,} resamples of d', {n_requests} requests, {name}: {seconds:.3f} s ({times:.0f} times)"
            )


if __name__ == "__main__":
    main()
