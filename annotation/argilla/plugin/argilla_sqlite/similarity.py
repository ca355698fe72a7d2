"""Cosine similarity by brute force: exact, and fast enough for what one machine annotates."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Scored(NamedTuple):
    """A record and how similar it is, 0 to 1: (1 + cosine)/2, the score Elasticsearch gives."""

    record_id: str
    score: float


def most_similar(rows: Sequence[Any], value: Sequence[float], *, least: bool, limit: int) -> list[Scored]:
    """The `limit` best of rows (record id, vector as JSON), best first; with `least` the most opposite ones."""
    if not rows:
        return []
    matrix = np.asarray([json.loads(vector) for _, vector in rows], dtype=np.float64)
    target = np.asarray(value, dtype=np.float64) * (-1 if least else 1)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(target)
    cosine = np.divide(matrix @ target, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    scores = (1 + cosine) / 2
    return [Scored(rows[place][0], float(scores[place])) for place in np.argsort(-scores, kind="stable")[:limit]]
