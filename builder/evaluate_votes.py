"""What a judge says of gold rows: by rules here, or asked of a model and kept in a journal."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO

from rich.console import Console

from annotation.gold import GoldRow
from builder.journal.lock import run_lock
from builder.journal.store import Journal
from builder.prices import price_of
from builder.providers.connect import check_access, concurrency_of, connect
from builder.spend import budget_of
from builder.stages import judge
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask
from builder.watching import watcher_of
from schemas.chat import ChatRequest
from schemas.config import LEXICAL, BuildConfig
from schemas.key import digest, key_of
from schemas.records import Judgment, Response
from schemas.vocabulary import Outcome


class UnmeasuredError(Exception):
    """Not every row had its turn: the user stopped it, the judge was given up, or the budget is spent."""

    def __init__(self, words: str, *, by_user: bool) -> None:
        super().__init__(words)
        self.by_user = by_user


def votes_of(
    name: str, gold: Sequence[GoldRow], config: BuildConfig, run: Path, log: Path | None = None
) -> list[Judgment]:
    """The judge's vote on every row, in order; answers of a model are kept in `run`, events are appended to `log`.

    Raises ConfigError if the judge cannot be asked, RunLockedError, JournalError, and UnmeasuredError.
    """
    pairs = [(row.prompt, Response(digest(row.prompt, row.response), Outcome.TEXT, row.response)) for row in gold]
    if name == LEXICAL:
        return [judge.by_rules(prompt, response) for prompt, response in pairs]
    check_access((name,), config)
    requests = [judge.ask(name, prompt, response) for prompt, response in pairs]
    run.mkdir(parents=True, exist_ok=True)
    events = log.open("a", encoding="utf-8") if log else nullcontext()
    with run_lock(run), Journal(run / "journal.sqlite") as journal, events as stream:
        _ask(requests, _transport(journal, config, stream), run)
        return [
            judge.read(name, key_of(request), response, journal.completion(key_of(request)))
            for request, (_, response) in zip(requests, pairs, strict=True)
        ]


def _transport(journal: Journal, config: BuildConfig, log: TextIO | None) -> LiveTransport:
    console = Console(stderr=True)
    price = partial(price_of, config=config)
    return LiveTransport(
        journal,
        partial(connect, config=config, say=lambda words: console.print(words, markup=False, highlight=False)),
        watcher_of(console, price, log),
        partial(concurrency_of, config=config),
        purse=budget_of(config, journal),
    )


def _ask(requests: Sequence[ChatRequest], transport: LiveTransport, run: Path) -> None:
    report = transport.ask([Ask("judge", key_of(request), request) for request in requests])
    if report.not_asked or report.stopped:
        by_user = "interrupted" in report.not_asked.values()
        given_up = "".join(f"{model} was given up: {reason}" for model, reason in report.stopped.items())
        why = "stopped" if by_user else given_up or transport.purse.why
        more = " with a larger --budget-usd" if not (by_user or given_up) else ""
        raise UnmeasuredError(
            f"{why}: {report.already + report.answered} of {len(requests)} answers are on record in {run}, "
            f"no judge record is written; the same command goes on from there{more}",
            by_user=by_user,
        )
