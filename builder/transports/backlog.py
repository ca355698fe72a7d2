"""What has no answer yet, by model: the same for every transport."""

from collections import defaultdict, deque
from collections.abc import Iterable

from builder.journal.store import Journal
from builder.transports.protocol import Ask, AskReport, Watcher


def backlog(asks: Iterable[Ask], journal: Journal, watcher: Watcher, report: AskReport) -> dict[str, deque[Ask]]:
    """The asks without an answer, each key once, in plan order; the answered ones are counted in the report."""
    completed = journal.completed_keys()
    seen: set[str] = set()
    planned: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    queues: dict[str, deque[Ask]] = defaultdict(deque)
    for ask in asks:
        if ask.key in seen:
            continue
        seen.add(ask.key)
        count = planned[(ask.stage, ask.request.model)]
        count[0] += 1
        if ask.key in completed:
            count[1] += 1
            report.already += 1
        else:
            queues[ask.request.model].append(ask)
    for (stage, model), (wanted, already) in planned.items():
        watcher.begin(stage, model, wanted, already)
    return queues
