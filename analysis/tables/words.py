"""Sentences about several targets that stay one sentence however many there are."""

from collections.abc import Mapping, Sequence


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; more than six are counted after the fourth."""
    if len(names) > 6:
        return f"{', '.join(names[:4])} and {len(names) - 4} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def grouped(phrases: Mapping[str, str]) -> str:
    """`phrase for a and b; other phrase for c`, from what is true of each name, in order of appearance."""
    names: dict[str, list[str]] = {}
    for name, phrase in phrases.items():
        names.setdefault(phrase, []).append(name)
    if len(names) == 1 and len(phrases) > 3:
        return f"{next(iter(names))} for all {len(phrases)} targets"
    return "; ".join(f"{phrase} for {listed(members)}" for phrase, members in names.items())


def percent(value: float) -> str:
    """A share as `93.0 %`."""
    return f"{100 * value:.1f} %"


def spanned(values: Sequence[float]) -> str:
    """Shares as `93.0 %`, or `86.0 to 93.0 %`."""
    low, high = percent(min(values)), percent(max(values))
    return high if low == high else f"{low.removesuffix(' %')} to {high}"


def plural(count: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
