"""croissant.json: that it describes these files and columns, and names only fields that exist."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hub_card.croissant import CONFORMS_TO, CONTEXT, distribution, record_sets
from hub_card.layout import CONFIGS, CROISSANT, LICENCE_URL, parquet_path
from hub_card.problems import Problem

RAI_FIELDS = """
    dataCollection dataCollectionType dataCollectionMissingData dataCollectionRawData dataCollectionTimeframe
    dataImputationProtocol dataPreprocessingProtocol dataManipulationProtocol dataAnnotationProtocol
    dataAnnotationPlatform dataAnnotationAnalysis annotationsPerItem annotatorDemographics machineAnnotationTools
    dataUseCases dataBiases dataLimitations dataSocialImpact personalSensitiveInformation dataReleaseMaintenancePlan
"""
RAI = frozenset(f"rai:{name}" for name in RAI_FIELDS.split())


def check_croissant(release: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Where croissant.json differs from manifest, files and row types."""
    file = release / CROISSANT
    if not file.is_file() or not all((release / parquet_path(config)).is_file() for config in CONFIGS):
        return  # missing files are reported where files are checked
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        yield Problem(CROISSANT, "", f"cannot be read as JSON: {error}")
        return
    if not isinstance(found, dict):
        yield Problem(CROISSANT, "", "want a JSON object")
        return
    wanted = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": manifest["name"],
        "version": manifest["version"],
        "license": LICENCE_URL,
        "distribution": distribution(release),
        "recordSet": record_sets(),
    }
    for key, value in wanted.items():
        if found.get(key) != value:
            yield Problem(CROISSANT, key, "is not what manifest, files and row types say")
    for key in sorted(key for key in found if key.startswith("rai:") and key not in RAI):
        yield Problem(CROISSANT, key, "no such Responsible AI field")
