"""Who watches a run go on: the screen, and the log of events where one is wanted."""

import sys
from typing import TextIO

from rich.console import Console

from builder.event_log import EventLog, Watchers
from builder.progress import BarWatcher, LineWatcher
from builder.spend import Pricing
from builder.transports.protocol import Watcher


def watcher_of(console: Console, price: Pricing, log: TextIO | None) -> Watcher:
    """Bars where stderr is a terminal, else lines; with `log`, every event goes there too."""
    shown = BarWatcher(console, price) if console.is_terminal else LineWatcher(sys.stderr, price)
    return shown if log is None else Watchers(shown, EventLog(log, price))
