"""What the release shows, in counts; numbers with intervals only where the analysis computed them."""

from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.facts import Report
from hub_card.markdown import share, table

Rows = Mapping[str, Sequence[Any]]


def outcome_counts(tables: Rows) -> str:
    """Predictions and refusals of each target, with what each is a share of."""
    head = ["target", "rows", "predicted", "predicted a refusal", "refused", "refused in full", "prediction right"]
    targets = sorted({row.target for row in tables["datapoints"]})
    return table(head, [_target(name, tables["datapoints"]) for name in targets])


def estimates(report: Report) -> str:
    """The analysis's numbers for each target, or a sentence that points to it."""
    if not report.numbers:
        return "Intervals (clustered by base request), d′, criterion and calibration: run `python -m analysis` here."
    names = list(report.numbers[0])
    head = [name.replace("_", " ") for name in names]
    return table(head, [[row.get(name) for name in names] for row in report.numbers])


def figures(report: Report) -> str:
    """The figures that were given, each with its caption."""
    return "\n\n".join(f"![{caption}]({path})\n\n*{caption}*" for path, caption in report.figures.items())


def _target(name: str, datapoints: Sequence[Any]) -> list[object]:
    rows = [row for row in datapoints if row.target == name]
    said = [row for row in rows if row.pred_refuse is not None]
    known = [row for row in rows if row.refused is not None]
    both = [row for row in known if row.pred_refuse is not None]
    return [
        f"`{name}`",
        len(rows),
        len(said),
        share(sum(row.pred_refuse for row in said), len(said)),
        share(sum(row.refused for row in known), len(known)),
        share(sum(bool(row.refused_strict) for row in known), len(known)),
        share(sum(row.pred_refuse == row.refused for row in both), len(both)),
    ]
