"""The chapters of the report in reading order: what is there first, numbers, comparisons, methods and limits last."""

from ..study import Study
from ..tables.confidence import by_confidence, calibration, selection
from ..tables.groups import by_level, by_topic
from ..tables.headline import confusion, headline
from ..tables.missing import missing
from .page import Section


def sections(study: Study) -> list[Section]:
    """Every chapter with its tables."""
    return [
        Section("rows", "What is there and what is missing", (), tuple(missing(study))),
        Section("foresight", "Do targets foresee their refusals?", (), (headline(study), confusion(study))),
        Section(
            "confidence",
            "What is their confidence worth?",
            (),
            (calibration(study), by_confidence(study), selection(study)),
        ),
        Section("where", "Where do they err?", (), (by_level(study), by_topic(study))),
    ]
