"""The chapters of the report in reading order: what is there first, numbers, comparisons, methods and limits last."""

from ..study import Study, UnequalItemsError
from ..tables.acting import by_prediction, guarantees, selection
from ..tables.baselines import baselines, ceilings
from ..tables.bins import bins, by_bin
from ..tables.calibration import by_confidence, calibration
from ..tables.coding import bounds, codings
from ..tables.costs import costs
from ..tables.design import consistency, design
from ..tables.detection import detection_checks
from ..tables.errors import errors
from ..tables.forecast import brier, brier_by_bin
from ..tables.groups import by_level, by_topic
from ..tables.headline import confusion, headline
from ..tables.metacognition import metacognition
from ..tables.missing import missing
from ..tables.pairs import pairs
from ..tables.paper import paper_tables
from ..tables.paper_limits import paper_limits
from .methods import methods
from .page import Section


def sections(study: Study) -> list[Section]:
    """Every chapter with its tables."""
    return [
        Section("rows", "What is there and what is missing", (), (*missing(study), bounds(study), design(study))),
        Section(
            "foresight",
            "Do targets foresee their refusals?",
            (),
            (headline(study), confusion(study), codings(study), detection_checks(study)),
        ),
        Section(
            "confidence",
            "What is their confidence worth?",
            (),
            (
                calibration(study),
                by_confidence(study),
                selection(study),
                by_prediction(study),
                guarantees(study),
                costs(study),
                brier(study),
                metacognition(study),
            ),
        ),
        Section("self", "Is it self-knowledge?", (), (baselines(study), ceilings(study))),
        Section("where", "Where do they err?", (), (by_level(study), by_topic(study), errors(study))),
        Section(
            "rates",
            "How firm is the ground truth?",
            (),
            (bins(study), by_bin(study), brier_by_bin(study), consistency(study)),
        ),
        comparison(study),
        *([study_conventions(study)] if study.settings.paper else []),
        Section("methods", "Methods and limits", methods(study.settings)),
    ]


def study_conventions(study: Study) -> Section:
    """The source study's tables, and beside them where its conventions mislead."""
    lines = (
        "The figures below follow the source study (arXiv 2604.00228): lenient coding, log-linear d′ and c, k/5 as the "
        "probability of confidence k, one bin a level, rows resampled as if independent. They are for comparison only.",
    )
    return Section("study", "The source study’s tables", lines, (*paper_tables(study), paper_limits(study)))


def comparison(study: Study) -> Section:
    """The chapter on pairs of targets; where items differ it says so instead of comparing."""
    title = "Do targets differ?"
    try:
        return Section("pairs", title, (), (pairs(study),))
    except UnequalItemsError as error:
        return Section("pairs", title, (f"No comparison: {error}.",), refused=str(error))
