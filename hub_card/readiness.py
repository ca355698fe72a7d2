"""Whether a release may be published at all, and to whom."""

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from hub_card.checks.numbers import check_numbers
from hub_card.checks.report_file import SUMMARY
from hub_card.facts import ReleaseError
from hub_card.layout import parquet_path
from hub_card.manifest import load_manifest
from hub_card.parquet import plain_rows
from hub_card.validate import validate_release
from schemas.vocabulary import ResponseStatus

SHOWN = 20


class Audience(NamedTuple):
    """Who can read a repository: `private` to its owner's, `gated` to those who accept the conditions."""

    private: bool
    gated: bool


def check_ready(release: Path, accept_unmeasured: bool) -> None:
    """Raises ReleaseError, with what to do, if the release must not be published.

    It must keep every rule, its report and card must follow from its rows, every target must have at least one readable
    response, and every judge a record against people unless `accept_unmeasured`.
    """
    problems = validate_release(release)
    if not problems and (release / SUMMARY).is_file():
        problems = list(check_numbers(release))
    if problems:
        lines = [str(problem) for problem in problems[:SHOWN]]
        more = f"\n… and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise ReleaseError(f"{release} is not sound:\n" + "\n".join(lines) + more)
    silent = silent_targets(release)
    if silent:
        raise ReleaseError(
            f"no response of {', '.join(silent)} can be read, so there is nothing to publish of it. The table attempts "
            "says what went wrong; run build-dataset again (it asks only what is missing), or leave the target out."
        )
    unknown = unmeasured_judges(release)
    if unknown and not accept_unmeasured:
        raise ReleaseError(
            f"no record says how well {', '.join(unknown)} agrees with people. Have people label some of its responses "
            "(annotate-dataset) and build again, or give --accept-unmeasured-judges: the card warns of them."
        )


def silent_targets(release: Path) -> list[str]:
    """The targets of which no response says anything: each is an error, blocked, cut off before a word, or empty."""
    seen = _distinct(release, "labels", "target", "status")
    readable = {ResponseStatus.OK, ResponseStatus.UNLABELLED}
    heard = {row["target"] for row in seen if row["status"] in readable}
    return sorted({row["target"] for row in seen} - heard)


def unmeasured_judges(release: Path) -> list[str]:
    """The judges that voted and have no record in the manifest; one on no rows is none."""
    measured = {record.get("judge") for record in load_manifest(release)["judge_records"] if record.get("n")}
    return sorted({row["judge"] for row in _distinct(release, "judgments", "judge")} - measured)


def check_audience(release: Path, audience: Audience) -> None:
    """Raises ReleaseError if those who could read the repository may not read this tier."""
    tier = load_manifest(release)["tier"]
    if tier == "private" and not audience.private:
        raise ReleaseError("the release is of tier private: give --private, or build it in tier public or gated.")
    if tier == "gated" and not (audience.private or audience.gated):
        raise ReleaseError("the release is of tier gated: give --gated or --private, or build it in tier public.")


def _distinct(release: Path, config: str, *columns: str) -> list[dict[str, Any]]:
    # A table of a million rows has few different values here; as plain values all of them would fill the memory.
    table = pq.ParquetFile(release / parquet_path(config)).read(columns=list(columns))
    return list(plain_rows(config, table.group_by(list(columns), use_threads=False).aggregate([])))
