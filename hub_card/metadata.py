"""The card's YAML, which the Hub and `datasets` read; `dataset_info` is checked against the Features of the Parquet."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from hub_card.facts import ReleaseFacts
from hub_card.layout import CONFIGS, DEFAULT_CONFIG, LICENCE, SPLIT, parquet_path
from schemas.rows import TABLES
from schemas.tables import Column, columns_of

if TYPE_CHECKING:
    import datasets

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
GATE = (
    "This tier holds answers to harmful requests. By asking for access you agree to use them for research on refusal "
    "and safety only, not to publish the texts, and not to train a model to comply with them."
)


class FeatureMismatchError(Exception):
    """The card's `dataset_info` and the Features of the Parquet files disagree; the message names config and column."""


class TableSize(NamedTuple):
    """How much a config holds: rows, bytes in memory, bytes of its file."""

    rows: int
    num_bytes: int
    download_size: int


def yaml_features(columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    """Columns as `dataset_info` spells features; read alike by `datasets` 3.6 and 5."""
    return [{"name": column.name, **_yaml_type(column)} for column in columns]


def card_metadata(facts: ReleaseFacts, sizes: Mapping[str, TableSize], people: bool) -> dict[str, Any]:
    """Everything between the card's `---` lines; `people` says whether there are annotations.

    Configs without rows are not listed: `datasets` cannot load them, and one of them would break a loop over all.
    """
    metadata: dict[str, Any] = {
        "license": LICENCE,
        "language": ["en"],
        "pretty_name": facts.title,
        "annotations_creators": ["machine-generated", *(["other"] if people else [])],
        "language_creators": ["machine-generated"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "task_categories": ["text-classification"],
        "size_categories": [_size(sizes[DEFAULT_CONFIG].rows)],
        "tags": ["refusal", "self-prediction", "calibration", "safety", "evaluation"],
    }
    if facts.tier == "gated":
        metadata["extra_gated_prompt"] = GATE
    listed = [config for config in CONFIGS if sizes[config].rows]
    metadata["configs"] = [_config(config, facts.version) for config in listed]
    metadata["dataset_info"] = [_info(config, sizes[config]) for config in listed]
    return metadata


def front_matter(metadata: Mapping[str, Any]) -> str:
    """The metadata as the card's YAML block, `---` lines included."""
    text = yaml.safe_dump(dict(metadata), sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{text}---\n"


def check_features(metadata: Mapping[str, Any], written: Mapping[str, "datasets.Features"]) -> None:
    """Raises FeatureMismatchError unless `dataset_info` is read back as the Features of the written tables."""
    import datasets

    for info in metadata["dataset_info"]:
        read = datasets.DatasetInfo._from_yaml_dict(dict(info)).features
        config = info["config_name"]
        if read != written[config] or list(read) != list(written[config]):
            wrong = [name for name in written[config] if read is None or read.get(name) != written[config][name]]
            raise FeatureMismatchError(f"dataset_info of {config} differs from its Parquet file in {', '.join(wrong)}")


def _yaml_type(column: Column) -> dict[str, Any]:
    if column.class_names:
        return {"dtype": {"class_label": {"names": {str(code): name for code, name in enumerate(column.class_names)}}}}
    return {"list": column.dtype} if column.is_list else {"dtype": column.dtype}


def _config(config: str, version: str) -> dict[str, Any]:
    # The version is part of the local cache key of `datasets`, which otherwise serves an older release's rows.
    entry: dict[str, Any] = {"config_name": config, "version": version}
    if config == DEFAULT_CONFIG:
        entry["default"] = True
    return {**entry, "data_files": [{"split": SPLIT, "path": parquet_path(config)}]}


def _info(config: str, size: TableSize) -> dict[str, Any]:
    return {
        "config_name": config,
        "features": yaml_features(columns_of(TABLES[config])),
        "splits": [{"name": SPLIT, "num_bytes": size.num_bytes, "num_examples": size.rows}],
        "download_size": size.download_size,
        "dataset_size": size.num_bytes,
    }


def _size(rows: int) -> str:
    return next((name for limit, name in SIZES if rows < limit), "1M<n<10M")
