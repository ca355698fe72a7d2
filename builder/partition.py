"""The rows of a build in parts that memory can hold: complete requests of one target each, in plan order."""

from collections.abc import Iterator
from typing import NamedTuple

from schemas.records import Trial

ROWS = 4_000


class Part(NamedTuple):
    """Consecutive planned rows; keys stand beside trials, row by row."""

    trials: tuple[Trial, ...]
    predict_keys: tuple[str, ...]
    respond_keys: tuple[str, ...]

    @property
    def target(self) -> str:
        """The target of the first row."""
        return self.trials[0].target


def parts(rows: Part, least: int = ROWS) -> Iterator[Part]:
    """The rows in parts of one target each, of at least this many where a target has them; no request is split."""
    trials, start = rows.trials, 0
    for end in range(1, len(trials) + 1):
        last = end == len(trials) or trials[end].target != trials[end - 1].target
        whole = last or trials[end].variant.request_id != trials[end - 1].variant.request_id
        if last or (whole and end - start >= least):
            yield Part(trials[start:end], rows.predict_keys[start:end], rows.respond_keys[start:end])
            start = end
