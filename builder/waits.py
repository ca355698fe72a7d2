"""Which models are not asked for a while because their server told its limit, and for how long."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

SHORTEST_S = 3.0


@dataclass(slots=True)
class Waits:
    """The waits that were told, by model, in the time of `clock`."""

    clock: Callable[[], float] = time.monotonic
    _until: dict[str, float] = field(default_factory=dict)

    def told(self, model: str, wait_s: float) -> bool:
        """Note that nothing more is asked of a model for so many seconds (0: it is asked again).

        Returns whether that is worth a line: some seconds at least, and a second longer than what was told before.
        """
        until, before = self.clock() + wait_s, self._until.get(model, 0.0)
        self._until[model] = until
        return wait_s >= SHORTEST_S and until > before + 1

    def words(self, model: str) -> str:
        """How much longer a model is waited for; nothing if it is not."""
        left_s = self._until.get(model, 0.0) - self.clock()
        return f"waiting {math.ceil(left_s)} s for its server's limit" if left_s > 0 else ""
