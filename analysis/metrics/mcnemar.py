"""McNemar's test of two models on the same rows; only where a request has one row."""

from dataclasses import dataclass

from scipy import special, stats


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two-sided p-values: `exact` binomial, `midp`, and `p_chi2` of the continuity-corrected statistic `chi2`."""

    exact: float
    midp: float
    chi2: float
    p_chi2: float


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Test of b rows that only the first model has right against c that only the second has; p = 1 if b = c = 0.

    Mid-p = exact minus the chance of the observed split (Fagerland et al. 2013, doi:10.1186/1471-2288-13-91).
    Raises ValueError for a negative count.
    """
    if min(only_first, only_second) < 0:
        raise ValueError(f"negative count: {only_first} and {only_second}")
    n, fewer = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return McNemar(1.0, 1.0, 0.0, 1.0)
    tail = 2 * float(stats.binom.cdf(fewer, n, 0.5))
    chi2 = max(abs(only_first - only_second) - 1, 0) ** 2 / n
    return McNemar(
        min(1.0, tail), min(1.0, tail - float(stats.binom.pmf(fewer, n, 0.5))), chi2, float(special.chdtrc(1, chi2))
    )
