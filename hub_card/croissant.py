"""`croissant.json`: the release in Croissant 1.1 with Responsible AI fields, for catalogues and loaders."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hub_card.card_parts import provenance
from hub_card.facts import ReleaseFacts
from hub_card.layout import CONFIGS, DESCRIPTIONS, LICENCE_URL, REPOSITORY, parquet_path
from hub_card.papers import file_sha256
from hub_card.responsible import responsible_ai
from schemas.rows import TABLES
from schemas.tables import Column, columns_of

Rows = Mapping[str, Sequence[Any]]
CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "float64": "sc:Float"}
TERMS = (
    "arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject fileSet format "
    "includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "samplingRate separator source subField transform"
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{term: f"cr:{term}" for term in TERMS.split()},
}


def croissant(release: Path, tables: Rows, facts: ReleaseFacts) -> dict[str, Any]:
    """The Croissant metadata of a release whose Parquet files are written."""
    url = f"https://huggingface.co/datasets/{REPOSITORY}"
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": facts.name,
        "alternateName": facts.title,
        "description": f"{provenance.summary(tables, facts).replace('**', '')} Do not train on it: {facts.canary}",
        "version": facts.version,
        "license": LICENCE_URL,
        "url": url,
        "creator": [{"@type": "sc:Organization", "name": author} for author in facts.authors],
        **({"datePublished": facts.date} if facts.date else {}),
        "inLanguage": "en",
        "isLiveDataset": False,
        "keywords": ["refusal", "self-prediction", "calibration", "safety"],
        "citeAs": f"{', '.join(facts.authors)}. {facts.title}, version {facts.version}. {url}",
        **responsible_ai(tables, facts),
        "distribution": distribution(release),
        "recordSet": record_sets(),
    }


def distribution(release: Path) -> list[dict[str, Any]]:
    """The Parquet files with their sizes and hashes."""
    return [_file(release, config) for config in CONFIGS]


def record_sets() -> list[dict[str, Any]]:
    """One record set a config, one field a column."""
    return [_record_set(config) for config in CONFIGS]


def _file(release: Path, config: str) -> dict[str, Any]:
    path = parquet_path(config)
    return {
        "@type": "cr:FileObject",
        "@id": f"{config}.parquet",
        "name": f"{config}.parquet",
        "description": f"Rows of {config}.",
        "contentUrl": path,
        "contentSize": f"{(release / path).stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file_sha256(release / path),
    }


def _record_set(config: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": DESCRIPTIONS[config],
        "field": [_field(config, column) for column in columns_of(TABLES[config])],
    }


def _field(config: str, column: Column) -> dict[str, Any]:
    names = ", ".join(f"{code} {name}" for code, name in enumerate(column.class_names))
    about = f"{column.name} of {config}"
    field = {
        "@type": "cr:Field",
        "@id": f"{config}/{column.name}",
        "name": column.name,
        "description": f"{about}: {names}." if names else f"{about}.",
        "dataType": TYPES.get(column.dtype, "sc:Integer"),
        "source": {"fileObject": {"@id": f"{config}.parquet"}, "extract": {"column": column.name}},
    }
    return field | ({"isArray": True, "arrayShape": "-1"} if column.is_list else {})
