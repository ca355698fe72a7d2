"""The rows of a written table for counting: read again from its file each time, and only the columns that count."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hub_card.layout import parquet_path
from hub_card.parquet import plain_rows

BATCH = 100_000
COUNT = "count_all"
COLUMNS: dict[str, tuple[str, ...]] = {
    "datapoints": (
        "target",
        "level",
        "prediction_status",
        "pred_refuse",
        "status",
        "actual_class",
        "refused",
        "refused_strict",
        "response_redacted",
    ),
    "requests": ("topic", "level", "source"),
    "variants": ("kind",),
    "predictions": ("target", "status"),
    "responses": ("target", "outcome", "substituted"),
    "judgments": ("response_key", "judge", "label"),
    "annotations": ("response_key", "annotator", "role", "status", "label"),
    "labels": ("target", "status", "label", "source", "route_reason"),
    "ground_truth": ("target", "bin", "bin_certain"),
    "attempts": ("stage", "model", "outcome"),
}


class StoredRows:
    """The rows of a table with the columns in `COLUMNS`, in no particular order; alike rows may be one object."""

    def __init__(self, release: Path, config: str) -> None:
        self._config, self._file = config, release / parquet_path(config)
        self._length: int = pq.read_metadata(self._file).num_rows

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        columns = list(COLUMNS[self._config])
        with pq.ParquetFile(self._file) as stored:
            for batch in stored.iter_batches(BATCH, columns=columns):
                alike = pa.table(batch).group_by(columns, use_threads=False).aggregate([([], COUNT)])
                for row in plain_rows(self._config, alike):
                    count = row.pop(COUNT)
                    yield from repeat(SimpleNamespace(**row), count)
