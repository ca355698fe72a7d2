"""Bounds of an accuracy when some expected rows are missing, for the worst and the best they could have been."""

from typing import NamedTuple


class ManskiBounds(NamedTuple):
    """Lowest and highest accuracy over all expected rows; None if none were expected."""

    lower: float | None
    upper: float | None


def manski_bounds(correct: int, wrong: int, missing: int) -> ManskiBounds:
    """correct/N and (correct + missing)/N with N = correct + wrong + missing (Manski 1989, doi:10.2307/145818).

    Raises ValueError for a negative count.
    """
    if min(correct, wrong, missing) < 0:
        raise ValueError(f"negative count in correct={correct}, wrong={wrong}, missing={missing}")
    expected = correct + wrong + missing
    if expected == 0:
        return ManskiBounds(None, None)
    return ManskiBounds(correct / expected, (correct + missing) / expected)
