"""Whether a release may be published at all, and to whom."""

from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from hub_card.facts import ReleaseError
from hub_card.layout import parquet_path
from hub_card.manifest import load_manifest
from hub_card.validate import validate_release

SHOWN = 20


class Audience(NamedTuple):
    """Who can read a repository: `private` to its owner's, `gated` to those who accept the conditions."""

    private: bool
    gated: bool


def check_ready(release: Path, accept_unmeasured: bool) -> None:
    """Raises ReleaseError, with what to do, if a rule is broken or a judge has no record against people."""
    problems = validate_release(release)
    if problems:
        lines = [str(problem) for problem in problems[:SHOWN]]
        more = f"\n… and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise ReleaseError(f"{release} is not sound:\n" + "\n".join(lines) + more)
    unknown = unmeasured_judges(release)
    if unknown and not accept_unmeasured:
        raise ReleaseError(
            f"no record says how well {', '.join(unknown)} agrees with people. Have people label some of its responses "
            "(annotate-dataset) and build again, or give --accept-unmeasured-judges: the card warns of them."
        )


def unmeasured_judges(release: Path) -> list[str]:
    """The judges that voted and have no record in the manifest."""
    votes = pq.ParquetFile(release / parquet_path("judgments")).read(columns=["judge"])
    measured = {record.get("judge") for record in load_manifest(release)["judge_records"]}
    return sorted(set(votes["judge"].to_pylist()) - measured)


def check_audience(release: Path, audience: Audience) -> None:
    """Raises ReleaseError if those who could read the repository may not read this tier."""
    tier = load_manifest(release)["tier"]
    if tier == "private" and not audience.private:
        raise ReleaseError("the release is of tier private: give --private, or build it in tier public or gated.")
    if tier == "gated" and not (audience.private or audience.gated):
        raise ReleaseError("the release is of tier gated: give --gated or --private, or build it in tier public.")
