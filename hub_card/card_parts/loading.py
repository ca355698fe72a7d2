"""How to load a release: a snippet for every config, pinned to the tag."""

from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.layout import CONFIGS, DESCRIPTIONS, REPOSITORY, SPLIT


def loading(tables: Mapping[str, Sequence[Any]], version: str) -> str:
    """A Python block that loads every config that has rows at this version, then other ways to read it."""
    lines = ["from datasets import load_dataset", ""]
    for config in CONFIGS:
        if tables[config]:
            lines.append(f"# {DESCRIPTIONS[config]}")
            lines.append(f'{config} = load_dataset("{REPOSITORY}", "{config}", split="{SPLIT}", revision="v{version}")')
    return "```python\n" + "\n".join(lines) + "\n```\n\n" + OFFLINE.format(repository=REPOSITORY, version=version)


OFFLINE = """\
Offline, download once and load from the path (`datasets` may ignore `revision` when it is offline):

```python
from huggingface_hub import snapshot_download

path = snapshot_download("{repository}", repo_type="dataset", revision="v{version}")
datapoints = load_dataset(path, "datapoints", split="train")
```

pandas, DuckDB and everything else that reads Parquet can take `data/<config>/*.parquet` as it is. Categories are stored
as integers; their names are in the card's metadata and in each file's `huggingface` metadata. Unknown is null, never 0.
"""
