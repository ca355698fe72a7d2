"""The account of growing in a few lines for a terminal: our own words and numbers, no text of a model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from builder.growth.facts import lost_paraphrases
from builder.growth.records import CellAccount, Grown, Verdict
from builder.growth.write import SUMMARY, VERIFICATION

SHOWN = 8
EXTRA = "pip install -e '.[similarity]'"


def growth_text(grown: Grown, run: Path) -> str:
    """What was generated, written, verified and checked by people, what is missing and why; empty if nothing was."""
    lines = [*_requests(grown), *_paraphrases(grown), *_verification(grown, run)]
    if lines:
        lines.append(f"  every candidate, attempt and verdict: {run}, counts in {SUMMARY}")
    lines += _people(grown)
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
    lines = [f"paraphrases: {wanted - missing:,} of {wanted:,} written, {missing:,} missing{note}"]
    if grown.meaning is None:
        lines.append(f"  their meaning was not measured: {EXTRA} adds the band that the bundled ones keep")
    return lines


def _verification(grown: Grown, run: Path) -> list[str]:
    if not grown.verifications:
        return []
    verdicts = Counter(str(item.verdict) for item in grown.verifications)
    drifted = [item.variant_id for item in grown.verifications if item.verdict is Verdict.DRIFTED]
    lines = [f"verification: {len(grown.verifications):,} paraphrases, {_counted(verdicts)}"]
    if drifted:
        lines.append(f"  drifted, to be read and rewritten: {_listed(drifted)} ({run / VERIFICATION})")
    return lines


def _people(grown: Grown) -> list[str]:
    if grown.people is None:
        return []
    lines = [f"people: {grown.people.words}"]
    if grown.people.rejected:
        lines.append(f"  rejected, to be rewritten: {_listed(grown.people.rejected)}")
    if grown.people.wrong_kind:
        lines.append(f"  of another kind than they are called: {_listed(grown.people.wrong_kind)}")
    return lines


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in Counter(counts).most_common())
