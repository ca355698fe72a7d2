"""The account of growing in a few lines for a terminal: our own words and numbers, no text of a model."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from builder.growth.facts import lost_paraphrases
from builder.growth.records import CellAccount, Grown, Verdict
from builder.growth.write import SUMMARY, VERIFICATION

SHOWN = 8


def growth_text(grown: Grown, run: Path) -> str:
    """What was generated, written and verified, what is missing and why; empty if nothing was to be."""
    lines = [*_requests(grown), *_paraphrases(grown), *_verification(grown, run)]
    if lines:
        lines.append(f"  every candidate, attempt and verdict: {run}, counts in {SUMMARY}")
    return "\n".join(lines)


def _requests(grown: Grown) -> list[str]:
    if not grown.cells:
        return []
    made = sum(cell.generated for cell in grown.cells)
    wanted = sum(cell.wanted - cell.bundled for cell in grown.cells)
    unverified = sum(cell.unverified for cell in grown.cells)
    note = f" ({unverified:,} of them unverified)" if unverified else ""
    short = [cell for cell in grown.cells if cell.missing]
    lines = [f"corpus: {made:,} of {wanted:,} requests generated{note}, {wanted - made:,} missing"]
    lines += [f"  {_short(cell)}" for cell in short[:SHOWN]]
    return lines + ([f"  and {len(short) - SHOWN} more short cells"] if len(short) > SHOWN else [])


def _short(cell: CellAccount) -> str:
    told = [f"calls {_counted(cell.calls)}"] if cell.calls else []
    told += [f"rejected {_counted(cell.rejected)}"] if cell.rejected else []
    there = cell.bundled + cell.generated
    return f"{cell.topic} level {cell.level.value}: {there} of {cell.wanted}, {cell.why_short}; {'; '.join(told)}"


def _paraphrases(grown: Grown) -> list[str]:
    if not grown.paraphrases_wanted:
        return []
    wanted, missing = grown.paraphrases_wanted, grown.missing_paraphrases
    why = Counter(str(attempt.status) for attempt in lost_paraphrases(grown))
    note = f" (last attempt {_counted(why)})" if why else ""
    return [f"paraphrases: {wanted - missing:,} of {wanted:,} written, {missing:,} missing{note}"]


def _verification(grown: Grown, run: Path) -> list[str]:
    if not grown.verifications:
        return []
    verdicts = Counter(str(item.verdict) for item in grown.verifications)
    drifted = [item.variant_id for item in grown.verifications if item.verdict is Verdict.DRIFTED]
    lines = [f"verification: {len(grown.verifications):,} paraphrases, {_counted(verdicts)}"]
    if drifted:
        more = f" and {len(drifted) - SHOWN} more" if len(drifted) > SHOWN else ""
        lines.append(f"  drifted, to be read and rewritten: {', '.join(drifted[:SHOWN])}{more} ({run / VERIFICATION})")
    return lines


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in Counter(counts).most_common())
