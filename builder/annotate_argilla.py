"""`annotate-dataset push`, `pull`, `status` and `adjudicate`: the verbs that ask an Argilla."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from annotation.argilla.api import Api, ArgillaError
from annotation.argilla.home import Home
from annotation.argilla.pairs_pull import pair_answers
from annotation.argilla.pull import Answers, answers, check_identities, unrecorded
from annotation.argilla.push import Pushed, push, push_disagreements
from annotation.items import State, progress, wanted
from builder.annotate_pairs import pull_paraphrases, push_paraphrases
from builder.annotate_report import paraphrases_text, status_text
from builder.annotate_run import Run, annotate, build_again, read_run, record
from builder.annotate_serve import server_home
from schemas.printable import plain
from schemas.records import Annotation
from schemas.vocabulary import Topic

WATCH_S = 5.0


def push_items(flags: Namespace) -> None:
    """`push`. Raises ArgillaError."""
    if flags.what == "paraphrases":
        with argilla(flags) as api:
            declined = opt_outs(flags.run, dict(flags.opt_out))
            _say(_pushed_text(push_paraphrases(api, flags, declined, _say), api.url))
        return
    run = read_run(flags)
    declined = opt_outs(flags.run, dict(flags.opt_out))
    done = progress(run.items, run.annotations)
    _say(f"for people   {wanted({item.key: item.stream for item in run.items})}")
    with argilla(flags) as api:
        pushed = push(api, flags.workspace, run.items, done, declined, _say, assisted=flags.show_suggestions)
        _say(_pushed_text(pushed, api.url))


def adjudicate_items(flags: Namespace) -> None:
    """`adjudicate`. Raises ArgillaError."""
    run = read_run(flags)
    done = progress(run.items, run.annotations)
    with argilla(flags) as api:
        pushed = push_disagreements(api, flags.workspace, run.items, done, _say)
        waiting = sum(found.state is State.DISAGREEMENT for found in done.values())
        _say(f"{waiting} responses on which people disagree are before the experts")
        _say(_pushed_text(pushed, api.url))


def pull_answers(flags: Namespace) -> None:
    """`pull`. Raises ArgillaError, and RunLockedError if the run stays locked."""
    left_out = 0

    def new(recorded: tuple[Annotation, ...]) -> Iterable[Annotation]:
        nonlocal left_out
        with argilla(flags) as api:
            found = answers(api, flags.workspace, by_name=flags.names)
        check_identities(found.annotations, recorded)
        left_out = found.nameless
        return unrecorded(found.annotations, recorded)

    count = record(flags.run, new)
    _say(f"{count} new answers are in the journal of {flags.run}")
    if left_out:
        _say(f"{left_out} answers of accounts that were deleted since were left out")
    with argilla(flags) as api:
        pull_paraphrases(api, flags, _say)
    run = read_run(flags)
    done = progress(run.items, run.annotations)
    waiting = sum(found.state is State.DISAGREEMENT for found in done.values())
    if waiting:
        _say(f"people disagree on {waiting} responses: {annotate('adjudicate', flags)}")
    if done and all(found.state in (State.SETTLED, State.UNDECIDABLE) for found in done.values()):
        _say(f"everything is settled: {build_again(flags)} goes on from here, with the flags it was first run with")


def show_status(flags: Namespace) -> None:
    """`status`. Raises ArgillaError."""
    run = read_run(flags)
    if not flags.watch:
        _say(_status(flags, run))
        return
    with Live(console=Console(), auto_refresh=False) as live:
        while True:
            live.update(Text(plain(_status(flags, run))), refresh=True)
            time.sleep(WATCH_S)


def argilla(flags: Namespace) -> Api:
    """The Argilla to work with: the one in ARGILLA_API_URL and ARGILLA_API_KEY, else the run's own server.

    Raises ArgillaError if neither is to be found.
    """
    found = _known_argilla(flags)
    if found is None:
        raise ArgillaError(
            f"no server ever ran in {server_home(flags).path}: run {annotate('serve', flags)} in another terminal, "
            "or set ARGILLA_API_URL and ARGILLA_API_KEY"
        )
    return found


def _known_argilla(flags: Namespace) -> Api | None:
    url, key = (os.environ.get(name) for name in ("ARGILLA_API_URL", "ARGILLA_API_KEY"))
    if url and key:
        return Api(url, key)
    if url or key:
        raise ArgillaError("set both ARGILLA_API_URL and ARGILLA_API_KEY, or neither")
    home: Home = server_home(flags)
    address = home.address()
    return None if address is None else Api(address, home.prepare().owner_api_key)


def opt_outs(run: Path, changes: dict[str, tuple[Topic, ...]] | None = None) -> dict[str, tuple[Topic, ...]]:
    """The topics each annotator does not label, remembered in the run directory; `changes` are remembered first."""
    path = run / "opt_outs.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if changes:
        known |= {name: list(topics) for name, topics in changes.items()}
        path.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return {name: tuple(Topic(topic) for topic in topics) for name, topics in known.items()}


def _status(flags: Namespace, run: Run) -> str:
    found, checks = Answers((), {}, 0), run.paraphrases.checks
    server = None if flags.offline else _known_argilla(flags)
    if server is not None:
        with server as api:
            found = answers(api, flags.workspace, by_name=flags.names)
            given = pair_answers(api, flags.workspace, by_name=flags.names)
        known = {(check.pair_key, check.at) for check in checks}  # whatever name it is on record under
        checks = (*checks, *(check for check in given.checks if (check.pair_key, check.at) not in known))
    annotations = (*run.annotations, *unrecorded(found.annotations, run.annotations))
    parts = [
        "" if server is not None else "asked no Argilla: this is what is in the journal",
        status_text(run.items, annotations, found.names, datetime.now(tz=UTC)),
        paraphrases_text(run.paraphrases.pairs, checks, found.names),
    ]
    return "\n\n".join(part for part in parts if part)


def _pushed_text(pushed: Pushed, url: str) -> str:
    lines = [f"{pushed.new} records new, {pushed.changed} changed, {pushed.unchanged} as they were, at {url}"]
    for place, names in pushed.people.items():
        lines.append(f"  {place}: {', '.join(names) if names else 'nobody yet: make accounts with serve --annotator'}")
    return "\n".join(lines)


def _say(words: str) -> None:
    sys.stdout.write(f"{plain(words)}\n")
    sys.stdout.flush()
