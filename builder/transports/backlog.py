"""What has no answer yet, by model: the same for every transport."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence

from builder.journal.store import Journal
from builder.transports.protocol import Ask, AskReport, Watcher

IN_A_BATCH = "in a batch under way: --transport batch collects it, asking now would pay twice"


def backlog(
    asks: Iterable[Ask],
    journal: Journal,
    watcher: Watcher,
    report: AskReport,
    under_way: Callable[[Sequence[str]], Collection[str]] = lambda _models: (),
) -> dict[str, deque[Ask]]:
    """The asks without an answer, each key once, in plan order; the answered ones are counted in the report.

    Those that `under_way` finds, given their models, are left to whom they are under way for, and reported.
    """
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
    held = under_way(list(queues))
    for model, queue in queues.items() if held else ():
        report.not_asked.update({ask.key: IN_A_BATCH for ask in queue if ask.key in held})
        queues[model] = deque(ask for ask in queue if ask.key not in held)
    for (stage, model), (wanted, already) in planned.items():
        watcher.begin(stage, model, wanted, already)
    return {model: queue for model, queue in queues.items() if queue}
