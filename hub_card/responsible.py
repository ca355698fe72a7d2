"""The Responsible AI fields of a release (Croissant RAI 1.0), computed where they can be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.card_parts.provenance import TIERS
from hub_card.facts import ReleaseFacts

Rows = Mapping[str, Sequence[Any]]


def responsible_ai(tables: Rows, facts: ReleaseFacts) -> dict[str, Any]:
    """The `rai:` fields."""
    annotators = len({row.annotator for row in tables["annotations"]})
    judges = sorted({row.judge for row in tables["judgments"]})
    votes = Counter(row.response_key for row in tables["judgments"])
    per_item = f"{min(votes.values())} to {max(votes.values())}" if votes else "0"
    lost = sum(row.actual_class is None for row in tables["datapoints"])
    return {
        "rai:dataCollection": "Each target was asked to predict its refusal of a text, then met the text alone in a "
        "fresh context; what came back was recorded as it was.",
        "rai:dataCollectionType": ["Synthetic content generation", "Experiments"],
        "rai:dataCollectionMissingData": f"{lost} of {len(tables['datapoints'])} rows have no label; each has a status "
        "that says why. Nothing missing was filled in.",
        "rai:dataAnnotationProtocol": f"Four ordinal labels by codebook {facts.codebook.version} "
        f"(SHA-256 {facts.codebook.sha256}); {annotators} people and {len(judges)} judges voted.",
        "rai:annotationsPerItem": f"{per_item} judges' votes a judged response; people's answers in `annotations`.",
        "rai:machineAnnotationTools": judges,
        "rai:dataBiases": "English only; written requests, not real users'; judges may share biases with targets; "
        "labels of small judges are unreliable.",
        "rai:dataUseCases": "Evaluation of self-prediction, refusal and calibration. Not for training.",
        "rai:dataLimitations": "Few outcomes a request leave most ground-truth bins uncertain; models behind an "
        "interface change; rows of one base request are not independent.",
        "rai:dataSocialImpact": "Helps to measure over- and under-refusal. Requests ask for harm and may distress. "
        f"{TIERS[facts.tier].replace('*', '')}",
        "rai:personalSensitiveInformation": "Requests name no real person. Annotators are pseudonymous.",
        "rai:dataReleaseMaintenancePlan": "Versions are immutable tags; CHANGELOG.md says what each one changed.",
    }
