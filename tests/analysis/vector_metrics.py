"""What the analysis returns for each `metric` of a vectors file, in the shape of its `expected`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .vector_clusters import CLUSTERS
from .vector_labels import LABELS
from .vector_replica import end_to_end
from .vector_scores import SCORES

Case = dict[str, Any]
METRICS: dict[str, Callable[[Case], Any]] = SCORES | LABELS | CLUSTERS


def returned(metric: str, case: Case, folder: Path) -> Any:
    """The result for one case's `input`; `folder` holds the files a case names. Raises KeyError for another metric."""
    if metric == "end_to_end":
        return end_to_end(folder / case["csv"], case["model"])
    return METRICS[metric](case)
