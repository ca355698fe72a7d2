"""How many calls one model takes at a time, learnt from what it serves and what it pushes back. Pure."""

from collections import deque

RECENT = 20
BURST = 4
BURST_SHARE = 1 / 3
CAREFUL = 0.6
CAREFUL_STEP = 1 / 20
FORGET_ROUNDS = 100


class AdaptiveLimit:
    """Additive increase, multiplicative decrease (doi:10.1016/0169-7552(89)90019-6), for calls instead of packets.

    A burst, `BURST` pushbacks that are a third of the recent results, halves the limit; single ones do not, for busy
    services send some at random. Where a burst was met before, the limit grows in small steps and a single pushback
    takes one step back; after a hundred quiet rounds the place of the burst is forgotten.
    """

    def __init__(self, ceiling: int) -> None:
        self._ceiling = ceiling
        self._limit = float(ceiling)
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._trouble: float | None = None
        self._quiet = 0

    @property
    def limit(self) -> int:
        """How many calls are allowed in flight now; at least 1."""
        return max(1, int(self._limit))

    def served(self) -> None:
        """A call was answered: grow by one a round, or by a twentieth near the place of the last burst."""
        self._recent.append(False)
        self._quiet += 1
        if self._quiet > FORGET_ROUNDS * self._limit:
            self._trouble = None
        step = CAREFUL_STEP if self._careful else 1.0
        self._limit = min(float(self._ceiling), self._limit + step / self._limit)

    def refused(self) -> bool:
        """A call was pushed back; returns whether the limit was lowered."""
        self._recent.append(True)
        self._quiet = 0
        refusals = sum(self._recent)
        if refusals >= BURST and refusals >= BURST_SHARE * len(self._recent):
            self._trouble = self._limit
            self._lower(self._limit / 2)
            return True
        if self._careful:
            self._lower(self._limit - 1)
            return True
        return False

    @property
    def _careful(self) -> bool:
        return self._trouble is not None and self._limit >= CAREFUL * self._trouble

    def _lower(self, limit: float) -> None:
        self._limit = max(1.0, limit)
        self._recent.clear()
