"""`annotate-dataset serve`: a real Argilla on this machine for as long as the command runs."""

import signal
import sys
import time
import webbrowser
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.argilla.environment import server_python
from annotation.argilla.home import Account, Home
from annotation.argilla.places import adjudication_workspace, labelling_workspaces
from annotation.argilla.stack import Place, Stack
from schemas.printable import plain

FIRST_ANNOTATORS = ("annotator1", "annotator2")
FIRST_EXPERTS = ("expert",)


def serve(flags: Namespace) -> None:
    """Run the server until Ctrl-C, SIGTERM or a closed terminal.

    Raises EnvironmentMissingError or ServerFailedError; KeyboardInterrupt never leaves it.
    """
    home = server_home(flags)
    python = server_python(_say)
    stack = Stack(python, home, Place(flags.host, flags.port))
    _end_on_signals()
    began = time.monotonic()
    _say("starting Argilla …")
    try:
        accounts = _accounts(flags, first=not home.database.exists())
        passwords = stack.start(_workspaces(flags.workspace), accounts)
        try:
            _say(_greeting(stack.place, time.monotonic() - began, accounts, passwords, home))
            if flags.open:
                webbrowser.open(stack.place.url)
            stack.watch()
        finally:
            stack.stop()
    except KeyboardInterrupt:
        _say("stopped; everything is kept, the same command goes on with it")


def server_home(flags: Namespace) -> Home:
    """Where the server of this run keeps its data."""
    path: Path = flags.home or flags.run / "argilla"
    return Home(path.absolute())


def _workspaces(base: str) -> tuple[str, ...]:
    return (*labelling_workspaces(base), adjudication_workspace(base))


def _accounts(flags: Namespace, *, first: bool) -> list[Account]:
    annotators: Sequence[str] = flags.annotator or (FIRST_ANNOTATORS if first else ())
    experts: Sequence[str] = flags.expert or (FIRST_EXPERTS if first else ())
    adjudication = (adjudication_workspace(flags.workspace),)
    accounts = {
        "owner": Account("owner", "owner"),
        "admin": Account("admin", "admin", _workspaces(flags.workspace)),
        **{name: Account(name, "annotator", (flags.workspace,)) for name in annotators},
        **{name: Account(name, "annotator", adjudication) for name in experts},
    }
    for name in flags.new_password:
        known = accounts.get(name, Account(name, "annotator"))
        accounts[name] = Account(known.name, known.role, known.workspaces, new_password=True)
    return list(accounts.values())


def _greeting(
    place: Place, seconds: float, accounts: Sequence[Account], passwords: Mapping[str, str], home: Home
) -> str:
    lines = [f"Argilla is at {place.url} (ready in {seconds:.0f} s; Ctrl-C stops it)"]
    if passwords:
        lines.append("passwords, shown this once (--new-password NAME draws another):")
        lines += [
            f"  {account.name:<16} {passwords[account.name]}   {account.role}"
            for account in accounts
            if account.name in passwords
        ]
    lines.append(f"data and logs: {home.path}")
    if place.host not in ("127.0.0.1", "localhost", "::1"):
        lines.append("It can be reached from other machines, over plain HTTP: put it behind a VPN or a TLS proxy.")
    return "\n".join(lines)


def _end_on_signals() -> None:
    # SIGINT too: a shell script starts its background jobs with it ignored. What nohup ignores stays so.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, _interrupt)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _interrupt)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _say(words: str) -> None:
    sys.stdout.write(f"{plain(words)}\n")
    sys.stdout.flush()
